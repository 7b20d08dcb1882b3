// Counts and prints the results of a command, and looks up the places of findings.

import { type Entry, entries, placesIn, type Unplaced, Unread } from "../bulk/files.js";
import { fileLabel, printableLine } from "../core/escaping.js";
import { jsonPointer } from "../core/findings.js";
import type { Kind } from "../validation/schema.js";

/** What a command says of one document. */
export interface Result {
  readonly entry: Entry;
  readonly verdict: string;
  /** A line about the document besides its findings, given its label. */
  readonly line?: (label: string) => string;
  /** What is wrong with it: any makes the exit status 1. */
  readonly findings: readonly Unplaced[];
  /** What could not be checked of it: any makes the exit status 2, unless something makes it 1. */
  readonly unchecked?: readonly Unplaced[];
  /** The same for inputs that the run was not given; reported once for the run. */
  readonly notGiven?: readonly NotGiven[];
}

/** What the whole run was not given, so that some checks did not run. */
export interface NotGiven {
  readonly sentence: string;
  readonly codes: readonly string[];
}

// The places of many findings in one text are looked up together: one by one they would take the square of it.
const MOST_PENDING = 20_000;

/** Counts results and problems, and prints them: results to standard output, problems to standard error. */
export class Report {
  #documents = 0;
  #findings = 0;
  #undecided = 0;
  readonly #verdicts: Map<string, number> | null;
  readonly #notGiven = new Map<string, { codes: Set<string>; count: number }>();
  #pending: Result[] = [];
  #waiting = 0;

  constructor(
    private readonly out: (line: string) => void,
    private readonly say: (line: string) => void,
    verdicts: readonly string[] = [],
  ) {
    this.#verdicts = verdicts.length > 0 ? new Map(verdicts.map((verdict) => [verdict, 0])) : null;
  }

  add(result: Result): void {
    const { entry, verdict, findings, unchecked = [], notGiven = [] } = result;
    this.#documents++;
    this.#findings += findings.length;
    if (findings.length === 0 && unchecked.length + notGiven.length > 0) this.#undecided++;
    this.#verdicts?.set(verdict, (this.#verdicts.get(verdict) ?? 0) + 1);
    for (const { sentence, codes } of notGiven) {
      const known = this.#notGiven.get(sentence) ?? { codes: new Set<string>(), count: 0 };
      this.#notGiven.set(sentence, known);
      known.count++;
      for (const code of codes) known.codes.add(code);
    }
    if (this.#pending.length > 0 && this.#pending[0]!.entry.text !== entry.text) this.flush();
    this.#pending.push(result);
    this.#waiting += 1 + findings.length + unchecked.length;
    if (this.#waiting >= MOST_PENDING) this.flush();
  }

  problem(message: string): void {
    this.flush();
    this.#undecided++;
    this.say(`reward-receipts: ${message}`);
  }

  /** Whether something was found, or could not be decided, so far. */
  get failed(): boolean {
    return this.#findings + this.#undecided > 0;
  }

  /** Prints what waits for its places. */
  flush(): void {
    const results = this.#pending;
    this.#pending = [];
    this.#waiting = 0;
    if (results.length === 0) return;
    const { text, textPlace } = results[0]!.entry;
    const asked = results.flatMap(({ entry, findings, unchecked = [] }) => [
      entry.at,
      ...findings.map(({ path }) => path),
      ...unchecked.map(({ path }) => path),
    ]);
    const places = textPlace === null ? placesIn(text, asked) : [];
    let next = 0;
    for (const { entry, findings, unchecked = [] } of results) {
      const [line, column] = places[next] ?? [1, 1];
      if (entry.at.length > 0) entry.label = `${fileLabel(text.name)}:${line}:${column}`;
      next += 1 + findings.length + unchecked.length;
    }
    next = 0;
    for (const result of results) {
      const { entry, findings, unchecked = [] } = result;
      next++;
      if (result.line !== undefined) this.out(printableLine(result.line(entry.label)));
      for (const [index, found] of [...findings, ...unchecked].entries()) {
        const mark = index < findings.length ? "" : "unchecked ";
        const [line, column] = entry.textPlace ?? places[next] ?? [1, 1];
        next++;
        const sentence = typeof found.sentence === "string" ? found.sentence : found.sentence();
        const place = printableLine(
          `${fileLabel(text.name)}:${line}:${column} ${jsonPointer(found.path) || "(document)"}`,
        );
        this.out(`${place} ${mark}${found.code} ${printableLine(sentence)}`);
      }
    }
  }

  /** Ends the report; returns the exit status. */
  close(): 0 | 1 | 2 {
    this.flush();
    for (const [sentence, { codes, count }] of this.#notGiven) {
      this.out(
        `unchecked for ${counted(count, "document")}: ${sentence}; without it these do not run: ${[...codes].join(", ")}`,
      );
    }
    let line = `${counted(this.#documents, "document")}, ${counted(this.#findings, "finding")}`;
    if (this.#undecided > 0) line += `, ${this.#undecided} undecided`;
    if (this.#verdicts !== null && this.#documents > 0) {
      line += `; verdicts: ${[...this.#verdicts].map(([verdict, count]) => `${count} ${verdict}`).join(", ")}`;
    }
    this.say(line);
    return this.#findings > 0 ? 1 : this.#undecided > 0 ? 2 : 0;
  }
}

function counted(count: number, what: string): string {
  return `${count} ${count === 1 ? what : `${what}s`}`;
}

/** Takes each document of some files in turn. What cannot be read is a problem of the report. */
export function eachEntry(
  report: Report,
  files: readonly string[],
  kind: Kind | undefined,
  lines: boolean | undefined,
  take: (entry: Entry) => void,
): void {
  for (const file of new Set(files)) {
    try {
      for (const text of entries(file, kind, lines)) {
        for (const entry of text) take(entry);
        report.flush();
      }
    } catch (error) {
      if (!(error instanceof Unread)) throw error;
      report.problem(error.message);
    }
  }
}
