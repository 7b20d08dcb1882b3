// How a message names an argument of the wrong type, and an error that other code threw.

import { shown } from "./findings.js";
import { redactedWords } from "./redaction.js";

/** An argument that is wrong, as an error names it. A long text is not quoted: it could be a key in the wrong place. */
export function named(value: unknown): string {
  switch (typeof value) {
    case "string":
      return value.length <= LONGEST_QUOTED ? shown(value) : `a string of ${value.length} characters`;
    case "number":
    case "boolean":
    case "undefined":
      return String(value);
    case "bigint":
      return shown(value);
    case "object":
      return value === null ? "null" : Array.isArray(value) ? "an array" : "an object";
    default:
      return `a ${typeof value}`;
  }
}

const LONGEST_QUOTED = 32;
const LONGEST_FAILURE = 200;

/** What somebody else's code threw, on one line. */
export function failureText(error: unknown): string {
  try {
    const [name, text] = error instanceof Error ? [error.name, error.message] : [typeof error, String(error)];
    const line = redactedWords(text.split(/\s+/).filter(Boolean).join(" "));
    return `${name}: ${[...line.slice(0, 2 * LONGEST_FAILURE)].slice(0, LONGEST_FAILURE).join("")}`;
  } catch {
    return "(it has no text)"; // what is thrown need not be able to say what it is
  }
}
