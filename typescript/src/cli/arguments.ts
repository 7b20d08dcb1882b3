// The options of each command, and what a user gives for them.

import { parseArgs } from "node:util";
import { MAX_POLICY_UPDATE } from "../generated/tables.js";
import type { Kind } from "../validation/schema.js";

const OPTIONS = {
  kind: { type: "string" },
  lines: { type: "boolean" },
  "no-lines": { type: "boolean" },
  contract: { type: "string", multiple: true },
  certificate: { type: "string", multiple: true },
  keyring: { type: "string", multiple: true },
  "public-key": { type: "string" },
  "at-update": { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean" },
} as const;

export const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  lint: ["kind", "lines", "no-lines"],
  audit: ["lines", "no-lines", "contract", "certificate", "keyring", "public-key", "at-update"],
  verify: ["kind", "lines", "no-lines", "keyring", "public-key"],
};

export class UsageError extends Error {}

export interface Given {
  readonly files: readonly string[];
  readonly kind?: Kind | undefined;
  readonly lines?: boolean | undefined;
  readonly contract?: readonly string[] | undefined;
  readonly certificate?: readonly string[] | undefined;
  readonly keyring?: readonly string[] | undefined;
  readonly "public-key"?: string | undefined;
  readonly "at-update"?: string | undefined;
}

export function parsed(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    // Its message can quote an argument, which could be a key.
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(
      code === "ERR_PARSE_ARGS_UNKNOWN_OPTION" ? "there is no such option" : "an option has no value, or one too many",
    );
  }
}

export function policyUpdate(text: string | undefined): number | null {
  if (text === undefined) return null;
  const update = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(update)) throw new UsageError(`--at-update is an integer from 0 to ${MAX_POLICY_UPDATE}`);
  return update;
}
