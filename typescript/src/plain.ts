import { sentence } from "./catalogue.js";
import { unpairedSurrogate } from "./decode.js";
import { InvalidDocumentError, finding, shown } from "./findings.js";
import { MAX_TEXT_DEPTH } from "./generated/tables.js";
import type { JsonValue, Path } from "./json.js";

/**
 * A JavaScript value as an exact JSON value. A whole number is taken for an integer; a member that is undefined counts
 * as left out. Throws InvalidDocumentError for what JSON does not have.
 */
export function toExact(value: unknown, path: Path = []): JsonValue {
  switch (typeof value) {
    case "string":
      if (unpairedSurrogate(value) >= 0) refuse("json.surrogate", "The text holds an unpaired surrogate.", path);
      return value;
    case "number":
      if (!Number.isFinite(value)) refuse("json.number", `${value} is no JSON number; it must be finite.`, path);
      return Number.isInteger(value) && !Object.is(value, -0) ? BigInt(value) : value;
    case "bigint":
      if (!Number.isFinite(Number(value))) refuse("json.number", "The integer does not fit a double.", path);
      return value;
    case "boolean":
      return value;
    case "object":
      break;
    default:
      refuse("schema.type", `${typeof value} is no JSON type.`, path);
  }
  if (value === null) return null;
  if (path.length > MAX_TEXT_DEPTH) refuse("json.depth", sentence("json.depth", { limit: MAX_TEXT_DEPTH }), path);
  if (Array.isArray(value)) return Array.from(value, (item: unknown, index) => toExact(item, [...path, index]));
  if (value instanceof Map) return new Map(Array.from(value, ([name, member]) => exactMember(name, member, path)));
  if (!isPlainObject(value)) refuse("schema.type", `${kindOfObject(value)} is no JSON type.`, path);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return new Map(members.map(([name, member]) => exactMember(name, member, path)));
}

/** An exact JSON value as plain JavaScript, its numbers doubles. */
export function toPlain(value: JsonValue): unknown {
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Map) return Object.fromEntries([...value].map(([name, member]) => [name, toPlain(member)]));
  return Array.isArray(value) ? value.map(toPlain) : value;
}

/** Whether a value is an object as a literal or JSON.parse makes one, in whatever realm. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}

function exactMember(name: unknown, member: unknown, path: Path): [string, JsonValue] {
  if (typeof name !== "string") refuse("schema.type", `A member name is text, not ${typeof name}.`, path);
  toExact(name, path);
  return [name, toExact(member, [...path, name])];
}

function kindOfObject(value: object): string {
  const name: unknown = value.constructor?.name;
  return typeof name === "string" && name !== "" ? shown(name).slice(1, -1) : "such an object";
}

function refuse(code: string, found: string, path: Path): never {
  throw new InvalidDocumentError([finding(code, found, path)]);
}
