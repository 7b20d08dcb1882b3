// The schemas as data, the kinds of documents and how a document names its kind.

import { named } from "../core/foreign.js";
import { DEFINITIONS, DOCUMENT_DEFINITIONS } from "../generated/schemas.js";
import { KINDS } from "../generated/tables.js";

export { KINDS } from "../generated/tables.js";

import type { DataKind, Kind, Schema } from "./schema.js";

/** The definition of a name. */
export function definition(name: string): Schema {
  const found = DEFINITIONS[name];
  if (found === undefined) throw new Error(`there is no definition ${name}`); // the build saw to it that there is
  return found;
}

/** The schema of a kind of document. */
export function schemaOf(kind: Kind | DataKind): Schema {
  return definition(DOCUMENT_DEFINITIONS[kind]);
}

/** The schema_version of a kind of document. */
export function versionOf(kind: Kind): string {
  return schemaOf(kind).properties?.["schema_version"]?.const as string;
}

/** The kind that a schema_version names; undefined where it is none. */
export function kindOfVersion(version: unknown): Kind | undefined {
  return KINDS.find((kind) => versionOf(kind) === version);
}

/** Throws TypeError for what is not a kind. */
export function requireKind(kind: unknown): asserts kind is Kind | undefined {
  if (kind !== undefined && !KINDS.includes(kind as Kind)) {
    throw new TypeError(`the kind of a document is ${KINDS.join(", ")} or left out, not ${named(kind)}`);
  }
}
