// Audits a receipt against its contract, its certificate and the keys of their issuers.

import { coded, note, type Values } from "../core/codes.js";
import { jsonPointer } from "../core/findings.js";
import { doubleText } from "../core/json.js";
import { expiresAt, requirePolicyUpdate, stateOf } from "../documents/certificate.js";
import { receiptRefusals } from "../documents/certification.js";
import { tierOf } from "../documents/oracle.js";
import { scalarFor } from "../documents/outcomes.js";
import { type Inputs, type Settled, settle } from "../documents/read.js";
import { AUDIT_CHECKS, type AUDIT_INPUTS, CODES, type Code } from "../generated/codes.js";
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
  /** What was found and what was expected, or why the check could not run. */
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

/** An input, besides the receipt, that a check needs; without it the code of the check is unchecked. */
export type Needed = keyof typeof AUDIT_INPUTS;

/** What each check needs, in the order in which it is asked for; none for a code that is not here. */
export const NEEDS: ReadonlyMap<string, readonly Needed[]> = new Map(
  AUDIT_CHECKS.flatMap(({ code, needs, signer_unknown }) =>
    [code, signer_unknown].flatMap((each) => (each === null ? [] : [[each, needs] as const])),
  ),
);

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

  const given = { receipt: held, contract, certificate, keyring, atUpdate } as Given;
  const has = { certificate: applies, update: atUpdate !== null };
  const missing = { contract: contract === null, certificate: certificate === null, key: false };
  const findings: AuditFinding[] = [];
  const checked: Code[] = [];
  const unchecked: AuditFinding[] = [];
  for (const { code, applies_with, needs, signer_unknown } of AUDIT_CHECKS) {
    if (!applies_with.every((each) => has[each])) continue;
    const lack = needs.find((each) => missing[each]);
    if (lack !== undefined) {
      unchecked.push(auditFinding(code, note("not-given", { input: lack })));
      continue;
    }
    const found = CHECKS[code](given);
    if (found instanceof SignerUnknown) unchecked.push(failed(signer_unknown!, { key_id: found.keyId }));
    else {
      checked.push(code);
      findings.push(...found.map((values) => failed(code, values)));
    }
  }
  const verdict = findings.length > 0 ? "fails" : unchecked.length > 0 ? "undecided" : "holds";
  return Object.freeze({
    verdict,
    findings: Object.freeze(findings),
    checked: Object.freeze(checked),
    unchecked: Object.freeze(unchecked),
  });
}

/** What an audit looks at. A check reads only what it needs. */
interface Given {
  readonly receipt: Settled<"receipt">;
  readonly contract: Settled<"contract">;
  readonly certificate: Settled<"certificate">;
  readonly keyring: PublicKey | null;
  readonly atUpdate: number;
}

/** No key is held for the issuer_key_id of a document. */
class SignerUnknown {
  constructor(readonly keyId: string) {}
}

function auditFinding(code: Code, sentence: string): AuditFinding {
  const field = CODES[code].field as AuditFinding["field"];
  return Object.freeze({ code, sentence, field, pointer: jsonPointer([field]) });
}

function failed(code: Code, values: Values): AuditFinding {
  return auditFinding(code, coded(code, values).sentence);
}

/** The values of each finding of a check. */
type Found = readonly Values[];

/** What makes each check. The compiler refuses a check of schemas/codes.json that has no function, and the reverse. */
const CHECKS: Readonly<Record<(typeof AUDIT_CHECKS)[number]["code"], (given: Given) => Found | SignerUnknown>> = {
  "receipt-names-another-contract": ({ receipt, contract }) => {
    const named = receipt.document.reward_contract_digest;
    return named === contract.digest ? [] : [{ receipt: named, contract: contract.digest }];
  },
  "tier-exceeds-channel": ({ receipt, contract }) => {
    const { channel } = contract.document.oracle;
    const tiers = { receipt: receipt.document.oracle_tier, contract: tierOf(channel) };
    return tiers.receipt > tiers.contract ? [{ channel, ...tiers }] : [];
  },
  "scalar-differs-from-contract": ({ receipt, contract }) => {
    const { reward_outcome: outcome, scalar_reward } = receipt.document;
    const expected = scalarFor(contract.document.scoring, outcome);
    if (scalar_reward === expected) return [];
    return [{ outcome, receipt: scalarText(scalar_reward), contract: scalarText(expected) }];
  },
  "component-not-in-contract": ({ receipt, contract }) => {
    const names = contract.document.components.map(({ name }) => name);
    const strange = Object.keys(receipt.document.reward_components).filter((name) => !names.includes(name));
    return strange.map((name) => ({ receipt: name, contract: names.join(", ") }));
  },
  "receipt-names-another-certificate": ({ receipt, certificate }) =>
    differing(receipt.document.certificate_digest, certificate.digest),
  "certificate-id-differs": ({ receipt, certificate }) =>
    differing(receipt.document.certificate_id, certificate.document.certificate_id),
  "corpus-differs-from-certificate": ({ receipt, certificate }) =>
    differing(receipt.document.calibration_corpus_digest, certificate.document.calibration_corpus_digest),
  "scope-differs-from-certificate": ({ receipt, certificate }) =>
    differing(receipt.document.calibration_scope, certificate.document.calibration_scope),
  "certificate-state-differs": ({ receipt, certificate }) => {
    const { certificate_state, policy_update } = receipt.document;
    const found = differing(certificate_state, stateOf(certificate.document, policy_update));
    return found.map((values) => ({ ...values, policy_update }));
  },
  "certified-unsupported": ({ receipt, contract, certificate }) => {
    if (!receipt.document.certified) return [];
    const refusals = receiptRefusals(receipt, contract, certificate);
    return refusals.length === 0 ? [] : [{ refusals: refusals.map(({ sentence }) => sentence).join(" ") }];
  },
  "certified-understated": ({ receipt, contract, certificate }) => {
    if (receipt.document.certified) return [];
    return receiptRefusals(receipt, contract, certificate).length === 0 ? [{}] : [];
  },
  "signature-invalid": ({ receipt, keyring }) => signature(receipt, keyring),
  "certificate-signature-invalid": ({ certificate, keyring }) => signature(certificate, keyring),
  "certificate-expired-at-update": ({ certificate, atUpdate }) => {
    const expires = expiresAt(certificate.document);
    return expires <= atUpdate ? [{ expires, at_update: atUpdate }] : [];
  },
  "policy-update-ahead": ({ receipt, atUpdate }) => {
    const { policy_update } = receipt.document;
    return policy_update > atUpdate ? [{ receipt: policy_update, at_update: atUpdate }] : [];
  },
};

function differing(receipt: string | null, certificate: string): Found {
  return receipt === certificate ? [] : [{ receipt: String(receipt), certificate }];
}

function signature(document: Settled<SignedKind>, keyring: PublicKey | null): Found | SignerUnknown {
  const key_id = document.document.issuer_key_id;
  const verdict = keyring === null ? "signer-unknown" : verifySettled(document, keyring);
  if (verdict === "signer-unknown") return new SignerUnknown(key_id);
  return verdict === "valid" ? [] : [{ key_id }];
}

function scalarText(scalar: number | null): string {
  return scalar === null ? "null" : doubleText(scalar);
}
