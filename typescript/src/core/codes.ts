// The sentences of the rules and codes in the table, with their values filled in.

import { CODES, type Code } from "../generated/codes.js";
import { type Finding, finding } from "./findings.js";
import type { Path } from "./json.js";
import { redactedWords } from "./redaction.js";

/** A sentence and the code it belongs to. */
export interface CodedSentence {
  readonly code: Code;
  readonly sentence: string;
}

/** The sentence of a code, its values filled in. A word of theirs that could be a private key is not quoted. */
export function sentence(code: Code, values: Readonly<Record<string, string | number | bigint>> = {}): string {
  return CODES[code].sentence.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    return typeof value === "string" ? redactedWords(value) : String(value);
  });
}

/** A code with its sentence, its values filled in. */
export function coded(code: Code, values: Readonly<Record<string, string | number | bigint>> = {}): CodedSentence {
  return Object.freeze({ code, sentence: sentence(code, values) });
}

/** The finding of a rule that a document breaks: the rule's sentence, then what was found. */
export function broken(rule: Code, found: string, path: Path): Finding {
  return finding(rule, `${sentence(rule)} ${found}`, path);
}
