// The JSON Schema keywords that a value breaks, each with a sentence that has the value and what was expected.

import { shown } from "../core/findings.js";
import { compareText, type JsonValue, type Path } from "../core/json.js";
import { characters, firstCharacters, redacted } from "../core/redaction.js";
import type { Constant, Schema } from "./schema.js";
import { definition } from "./schemas.js";

/** One keyword that refuses a value. */
export interface Fault {
  readonly keyword: string;
  readonly path: Path;
  /** What the keyword found and what it expected. Made on request: most faults are only counted, or asked about. */
  readonly found: () => string;
}

/**
 * How many items are looked at in an array that has more than its schema allows, and how many members in such an
 * object: the finding about the length says what is wrong, and the rest would only repeat itself.
 */
const MOST_LOOKED_AT = 1000;

/**
 * Under a longer name, which no schema accepts, the members of an object are not judged: each of their pointers would
 * repeat it.
 */
const LONGEST_NAME = 1000;

type JsonObject = ReadonlyMap<string, JsonValue>;

/** Every keyword of a schema that refuses a value, rules (allOf) excepted. */
export function* faults(schema: Schema, value: JsonValue, path: Path = []): Generator<Fault> {
  if (schema.$ref !== undefined) yield* faults(definition(schema.$ref), value, path);
  yield* generalFaults(schema, value, path);
  if (typeof value === "string") yield* textFaults(schema, value, path);
  else if (isNumber(value)) yield* numberFaults(schema, value, path);
  else if (Array.isArray(value)) yield* arrayFaults(schema, value, path);
  else if (value instanceof Map) yield* objectFaults(schema, value, path);
  if (schema.if !== undefined) {
    const branch = holds(schema.if, value) ? schema.then : schema.else;
    if (branch !== undefined) yield* faults(branch, value, path);
  }
}

/** Whether no keyword refuses. */
export function holds(schema: Schema, value: JsonValue): boolean {
  return faults(schema, value).next().done === true;
}

/** Whether a value is an integer: a whole double is one. */
export function isWhole(value: JsonValue | undefined): value is number | bigint {
  return typeof value === "bigint" || Number.isInteger(value);
}

function isNumber(value: JsonValue): value is number | bigint {
  return typeof value === "bigint" || typeof value === "number";
}

function* generalFaults(schema: Schema, value: JsonValue, path: Path): Generator<Fault> {
  const name = nameOf(path);
  if (schema.type !== undefined) {
    const types = typeof schema.type === "string" ? [schema.type] : [...schema.type].sort();
    if (!types.some((type) => isOfType(value, type))) {
      yield {
        keyword: "type",
        path,
        found: () => `${name} is ${typed(value)}; it must be ${types.map(an).join(" or ")}.`,
      };
    }
  }
  if (schema.const !== undefined && !equal(exact(schema.const), value)) {
    yield {
      keyword: "const",
      path,
      found: () => `${name} is ${shown(value)}; it must be ${shown(exact(schema.const!))}.`,
    };
  }
  if (schema.enum !== undefined && !schema.enum.some((option) => equal(exact(option), value))) {
    const options = schema.enum;
    const expected = () => options.map((option) => shown(exact(option))).join(" or ");
    yield { keyword: "enum", path, found: () => `${name} is ${shown(value)}; it must be ${expected()}.` };
  }
  if (schema.oneOf !== undefined && schema.oneOf.filter((option) => holds(option, value)).length !== 1) {
    yield {
      keyword: "oneOf",
      path,
      found: () => `${name} is ${shown(value)}; it must be ${alternatives(schema.oneOf!)}.`,
    };
  }
  if (schema.anyOf !== undefined && !schema.anyOf.some((option) => holds(option, value))) {
    yield {
      keyword: "anyOf",
      path,
      found: () => `${name} is ${shown(value)}; it must be ${alternatives(schema.anyOf!)}.`,
    };
  }
}

function* textFaults(schema: Schema, value: string, path: Path): Generator<Fault> {
  for (const [keyword, form] of forms(schema, value)) {
    yield { keyword, path, found: () => `${nameOf(path)} is ${shown(value)}, which ${form}.` };
  }
}

/** The keywords that refuse the form of a text, each with the form that is due. */
function* forms(schema: Schema, value: string): Generator<[keyword: string, form: string]> {
  const { minLength, maxLength } = schema;
  if (minLength !== undefined || maxLength !== undefined) {
    const length = characters(value);
    const form = (bound: string, limit: number) => `has ${length} characters; it must have ${bound} ${limit}`;
    if (minLength !== undefined && length < minLength) yield ["minLength", form("at least", minLength)];
    if (maxLength !== undefined && length > maxLength) yield ["maxLength", form("at most", maxLength)];
  }
  if (schema.pattern !== undefined && !expression(schema.pattern).test(value)) {
    yield ["pattern", `is not a valid ${schema.title}; a valid one is "${schema.examples?.[0]}"`];
  }
}

function* numberFaults(schema: Schema, value: number | bigint, path: Path): Generator<Fault> {
  const found = (bound: string, limit: number) =>
    `${nameOf(path)} is ${shown(value)}; it must be ${bound} ${String(limit)}.`;
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  if (minimum !== undefined && value < minimum)
    yield { keyword: "minimum", path, found: () => found("at least", minimum) };
  if (maximum !== undefined && value > maximum)
    yield { keyword: "maximum", path, found: () => found("at most", maximum) };
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
    yield { keyword: "exclusiveMinimum", path, found: () => found("above", exclusiveMinimum) };
  }
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) {
    yield { keyword: "exclusiveMaximum", path, found: () => found("below", exclusiveMaximum) };
  }
}

function* arrayFaults(schema: Schema, value: readonly JsonValue[], path: Path): Generator<Fault> {
  const found = (bound: string, limit: number) =>
    `${nameOf(path)} has ${value.length} items; it must have ${bound} ${limit}.`;
  const { minItems, maxItems } = schema;
  if (minItems !== undefined && value.length < minItems) {
    yield { keyword: "minItems", path, found: () => found("at least", minItems) };
  }
  if (maxItems !== undefined && value.length > maxItems) {
    yield { keyword: "maxItems", path, found: () => found("at most", maxItems) };
  }
  if (schema.uniqueItems === true && new Set(value.map(identity)).size < value.length) {
    yield {
      keyword: "uniqueItems",
      path,
      found: () => `${nameOf(path)} is ${shown(value)}; its items must be unique.`,
    };
  }
  if (schema.items !== undefined) {
    const count = lookedAt(value.length, maxItems);
    for (let index = 0; index < count; index++) yield* faults(schema.items, value[index]!, [...path, index]);
  }
}

function* objectFaults(schema: Schema, value: JsonObject, path: Path): Generator<Fault> {
  for (const name of schema.required ?? []) {
    if (!value.has(name)) yield { keyword: "required", path, found: () => `${name} is missing; it must be given.` };
  }
  const found = (bound: string, limit: number) =>
    `${nameOf(path)} has ${value.size} members; it must have ${bound} ${limit}.`;
  const { minProperties, maxProperties, propertyNames } = schema;
  if (minProperties !== undefined && value.size < minProperties) {
    yield { keyword: "minProperties", path, found: () => found("at least", minProperties) };
  }
  if (maxProperties !== undefined && value.size > maxProperties) {
    yield { keyword: "maxProperties", path, found: () => found("at most", maxProperties) };
  }
  const form = propertyNames?.$ref === undefined ? propertyNames : definition(propertyNames.$ref);
  const known = schema.properties ?? {};
  let left = lookedAt(value.size, maxProperties);
  for (const [name, member] of value) {
    if (left-- === 0) break;
    const at = [...path, name];
    if (form !== undefined) {
      for (const [, broken] of forms(form, name)) {
        yield { keyword: "propertyNames", path: at, found: () => `The member name ${shown(name)} ${broken}.` };
      }
    }
    if (Object.hasOwn(known, name)) yield* faults(known[name]!, member, at);
    else if (schema.additionalProperties === false) {
      const found = () => `${shown(name)} is not a member of this object; correct its name, or remove it.`;
      yield { keyword: "additionalProperties", path: at, found };
    } else if (
      schema.additionalProperties !== undefined &&
      !(member instanceof Map && characters(name) > LONGEST_NAME)
    ) {
      yield* faults(schema.additionalProperties, member, at);
    }
  }
}

function isOfType(value: JsonValue, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "integer":
      return isWhole(value);
    case "number":
      return isNumber(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return value instanceof Map;
    default:
      return typeof value === type;
  }
}

function lookedAt(size: number, most = Number.POSITIVE_INFINITY): number {
  return size <= most ? size : Math.min(size, Math.max(MOST_LOOKED_AT, most + 1));
}

/** A text that two values share exactly if they are equal JSON: `1` and `1.0` are, and members have no order. */
function identity(value: JsonValue): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "object" || value === null) return String(isWhole(value) ? BigInt(value) : value);
  if (!(value instanceof Map)) return `[${(value as readonly JsonValue[]).map(identity).join(",")}]`;
  const members = [...(value as JsonObject)].sort(([one], [other]) => compareText(one, other));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${identity(member)}`).join(",")}}`;
}

/** Equality of a constant of a schema and a value: numbers by their value. */
function equal(constant: JsonValue, value: JsonValue): boolean {
  // biome-ignore lint/suspicious/noDoubleEquals: == compares a bigint and a double exactly
  if (isNumber(constant) && isNumber(value)) return constant == value;
  return constant === value;
}

/** A constant of a schema as an exact value. */
function exact(constant: Constant): JsonValue {
  return typeof constant === "number" && Number.isInteger(constant) ? BigInt(constant) : constant;
}

function alternatives(options: readonly Schema[]): string {
  return options
    .map(({ const: fixed, $ref, type }) => (fixed === undefined ? ($ref ?? an(String(type))) : shown(exact(fixed))))
    .join(" or ");
}

const EXPRESSIONS = new Map<string, RegExp>();

function expression(pattern: string): RegExp {
  let known = EXPRESSIONS.get(pattern);
  if (known === undefined) EXPRESSIONS.set(pattern, (known = new RegExp(pattern, "u")));
  return known;
}

/** How many characters of a name a sentence shows. */
const SHOWN_NAME = 80;

function nameOf(path: Path): string {
  const name = path.length === 0 ? "the document" : redacted(String(path[path.length - 1]));
  return characters(name) <= SHOWN_NAME ? name : `${firstCharacters(name, SHOWN_NAME - 3)}...`;
}

/** A value with its type, as it is named where another type is due. */
export function typed(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return `the ${typeof value === "bigint" ? "integer" : typeof value} ${shown(value)}`;
}

function an(word: string): string {
  return word === "null" ? word : `${"aio".includes(word.charAt(0)) ? "an" : "a"} ${word}`;
}
