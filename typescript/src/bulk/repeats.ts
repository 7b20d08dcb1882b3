// Receipts of one run that repeat the id or the nonce of an earlier one.

import { note, sentence } from "../core/codes.js";
import { shown } from "../core/findings.js";
import type { Entry, Unplaced } from "./files.js";

/** The ids and nonces of the receipts of a run, each with the receipt that had it first. */
export class Seen {
  readonly #first = new Map<string, { readonly entry: Entry; readonly verdict: "holds" | "undecided" }>();

  /** What a receipt repeats of earlier ones with a verdict. */
  repeats(entry: Entry, verdict: "holds" | "undecided"): Unplaced[] {
    return MEMBERS.flatMap((name) => {
      const first = this.#first.get(this.#key(entry, name));
      if (first === undefined || first.verdict !== verdict) return [];
      const value = shown((entry.value as ReadonlyMap<string, string>).get(name)!);
      const rest = verdict === "undecided" ? ` ${note("repeat-of-undecided")}` : "";
      const said = () => sentence("duplicate", { name, found: value, first: first.entry.label }) + rest;
      return [entry.finding("duplicate", said, [name])];
    });
  }

  /** Takes note of a receipt that can make a later one a repeat. */
  note(entry: Entry, verdict: "holds" | "undecided"): void {
    for (const name of MEMBERS) {
      const key = this.#key(entry, name);
      if (!this.#first.has(key)) this.#first.set(key, { entry, verdict });
    }
  }

  #key(entry: Entry, name: string): string {
    const members = entry.value as ReadonlyMap<string, string>;
    return name === "nonce" ? `${members.get("issuer_key_id")} ${members.get("nonce")}` : members.get(name)!;
  }
}

const MEMBERS = ["receipt_id", "nonce"] as const;
