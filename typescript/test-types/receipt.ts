// What the compiler knows of a receipt, from the rules in its schema.

import type {
  Name,
  OpaqueId,
  OracleTier,
  RewardCalibrationScopeV1,
  RewardEvidenceReceiptV1,
  RewardMagnitude,
  Sha256Digest,
} from "../../generated/typescript/types.js";
import type { Json } from "./expect.js";
import { is } from "./expect.js";

const digest = "sha256:0000000000000000000000000000000000000000000000000000000000000000";

const verified = {
  schema_version: "openadapt.reward-evidence-receipt/v1",
  receipt_id: "receipt.0001",
  reward_contract_digest: digest,
  policy_checkpoint_id: "checkpoint.0001",
  policy_update: 7,
  episode_id: "episode.0001",
  oracle_tier: 2,
  reward_outcome: "verified",
  evidence_digest: digest,
  reward_components: { terminal_effect: 1 },
  scalar_reward: 1,
  certificate_id: "certificate.0001",
  certificate_digest: digest,
  certificate_state: "current",
  calibration_corpus_digest: digest,
  calibration_scope: "synthetic",
  uncertainty: "none",
  certified: true,
  development_only: false,
  issuer_key_id: "key.0001",
  nonce: "nonce.0001",
  issued_at: "2026-01-01T00:00:00Z",
  signature_algorithm: "ed25519",
  signature: "AA==",
} as const satisfies RewardEvidenceReceiptV1;

const noReference = {
  certificate_state: "absent",
  certificate_id: null,
  certificate_digest: null,
  calibration_corpus_digest: null,
  calibration_scope: null,
  certified: false,
} as const;
const unscored = {
  reward_outcome: "failed_platform",
  scalar_reward: null,
  reward_components: {},
} as const;

declare const receipt: RewardEvidenceReceiptV1;

// The outcome tells whether there is a scalar.

switch (receipt.reward_outcome) {
  case "verified":
    is<RewardMagnitude>()(receipt.scalar_reward);
    is<"none">()(receipt.uncertainty);
    is<Readonly<Record<Name, RewardMagnitude>>>()(receipt.reward_components);
    receipt.scalar_reward.toFixed(1);
    break;
  case "halted_before_effect":
  case "refused":
  case "rejected_policy":
  case "wrong_effect":
    is<number>()(receipt.scalar_reward);
    is<"none" | "delivery_uncertain" | "effect_uncertain" | "oracle_unavailable">()(receipt.uncertainty);
    break;
  case "reconciliation_required":
    is<null>()(receipt.scalar_reward);
    is<"delivery_uncertain" | "effect_uncertain" | "oracle_unavailable">()(receipt.uncertainty);
    is<never>()(receipt.reward_components["terminal_effect"]!);
    // @ts-expect-error an unscored episode has no scalar to reckon with
    receipt.scalar_reward.toFixed(1);
    break;
  case "failed_platform":
    is<null>()(receipt.scalar_reward);
    // @ts-expect-error null is not 0.0
    ((reward: number) => reward)(receipt.scalar_reward);
    break;
  default:
    receipt satisfies never;
}

// Before anything is asked, the scalar may be null.

is<RewardMagnitude | null>()(receipt.scalar_reward);
// @ts-expect-error nobody asked yet
receipt.scalar_reward.toFixed(1);
// @ts-expect-error a value that no outcome has
if (receipt.reward_outcome === "succeeded") throw receipt;

// And the other way: the scalar tells what the outcome can be.

if (receipt.scalar_reward === null) {
  is<"reconciliation_required" | "failed_platform">()(receipt.reward_outcome);
} else {
  is<"verified" | "halted_before_effect" | "refused" | "rejected_policy" | "wrong_effect">()(receipt.reward_outcome);
}

// The state tells whether there are references.

if (receipt.certificate_state === "absent") {
  is<null>()(receipt.certificate_id);
  is<null>()(receipt.certificate_digest);
  is<null>()(receipt.calibration_corpus_digest);
  is<null>()(receipt.calibration_scope);
  is<false>()(receipt.certified);
} else {
  is<OpaqueId>()(receipt.certificate_id);
  is<Sha256Digest>()(receipt.certificate_digest);
  is<Sha256Digest>()(receipt.calibration_corpus_digest);
  is<RewardCalibrationScopeV1>()(receipt.calibration_scope);
  receipt.certificate_digest.slice("sha256:".length);
}
// @ts-expect-error there may be none
receipt.certificate_digest.slice("sha256:".length);
if (receipt.certificate_id !== null) is<"not_yet_valid" | "current" | "expired">()(receipt.certificate_state);
else is<"absent">()(receipt.certificate_state);

// What is certified (synthetic) is current, and was read at tier 2 or 3; the tier says whether it is for development.

if (receipt.certified) {
  is<2 | 3>()(receipt.oracle_tier);
  is<false>()(receipt.development_only);
  is<"current">()(receipt.certificate_state);
  is<string>()(receipt.certificate_id);
}
is<OracleTier>()(receipt.oracle_tier);
if (receipt.oracle_tier === 0) {
  is<true>()(receipt.development_only);
  is<false>()(receipt.certified);
}
if (receipt.development_only) is<0 | 1>()(receipt.oracle_tier);
else is<2 | 3>()(receipt.oracle_tier);

// Two questions together, and members taken out of the receipt.

if (receipt.reward_outcome === "verified" && receipt.certificate_state !== "absent") {
  is<number>()(receipt.scalar_reward);
  is<string>()(receipt.certificate_digest);
}
const { reward_outcome, scalar_reward } = receipt;
if (reward_outcome === "failed_platform") is<null>()(scalar_reward);
if (reward_outcome === "wrong_effect") is<number>()(scalar_reward);

// A scored receipt is a type of its own.

type Scored = Extract<RewardEvidenceReceiptV1, { readonly scalar_reward: number }>;
((scored: Scored): number => scored.scalar_reward)(verified);
// @ts-expect-error it may be unscored
((scored: Scored): number => scored.scalar_reward)(receipt);

// Receipts that a rule lets through.

export const right: readonly RewardEvidenceReceiptV1[] = [
  verified,
  { ...verified, ...noReference },
  { ...verified, ...unscored },
  { ...verified, ...unscored, ...noReference, oracle_tier: 0, development_only: true },
  { ...verified, certificate_state: "expired", certified: false },
  { ...verified, reward_outcome: "refused", scalar_reward: 0, uncertainty: "effect_uncertain" },
  { ...verified, ...unscored, reward_outcome: "reconciliation_required", uncertainty: "oracle_unavailable" },
];

// And one for each rule that types can say.

export const wrong: readonly RewardEvidenceReceiptV1[] = [
  // @ts-expect-error receipt.development-only
  { ...verified, development_only: true },
  // @ts-expect-error receipt.development-only, the other way
  { ...verified, oracle_tier: 1, certified: false },
  // @ts-expect-error receipt.certified-tier
  { ...verified, oracle_tier: 1, development_only: true },
  // @ts-expect-error receipt.certified-current
  { ...verified, certificate_state: "expired" },
  // @ts-expect-error receipt.absent-has-no-reference
  { ...verified, certificate_state: "absent", certified: false },
  // @ts-expect-error receipt.absent-has-no-reference, for each member
  { ...verified, ...noReference, calibration_scope: "synthetic" },
  // @ts-expect-error receipt.reference-complete
  { ...verified, certificate_digest: null },
  // @ts-expect-error receipt.unscored-no-scalar
  { ...verified, ...unscored, scalar_reward: 0 },
  // @ts-expect-error receipt.unscored-no-components
  { ...verified, ...unscored, reward_components: { terminal_effect: 1 } },
  // @ts-expect-error receipt.scored-needs-scalar
  { ...verified, scalar_reward: null },
  // @ts-expect-error receipt.verified-certain
  { ...verified, uncertainty: "effect_uncertain" },
  // @ts-expect-error receipt.reconciliation-uncertain
  { ...verified, ...unscored, reward_outcome: "reconciliation_required" },
  // @ts-expect-error no tier
  { ...verified, oracle_tier: 4 },
  // @ts-expect-error true is not a number
  { ...verified, oracle_tier: true },
  // @ts-expect-error no scope of version 1
  { ...verified, calibration_scope: "production" },
  // @ts-expect-error a component is a number
  { ...verified, reward_components: { terminal_effect: "1.0" } },
  // @ts-expect-error a completed document has all its members, these too
  { ...verified, signature_algorithm: undefined },
];
const { certificate_id, ...incomplete } = { ...verified, ...noReference };
is<null>()(certificate_id);
// @ts-expect-error what is null is written down in a completed document
incomplete satisfies RewardEvidenceReceiptV1;

// Nobody changes a receipt.

// @ts-expect-error read-only
receipt.scalar_reward = 1;
// @ts-expect-error read-only
receipt.reward_outcome = "refused";
// @ts-expect-error read-only, the map too
receipt.reward_components["terminal_effect"] = 1;
// @ts-expect-error read-only
delete receipt.reward_components["terminal_effect"];

// It has its members and no others.

// @ts-expect-error a member of the Execute Seal, not of a receipt
receipt.execution_id;
// @ts-expect-error unknown members have no type: there is no index signature
receipt["anything"];
is<
  | "schema_version"
  | "receipt_id"
  | "reward_contract_digest"
  | "policy_checkpoint_id"
  | "policy_update"
  | "episode_id"
  | "oracle_tier"
  | "reward_outcome"
  | "evidence_digest"
  | "reward_components"
  | "scalar_reward"
  | "certificate_id"
  | "certificate_digest"
  | "certificate_state"
  | "calibration_corpus_digest"
  | "calibration_scope"
  | "uncertainty"
  | "certified"
  | "development_only"
  | "issuer_key_id"
  | "nonce"
  | "issued_at"
  | "signature_algorithm"
  | "signature"
>()({} as keyof RewardEvidenceReceiptV1);

// The component map is used as any object is, and a receipt is plain JSON.

is<[string, number][]>()(Object.entries(receipt.reward_components));
const summed: number = Object.values(receipt.reward_components).reduce((sum, value) => sum + value, 0);
JSON.stringify(summed);
receipt satisfies Json;
