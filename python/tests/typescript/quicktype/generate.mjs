// Writes types for schemas in one file each: node generate.mjs LANGUAGE NAME=FILE ...

import { readFileSync } from "node:fs";
import { FetchingJSONSchemaStore, InputData, JSONSchemaInput, quicktype } from "quicktype-core";

const [lang, ...sources] = process.argv.slice(2);
const schemas = new JSONSchemaInput(new FetchingJSONSchemaStore());
for (const source of sources) {
  const [name, file] = source.split("=");
  await schemas.addSource({ name, schema: readFileSync(file, "utf8") });
}
const inputData = new InputData();
inputData.addInput(schemas);
const rendererOptions = lang === "typescript" ? { "just-types": "true" } : {};
const { lines } = await quicktype({ inputData, lang, rendererOptions });
process.stdout.write(lines.join("\n"));
