import { printableLine } from "../findings.js";

const AMBIGUOUS = /^$|^["\s]|\s$|\s\s|:[\s:\d]|\(document\)/;

/** A file's name as lines and messages show it: in quotes if it could be taken for more than a name. */
export function named(file: string): string {
  if (file === "-") return "<stdin>";
  if (couldBeKey(file)) return "the file that is named";
  const shown = printableLine(file);
  return shown === file && !AMBIGUOUS.test(file) ? file : printableLine(JSON.stringify(file));
}

/** Whether a name could be 32 or 64 bytes in base64 or hex: a key given in the place of its file. */
export function couldBeKey(name: string): boolean {
  return /^\s*([0-9A-Fa-f]{64}|[0-9A-Fa-f]{128}|[A-Za-z0-9+/_-]{43}=?|[A-Za-z0-9+/_-]{86}(==)?)\s*$/.test(name);
}
