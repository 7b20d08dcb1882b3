// The command lint: checks documents by text, schema and rules.

import { Seen } from "../bulk/repeats.js";
import type { Given } from "./arguments.js";
import { eachEntry, Report } from "./report.js";
import { print, say } from "./terminal.js";

export function lintFiles({ files, kind, lines }: Given): number {
  const report = new Report(print, say);
  const seen = new Seen();
  eachEntry(report, files, kind, lines, (entry) => {
    const repeats = entry.kind === "receipt" && entry.faults.length === 0 ? seen.repeats(entry, "holds") : [];
    if (repeats.length === 0 && entry.kind === "receipt" && entry.faults.length === 0) seen.note(entry, "holds");
    const findings = [...entry.faults, ...repeats];
    report.add({ entry, verdict: findings.length > 0 ? "invalid" : "valid", findings });
  });
  return report.close();
}
