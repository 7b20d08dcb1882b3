// The types of exact JSON, the members of objects, the order of texts, and the canonical text of a double and a string.

/**
 * A value of strict JSON text, nothing lost: an integer token is a bigint, any other number a double, an object a Map
 * in the order of the text.
 */
export type JsonValue =
  | null
  | boolean
  | string
  | number
  | bigint
  | readonly JsonValue[]
  | ReadonlyMap<string, JsonValue>;

/** A JSON object: a Map where its value is exact, else a plain object. Only own members count. */
export type JsonObject = ReadonlyMap<string, unknown> | Readonly<Record<string, unknown>>;

/** Whether a value is an object, exact or plain. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A member of an object; undefined where there is none. */
export function memberOf(object: JsonObject, name: string): unknown {
  if (object instanceof Map) return object.get(name);
  return Object.hasOwn(object, name) ? (object as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** The names of the members of an object. */
export function namesOf(object: JsonObject): Iterable<string> {
  return object instanceof Map ? object.keys() : Object.keys(object);
}

/** How many members an object has. */
export function sizeOf(object: JsonObject): number {
  return object instanceof Map ? object.size : Object.keys(object).length;
}

/** A place in a JSON value: member names and array indexes from the root. */
export type Path = readonly (string | number)[];

/** Negative, zero or positive as the first text comes before, at or after the second, code point by code point. */
export function compareText(first: string, second: string): number {
  const length = Math.min(first.length, second.length);
  for (let at = 0; at < length; at++) {
    const one = first.charCodeAt(at);
    const other = second.charCodeAt(at);
    if (one !== other) return rank(one) - rank(other);
  }
  return first.length - second.length;
}

// Surrogates stand for what is beyond U+FFFF, so they come after every other code unit.
function rank(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}

/** The canonical text of a double: the shortest digits that read back to it. */
export function doubleText(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e-4 && size < 1e16) {
    const text = String(value);
    return text.includes(".") ? text : `${text}.0`;
  }
  if (size === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  const [digits, exponent] = value.toExponential().split("e") as [string, string];
  return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
}

const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};
const PLAIN = /^[ !#-[\]-~]*$/;
const ESCAPED = /["\\]|[^ -~]/g;

/** The canonical text of a string: JSON in ASCII. */
export function stringText(value: string): string {
  if (PLAIN.test(value)) return `"${value}"`;
  return `"${value.replace(ESCAPED, (unit) => SHORT[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`;
}
