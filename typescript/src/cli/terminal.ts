// What the command writes: results to standard output, problems to standard error.

import { writeSync } from "node:fs";
import { reasonOf } from "../bulk/files.js";
import { printableLine } from "../core/escaping.js";
import { redactedWords } from "../core/redaction.js";

/** Standard output does not take what is written to it: a closed pipe, a full disk. */
export class StdoutLost extends Error {}

export function print(line: string): void {
  writeOut(`${line}\n`);
}

export function writeOut(text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw new StdoutLost(reasonOf(error));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10); // a pipe whose reader is slow
    }
  }
}

export function say(line: string): void {
  try {
    writeSync(2, `${printableLine(redactedWords(line))}\n`);
  } catch {
    // Nobody reads standard error.
  }
}
