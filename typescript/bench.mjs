// How long validation takes, beside bare ajv on the same receipts in the same run: node bench.mjs
//
// Prints medians over rounds, in microseconds a receipt, and ratios. Nothing here passes or fails: machines differ.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import * as rr from "./dist/index.js";
import { readSchemas } from "./scripts/schemas.mjs";
import { validatorsModule } from "./scripts/validators.mjs";

const ROUNDS = 40;
const EACH = 10;

// ajv standalone as it comes, beside our own modules.
const bare = new URL("dist/bench-ajv.mjs", import.meta.url);
writeFileSync(bare, await validatorsModule(readSchemas(new URL("../schemas/", import.meta.url)), import.meta.dirname));
const { receipt: ajv } = await import(bare);
rmSync(bare);

const values = JSON.parse(
  readFileSync(new URL("../conformance/vectors/openadapt/receipts.json", import.meta.url), "utf8"),
);
const texts = values.map((value) => JSON.stringify(value));
const bytes = texts.map((text) => new TextEncoder().encode(text));
const UTF8 = new TextDecoder("utf-8", { fatal: true });

const contenders = {
  ajv: () => values.every((value) => ajv(value)),
  validate: () => values.every((value) => rr.validate(value, "receipt").valid),
  "JSON.parse and ajv, of a string": () => texts.every((text) => ajv(JSON.parse(text))),
  "readDocument, of a string": () => texts.every((text) => rr.readDocument(text, "receipt").ok),
  "JSON.parse and ajv, of bytes": () => bytes.every((data) => ajv(JSON.parse(UTF8.decode(data)))),
  "readDocument, of bytes": () => bytes.every((data) => rr.readDocument(data, "receipt").ok),
};

const times = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, run] of Object.entries(contenders)) {
    const start = process.hrtime.bigint();
    for (let each = 0; each < EACH; each++) if (!run()) throw new Error(`${name} refuses a receipt`);
    // The first rounds warm up.
    if (round >= ROUNDS / 4) times[name].push(Number(process.hrtime.bigint() - start) / 1000 / EACH / values.length);
  }
}

const median = (name) => times[name].sort((one, other) => one - other)[times[name].length >> 1];
for (const name of Object.keys(contenders)) console.log(`${median(name).toFixed(2).padStart(8)} us  ${name}`);
const ratio = (name, base) =>
  console.log(`${(median(name) / median(base)).toFixed(2).padStart(8)}     ${name} / ${base}`);
ratio("validate", "ajv");
ratio("readDocument, of a string", "JSON.parse and ajv, of a string");
ratio("readDocument, of bytes", "JSON.parse and ajv, of bytes");
