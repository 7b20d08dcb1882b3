// Reads documents from files: whole files, arrays and JSON Lines, in bounded memory.

import { closeSync, openSync, readSync } from "node:fs";
import { decode } from "../core/decode.js";
import { fileLabel } from "../core/escaping.js";
import { InvalidDocumentError, type Place } from "../core/findings.js";
import type { JsonValue, Path } from "../core/json.js";
import { placesOf, valueToCheck } from "../core/strictJson.js";
import { complete, type Documents } from "../documents/read.js";
import { MAX_INVALID_DOCUMENTS, MAX_TEXT_BYTES } from "../generated/tables.js";
import { checkDocument, kindOf } from "../validation/check.js";
import type { Kind } from "../validation/schema.js";

/** A finding whose place in the file is looked up when it is printed; so is a sentence that has another's place. */
export interface Unplaced {
  readonly code: string;
  readonly sentence: string | (() => string);
  /** The place in the text. */
  readonly path: Path;
}

/** One JSON text: a whole file, or one line of JSON Lines. */
export interface Text {
  readonly name: string;
  /** Empty if the bytes are not those of a text. */
  readonly characters: string;
  /** The physical line in JSON Lines, from 1; null for a whole file. */
  readonly line: number | null;
}

/** One document in a file, and what is wrong with it. */
export class Entry {
  /** `file`, `file:line` in JSON Lines, `file:line:column` in an array: known once it is printed. */
  label: string;

  constructor(
    readonly text: Text,
    /** Where it is in the text: [] or, in a file that is one array, its index. */
    readonly at: Path,
    readonly value: JsonValue,
    readonly kind: Kind | null,
    readonly faults: readonly Unplaced[],
    /** The place of the fault of a text that is not strict JSON. */
    readonly textPlace: Place | null = null,
  ) {
    const name = fileLabel(text.name);
    this.label = text.line === null ? name : `${name}:${text.line}`;
  }

  /** The document. Only for an entry without faults. */
  document<K extends Kind>(kind: K): Documents[K] {
    const result = complete(this.value, kind);
    if (!result.ok) throw new InvalidDocumentError(result.findings);
    return result.document as Documents[K];
  }

  /** A finding about a member of the document. */
  finding(code: string, sentence: string | (() => string), path: Path): Unplaced {
    return { code, sentence, path: [...this.at, ...path] };
  }
}

/** A file that cannot be read, or not to its end. */
export class Unread extends Error {
  override readonly name = "Unread";
}

/** The documents of each text in a file, checked. Throws Unread. */
export function* entries(file: string, kind: Kind | undefined, lines: boolean | undefined): Generator<Iterable<Entry>> {
  let empty = true;
  for (const [data, line] of texts(file, lines)) {
    const found = entriesOf(file, data, line, kind);
    const first = found.next();
    if (first.done) continue;
    empty = false;
    yield from(first.value, found);
  }
  if (empty) throw new Unread(`no document in ${fileLabel(file)}`);
}

function* from<T>(first: T, rest: Iterable<T>): Generator<T> {
  yield first;
  yield* rest;
}

/** Line and column in the file of values of a text; of one that was left out, the place of what would have it. */
export function placesIn({ characters, line }: Text, paths: readonly Path[]): readonly Place[] {
  const prefixes = paths.flatMap((path) =>
    Array.from({ length: path.length + 1 }, (_, at) => path.slice(0, path.length - at)),
  );
  const found = placesOf(characters, prefixes);
  let next = 0;
  return paths.map((path) => {
    const own = found.slice(next, (next += path.length + 1));
    const [row, column] = own.find((place) => place !== null) ?? [1, 1];
    return [line === null ? row : line + row - 1, column] as const;
  });
}

function* entriesOf(file: string, data: Uint8Array, line: number | null, kind: Kind | undefined): Generator<Entry> {
  const text = { name: file, characters: "", line };
  let value: JsonValue;
  try {
    text.characters = decode(data);
    value = valueToCheck(text.characters);
  } catch (error) {
    if (!(error instanceof InvalidDocumentError)) throw error;
    const [fault] = error.findings;
    const { code, sentence, path } = fault!;
    const place = [line === null ? fault!.line! : line + fault!.line! - 1, fault!.column!] as const;
    yield new Entry(text, [], null, kind ?? null, [{ code, sentence, path }], place);
    return;
  }
  if (line === null && Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    let left = MAX_INVALID_DOCUMENTS;
    for (const [index, item] of items.entries()) {
      if (left === 0) {
        const rest = `the other ${items.length - index} are not checked`;
        throw new Unread(`${fileLabel(file)}: after ${MAX_INVALID_DOCUMENTS} invalid documents, ${rest}`);
      }
      const entry = entryOf(text, [index], item, kind);
      if (entry.faults.length > 0) left--;
      yield entry;
    }
  } else yield entryOf(text, [], value, kind);
}

function entryOf(text: Text, at: Path, value: JsonValue, kind: Kind | undefined): Entry {
  const said = kindOf(value);
  const own = kind ?? (typeof said === "string" ? said : null);
  let faults = checkDocument(value, kind);
  if (kind !== undefined && typeof said === "string" && said !== kind) {
    // Of a document that names another kind, that is what is wrong; the rest follows.
    faults = faults.filter(({ path }) => path.length === 1 && path[0] === "schema_version");
  }
  const placed = faults.map(({ code, sentence, path }) => ({ code, sentence, path: [...at, ...path] }));
  return new Entry(text, at, value, own, placed);
}

const WHITE = new Set([0x20, 0x09, 0x0d, 0x0a]);
const LF = 0x0a;

/** The texts in a file that are not blank, each at most a byte longer than a text may be. Throws Unread. */
function* texts(
  file: string,
  lines = /\.(jsonl|ndjson)$/i.test(file),
): Generator<[data: Uint8Array, line: number | null]> {
  const source = new Source(file);
  try {
    for (let number = 1; ; number++) {
      const data = source.next(lines ? LF : -1);
      if (data === null) return;
      if (number === 1 && data[0] === 0x1f && data[1] === 0x8b) {
        throw new Unread(`${fileLabel(file)} is gzip, which is not read; unpack it first (gzip -d)`);
      }
      if (data.length > MAX_TEXT_BYTES || data.some((byte) => !WHITE.has(byte))) yield [data, lines ? number : null];
      if (!lines) return;
    }
  } finally {
    source.close();
  }
}

/** Bytes of a file, up to an end at a time. Of what is too long it keeps one byte more than a text may have. */
class Source {
  readonly #descriptor: number;
  readonly #buffer = Buffer.alloc(2 ** 16);
  #rest = Buffer.alloc(0);
  #ended = false;

  constructor(private readonly file: string) {
    this.#descriptor = file === "-" ? 0 : this.#tried(() => openSync(file, "r"));
  }

  next(end: number): Buffer | null {
    const parts: Buffer[] = [];
    let kept = 0;
    for (;;) {
      const at = end < 0 ? -1 : this.#rest.indexOf(end);
      const part = at < 0 ? this.#rest : this.#rest.subarray(0, at);
      const room = MAX_TEXT_BYTES + 1 - kept;
      parts.push(Buffer.from(part.subarray(0, room)));
      kept += Math.min(part.length, room);
      this.#rest = at < 0 ? Buffer.alloc(0) : this.#rest.subarray(at + 1);
      if (at >= 0) return Buffer.concat(parts);
      if (this.#ended || (end < 0 && kept > MAX_TEXT_BYTES)) return kept > 0 ? Buffer.concat(parts) : null;
      const read = this.#read();
      this.#ended = read === 0;
      this.#rest = Buffer.from(this.#buffer.subarray(0, read));
    }
  }

  close(): void {
    if (this.file !== "-") closeSync(this.#descriptor);
  }

  #read(): number {
    for (;;) {
      try {
        return readSync(this.#descriptor, this.#buffer, 0, this.#buffer.length, null);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === "EOF") return 0;
        if (code !== "EAGAIN") throw this.#unread(error);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10); // standard input that is not ready
      }
    }
  }

  #tried<T>(run: () => T): T {
    try {
      return run();
    } catch (error) {
      throw this.#unread(error);
    }
  }

  #unread(error: unknown): Unread {
    return new Unread(`cannot read ${fileLabel(this.file)}: ${reasonOf(error)}`);
  }
}

const REASONS: Readonly<Record<string, string>> = Object.freeze({
  ENOENT: "No such file or directory",
  EACCES: "Permission denied",
  EISDIR: "Is a directory",
});

/** Why the system refused, in its words and without the path. */
export function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
  return REASONS[code] ?? code;
}

/** The first bytes of a file, which may have no end. Throws what the system does. */
export function readStart(file: string, most: number): Buffer {
  const descriptor = openSync(file, "r");
  try {
    const data = Buffer.alloc(most);
    let length = 0;
    for (let read = -1; read !== 0 && length < most; length += read) {
      read = readSync(descriptor, data, length, most - length, null);
    }
    return data.subarray(0, length);
  } finally {
    closeSync(descriptor);
  }
}
