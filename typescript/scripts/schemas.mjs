// The schemas as data for the package: one table of definitions by name, without what only people read.

import { readFileSync } from "node:fs";

export const FILES = {
  common: "common.schema.json",
  contract: "reward-contract.schema.json",
  certificate: "reward-certificate.schema.json",
  receipt: "reward-evidence-receipt.schema.json",
  spec: "reward-spec.schema.json",
};

// What src/validation/sentences.ts and src/documents/complete.ts know. Anything else stops the build instead of being dropped.
const KEYWORDS = new Set([
  ...["title", "type", "const", "enum", "oneOf", "anyOf", "pattern", "examples", "minLength", "maxLength"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "items", "minItems", "maxItems", "uniqueItems"],
  ...["properties", "required", "additionalProperties", "propertyNames", "minProperties", "maxProperties"],
  ...["allOf", "if", "then", "else", "default"],
]);
// "not" says again what the pattern beside it says, to engines with another $.
const LEFT_OUT = new Set(["$schema", "$id", "$defs", "description", "not"]);

/** The schema files by short name. */
export function readSchemas(folder) {
  return Object.fromEntries(
    Object.entries(FILES).map(([name, file]) => [name, JSON.parse(readFileSync(new URL(file, folder), "utf8"))]),
  );
}

/** Every definition that the documents and the reward spec reach, by its name, and the names of these. */
export function definitions(schemas) {
  const all = {};
  const documents = {};
  for (const [name, schema] of Object.entries(schemas)) {
    for (const [title, definition] of Object.entries(schema.$defs ?? {})) add(all, title, definition);
    if (name === "common") continue;
    documents[name] = schema.title;
    add(all, schema.title, schema);
  }
  const reached = new Set(Object.values(documents));
  for (const name of reached) {
    const { $defs, ...schema } = all[name];
    for (const [, to] of JSON.stringify(schema).matchAll(/"\$ref":"[^"]*\/([^"/]+)"/g)) reached.add(to);
  }
  const kept = Object.keys(all).filter((name) => reached.has(name));
  const found = Object.fromEntries(kept.map((name) => [name, local(all[name], name)]));
  return { found, documents };
}

function add(all, name, schema) {
  if (Object.hasOwn(all, name)) throw new Error(`two definitions are named ${name}`);
  all[name] = schema;
}

function local(schema, place) {
  const copy = {};
  for (const [key, value] of Object.entries(schema)) {
    if (LEFT_OUT.has(key)) {
      // The sentence of a rule is its description.
      if (key === "not" && Object.keys(value).join() !== "pattern") throw new Error(`${place}: "not" beyond a pattern`);
    } else if (key === "$ref") copy.$ref = value.split("/").at(-1);
    else if (!KEYWORDS.has(key)) throw new Error(`${place}: the package does not know the keyword ${key}`);
    else if (key === "properties") {
      copy[key] = Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, local(member, `${place}/${name}`)]),
      );
    } else if (["items", "additionalProperties", "propertyNames", "if", "then", "else"].includes(key)) {
      copy[key] = typeof value === "object" ? local(value, `${place}/${key}`) : value;
    } else if (["allOf", "anyOf", "oneOf"].includes(key)) {
      copy[key] = value.map((option, index) => local(option, `${place}/${key}/${index}`));
    } else copy[key] = value;
  }
  return copy;
}
