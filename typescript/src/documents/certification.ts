// The reasons against certifying (synthetic) a reward.

import { type CodedSentence, coded } from "../core/codes.js";
import { REWARD_CERTIFIED_MINIMUM_TIER } from "../generated/tables.js";
import type { OracleTier } from "../generated/types.js";
import { expiresAt, shortfalls, stateOf } from "./certificate.js";
import { effectiveTier, isDevelopmentTier } from "./oracle.js";
import { type Inputs, type Settled, settle } from "./read.js";

/**
 * What speaks against certifying (synthetic) a receipt's reward, given what it refers to; none where nothing does.
 *
 * For a receipt that does not say certified (synthetic), refusals are not errors. Throws InvalidDocumentError for a
 * document that does not hold.
 */
export function certificationRefusals(
  receipt: Inputs["receipt"],
  contract: Inputs["contract"],
  certificate: Inputs["certificate"] | null,
): readonly CodedSentence[] {
  return receiptRefusals(
    settle(receipt, "receipt"),
    settle(contract, "contract"),
    certificate === null ? null : settle(certificate, "certificate"),
  );
}

/** The same of checked documents. */
export function receiptRefusals(
  receipt: Settled<"receipt">,
  contract: Settled<"contract">,
  certificate: Settled<"certificate"> | null,
): readonly CodedSentence[] {
  const { reward_contract_digest, certificate_digest, oracle_tier, policy_update } = receipt.document;
  const found: CodedSentence[] = [];
  if (reward_contract_digest !== contract.digest) {
    found.push(coded("receipt-names-another-contract", { receipt: reward_contract_digest, contract: contract.digest }));
  }
  if (certificate === null) {
    if (certificate_digest !== null)
      found.push(coded("receipt-certificate-not-given", { receipt: certificate_digest }));
  } else if (certificate_digest !== certificate.digest) {
    const names = { receipt: certificate_digest ?? "null", certificate: certificate.digest };
    found.push(coded("receipt-names-another-certificate", names));
  }
  found.push(...refusals(contract, certificate, oracle_tier, policy_update));
  return found;
}

/** What speaks against certification (synthetic) of a reward; everything is checked already. */
export function refusals(
  contract: Settled<"contract">,
  certificate: Settled<"certificate"> | null,
  tier: OracleTier,
  policyUpdate: number,
): readonly CodedSentence[] {
  const found: CodedSentence[] = [];
  const effective = effectiveTier(contract.document, tier);
  if (isDevelopmentTier(effective)) {
    found.push(coded("tier-development-only", { tier: effective, minimum: REWARD_CERTIFIED_MINIMUM_TIER }));
  }
  if (certificate === null) return [...found, coded("certificate-absent")];
  const { document } = certificate;
  const state = stateOf(document, policyUpdate);
  if (state === "not_yet_valid") {
    const first = document.issued_at_policy_update;
    found.push(coded("certificate-not-yet-valid", { first, policy_update: policyUpdate }));
  } else if (state === "expired") {
    found.push(coded("certificate-expired", { expires: expiresAt(document), policy_update: policyUpdate }));
  }
  if (document.reward_contract_digest !== contract.digest) {
    const named = { certificate: document.reward_contract_digest, contract: contract.digest };
    found.push(coded("certificate-names-another-contract", named));
  }
  found.push(...shortfalls(document, contract.document.certificate_policy));
  return found;
}
