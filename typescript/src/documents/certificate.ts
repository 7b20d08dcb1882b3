// The state of a certificate at a policy update, and what a contract's policy asks of it.

import { type CodedSentence, coded } from "../core/codes.js";
import { named } from "../core/foreign.js";
import { doubleText } from "../core/json.js";
import type { Code } from "../generated/codes.js";
import { MAX_POLICY_UPDATE } from "../generated/tables.js";
import type { RewardCertificatePolicyV1, RewardCertificateStateV1, RewardCertificateV1 } from "../generated/types.js";
import { type Inputs, settle } from "./read.js";

/** Throws RangeError for what is not an integer from 0 to 9007199254740991. */
export function requirePolicyUpdate(policyUpdate: unknown): asserts policyUpdate is number {
  if (typeof policyUpdate !== "number" || !Number.isSafeInteger(policyUpdate) || policyUpdate < 0) {
    throw new RangeError(`policy update ${named(policyUpdate)} is not an integer from 0 to ${MAX_POLICY_UPDATE}`);
  }
}

/**
 * The state of a certificate at a policy update; "absent" where there is none (null).
 *
 * Throws RangeError where the update is not an integer from 0 to 9007199254740991, InvalidDocumentError for a
 * certificate that does not hold.
 */
export function certificateState(
  certificate: Inputs["certificate"] | null,
  policyUpdate: number,
): RewardCertificateStateV1 {
  requirePolicyUpdate(policyUpdate);
  return certificate === null ? "absent" : stateOf(settle(certificate, "certificate").document, policyUpdate);
}

/**
 * What a contract's certificate policy asks for and a certificate does not give; none where it gives all.
 *
 * Throws InvalidDocumentError for a document that does not hold.
 */
export function unmet(certificate: Inputs["certificate"], contract: Inputs["contract"]): readonly CodedSentence[] {
  const { certificate_policy } = settle(contract, "contract").document;
  return shortfalls(settle(certificate, "certificate").document, certificate_policy);
}

/** The first policy update at which a certificate no longer holds. */
export function expiresAt(certificate: RewardCertificateV1): number {
  return certificate.issued_at_policy_update + certificate.expiry_policy_updates;
}

/** The state of a checked certificate at a checked policy update. */
export function stateOf(certificate: RewardCertificateV1, policyUpdate: number): RewardCertificateStateV1 {
  if (policyUpdate < certificate.issued_at_policy_update) return "not_yet_valid";
  return policyUpdate < expiresAt(certificate) ? "current" : "expired";
}

/** What a policy asks for and a checked certificate does not give. */
export function shortfalls(has: RewardCertificateV1, asks: RewardCertificatePolicyV1): readonly CodedSentence[] {
  const found: CodedSentence[] = [];
  const short = (code: Code, certificate: string, policy: string) => found.push(coded(code, { certificate, policy }));
  if (has.epsilon > asks.epsilon) {
    short("epsilon-exceeds-policy", doubleText(has.epsilon), doubleText(asks.epsilon));
  }
  if (has.delta > asks.delta) short("delta-exceeds-policy", doubleText(has.delta), doubleText(asks.delta));
  if (has.threshold !== asks.threshold) {
    short("threshold-differs", doubleText(has.threshold), doubleText(asks.threshold));
  }
  if (has.calibration_corpus_digest !== asks.calibration_corpus_digest) {
    short("calibration-corpus-differs", has.calibration_corpus_digest, asks.calibration_corpus_digest);
  }
  if (has.expiry_policy_updates > asks.expiry_policy_updates) {
    short("expiry-exceeds-policy", String(has.expiry_policy_updates), String(asks.expiry_policy_updates));
  }
  return found;
}
