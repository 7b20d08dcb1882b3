// A finding: what is wrong, where, and how it is printed. Also how a message quotes a value.

import { MAX_SHOWN } from "../generated/tables.js";
import { printableLine } from "./escaping.js";
import { doubleText, type JsonValue, type Path, stringText } from "./json.js";
import { characters, couldBeKey, firstCharacters, redacted } from "./redaction.js";

/** One thing that is wrong with one document. */
export interface Finding {
  /** The id of the rule or code, as in the table of codes. */
  readonly code: string;
  /** What is wrong, with the values. */
  readonly sentence: string;
  /** The place in the document. */
  readonly path: Path;
  /** The place as a JSON pointer (RFC 6901); the document itself is "". */
  readonly pointer: string;
  /** The line in the text, from 1; null where the document did not come from text. */
  readonly line: number | null;
  /** The column in characters, from 1; null where the document did not come from text. */
  readonly column: number | null;
}

/** Line and column in a text, both from 1; the column counts characters. */
export type Place = readonly [line: number, column: number];

/** A finding at a path, and at a place of the text where there is one. */
export function finding(code: string, sentence: string, path: Path = [], place: Place | null = null): Finding {
  const [line, column] = place ?? [null, null];
  return Object.freeze({ code, sentence, path: Object.freeze([...path]), pointer: jsonPointer(path), line, column });
}

/** A finding on one line: place, pointer, code, sentence. */
export function findingText({ code, sentence, pointer, line, column }: Finding): string {
  return printableLine(`${line === null ? "" : `${line}:${column} `}${pointer || "(document)"} ${code} ${sentence}`);
}

/** A document, or the text of one, was refused; `findings` says why. */
export class InvalidDocumentError extends Error {
  override readonly name: string = "InvalidDocumentError";
  /** At least one, in the order text, schema shape, rules, pointer. */
  readonly findings: readonly Finding[];

  constructor(findings: readonly Finding[]) {
    super(findings.map(findingText).join("\n"));
    this.findings = findings;
  }
}

/** The JSON pointer (RFC 6901) of a path. A member name that could be a private key is not quoted. */
export function jsonPointer(path: Path): string {
  let pointer = "";
  for (const part of path) {
    pointer += `/${typeof part === "number" ? part : redacted(part).replaceAll("~", "~0").replaceAll("/", "~1")}`;
  }
  return pointer;
}

const LONGEST_KEY = 200; // characters after the quoted ones that can belong to a key which begins in these

/**
 * A value as a message quotes it: JSON on one line, in ASCII, cut to `limit` characters. What could be a private key is
 * not quoted; its length is.
 */
export function shown(value: JsonValue, limit: number = MAX_SHOWN): string {
  const most = limit + LONGEST_KEY;
  const beginning = typeof value === "string" ? firstCharacters(value, most) : value;
  let text = "";
  for (const part of spelt(beginning)) {
    text += part;
    if (text.length > most) break; // what follows would be cut anyway, and can be a megabyte
  }
  if (couldBeKey(text.slice(0, most))) {
    return `(${typeof value === "string" ? characters(value) : text.length} characters that could be a key)`;
  }
  return text.length <= limit ? text : `${text.slice(0, limit - 3)}...`;
}

function* spelt(value: JsonValue): Generator<string> {
  if (typeof value !== "object" || value === null) yield spelling(value);
  else if (value instanceof Map) yield* members(value);
  else yield* items(value as readonly JsonValue[]);
}

function spelling(value: null | boolean | string | number | bigint): string {
  return typeof value === "string" ? stringText(value) : typeof value === "number" ? doubleText(value) : String(value);
}

function* items(values: readonly JsonValue[]): Generator<string> {
  let before = "[";
  for (const value of values) {
    if (typeof value !== "object" || value === null) yield before + spelling(value);
    else {
      yield before;
      yield* spelt(value);
    }
    before = ", ";
  }
  yield values.length === 0 ? "[]" : "]";
}

function* members(map: ReadonlyMap<string, JsonValue>): Generator<string> {
  if (map.size === 0) {
    yield "{}";
    return;
  }
  let before = "{";
  for (const [name, value] of map) {
    yield before;
    yield stringText(name);
    yield ": ";
    yield* spelt(value);
    before = ", ";
  }
  yield "}";
}
