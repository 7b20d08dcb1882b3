// How long validation and verification take, beside bare ajv on the same receipts in the same run: npm run bench
//
// Prints the fastest and the median round, in microseconds a receipt, and ratios of the fastest. Nothing here passes or
// fails: machines differ.

import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as rr from "reward-receipts";

const ROUNDS = 40;
const EACH = 10;
const HOUSE = new URL("../../", import.meta.url); // of dist/bench.js

const schema = (name: string) => JSON.parse(readFileSync(new URL(`schemas/${name}.schema.json`, HOUSE), "utf8"));
const vector = (name: string) => readFileSync(new URL(`conformance/vectors/openadapt/${name}`, HOUSE), "utf8");

const ajv = new Ajv2020({ strict: true, strictRequired: true, schemas: [schema("common")] }).compile(
  schema("reward-evidence-receipt"),
);
const values = JSON.parse(vector("receipts.json")) as object[];
const texts = values.map((value) => JSON.stringify(value));
const bytes = texts.map((text) => new TextEncoder().encode(text));
const receipts = texts.map((text) => {
  const result = rr.readDocument(text, "receipt");
  if (!result.ok) throw new rr.InvalidDocumentError(result.findings);
  return result.document;
});
const key = vector("public_key.txt").trim();
const UTF8 = new TextDecoder("utf-8", { fatal: true });

const CONTENDERS: Readonly<Record<string, () => boolean>> = {
  ajv: () => values.every((value) => ajv(value)),
  validate: () => values.every((value) => rr.validate(value, "receipt").valid),
  "JSON.parse and ajv, of a string": () => texts.every((text) => ajv(JSON.parse(text))),
  "readDocument, of a string": () => texts.every((text) => rr.readDocument(text, "receipt").ok),
  "JSON.parse and ajv, of bytes": () => bytes.every((data) => ajv(JSON.parse(UTF8.decode(data)))),
  "readDocument, of bytes": () => bytes.every((data) => rr.readDocument(data, "receipt").ok),
  "verify, of a document": () => receipts.every((receipt) => rr.verify(receipt, key) === "valid"),
};

const times = new Map(Object.keys(CONTENDERS).map((name) => [name, [] as number[]]));
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, run] of Object.entries(CONTENDERS)) {
    const start = process.hrtime.bigint();
    for (let each = 0; each < EACH; each++) if (!run()) throw new Error(`${name} refuses a receipt`);
    // The first rounds warm up.
    if (round >= ROUNDS / 4) {
      times.get(name)!.push(Number(process.hrtime.bigint() - start) / 1000 / EACH / values.length);
    }
  }
}
for (const taken of times.values()) taken.sort((one, other) => one - other);

console.log("     min   median  (us a receipt)");
for (const [name, taken] of times) {
  console.log(`${taken[0]!.toFixed(2).padStart(8)} ${taken[taken.length >> 1]!.toFixed(2).padStart(8)}  ${name}`);
}
for (const [name, base] of [
  ["validate", "ajv"],
  ["readDocument, of a string", "JSON.parse and ajv, of a string"],
  ["readDocument, of bytes", "JSON.parse and ajv, of bytes"],
] as const) {
  console.log(`${(times.get(name)![0]! / times.get(base)![0]!).toFixed(2).padStart(8)}  ${name} / ${base}`);
}
