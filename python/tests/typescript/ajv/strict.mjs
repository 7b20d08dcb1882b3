// ajv in strict mode, as a third engine beside the two of the Python tests.
//
//   node strict.mjs KIND=FILE...
//
// Compiles every schema file and every definition in it. Whatever strict mode objects to ends the process with status
// 1 and ajv's words on stderr. Then each line of stdin, {"kind": KIND, "document": VALUE}, is answered by a line of
// stdout, {"valid": BOOLEAN, "errors": [[POINTER, KEYWORD, PLACE IN THE SCHEMA], ...]}.

import { readFileSync } from "node:fs";
import Ajv2020 from "ajv/dist/2020.js";

const refuse = (...words) => {
  throw new Error(words.join(" "));
};

const ajv = new Ajv2020.default({
  strict: true,
  strictRequired: true, // strict alone leaves it out
  allErrors: true,
  logger: { log: refuse, warn: refuse, error: refuse }, // what ajv only warns of is refused as well
});

const schemas = {};
for (const argument of process.argv.slice(2)) {
  const [kind, file] = argument.split(/=(.*)/s);
  schemas[kind] = JSON.parse(readFileSync(file, "utf8"));
}
try {
  for (const schema of Object.values(schemas)) ajv.addSchema(schema);
  for (const { $id, $defs = {} } of Object.values(schemas)) {
    for (const place of [$id, ...Object.keys($defs).map((name) => `${$id}#/$defs/${name}`)]) {
      ajv.getSchema(place) ?? refuse("there is no schema at", place);
    }
  }
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const { kind, document } = JSON.parse(line);
  const validate = ajv.getSchema(schemas[kind].$id);
  const valid = validate(document);
  const errors = (validate.errors ?? []).map((error) => [error.instancePath, error.keyword, error.schemaPath]);
  console.log(JSON.stringify({ valid, errors }));
}
