import { type JsonValue, type Path, doubleText, stringText } from "./json.js";

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
  return `${line === null ? "" : `${line}:${column} `}${pointer || "(document)"} ${code} ${sentence}`;
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

/** The JSON pointer (RFC 6901) of a path. */
export function jsonPointer(path: Path): string {
  let pointer = "";
  for (const part of path) {
    pointer += `/${typeof part === "number" ? part : part.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  }
  return pointer;
}

/** A value as it is named in a message: JSON on one line, in ASCII, cut to `limit` characters. */
export function shown(value: JsonValue, limit = 80): string {
  const text = spelt(value);
  return text.length <= limit ? text : `${text.slice(0, limit - 3)}...`;
}

function spelt(value: JsonValue): string {
  switch (typeof value) {
    case "string":
      return stringText(value);
    case "number":
      return doubleText(value);
    case "object":
      if (value === null) return "null";
      if (value instanceof Map) {
        return `{${[...value].map(([name, member]) => `${stringText(name)}: ${spelt(member)}`).join(", ")}}`;
      }
      return `[${(value as readonly JsonValue[]).map(spelt).join(", ")}]`;
    default:
      return String(value);
  }
}
