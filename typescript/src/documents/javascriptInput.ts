// Copies a JavaScript value once, own members only, and turns it into exact JSON.

import { entriesOf, isMap } from "../core/brands.js";
import { sentence } from "../core/codes.js";
import { surrogateText, unpairedSurrogate } from "../core/decode.js";
import { finding, InvalidDocumentError, shown } from "../core/findings.js";
import { failureText } from "../core/foreign.js";
import type { JsonValue, Path } from "../core/json.js";
import { MAX_TEXT_BYTES, MAX_TEXT_DEPTH } from "../generated/tables.js";

/** A JavaScript value as it was when it was read once: whatever it does later, the copy stays as it is. */
export interface PlainCopy {
  readonly value: unknown;
  /** Whether it holds arrays, plain objects and primitives only. */
  readonly isPlain: boolean;
}

/**
 * A copy of a JavaScript value: own enumerable members, each read once, so that a getter or a proxy cannot give one
 * value to be checked and another to be kept. Inherited members are not there. What JSON does not have becomes an
 * `Odd`, which `toExact` refuses at its place.
 */
export function plainCopy(value: unknown): PlainCopy {
  const copier = new Copier();
  try {
    return { value: copier.copy(value, 0), isPlain: copier.isPlain };
  } catch (error) {
    return { value: new Odd("schema.type", `The value cannot be read: ${failureText(error)}.`), isPlain: false };
  }
}

/** What is in a copy for something that JSON does not have. */
class Odd {
  constructor(
    readonly code: string,
    readonly sentence: string,
  ) {}
}

// One for all: a text of 1 MiB can have 350,000 empty containers, and no copy is handed out or changed.
const NO_ITEMS: readonly never[] = Object.freeze([]);
const NO_MEMBERS = Object.freeze({});
const NO_EXACT_MEMBERS: ReadonlyMap<string, JsonValue> = new Map();

class Copier {
  isPlain = true;
  // A text cannot have more values than bytes. An object that is referred to from several places counts each time: a
  // few of them that refer to each other could be a document without end.
  #left = MAX_TEXT_BYTES;

  copy(value: unknown, depth: number): unknown {
    if (typeof value !== "object" || value === null) return value;
    const isArray = Array.isArray(value);
    if (!isArray && !isPlainObject(value) && !isMap(value)) {
      return this.#odd("schema.type", `${kindOfObject(value)} is not a JSON type.`);
    }
    if (depth > MAX_TEXT_DEPTH) return this.#odd("json.depth", sentence("json.depth", { limit: MAX_TEXT_DEPTH }));
    if (isArray) return this.#items(value, depth);
    return isMap(value) ? this.#mapped(value, depth) : this.#members(value as Record<string, unknown>, depth);
  }

  #items(items: readonly unknown[], depth: number): unknown {
    const { length } = items;
    if (length === 0) return NO_ITEMS;
    if (!this.#within(length)) return this.#odd("json.size", sentence("json.size", { limit: MAX_TEXT_BYTES }));
    const copy = new Array<unknown>(length);
    for (let index = 0; index < length; index++) copy[index] = this.copy(items[index], depth + 1);
    return copy;
  }

  #members(members: Record<string, unknown>, depth: number): unknown {
    const copy = { ...members };
    const names = Object.keys(copy);
    if (names.length === 0) return NO_MEMBERS;
    if (!this.#within(names.length)) return this.#odd("json.size", sentence("json.size", { limit: MAX_TEXT_BYTES }));
    for (const name of names) {
      const member = copy[name];
      if (typeof member === "object" && member !== null) copy[name] = this.copy(member, depth + 1);
    }
    return copy;
  }

  #mapped(map: ReadonlyMap<unknown, unknown>, depth: number): unknown {
    this.isPlain = false;
    const copy = new Map<unknown, unknown>();
    for (const [name, member] of entriesOf(map)) {
      if (!this.#within(1)) return this.#odd("json.size", sentence("json.size", { limit: MAX_TEXT_BYTES }));
      copy.set(name, this.copy(member, depth + 1));
    }
    return copy;
  }

  #within(count: number): boolean {
    this.#left -= count;
    return this.#left >= 0;
  }

  #odd(code: string, found: string): Odd {
    this.isPlain = false;
    return new Odd(code, found);
  }
}

/**
 * A copy of a JavaScript value as an exact JSON value. A whole number is taken for an integer; a member that is
 * undefined counts as left out. Throws InvalidDocumentError for what JSON does not have.
 */
export function toExact(value: unknown): JsonValue {
  return exactAt(value, []);
}

function exactAt(value: unknown, path: (string | number)[]): JsonValue {
  switch (typeof value) {
    case "string": {
      const at = unpairedSurrogate(value);
      if (at >= 0) refuse("json.surrogate", sentence("json.surrogate", { found: surrogateText(value, at) }), path);
      return value;
    }
    case "number":
      if (!Number.isFinite(value)) refuse("json.number", sentence("json.number", { found: String(value) }), path);
      return Number.isInteger(value) && !Object.is(value, -0) ? BigInt(value) : value;
    case "bigint":
      if (!Number.isFinite(Number(value))) refuse("json.number", sentence("json.number", { found: size(value) }), path);
      return value;
    case "boolean":
      return value;
    case "object":
      break;
    default:
      refuse("schema.type", `${typeof value} is not a JSON type.`, path);
  }
  if (value === null) return null;
  if (value instanceof Odd) refuse(value.code, value.sentence, path);
  if (Array.isArray(value)) return exactItems(value, path);
  const members = value instanceof Map ? value : Object.entries(value);
  let exact: Map<string, JsonValue> | undefined;
  for (const [name, member] of members as Iterable<[unknown, unknown]>) {
    if (member === undefined && !(value instanceof Map)) continue;
    if (typeof name !== "string") refuse("schema.type", `A member name is text, not ${typeof name}.`, path);
    exactAt(name, path);
    path.push(name);
    (exact ??= new Map<string, JsonValue>()).set(name, exactAt(member, path));
    path.pop();
  }
  return exact ?? NO_EXACT_MEMBERS;
}

function exactItems(items: readonly unknown[], path: (string | number)[]): readonly JsonValue[] {
  if (items.length === 0) return NO_ITEMS;
  const exact = new Array<JsonValue>(items.length);
  for (let index = 0; index < items.length; index++) {
    path.push(index);
    exact[index] = exactAt(items[index], path);
    path.pop();
  }
  return exact;
}

/** Whether a value is an object as a literal or JSON.parse makes one, in whatever realm. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}

function kindOfObject(value: object): string {
  const name: unknown = value.constructor?.name;
  return typeof name === "string" && name !== "" ? shown(name).slice(1, -1) : "such an object";
}

function size(integer: bigint): string {
  return `of ${(integer < 0n ? -integer : integer).toString(2).length} bits`;
}

function refuse(code: string, found: string, path: Path): never {
  throw new InvalidDocumentError([finding(code, found, path)]);
}
