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

/** The kind of a document that names its kind itself. */
export type Kind = "contract" | "certificate" | "receipt";

/** The kind of a document about a reward as data; the caller names it. */
export type DataKind = "spec";

/** The kinds of documents. */
export const KINDS: readonly Kind[] = Object.freeze(["contract", "certificate", "receipt"] as const);

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

/** The arrays that are sorted in the canonical form, by a member of their items, or by the items (null). */
export const CANONICAL_ORDER: Readonly<Record<string, Readonly<Record<string, string | null>>>> = Object.freeze({
  RewardContractV1: Object.freeze({"components": "name"}),
  RewardOracleV1: Object.freeze({"identity_keys": null}),
});

/** The greatest number of a policy update. */
export const MAX_POLICY_UPDATE = 9007199254740991;

/** The longest text that is read, in bytes. */
export const MAX_TEXT_BYTES = 1048576;

/** The largest number of open containers in a text. */
export const MAX_TEXT_DEPTH = 64;

/** The most findings of a document from its schema, and from a rule beyond it. A text of 1 MiB could make half a million. */
export const MAX_FINDINGS = 1000;

/** The most findings of a reward spec from a rule beyond its schema. A small text could make millions. */
export const MAX_SPEC_FINDINGS = 100;

/** The most names that a sentence lists. */
export const MAX_LISTED_NAMES = 100;

/** The most items that are checked of an array, or members of an object, that has more than its schema allows; one more than the schema allows, if that is greater. */
export const MAX_CHECKED_ITEMS = 1000;

/** The longest name of a member whose own members are checked. No schema accepts a longer one, and each of their pointers would repeat it. */
export const MAX_CHECKED_NAME = 1000;

/** The most characters of a value or a name that a sentence shows. */
export const MAX_SHOWN = 80;

/** The most invalid documents of an array after which the rest of it is not checked. */
export const MAX_INVALID_DOCUMENTS = 1000;

/** The most bytes that are read of a file with one key. */
export const MAX_KEY_FILE_BYTES = 4096;
