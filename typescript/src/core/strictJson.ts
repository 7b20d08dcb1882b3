// The strict JSON reader: one pass over the text, which stops at the first fault and knows its place.

import type { Code } from "../generated/codes.js";
import { MAX_TEXT_DEPTH } from "../generated/tables.js";
import { placeOf, refuse } from "./decode.js";
import { type Place, shown } from "./findings.js";
import type { JsonValue, Path } from "./json.js";
import { quotedAt } from "./redaction.js";

/** The value of a strict JSON text, exactly. Throws InvalidDocumentError on the first fault. */
export function exactValue(text: string): JsonValue {
  return new Scanner(text, true).document() as JsonValue;
}

/**
 * The same, only to be checked: all empty objects in it are one. Of a text of 1 MiB they could be 350,000 Maps of 180
 * bytes each.
 */
export function valueToCheck(text: string): JsonValue {
  const scanner = new Scanner(text, true);
  scanner.empty = EMPTY;
  return scanner.document() as JsonValue;
}

const EMPTY: ReadonlyMap<string, JsonValue> = new Map();

/** The value of a strict JSON text as plain JavaScript, its numbers doubles. Throws InvalidDocumentError. */
export function plainValue(text: string): unknown {
  return new Scanner(text, false).document();
}

/** Paths that a reading asks the places of, as a tree: below each step are those that go on from it. */
interface Asked {
  /** The place of the value here, once the reader has come by. */
  place: Place | null;
  readonly below: Map<string | number, Asked>;
}

/**
 * Line and column of the values at some paths of a good text: of the member's name if the value has one, else of the
 * value itself; null where the text has no such value.
 */
export function placesOf(text: string, paths: Iterable<Path>): readonly (Place | null)[] {
  const root: Asked = { place: null, below: new Map() };
  const asked = Array.from(paths, (path) => {
    let node = root;
    for (const step of path) {
      let next = node.below.get(step);
      if (next === undefined) node.below.set(step, (next = { place: null, below: new Map() }));
      node = next;
    }
    return node;
  });
  const scanner = new Scanner(text, false);
  scanner.asked = root;
  scanner.document();
  return asked.map(({ place }) => place);
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const HEX = /[0-9a-fA-F]{4}/y;
const ESCAPES = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);
const LITERALS: ReadonlyMap<string, readonly [word: string, value: boolean | null]> = new Map([
  ["t", ["true", true]],
  ["f", ["false", false]],
  ["n", ["null", null]],
]);

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** A strict reader of one JSON text that stops at the first fault and knows the place of everything. */
class Scanner {
  /** What is asked about the value that comes next; null where nothing is. */
  asked: Asked | null = null;
  /** What an empty object becomes; null for an object of its own. */
  empty: ReadonlyMap<string, JsonValue> | null = null;
  private at = 0;
  private open = 0;
  private readonly path: (string | number)[] = [];
  private line = 1;
  private column = 1;
  private counted = 0;

  constructor(
    private readonly text: string,
    private readonly exact: boolean,
  ) {}

  document(): unknown {
    this.skipWhite();
    const value = this.value(this.at);
    this.skipWhite();
    if (this.at < this.text.length)
      this.fail("json.trailing", this.at, { found: shown(quotedAt(this.text, this.at, 20)) });
    return value;
  }

  private fail(code: Code, at: number, values: Readonly<Record<string, string | number>>): never {
    refuse(code, placeOf(this.text, at), this.path, values);
  }

  private expected(expected: string, at = this.at): never {
    const found = at < this.text.length ? shown(quotedAt(this.text, at, 10)) : "the end of the text";
    this.fail("json.syntax", at, { found, expected });
  }

  /** Line and column of an offset. Offsets only grow, so each character is counted once. */
  private place(offset: number): Place {
    for (; this.counted < offset; this.counted++) {
      const unit = this.text.charCodeAt(this.counted);
      if (unit === 0x0a) {
        this.line++;
        this.column = 1;
      } else if (unit < 0xdc00 || unit > 0xdfff) {
        this.column++;
      }
    }
    return [this.line, this.column];
  }

  private skipWhite(): void {
    for (;;) {
      const unit = this.text.charCodeAt(this.at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return;
      this.at++;
    }
  }

  private value(namedAt: number): unknown {
    if (this.asked !== null) this.asked.place = this.place(namedAt);
    switch (this.text.charCodeAt(this.at)) {
      case 0x7b:
        return this.exact ? this.members(new Map<string, unknown>()) : this.members({});
      case 0x5b:
        return this.items();
      case QUOTE:
        return this.string();
    }
    const literal = LITERALS.get(this.text.charAt(this.at));
    if (literal === undefined || !this.text.startsWith(literal[0], this.at)) return this.number();
    this.at += literal[0].length;
    return literal[1];
  }

  private enter(): void {
    this.open++;
    if (this.open > MAX_TEXT_DEPTH) this.fail("json.depth", this.at, { limit: MAX_TEXT_DEPTH });
    this.at++;
    this.skipWhite();
  }

  private leave(): void {
    this.open--;
    this.at++;
  }

  private members(members: Map<string, unknown> | Record<string, unknown>): unknown {
    const map = members instanceof Map ? members : null;
    const plain = members as Record<string, unknown>;
    const { asked } = this;
    this.enter();
    for (let first = true; this.text.charCodeAt(this.at) !== 0x7d; first = false) {
      if (!first) this.comma(0x7d);
      const namedAt = this.at;
      if (this.text.charCodeAt(namedAt) !== QUOTE) this.expected("a member name");
      const name = this.string();
      if (map === null ? Object.hasOwn(plain, name) : map.has(name)) {
        this.fail("json.duplicate", namedAt, { name: shown(name) });
      }
      this.skipWhite();
      if (this.text.charCodeAt(this.at) !== 0x3a) this.expected("':'");
      this.at++;
      this.skipWhite();
      this.path.push(name);
      if (asked !== null) this.asked = asked.below.get(name) ?? null;
      const value = this.value(namedAt);
      if (map !== null) map.set(name, value);
      else if (name !== "__proto__") plain[name] = value;
      else Object.defineProperty(plain, name, { value, enumerable: true, writable: true, configurable: true });
      this.path.pop();
      this.skipWhite();
    }
    this.asked = asked;
    this.leave();
    return map?.size === 0 && this.empty !== null ? this.empty : members;
  }

  // An array that grows item by item keeps room for 16 more, so the items wait here until their number is known.
  private readonly waiting: unknown[] = [];
  private waitingCount = 0;

  private items(): unknown[] {
    const start = this.waitingCount;
    const { asked } = this;
    this.enter();
    for (let index = 0; this.text.charCodeAt(this.at) !== 0x5d; index++) {
      if (index > 0) this.comma(0x5d);
      this.path.push(index);
      if (asked !== null) this.asked = asked.below.get(index) ?? null;
      const value = this.value(this.at);
      this.waiting[this.waitingCount++] = value;
      this.path.pop();
      this.skipWhite();
    }
    this.asked = asked;
    this.leave();
    const items = this.waiting.slice(start, this.waitingCount);
    this.waitingCount = start;
    return items;
  }

  private comma(closing: 0x7d | 0x5d): void {
    if (this.text.charCodeAt(this.at) !== 0x2c) this.expected(`',' or '${String.fromCharCode(closing)}'`);
    this.at++;
    this.skipWhite();
    if (this.text.charCodeAt(this.at) === closing) this.expected(closing === 0x7d ? "a member name" : "a value");
  }

  private string(): string {
    const start = this.at;
    this.at++;
    let value = "";
    let from = this.at;
    for (;;) {
      const unit = this.text.charCodeAt(this.at);
      if (unit === QUOTE) {
        value += this.text.slice(from, this.at);
        this.at++;
        return value;
      }
      if (unit === BACKSLASH) {
        value += this.text.slice(from, this.at) + this.escape();
        from = this.at;
      } else if (unit >= 0x20) {
        this.at++;
      } else if (this.at >= this.text.length) {
        const [, column] = placeOf(this.text, start); // no string goes on over the end of a line
        this.expected(`the end of the string that starts at column ${column}`);
      } else {
        this.expected("an escaped control character");
      }
    }
  }

  private escape(): string {
    const start = this.at;
    const short = ESCAPES.get(this.text.charAt(start + 1));
    if (short !== undefined) {
      this.at += 2;
      return short;
    }
    const unit = this.codeUnit();
    if (unit >= 0xd800 && unit < 0xdc00 && this.text.startsWith("\\u", this.at)) {
      const lowAt = this.at;
      const low = this.codeUnit();
      if (low >= 0xdc00 && low < 0xe000) return String.fromCharCode(unit, low);
      this.at = lowAt;
    }
    if (unit >= 0xd800 && unit < 0xe000) {
      this.fail("json.surrogate", start, { found: this.text.slice(start, start + 6) });
    }
    return String.fromCharCode(unit);
  }

  private codeUnit(): number {
    HEX.lastIndex = this.at + 2;
    if (this.text.charAt(this.at + 1) !== "u" || !HEX.test(this.text)) this.expected("an escape");
    const unit = Number.parseInt(this.text.slice(this.at + 2, this.at + 6), 16);
    this.at += 6;
    return unit;
  }

  private number(): number | bigint {
    NUMBER.lastIndex = this.at;
    if (!NUMBER.test(this.text)) this.expected("a value");
    const token = this.text.slice(this.at, NUMBER.lastIndex);
    const double = Number(token);
    // An exact integer overflows where its nearest double does.
    if (!Number.isFinite(double)) this.fail("json.number", this.at, { found: shown(token).replace(/^"+|"+$/g, "") });
    this.at = NUMBER.lastIndex;
    const integer = !/[.eE]/.test(token);
    if (!integer) return double;
    return this.exact ? BigInt(token) : double + 0; // the token -0 is the integer 0
  }
}
