import { CODES, type Code } from "./generated/codes.js";

/** A sentence and the code it belongs to. */
export interface CodedSentence {
  readonly code: Code;
  readonly sentence: string;
}

/** The sentence of a code, its values filled in. */
export function sentence(code: Code, values: Readonly<Record<string, string | number | bigint>> = {}): string {
  return CODES[code].sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}

/** A code with its sentence, its values filled in. */
export function coded(code: Code, values: Readonly<Record<string, string | number | bigint>> = {}): CodedSentence {
  return Object.freeze({ code, sentence: sentence(code, values) });
}
