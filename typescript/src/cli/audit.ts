// The command audit: checks receipts against contract, certificate and keys.

import type { Entry, Unplaced } from "../bulk/files.js";
import { Seen } from "../bulk/repeats.js";
import { note, sentence } from "../core/codes.js";
import { doubleText } from "../core/json.js";
import { digest } from "../documents/read.js";
import { AUDIT_CHECKS, AUDIT_INPUTS } from "../generated/codes.js";
import type { RewardCertificateV1, RewardContractV1, RewardEvidenceReceiptV1 } from "../generated/types.js";
import { audit, NEEDS, type Needed } from "../receipts/audit.js";
import type { PublicKey } from "../receipts/keys.js";
import type { Kind } from "../validation/schema.js";
import { type Given, policyUpdate } from "./arguments.js";
import { publicKeys } from "./keys.js";
import { eachEntry, type NotGiven, Report, type Result } from "./report.js";
import { print, say } from "./terminal.js";

export function auditFiles(given: Given): number {
  const report = new Report(print, say, ["holds", "fails", "undecided", "invalid"]);
  const atUpdate = policyUpdate(given["at-update"]);
  const contracts = held<RewardContractV1>(report, given.contract ?? [], "contract");
  const certificates = held<RewardCertificateV1>(report, given.certificate ?? [], "certificate");
  const keys = publicKeys(report, given);
  if (report.failed) return report.close();
  const auditor = new Auditor(contracts, certificates, keys, atUpdate);
  eachEntry(report, given.files, "receipt", given.lines, (entry) => {
    if (entry.faults.length === 0) report.add(auditor.result(entry));
    else report.add({ entry, verdict: "invalid", line: (label) => `${label}  invalid`, findings: entry.faults });
  });
  return report.close();
}

/** Audits receipts in the order in which they are read, because a later one can repeat an earlier one. */
class Auditor {
  readonly #seen = new Seen();
  readonly #byDigest: boolean;

  constructor(
    private readonly contracts: ReadonlyMap<string, RewardContractV1>,
    private readonly certificates: ReadonlyMap<string, RewardCertificateV1>,
    private readonly keys: PublicKey | undefined,
    private readonly atUpdate: number | null,
  ) {
    this.#byDigest = contracts.size > 1 || certificates.size > 1;
  }

  result(entry: Entry): Result {
    const receipt = entry.document("receipt");
    const contract = this.#named(this.contracts, receipt.reward_contract_digest);
    const certificate =
      receipt.certificate_digest === null ? null : this.#named(this.certificates, receipt.certificate_digest);
    const found = audit(receipt, { contract, certificate, keyring: this.keys ?? null, atUpdate: this.atUpdate });

    const missing = { contract: contract === null, certificate: certificate === null, key: this.keys === undefined };
    const lackOf = (code: string) => (NEEDS.get(code) ?? []).find((what) => missing[what]);
    const lacks = found.unchecked.map(({ code }) => [code, lackOf(code)] as const);
    const notGiven: NotGiven[] = [];
    const unheld = new Set<Needed>();
    for (const [what, options] of Object.entries(AUDIT_INPUTS) as [Needed, string][]) {
      const codes = lacks.filter(([, lack]) => lack === what).map(([code]) => CHECK_OF.get(code) ?? code);
      if (codes.length === 0) continue;
      if (this.#wasGiven(what)) unheld.add(what);
      else notGiven.push({ sentence: note("not-given-option", { input: what, options }), codes });
    }
    const placed = ({ code, sentence: said, field }: { code: string; sentence: string; field: string }) =>
      entry.finding(code, said, field === "" ? [] : [field]);
    const unchecked = found.unchecked.filter(({ code }) => lackOf(code) === undefined).map(placed);
    if (unheld.size > 0) unchecked.unshift(this.#notHeld(entry, receipt, unheld));
    const findings = [...found.findings.map(placed), ...this.#seen.repeats(entry, "holds")];
    unchecked.push(...this.#seen.repeats(entry, "undecided"));
    const verdict = findings.length > 0 ? "fails" : unchecked.length + notGiven.length > 0 ? "undecided" : "holds";
    if (verdict !== "fails") this.#seen.note(entry, verdict);
    const scalar = receipt.scalar_reward === null ? "unscored" : doubleText(receipt.scalar_reward);
    const certified = receipt.certified ? "certified (synthetic)" : "not certified (synthetic)";
    const line = (label: string) =>
      `${label}  ${receipt.receipt_id}  ${verdict}  ${receipt.reward_outcome}  ${scalar}  ${certified}`;
    return { entry, verdict, line, findings, unchecked, notGiven };
  }

  /** The document to audit against; with several in hand only the one that the receipt names. */
  #named<T>(documents: ReadonlyMap<string, T>, named: string): T | null {
    const found = documents.get(named);
    if (found !== undefined || this.#byDigest) return found ?? null;
    return [...documents.values()][0] ?? null;
  }

  #wasGiven(what: Needed): boolean {
    if (what === "key") return this.keys !== undefined;
    return (what === "contract" ? this.contracts : this.certificates).size > 0;
  }

  #notHeld(entry: Entry, receipt: RewardEvidenceReceiptV1, unheld: ReadonlySet<Needed>): Unplaced {
    const said = (kind: string, digestOf: string, count: number) =>
      `${kind} ${digestOf} is ${count > 1 ? `not one of the ${count}` : "not the one"} given`;
    const parts: string[] = [];
    if (unheld.has("contract")) parts.push(said("contract", receipt.reward_contract_digest, this.contracts.size));
    if (unheld.has("certificate"))
      parts.push(said("certificate", String(receipt.certificate_digest), this.certificates.size));
    const field = unheld.has("contract") ? "reward_contract_digest" : "certificate_digest";
    return entry.finding("documents-not-held", sentence("documents-not-held", { unheld: parts.join(" and ") }), [
      field,
    ]);
  }
}

// The check that did not run, by the code under which the audit lists a signature of an unknown signer.
const CHECK_OF = new Map<string | null, string>(AUDIT_CHECKS.map((check) => [check.signer_unknown, check.code]));

/** The documents to audit with, by digest. */
function held<T extends object>(report: Report, files: readonly string[], kind: Kind): ReadonlyMap<string, T> {
  const documents = new Map<string, T>();
  eachEntry(report, files, kind, undefined, (entry) => {
    if (entry.faults.length > 0) report.add({ entry, verdict: "invalid", findings: entry.faults });
    else {
      const document = entry.document(kind);
      documents.set(digest(document, kind), document as unknown as T);
    }
  });
  return documents;
}
