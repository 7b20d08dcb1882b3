import { named } from "../core/foreign.js";
import { DEFINITIONS as TABLE, DOCUMENT_DEFINITIONS } from "../generated/schemas.js";

/** The kind of a document. */
export type Kind = "contract" | "certificate" | "receipt";

/** The kinds of documents. */
export const KINDS: readonly Kind[] = Object.freeze(["contract", "certificate", "receipt"]);

/** The kind of a document about a reward as data; the caller names it, no reader has to find it out. */
export type DataKind = "spec";

/** What a JSON Schema asks for; `$ref` names a definition. */
export interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly const?: Constant;
  readonly enum?: readonly Constant[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly if?: Schema;
  readonly then?: Schema;
  readonly else?: Schema;
  readonly pattern?: string;
  /** Texts that match the pattern, as messages show them. */
  readonly examples?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false | Schema;
  readonly propertyNames?: Schema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly default?: unknown;
}

/** A value that a schema fixes. */
export type Constant = string | number | boolean | null;

const DEFINITIONS: Readonly<Record<string, Schema>> = TABLE;

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

/** Throws TypeError for what is no kind. */
export function requireKind(kind: unknown): asserts kind is Kind | undefined {
  if (kind !== undefined && !KINDS.includes(kind as Kind)) {
    throw new TypeError(`the kind of a document is ${KINDS.join(", ")} or left out, not ${named(kind)}`);
  }
}
