// Turns the bytes or the string that a caller gives into well-formed text, and offsets into lines and columns.

import type { Code } from "../generated/codes.js";
import { MAX_TEXT_BYTES } from "../generated/tables.js";
import { bytesIn } from "./brands.js";
import { sentence } from "./codes.js";
import { finding, InvalidDocumentError, type Place } from "./findings.js";
import { named } from "./foreign.js";
import type { Path } from "./json.js";

/** What JSON text comes as: bytes (a Buffer is some), or a string. */
export type TextSource = string | Uint8Array | ArrayBuffer;

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Refuses a text: throws InvalidDocumentError with one finding. */
export function refuse(code: Code, place: Place, path: Path, values: Readonly<Record<string, string | number>>): never {
  throw new InvalidDocumentError([finding(code, sentence(code, values), path, place)]);
}

/**
 * The characters of a text. Throws InvalidDocumentError on json.size, json.utf8, json.bom and, in a string,
 * json.surrogate; TypeError where it is neither bytes nor a string.
 */
export function decode(data: TextSource, limit: number = MAX_TEXT_BYTES): string {
  let text: string;
  if (typeof data === "string") {
    requireWellFormed(data);
    // A code unit is at most three bytes, so most texts need not be counted.
    const size = data.length * 3 <= limit ? data.length : new TextEncoder().encode(data).length;
    if (size > limit) refuse("json.size", [1, 1], [], { limit });
    text = data;
  } else {
    const bytes = bytesOf(data);
    if (bytes.length > limit) refuse("json.size", [1, 1], [], { limit });
    try {
      text = UTF8.decode(bytes);
    } catch (error) {
      refuseBytes(bytes);
      throw error; // not the fault of the bytes
    }
  }
  if (text.startsWith("\ufeff")) refuse("json.bom", [1, 1], [], {});
  return text;
}

/** Line and column of an offset into a text that is well-formed up to there. Lines end at LF. */
export function placeOf(text: string, offset: number): Place {
  let line = 1;
  let column = 1;
  for (let at = 0; at < offset; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x0a) {
      line++;
      column = 1;
    } else if (unit < 0xdc00 || unit > 0xdfff) {
      column++;
    }
  }
  return [line, column];
}

/** The offset of the first unpaired surrogate; -1 where there is none. */
export function unpairedSurrogate(text: string): number {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0xd800 || unit > 0xdfff) continue;
    const low = text.charCodeAt(at + 1);
    if (unit > 0xdbff || !(low >= 0xdc00 && low <= 0xdfff)) return at;
    at++;
  }
  return -1;
}

const SURROGATE = /[\ud800-\udfff]/;

/** The code unit at an offset, a surrogate, as messages show it. */
export function surrogateText(text: string, at: number): string {
  return `\\u${text.charCodeAt(at).toString(16)}`;
}

function requireWellFormed(text: string): void {
  if (!SURROGATE.test(text)) return;
  const at = unpairedSurrogate(text);
  if (at >= 0) refuse("json.surrogate", placeOf(text, at), [], { found: surrogateText(text, at) });
}

function bytesOf(data: unknown): Uint8Array {
  const bytes = bytesIn(data);
  if (bytes === undefined) throw new TypeError(`JSON text is a string or bytes, not ${named(data)}`);
  return bytes;
}

function refuseBytes(bytes: Uint8Array): void {
  const at = firstBadByte(bytes);
  if (at < 0) return;
  const before = UTF8.decode(bytes.subarray(0, at));
  const wide = bytes[0]! + bytes[1]! === 0xff + 0xfe && bytes[0]! >= 0xfe;
  const hint = wide || bytes.subarray(0, 4).includes(0) ? " (UTF-16 or UTF-32?)" : "";
  const found = `byte 0x${bytes[at]!.toString(16).padStart(2, "0")} at offset ${at}${hint}`;
  refuse("json.utf8", placeOf(before, before.length), [], { found });
}

/** The offset at which the first sequence starts that is not UTF-8; -1 where all is. */
function firstBadByte(bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    if (length === 0) return at;
    at += length;
  }
  return -1;
}

/** The length of the UTF-8 sequence at an offset; 0 where there is none. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!;
  if (lead < 0x80) return 1;
  const length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  for (let next = 1; next < length; next++) {
    const byte = bytes[at + next] ?? 0;
    let least = 0x80;
    let most = 0xbf;
    if (next === 1) {
      if (lead === 0xe0) least = 0xa0; // shorter spellings of what fewer bytes can say
      if (lead === 0xf0) least = 0x90;
      if (lead === 0xed) most = 0x9f; // surrogates
      if (lead === 0xf4) most = 0x8f; // beyond U+10FFFF
    }
    if (byte < least || byte > most) return 0;
  }
  return length;
}
