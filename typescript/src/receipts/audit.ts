// Audits a receipt against its contract, its certificate and the keys of their issuers.

import { coded } from "../core/codes.js";
import { jsonPointer } from "../core/findings.js";
import { doubleText } from "../core/json.js";
import { expiresAt, requirePolicyUpdate, stateOf } from "../documents/certificate.js";
import { receiptRefusals } from "../documents/certification.js";
import { tierOf } from "../documents/oracle.js";
import { scalarFor } from "../documents/outcomes.js";
import { type Inputs, type Settled, settle } from "../documents/read.js";
import { CODES, type Code } from "../generated/codes.js";
import type { RewardEvidenceReceiptV1 } from "../generated/types.js";
import type { PublicKey } from "./keys.js";
import { type SignedKind, verifySettled } from "./verify.js";

/**
 * Every check that applies ran and passed ("holds"), at least one failed ("fails"), or none failed and some could not
 * run ("undecided").
 */
export type AuditVerdict = "holds" | "fails" | "undecided";

/** A check that failed, or that could not run. */
export interface AuditFinding {
  /** The code of the check, or of what kept it from running. */
  readonly code: Code;
  /** What was found against what is due, or why the check could not run. */
  readonly sentence: string;
  /** The member of the receipt that it is about. */
  readonly field: keyof RewardEvidenceReceiptV1;
  /** The JSON pointer of the field in the receipt. */
  readonly pointer: string;
}

/** What an audit found. */
export interface AuditReport {
  readonly verdict: AuditVerdict;
  /** The checks that failed. */
  readonly findings: readonly AuditFinding[];
  /** The codes of the checks that ran, passed or failed. */
  readonly checked: readonly Code[];
  /** The checks that apply and could not run, and why. */
  readonly unchecked: readonly AuditFinding[];
}

/** What a reader of a receipt has in hand. */
export interface AuditOptions {
  readonly contract?: Inputs["contract"] | null | undefined;
  readonly certificate?: Inputs["certificate"] | null | undefined;
  readonly keyring?: PublicKey | null | undefined;
  /** The trainer's own policy update; without it the two checks that need it do not apply. */
  readonly atUpdate?: number | null | undefined;
}

// What is checked, in the order of the reports.
const CONTRACT_CHECKS = [
  "receipt-names-another-contract",
  "tier-exceeds-channel",
  "scalar-differs-from-contract",
  "component-not-in-contract",
] as const;
const CERTIFICATE_CHECKS = [
  "receipt-names-another-certificate",
  "certificate-id-differs",
  "corpus-differs-from-certificate",
  "scope-differs-from-certificate",
  "certificate-state-differs",
] as const;
const BOTH_CHECKS = ["certified-unsupported", "certified-understated"] as const;
const CERTIFICATE_KEY_CHECKS = ["certificate-signature-invalid"] as const;
const CERTIFICATE_UPDATE_CHECKS = ["certificate-expired-at-update"] as const;
const UPDATE_CHECKS = ["policy-update-ahead"] as const;

/** An input, besides the receipt, that a check needs; without it the code of the check is unchecked. */
export type Needed = "contract" | "certificate" | "key";

/** What each check needs, in the order in which it is asked for; none for a code that is not here. */
export const NEEDS: ReadonlyMap<string, readonly Needed[]> = new Map<string, readonly Needed[]>([
  ...CONTRACT_CHECKS.map((code) => [code, ["contract"]] as const),
  ...[...CERTIFICATE_CHECKS, ...CERTIFICATE_UPDATE_CHECKS].map((code) => [code, ["certificate"]] as const),
  ...BOTH_CHECKS.map((code) => [code, ["contract", "certificate"]] as const),
  ...CERTIFICATE_KEY_CHECKS.map((code) => [code, ["certificate", "key"]] as const),
  ["signer-unknown", ["key"]],
  ["certificate-signer-unknown", ["key"]],
]);

/**
 * Checks a receipt against whatever of its contract, its certificate and its issuer's key is in hand.
 *
 * With certificate_state "absent" the certificate's checks do not apply. A receipt whose signature nobody checked
 * never holds. Throws KeyFormatError for a malformed key, RangeError for an update out of range, InvalidDocumentError
 * for a document that does not hold.
 */
export function audit(receipt: Inputs["receipt"], options: AuditOptions = {}): AuditReport {
  const atUpdate = options.atUpdate ?? null;
  if (atUpdate !== null) requirePolicyUpdate(atUpdate);
  const held = settle(receipt, "receipt");
  const { contract: givenContract, certificate: givenCertificate } = options;
  const contract = givenContract == null ? null : settle(givenContract, "contract");
  const applies = held.document.certificate_state !== "absent";
  const certificate = givenCertificate == null || !applies ? null : settle(givenCertificate, "certificate");
  const keyring = options.keyring ?? null;

  const run = new Run();
  run.checks(CONTRACT_CHECKS, contract && againstContract(held, contract), "contract");
  if (applies) {
    run.checks(CERTIFICATE_CHECKS, certificate && againstCertificate(held, certificate), "certificate");
    if (contract === null || certificate === null) {
      run.checks(BOTH_CHECKS, null, contract === null ? "contract" : "certificate");
    } else {
      run.checks(BOTH_CHECKS, againstBoth(held, contract, certificate), "");
    }
  }
  run.signature(held, keyring, "signature-invalid", "signer-unknown");
  if (applies) {
    if (certificate === null) run.checks(CERTIFICATE_KEY_CHECKS, null, "certificate");
    else run.signature(certificate, keyring, "certificate-signature-invalid", "certificate-signer-unknown");
  }
  if (atUpdate !== null) {
    if (applies) run.checks(CERTIFICATE_UPDATE_CHECKS, certificate && expired(certificate, atUpdate), "certificate");
    run.checks(UPDATE_CHECKS, ahead(held, atUpdate), "");
  }
  return run.report();
}

/** One audit under way. */
class Run {
  readonly #findings: AuditFinding[] = [];
  readonly #checked: Code[] = [];
  readonly #unchecked: AuditFinding[] = [];

  checks(codes: readonly Code[], found: Iterable<AuditFinding> | null, missing: string): void {
    if (found === null) {
      this.#unchecked.push(...codes.map((code) => auditFinding(code, `No ${missing} was given.`)));
    } else {
      this.#checked.push(...codes);
      this.#findings.push(...found);
    }
  }

  signature(document: Settled<SignedKind>, keyring: PublicKey | null, invalid: Code, unknown: Code): void {
    const key_id = document.document.issuer_key_id;
    const verdict = keyring === null ? "signer-unknown" : verifySettled(document, keyring);
    if (verdict === "signer-unknown") {
      this.#unchecked.push(failed(unknown, { key_id }));
      return;
    }
    this.#checked.push(invalid);
    if (verdict === "invalid") this.#findings.push(failed(invalid, { key_id }));
  }

  report(): AuditReport {
    const verdict = this.#findings.length > 0 ? "fails" : this.#unchecked.length > 0 ? "undecided" : "holds";
    const [findings, checked, unchecked] = [this.#findings, this.#checked, this.#unchecked].map(Object.freeze);
    return Object.freeze({ verdict, findings, checked, unchecked }) as AuditReport;
  }
}

function auditFinding(code: Code, sentence: string): AuditFinding {
  const field = CODES[code].field as AuditFinding["field"];
  return Object.freeze({ code, sentence, field, pointer: jsonPointer([field]) });
}

function failed(code: Code, values: Readonly<Record<string, string | number>> = {}): AuditFinding {
  return auditFinding(code, coded(code, values).sentence);
}

function* againstContract(receipt: Settled<"receipt">, contract: Settled<"contract">): Generator<AuditFinding> {
  const { reward_contract_digest, oracle_tier, reward_outcome, scalar_reward, reward_components } = receipt.document;
  const { oracle, scoring, components } = contract.document;
  if (reward_contract_digest !== contract.digest) {
    const named = { receipt: reward_contract_digest, contract: contract.digest };
    yield failed("receipt-names-another-contract", named);
  }
  const most = tierOf(oracle.channel);
  if (oracle_tier > most) {
    yield failed("tier-exceeds-channel", { channel: oracle.channel, receipt: oracle_tier, contract: most });
  }
  const due = scalarFor(scoring, reward_outcome);
  if (scalar_reward !== due) {
    const values = { receipt: scalarText(scalar_reward), contract: scalarText(due) };
    yield failed("scalar-differs-from-contract", { outcome: reward_outcome, ...values });
  }
  const names = components.map(({ name }) => name);
  for (const name of Object.keys(reward_components)) {
    if (!names.includes(name)) {
      yield failed("component-not-in-contract", { receipt: name, contract: names.join(", ") });
    }
  }
}

function* againstCertificate(
  receipt: Settled<"receipt">,
  certificate: Settled<"certificate">,
): Generator<AuditFinding> {
  const here = receipt.document;
  const there = certificate.document;
  const compared = [
    ["receipt-names-another-certificate", here.certificate_digest, certificate.digest],
    ["certificate-id-differs", here.certificate_id, there.certificate_id],
    ["corpus-differs-from-certificate", here.calibration_corpus_digest, there.calibration_corpus_digest],
    ["scope-differs-from-certificate", here.calibration_scope, there.calibration_scope],
    ["certificate-state-differs", here.certificate_state, stateOf(there, here.policy_update)],
  ] as const;
  for (const [code, said, due] of compared) {
    if (said !== due) {
      yield failed(code, { receipt: String(said), certificate: due, policy_update: here.policy_update });
    }
  }
}

function* againstBoth(
  receipt: Settled<"receipt">,
  contract: Settled<"contract">,
  certificate: Settled<"certificate">,
): Generator<AuditFinding> {
  const refusals = receiptRefusals(receipt, contract, certificate);
  if (receipt.document.certified && refusals.length > 0) {
    yield failed("certified-unsupported", { refusals: refusals.map(({ sentence }) => sentence).join(" ") });
  }
  if (!receipt.document.certified && refusals.length === 0) yield failed("certified-understated");
}

function* expired(certificate: Settled<"certificate">, atUpdate: number): Generator<AuditFinding> {
  const expires = expiresAt(certificate.document);
  if (expires <= atUpdate) yield failed("certificate-expired-at-update", { expires, at_update: atUpdate });
}

function* ahead(receipt: Settled<"receipt">, atUpdate: number): Generator<AuditFinding> {
  const { policy_update } = receipt.document;
  if (policy_update > atUpdate) yield failed("policy-update-ahead", { receipt: policy_update, at_update: atUpdate });
}

function scalarText(scalar: number | null): string {
  return scalar === null ? "null" : doubleText(scalar);
}
