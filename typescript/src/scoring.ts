import type { CodedSentence } from "./catalogue.js";
import { requirePolicyUpdate } from "./certificate.js";
import { refusals } from "./certification.js";
import { type Inputs, settle } from "./documents.js";
import type { OracleTier, RewardOutcomeV1 } from "./generated/types.js";
import { effectiveTier, isDevelopmentTier, requireTier } from "./oracle.js";
import { requireOutcome, scalarFor } from "./outcomes.js";

/** What one episode scored. */
export interface RewardScoreV1 {
  /** The reward; null for an unscored episode, which is to be dropped and is never 0.0. */
  readonly scalar: number | null;
  /** Whether the reward is certified (synthetic): no refusals. Read the scalar first: null is no reward at all. */
  readonly certified: boolean;
  /** Whether the effective tier is one that no certificate covers. */
  readonly developmentOnly: boolean;
  /** What speaks against certification (synthetic). */
  readonly certificationRefusals: readonly CodedSentence[];
}

/**
 * Scores one episode under a contract. Pure.
 *
 * The tier counts at most as much as the contract's own channel. Throws RangeError for what is no outcome, for a tier
 * that is not an integer from 0 to 3 and for a policy update that is not one from 0 to 9007199254740991;
 * InvalidDocumentError for a document that does not hold.
 */
export function score(
  outcome: RewardOutcomeV1,
  tier: OracleTier,
  certificate: Inputs["certificate"] | null,
  policyUpdate: number,
  { contract }: { readonly contract: Inputs["contract"] },
): RewardScoreV1 {
  requireOutcome(outcome);
  requireTier(tier);
  requirePolicyUpdate(policyUpdate);
  const checked = settle(contract, "contract");
  const held = certificate === null ? null : settle(certificate, "certificate");
  const found = refusals(checked, held, tier, policyUpdate);
  return Object.freeze({
    scalar: scalarFor(checked.document.scoring, outcome),
    certified: found.length === 0,
    developmentOnly: isDevelopmentTier(effectiveTier(checked.document, tier)),
    certificationRefusals: Object.freeze(found),
  });
}
