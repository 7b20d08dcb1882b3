// The sentences of the rules and codes in the table, with their values filled in.

import { CODES, type Code, KEYWORD_FORM, KEYWORD_FOUND, NOTES, RULE_FOUND } from "../generated/codes.js";
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

/** What fills the placeholders of a template. */
export type Values = Readonly<Record<string, string | number | bigint>>;

/** The finding that a document breaks a rule beyond its schema: the rule's sentence, then what was found. */
export function broken(rule: keyof typeof RULE_FOUND, path: Path, values: Values): Finding {
  return finding(rule, `${sentence(rule)} ${filled(RULE_FOUND[rule], values)}`, path);
}

/** What a keyword of JSON Schema refuses, and what it expects: a sentence. */
export function keywordFound(keyword: keyof typeof KEYWORD_FOUND, values: Values): string {
  return filled(KEYWORD_FOUND[keyword], values);
}

/** The part of the same sentence that also goes with the name of a member. */
export function keywordForm(keyword: keyof typeof KEYWORD_FORM, values: Values): string {
  return filled(KEYWORD_FORM[keyword], values);
}

/** A sentence that belongs to no code, with its values filled in. */
export function note(name: keyof typeof NOTES, values: Values = {}): string {
  return filled(NOTES[name], values);
}

function filled(template: string, values: Values): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}
