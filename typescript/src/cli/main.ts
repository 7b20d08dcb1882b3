// The commands lint, audit and verify.

import { writeSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Entry, entries, readStart, reasonOf, type Unplaced, Unread } from "../bulk/files.js";
import { note, sentence } from "../core/codes.js";
import { fileLabel, printableLine } from "../core/escaping.js";
import { shown } from "../core/findings.js";
import { doubleText } from "../core/json.js";
import { couldBeKey, redactedWords } from "../core/redaction.js";
import { digest } from "../documents/read.js";
import { AUDIT_CHECKS, AUDIT_INPUTS, type Code } from "../generated/codes.js";
import { MAX_KEY_FILE_BYTES, MAX_POLICY_UPDATE, MAX_TEXT_BYTES } from "../generated/tables.js";
import type { RewardCertificateV1, RewardContractV1, RewardEvidenceReceiptV1 } from "../generated/types.js";
import { audit, NEEDS, type Needed } from "../receipts/audit.js";
import { decodePublicKey, KeyFormatError, Keyring, type PublicKey } from "../receipts/keys.js";
import { verify } from "../receipts/verify.js";
import type { Kind } from "../validation/schema.js";
import { KINDS } from "../validation/schemas.js";
import { type NotGiven, Report, type Result } from "./report.js";

const HELP = `usage: reward-receipts lint FILES...
       reward-receipts audit RECEIPTS... [--contract FILE] [--certificate FILE] [--keyring FILE | --public-key FILE]
                                         [--at-update N]
       reward-receipts verify FILES... (--keyring FILE | --public-key FILE)

lint checks documents by text, schema and rules, audit receipts against contract, certificate and keys, verify
signatures. FILES are paths, or - for standard input. A JSON file has one document or an array of them; .jsonl and
.ndjson are JSON Lines (--lines and --no-lines override the suffix). --kind contract, certificate or receipt: the kind of
the documents. --contract, --certificate and --keyring may be given repeatedly.

A finding is one line: FILE:LINE:COLUMN POINTER CODE SENTENCE. Exit status: 0 good; 1 a finding; 2 wrong usage, or
something that cannot be decided. If both 1 and 2 apply, it is 1.

Every certificate here is synthetic; none is for production. The Python package of the same name has more commands.
`;

const OPTIONS = {
  kind: { type: "string" },
  lines: { type: "boolean" },
  "no-lines": { type: "boolean" },
  contract: { type: "string", multiple: true },
  certificate: { type: "string", multiple: true },
  keyring: { type: "string", multiple: true },
  "public-key": { type: "string" },
  "at-update": { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean" },
} as const;

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  lint: ["kind", "lines", "no-lines"],
  audit: ["lines", "no-lines", "contract", "certificate", "keyring", "public-key", "at-update"],
  verify: ["kind", "lines", "no-lines", "keyring", "public-key"],
};

class UsageError extends Error {}

/** Standard output does not take what is written to it: a closed pipe, a full disk. */
class StdoutLost extends Error {}

/** Runs the command line and returns the exit status. */
export function main(argv: readonly string[], version: string): number {
  try {
    return run(argv, version);
  } catch (error) {
    if (error instanceof UsageError) say(`reward-receipts: ${error.message}; --help shows how it is used`);
    else if (error instanceof StdoutLost) say(`reward-receipts: cannot write to standard output: ${error.message}`);
    else throw error;
    return 2;
  }
}

function run(argv: readonly string[], version: string): number {
  const { values, positionals } = parsed(argv);
  if (values.help) {
    writeOut(HELP);
    return 0;
  }
  if (values.version) {
    writeOut(`reward-receipts ${version}\n`);
    return 0;
  }
  const [command = "", ...files] = positionals;
  const allowed = Object.hasOwn(ALLOWED, command) ? ALLOWED[command]! : undefined;
  if (allowed === undefined) throw new UsageError(`the command is ${Object.keys(ALLOWED).join(", ")}`);
  for (const option of Object.keys(values)) {
    if (!allowed.includes(option)) throw new UsageError(`${command} has no option --${option}`);
  }
  if (files.length === 0) throw new UsageError(`${command} needs files, or - for standard input`);
  if (values.keyring !== undefined && values["public-key"] !== undefined) {
    throw new UsageError("give --keyring or --public-key, not both");
  }
  const { kind } = values;
  if (kind !== undefined && !KINDS.includes(kind as Kind)) throw new UsageError(`--kind is one of ${KINDS.join(", ")}`);
  if (values.lines && values["no-lines"]) throw new UsageError("give --lines or --no-lines, not both");
  const lines = values.lines ? true : values["no-lines"] ? false : undefined;
  const given = { ...values, kind: kind as Kind | undefined, lines, files };
  if (command === "lint") return lint(given);
  return command === "audit" ? audited(given) : verified(given);
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    // Its message can quote an argument, which could be a key.
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(
      code === "ERR_PARSE_ARGS_UNKNOWN_OPTION" ? "there is no such option" : "an option has no value, or one too many",
    );
  }
}

interface Given {
  readonly files: readonly string[];
  readonly kind?: Kind | undefined;
  readonly lines?: boolean | undefined;
  readonly contract?: readonly string[] | undefined;
  readonly certificate?: readonly string[] | undefined;
  readonly keyring?: readonly string[] | undefined;
  readonly "public-key"?: string | undefined;
  readonly "at-update"?: string | undefined;
}

function lint({ files, kind, lines }: Given): number {
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

function verified(given: Given): number {
  const report = new Report(print, say, ["valid", "invalid", "signer-unknown"]);
  if (given.keyring === undefined && given["public-key"] === undefined) {
    throw new UsageError("give --keyring or --public-key, one of them");
  }
  const keys = publicKeys(report, given);
  if (keys === undefined) return report.close();
  eachEntry(report, given.files, given.kind, given.lines, (entry) => {
    if (entry.faults.length > 0) report.add({ entry, verdict: "invalid", findings: entry.faults });
    else if (entry.kind === "contract") report.problem(`${entry.label} is a contract, which carries no signature`);
    else report.add(signatureResult(entry, entry.kind as "certificate" | "receipt", keys));
  });
  return report.close();
}

function signatureResult(entry: Entry, kind: "certificate" | "receipt", keys: PublicKey): Result {
  const document = entry.document(kind) as RewardCertificateV1 | RewardEvidenceReceiptV1;
  const verdict = verify(document, keys, kind);
  const key_id = document.issuer_key_id;
  const id = "receipt_id" in document ? document.receipt_id : document.certificate_id;
  const line = (label: string) => `${verdict}  ${label}  ${id}  ${key_id}`;
  const of = kind === "certificate" ? "certificate-" : "";
  const about = (code: Code, member: string) => [entry.finding(code, sentence(code, { key_id }), [member])];
  if (verdict === "valid") return { entry, verdict, line, findings: [] };
  if (verdict === "invalid") {
    return { entry, verdict, line, findings: about(`${of}signature-invalid` as Code, "signature") };
  }
  return { entry, verdict, line, findings: [], unchecked: about(`${of}signer-unknown` as Code, "issuer_key_id") };
}

function audited(given: Given): number {
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

/** The ids and nonces of the receipts of a run, each with the receipt that had it first. */
class Seen {
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

function eachEntry(
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

/** The keyrings as one, or the one key; undefined if none was named, or if one cannot be used, which the report says. */
function publicKeys(report: Report, given: Given): PublicKey | undefined {
  let name = "";
  try {
    if (given["public-key"] !== undefined) {
      name = given["public-key"];
      return decodePublicKey(readStart(name, MAX_KEY_FILE_BYTES).toString("latin1").trim());
    }
    const keys: (readonly [string, Uint8Array])[] = [];
    for (name of given.keyring ?? []) {
      const ring = Keyring.fromText(readStart(name, MAX_TEXT_BYTES + 1));
      keys.push(...ring.ids.map((id) => [id, ring.get(id)!] as const));
    }
    return given.keyring === undefined ? undefined : Keyring.of(keys);
  } catch (error) {
    const hint = couldBeKey(name) ? "; give a file that holds the key, not the key itself" : "";
    if (error instanceof KeyFormatError) report.problem(`${fileLabel(name)}: ${error.message}`);
    else if (error instanceof Error && "code" in error)
      report.problem(`cannot read ${fileLabel(name)}: ${reasonOf(error)}${hint}`);
    else throw error;
    return undefined;
  }
}

function policyUpdate(text: string | undefined): number | null {
  if (text === undefined) return null;
  const update = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(update)) throw new UsageError(`--at-update is an integer from 0 to ${MAX_POLICY_UPDATE}`);
  return update;
}

function print(line: string): void {
  writeOut(`${line}\n`);
}

function writeOut(text: string): void {
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

function say(line: string): void {
  try {
    writeSync(2, `${printableLine(redactedWords(line))}\n`);
  } catch {
    // Nobody reads standard error.
  }
}
