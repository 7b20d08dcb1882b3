// The schemas compiled by ajv, as source text of a module. Nothing is compiled where the package runs.

import Ajv2020 from "ajv/dist/2020.js";
import standaloneCode from "ajv/dist/standalone/index.js";
import { build } from "esbuild";

/** ajv's own module: functions named contract, certificate, receipt and spec. */
export function ajvModule(schemas, options = {}) {
  const ajv = new Ajv2020.default({
    code: { source: true, esm: true, lines: true },
    schemas: Object.values(schemas),
    strict: true,
    strictRequired: true,
    ...options,
  });
  const { common, ...documents } = schemas;
  const names = Object.fromEntries(Object.entries(documents).map(([name, { $id }]) => [name, $id]));
  return standaloneCode.default(ajv, names);
}

/** The same as one module that needs nothing: ajv's output still calls require. */
export async function validatorsModule(schemas, folder, options) {
  const { outputFiles } = await build({
    stdin: { contents: ajvModule(schemas, options), resolveDir: folder, loader: "js" },
    bundle: true,
    format: "esm",
    write: false,
    logLevel: "error",
  });
  return outputFiles[0].text;
}
