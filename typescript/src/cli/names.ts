import { printableLine } from "../findings.js";
import { couldBeKey, redacted } from "../redaction.js";

const AMBIGUOUS = /^$|^["\s]|\s$|\s\s|:[\s:\d]|\(document\)/;

/** A file's name as lines and messages show it: in quotes if it could be taken for more than a name. */
export function named(file: string): string {
  if (file === "-") return "<stdin>";
  if (couldBeKey(file)) return redacted(file);
  const shown = printableLine(file);
  return shown === file && !AMBIGUOUS.test(file) ? file : printableLine(JSON.stringify(file));
}
