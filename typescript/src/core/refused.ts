// The result of a reading that failed, and the lines and columns of its findings.

import { type Finding, finding, InvalidDocumentError } from "./findings.js";
import { placesOf } from "./strictJson.js";

/** What is wrong, and nothing else. */
export interface Refused {
  readonly ok: false;
  /** At least one, in the order text, schema shape, rules, pointer. */
  readonly findings: readonly Finding[];
}

/** The result of a reading that is refused. */
export function refused(findings: readonly Finding[]): Refused {
  return { ok: false, findings };
}

/** What a reading gives, or what refuses it. Any error that is not a refusal goes on. */
export function attempt<T>(read: () => T): T | Refused {
  try {
    return read();
  } catch (error) {
    return refused(refusalIn(error).findings);
  }
}

/** An error that is a refusal. Throws any other. */
export function refusalIn(error: unknown): InvalidDocumentError {
  if (error instanceof InvalidDocumentError) return error;
  throw error;
}

/** Findings about the value of a good text, with their lines and columns in it. */
export function placed(findings: readonly Finding[], text: string): readonly Finding[] {
  const places = placesOf(
    text,
    findings.map(({ path }) => path),
  );
  return findings.map(({ code, sentence, path }, index) => finding(code, sentence, path, places[index]!));
}
