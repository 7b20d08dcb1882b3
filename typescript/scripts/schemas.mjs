// The schemas that the package checks, for ajv.

import { readFileSync } from "node:fs";

export const FILES = {
  common: "common.schema.json",
  contract: "reward-contract.schema.json",
  certificate: "reward-certificate.schema.json",
  receipt: "reward-evidence-receipt.schema.json",
  spec: "reward-spec.schema.json",
};

/** The schema files by short name. */
export function readSchemas(folder) {
  return Object.fromEntries(
    Object.entries(FILES).map(([name, file]) => [name, JSON.parse(readFileSync(new URL(file, folder), "utf8"))]),
  );
}
