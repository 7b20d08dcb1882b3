/*
 * What follows from an outcome and from a channel, and the limits.
 *
 * Generated from schemas/. Do not edit: change the schemas, then run
 *
 *     python scripts/generate
 */

import type { OracleChannel, OracleTier, RewardOutcomeV1, RewardScoringPolicyV1 } from "./types.js";

/** How an outcome is scored. */
export type RewardScoringClassV1 =
  | /** A reward above 0. */
    "admitted_positive"
  | /** 0 or below. */
    "zero_or_penalty"
  | /** No scalar at all, never 0.0. */
    "unscored";

/** The schema_version of RewardContractV1. */
export const REWARD_CONTRACT_SCHEMA = "openadapt.reward-contract/v1";

/** The schema_version of RewardCertificateV1. */
export const REWARD_CERTIFICATE_SCHEMA = "openadapt.reward-certificate/v1";

/** The schema_version of RewardEvidenceReceiptV1. */
export const REWARD_EVIDENCE_RECEIPT_SCHEMA = "openadapt.reward-evidence-receipt/v1";

/** The scoring class of each outcome. */
export const REWARD_SCORING_CLASS = Object.freeze({
  verified: "admitted_positive",
  halted_before_effect: "zero_or_penalty",
  refused: "zero_or_penalty",
  rejected_policy: "zero_or_penalty",
  wrong_effect: "zero_or_penalty",
  reconciliation_required: "unscored",
  failed_platform: "unscored",
} as const satisfies Readonly<Record<RewardOutcomeV1, RewardScoringClassV1>>);

/** The tier of each channel. */
export const TIER_OF_CHANNEL = Object.freeze({
  visual: 0,
  ocr: 0,
  second_session: 1,
  api: 2,
  db: 2,
  file: 2,
  ack: 2,
  counterparty: 3,
} as const satisfies Readonly<Record<OracleChannel, OracleTier>>);

/** The lowest tier that a certificate can cover: a certified (synthetic) reward needs it or a higher one. */
export const REWARD_CERTIFIED_MINIMUM_TIER = 2 satisfies OracleTier;

/** What outcomes score under a contract that says nothing about it. */
export const DEFAULT_REWARD_SCORING = Object.freeze({
  verified_reward: 1.0,
  halted_before_effect_reward: 0.0,
  refused_reward: 0.0,
  rejected_policy_reward: 0.0,
  wrong_effect_reward: -1.0,
  uncertain_episodes: "unscored",
  platform_failures: "unscored",
} as const satisfies RewardScoringPolicyV1);

/** The greatest number of a policy update. */
export const MAX_POLICY_UPDATE = 9007199254740991;

/** The longest text that is read, in bytes. */
export const MAX_TEXT_BYTES = 1048576;

/** The largest number of open containers in a text. */
export const MAX_TEXT_DEPTH = 64;
