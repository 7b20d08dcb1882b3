// Makes text of other people safe to print: control characters and commands for CI runners are escaped.

import { couldBeKey, redacted } from "./redaction.js";

const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

/**
 * A text as one line of output: each character escaped that a terminal could act on, and no command for a CI runner
 * (`::error::` at the start of a line, `##[group]` anywhere in it).
 */
export function printableLine(text: string): string {
  return text
    .replace(UNPRINTABLE, escaped)
    .replace(/^(\s*):(?=:)/, "$1\\x3a")
    .replace(/##(?=\w*\[)/g, "\\x23#");
}

const SHORT_ESCAPES = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

function escaped(character: string): string {
  const short = SHORT_ESCAPES.get(character);
  if (short !== undefined) return short;
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  const [mark, digits] = hex.length <= 2 ? ["x", 2] : hex.length <= 4 ? ["u", 4] : ["U", 8];
  return `\\${mark}${hex.padStart(digits, "0")}`;
}

const AMBIGUOUS = /^$|^["\s]|\s$|\s\s|:[\s:\d]|\(document\)/;

/** A file's name as lines and messages show it: in quotes if it could be taken for more than a name. */
export function fileLabel(file: string): string {
  if (file === "-") return "<stdin>";
  if (couldBeKey(file)) return redacted(file);
  const shown = printableLine(file);
  return shown === file && !AMBIGUOUS.test(file) ? file : printableLine(JSON.stringify(file));
}
