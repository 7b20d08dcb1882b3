// The canonical form of an exact JSON value, and its SHA-256 digest.

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { entriesOf, isMap } from "./brands.js";
import { unpairedSurrogate } from "./decode.js";
import { jsonPointer } from "./findings.js";
import { compareText, doubleText, type JsonValue, type Path, stringText } from "./json.js";

const ENCODER = new TextEncoder();

/**
 * The canonical bytes of an exact JSON value: a bigint is an integer, a number a double, so `1n` and `1` differ.
 *
 * Throws TypeError for what is not a JSON value, RangeError for NaN, an infinity, an unpaired surrogate and a value
 * that holds itself.
 */
export function canonicalJsonBytes(value: JsonValue): Uint8Array {
  return ENCODER.encode(canonicalJson(value, [], new Set()));
}

/** The bytes of a canonical text. */
export function asciiBytes(text: string): Uint8Array {
  return ENCODER.encode(text);
}

/** `sha256:` and the lower-case hex of the SHA-256 of bytes. */
export function sha256Digest(data: Uint8Array): string {
  return `sha256:${bytesToHex(sha256(data))}`;
}

function canonicalJson(value: JsonValue, path: Path, above: Set<object>): string {
  switch (typeof value) {
    case "string":
      if (unpairedSurrogate(value) >= 0) throw new RangeError(`${at(path)}: the text holds an unpaired surrogate`);
      return stringText(value);
    case "number":
      if (!Number.isFinite(value)) throw new RangeError(`${at(path)}: ${value} is not a JSON number`);
      return doubleText(value);
    case "boolean":
    case "bigint":
      return String(value);
    case "object":
      break;
    default:
      throw new TypeError(`${at(path)}: ${typeof value} is not an exact JSON value`);
  }
  if (value === null) return "null";
  if (above.has(value)) throw new RangeError(`${at(path)}: the value holds itself`);
  above.add(value);
  let text: string;
  if (isMap(value)) {
    const members = [...entriesOf(value)] as [string, JsonValue][];
    for (const [name] of members) {
      if (typeof name !== "string") throw new TypeError(`${at(path)}: a member name is a string, not ${typeof name}`);
    }
    members.sort(([one], [other]) => compareText(one, other));
    const pairs = members.map(([name, member]) => {
      return `${canonicalJson(name, path, above)}:${canonicalJson(member, [...path, name], above)}`;
    });
    text = `{${pairs.join(",")}}`;
  } else if (Array.isArray(value)) {
    text = `[${value.map((item: JsonValue, index) => canonicalJson(item, [...path, index], above)).join(",")}]`;
  } else {
    throw new TypeError(`${at(path)}: an exact JSON object is a Map; its numbers have types`);
  }
  above.delete(value);
  return text;
}

function at(path: Path): string {
  return jsonPointer(path) || "(value)";
}
