// The schemas as tables.
//
// Generated from schemas/. Do not edit: change the schemas, then run
//
//     python scripts/generate

use super::codes::Code;
use crate::validation::schemas::*;

/// OpaqueId.
pub static OPAQUE_ID: Schema = Schema {
    types: &[Type::String],
    max_length: Some(128),
    form: Some(&Form { states: &OPAQUE_ID_STATES, title: "OpaqueId", example: "receipt.2026-01-31:0001" }),
    ..ANY
};

/// Sha256Digest.
pub static SHA256_DIGEST: Schema = Schema {
    types: &[Type::String],
    max_length: Some(71),
    form: Some(&Form { states: &SHA256_DIGEST_STATES, title: "Sha256Digest", example: "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef" }),
    ..ANY
};

/// OracleChannel.
pub static ORACLE_CHANNEL: Schema = Schema {
    types: &[Type::String],
    one_of: &[Scalar::Text("visual"), Scalar::Text("ocr"), Scalar::Text("second_session"), Scalar::Text("api"), Scalar::Text("db"), Scalar::Text("file"), Scalar::Text("ack"), Scalar::Text("counterparty")],
    ..ANY
};

/// Name.
pub static NAME: Schema = Schema {
    types: &[Type::String],
    max_length: Some(128),
    form: Some(&Form { states: &NAME_STATES, title: "Name", example: "on_time_delivery" }),
    ..ANY
};

/// RewardOracleV1.
pub static REWARD_ORACLE_V1: Schema = Schema {
    types: &[Type::Object],
    properties: &[
        Property { name: "channel", schema: &ORACLE_CHANNEL, default: None, order: Order::Kept },
        Property { name: "identity_keys", schema: &Schema { types: &[Type::Array], items: Some(&NAME), max_items: Some(32), min_items: Some(1), unique_items: true, ..ANY }, default: None, order: Order::Sorted },
        Property { name: "oracle_contract_digest", schema: &SHA256_DIGEST, default: None, order: Order::Kept },
    ],
    required: &["channel", "identity_keys", "oracle_contract_digest"],
    others: Others::Refused,
    ..ANY
};

/// ComponentWeight.
pub static COMPONENT_WEIGHT: Schema = Schema {
    types: &[Type::Number],
    maximum: Some(1000000.0),
    exclusive_minimum: Some(0.0),
    ..ANY
};

/// RewardComponentV1.
pub static REWARD_COMPONENT_V1: Schema = Schema {
    types: &[Type::Object],
    properties: &[
        Property { name: "name", schema: &NAME, default: None, order: Order::Kept },
        Property { name: "weight", schema: &COMPONENT_WEIGHT, default: None, order: Order::Kept },
    ],
    required: &["name", "weight"],
    others: Others::Refused,
    ..ANY
};

/// PositiveReward.
pub static POSITIVE_REWARD: Schema = Schema {
    types: &[Type::Number],
    maximum: Some(1000000.0),
    exclusive_minimum: Some(0.0),
    ..ANY
};

/// ZeroOrPenalty.
pub static ZERO_OR_PENALTY: Schema = Schema {
    types: &[Type::Number],
    minimum: Some(-1000000.0),
    maximum: Some(0.0),
    ..ANY
};

/// RewardScoringPolicyV1.
pub static REWARD_SCORING_POLICY_V1: Schema = Schema {
    types: &[Type::Object],
    properties: &[
        Property { name: "halted_before_effect_reward", schema: &ZERO_OR_PENALTY, default: Some(Default::Number(0.0)), order: Order::Kept },
        Property { name: "platform_failures", schema: &Schema { types: &[Type::String], constant: Some(Scalar::Text("unscored")), ..ANY }, default: Some(Default::Text("unscored")), order: Order::Kept },
        Property { name: "refused_reward", schema: &ZERO_OR_PENALTY, default: Some(Default::Number(0.0)), order: Order::Kept },
        Property { name: "rejected_policy_reward", schema: &ZERO_OR_PENALTY, default: Some(Default::Number(0.0)), order: Order::Kept },
        Property { name: "uncertain_episodes", schema: &Schema { types: &[Type::String], constant: Some(Scalar::Text("unscored")), ..ANY }, default: Some(Default::Text("unscored")), order: Order::Kept },
        Property { name: "verified_reward", schema: &POSITIVE_REWARD, default: Some(Default::Number(1.0)), order: Order::Kept },
        Property { name: "wrong_effect_reward", schema: &ZERO_OR_PENALTY, default: Some(Default::Number(-1.0)), order: Order::Kept },
    ],
    required: &[],
    others: Others::Refused,
    ..ANY
};

/// Probability.
pub static PROBABILITY: Schema = Schema {
    types: &[Type::Number],
    exclusive_minimum: Some(0.0),
    exclusive_maximum: Some(1.0),
    ..ANY
};

/// FiniteNumber.
pub static FINITE_NUMBER: Schema = Schema {
    types: &[Type::Number],
    ..ANY
};

/// PolicyUpdateCount.
pub static POLICY_UPDATE_COUNT: Schema = Schema {
    types: &[Type::Integer],
    minimum: Some(1.0),
    maximum: Some(9007199254740991.0),
    ..ANY
};

/// RewardCertificatePolicyV1.
pub static REWARD_CERTIFICATE_POLICY_V1: Schema = Schema {
    types: &[Type::Object],
    properties: &[
        Property { name: "calibration_corpus_digest", schema: &SHA256_DIGEST, default: None, order: Order::Kept },
        Property { name: "delta", schema: &PROBABILITY, default: None, order: Order::Kept },
        Property { name: "epsilon", schema: &PROBABILITY, default: None, order: Order::Kept },
        Property { name: "expiry_policy_updates", schema: &POLICY_UPDATE_COUNT, default: None, order: Order::Kept },
        Property { name: "threshold", schema: &FINITE_NUMBER, default: None, order: Order::Kept },
    ],
    required: &["epsilon", "delta", "threshold", "calibration_corpus_digest", "expiry_policy_updates"],
    others: Others::Refused,
    ..ANY
};

/// RewardContractV1.
pub static REWARD_CONTRACT_V1: Schema = Schema {
    types: &[Type::Object],
    properties: &[
        Property { name: "certificate_policy", schema: &REWARD_CERTIFICATE_POLICY_V1, default: None, order: Order::Kept },
        Property { name: "components", schema: &Schema { types: &[Type::Array], items: Some(&REWARD_COMPONENT_V1), max_items: Some(64), min_items: Some(1), ..ANY }, default: None, order: Order::SortedBy("name") },
        Property { name: "contract_id", schema: &OPAQUE_ID, default: None, order: Order::Kept },
        Property { name: "contract_version", schema: &OPAQUE_ID, default: None, order: Order::Kept },
        Property { name: "environment_digest", schema: &SHA256_DIGEST, default: None, order: Order::Kept },
        Property { name: "environment_id", schema: &OPAQUE_ID, default: None, order: Order::Kept },
        Property { name: "forbidden_effect_contract_digest", schema: &SHA256_DIGEST, default: None, order: Order::Kept },
        Property { name: "oracle", schema: &REWARD_ORACLE_V1, default: None, order: Order::Kept },
        Property { name: "required_effect_contract_digest", schema: &SHA256_DIGEST, default: None, order: Order::Kept },
        Property { name: "schema_version", schema: &Schema { types: &[Type::String], constant: Some(Scalar::Text("openadapt.reward-contract/v1")), ..ANY }, default: Some(Default::Text("openadapt.reward-contract/v1")), order: Order::Kept },
        Property { name: "scoring", schema: &REWARD_SCORING_POLICY_V1, default: Some(Default::Object), order: Order::Kept },
        Property { name: "task_digest", schema: &SHA256_DIGEST, default: None, order: Order::Kept },
        Property { name: "task_id", schema: &OPAQUE_ID, default: None, order: Order::Kept },
    ],
    required: &["contract_id", "contract_version", "task_id", "task_digest", "environment_id", "environment_digest", "required_effect_contract_digest", "forbidden_effect_contract_digest", "oracle", "components", "certificate_policy"],
    others: Others::Refused,
    ..ANY
};

/// RewardCalibrationScopeV1.
pub static REWARD_CALIBRATION_SCOPE_V1: Schema = Schema {
    types: &[Type::String],
    one_of: &[Scalar::Text("synthetic")],
    ..ANY
};

/// PolicyUpdate.
pub static POLICY_UPDATE: Schema = Schema {
    types: &[Type::Integer],
    minimum: Some(0.0),
    maximum: Some(9007199254740991.0),
    ..ANY
};

/// Timestamp.
pub static TIMESTAMP: Schema = Schema {
    types: &[Type::String],
    max_length: Some(25),
    form: Some(&Form { states: &TIMESTAMP_STATES, title: "Timestamp", example: "2026-01-31T12:00:00Z" }),
    ..ANY
};

/// RewardCertificateIssuerV1.
pub static REWARD_CERTIFICATE_ISSUER_V1: Schema = Schema {
    types: &[Type::String],
    one_of: &[Scalar::Text("self_signed")],
    ..ANY
};

/// SignatureAlgorithm.
pub static SIGNATURE_ALGORITHM: Schema = Schema {
    types: &[Type::String],
    constant: Some(Scalar::Text("ed25519")),
    ..ANY
};

/// Ed25519Signature.
pub static ED25519_SIGNATURE: Schema = Schema {
    types: &[Type::String],
    max_length: Some(88),
    form: Some(&Form { states: &ED25519_SIGNATURE_STATES, title: "Ed25519Signature", example: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+Pw==" }),
    ..ANY
};

/// RewardCertificateV1.
pub static REWARD_CERTIFICATE_V1: Schema = Schema {
    types: &[Type::Object],
    properties: &[
        Property { name: "calibration_corpus_digest", schema: &SHA256_DIGEST, default: None, order: Order::Kept },
        Property { name: "calibration_scope", schema: &REWARD_CALIBRATION_SCOPE_V1, default: None, order: Order::Kept },
        Property { name: "certificate_id", schema: &OPAQUE_ID, default: None, order: Order::Kept },
        Property { name: "checker_configuration_digest", schema: &SHA256_DIGEST, default: None, order: Order::Kept },
        Property { name: "delta", schema: &PROBABILITY, default: None, order: Order::Kept },
        Property { name: "epsilon", schema: &PROBABILITY, default: None, order: Order::Kept },
        Property { name: "expiry_policy_updates", schema: &POLICY_UPDATE_COUNT, default: None, order: Order::Kept },
        Property { name: "issued_at", schema: &TIMESTAMP, default: None, order: Order::Kept },
        Property { name: "issued_at_policy_update", schema: &POLICY_UPDATE, default: None, order: Order::Kept },
        Property { name: "issuer", schema: &REWARD_CERTIFICATE_ISSUER_V1, default: None, order: Order::Kept },
        Property { name: "issuer_key_id", schema: &OPAQUE_ID, default: None, order: Order::Kept },
        Property { name: "reward_contract_digest", schema: &SHA256_DIGEST, default: None, order: Order::Kept },
        Property { name: "schema_version", schema: &Schema { types: &[Type::String], constant: Some(Scalar::Text("openadapt.reward-certificate/v1")), ..ANY }, default: Some(Default::Text("openadapt.reward-certificate/v1")), order: Order::Kept },
        Property { name: "signature", schema: &ED25519_SIGNATURE, default: None, order: Order::Kept },
        Property { name: "signature_algorithm", schema: &SIGNATURE_ALGORITHM, default: Some(Default::Text("ed25519")), order: Order::Kept },
        Property { name: "threshold", schema: &FINITE_NUMBER, default: None, order: Order::Kept },
    ],
    required: &["certificate_id", "reward_contract_digest", "checker_configuration_digest", "epsilon", "delta", "threshold", "calibration_corpus_digest", "calibration_scope", "issued_at_policy_update", "expiry_policy_updates", "issued_at", "issuer", "issuer_key_id", "signature"],
    others: Others::Refused,
    ..ANY
};

/// OracleTier.
pub static ORACLE_TIER: Schema = Schema {
    types: &[Type::Integer],
    one_of: &[Scalar::Integer(0), Scalar::Integer(1), Scalar::Integer(2), Scalar::Integer(3)],
    ..ANY
};

/// RewardOutcomeV1.
pub static REWARD_OUTCOME_V1: Schema = Schema {
    types: &[Type::String],
    one_of: &[Scalar::Text("verified"), Scalar::Text("halted_before_effect"), Scalar::Text("refused"), Scalar::Text("rejected_policy"), Scalar::Text("wrong_effect"), Scalar::Text("reconciliation_required"), Scalar::Text("failed_platform")],
    ..ANY
};

/// RewardMagnitude.
pub static REWARD_MAGNITUDE: Schema = Schema {
    types: &[Type::Number],
    minimum: Some(-1000000.0),
    maximum: Some(1000000.0),
    ..ANY
};

/// RewardCertificateStateV1.
pub static REWARD_CERTIFICATE_STATE_V1: Schema = Schema {
    types: &[Type::String],
    one_of: &[Scalar::Text("absent"), Scalar::Text("not_yet_valid"), Scalar::Text("current"), Scalar::Text("expired")],
    ..ANY
};

/// RewardUncertaintyStateV1.
pub static REWARD_UNCERTAINTY_STATE_V1: Schema = Schema {
    types: &[Type::String],
    one_of: &[Scalar::Text("none"), Scalar::Text("delivery_uncertain"), Scalar::Text("effect_uncertain"), Scalar::Text("oracle_unavailable")],
    ..ANY
};

/// RewardEvidenceReceiptV1.
pub static REWARD_EVIDENCE_RECEIPT_V1: Schema = Schema {
    types: &[Type::Object],
    properties: &[
        Property { name: "calibration_corpus_digest", schema: &Schema { any_of: &[Alternative { name: "Sha256Digest", schema: &SHA256_DIGEST }, Alternative { name: "null", schema: &NULL }], ..ANY }, default: Some(Default::Null), order: Order::Kept },
        Property { name: "calibration_scope", schema: &Schema { any_of: &[Alternative { name: "RewardCalibrationScopeV1", schema: &REWARD_CALIBRATION_SCOPE_V1 }, Alternative { name: "null", schema: &NULL }], ..ANY }, default: Some(Default::Null), order: Order::Kept },
        Property { name: "certificate_digest", schema: &Schema { any_of: &[Alternative { name: "Sha256Digest", schema: &SHA256_DIGEST }, Alternative { name: "null", schema: &NULL }], ..ANY }, default: Some(Default::Null), order: Order::Kept },
        Property { name: "certificate_id", schema: &Schema { any_of: &[Alternative { name: "OpaqueId", schema: &OPAQUE_ID }, Alternative { name: "null", schema: &NULL }], ..ANY }, default: Some(Default::Null), order: Order::Kept },
        Property { name: "certificate_state", schema: &REWARD_CERTIFICATE_STATE_V1, default: None, order: Order::Kept },
        Property { name: "certified", schema: &Schema { types: &[Type::Boolean], ..ANY }, default: None, order: Order::Kept },
        Property { name: "development_only", schema: &Schema { types: &[Type::Boolean], ..ANY }, default: None, order: Order::Kept },
        Property { name: "episode_id", schema: &OPAQUE_ID, default: None, order: Order::Kept },
        Property { name: "evidence_digest", schema: &SHA256_DIGEST, default: None, order: Order::Kept },
        Property { name: "issued_at", schema: &TIMESTAMP, default: None, order: Order::Kept },
        Property { name: "issuer_key_id", schema: &OPAQUE_ID, default: None, order: Order::Kept },
        Property { name: "nonce", schema: &OPAQUE_ID, default: None, order: Order::Kept },
        Property { name: "oracle_tier", schema: &ORACLE_TIER, default: None, order: Order::Kept },
        Property { name: "policy_checkpoint_id", schema: &OPAQUE_ID, default: None, order: Order::Kept },
        Property { name: "policy_update", schema: &POLICY_UPDATE, default: None, order: Order::Kept },
        Property { name: "receipt_id", schema: &OPAQUE_ID, default: None, order: Order::Kept },
        Property { name: "reward_components", schema: &Schema { types: &[Type::Object], property_names: Some(&NAME), others: Others::Are(&REWARD_MAGNITUDE), max_properties: Some(64), ..ANY }, default: Some(Default::Object), order: Order::Kept },
        Property { name: "reward_contract_digest", schema: &SHA256_DIGEST, default: None, order: Order::Kept },
        Property { name: "reward_outcome", schema: &REWARD_OUTCOME_V1, default: None, order: Order::Kept },
        Property { name: "scalar_reward", schema: &Schema { any_of: &[Alternative { name: "RewardMagnitude", schema: &REWARD_MAGNITUDE }, Alternative { name: "null", schema: &NULL }], ..ANY }, default: Some(Default::Null), order: Order::Kept },
        Property { name: "schema_version", schema: &Schema { types: &[Type::String], constant: Some(Scalar::Text("openadapt.reward-evidence-receipt/v1")), ..ANY }, default: Some(Default::Text("openadapt.reward-evidence-receipt/v1")), order: Order::Kept },
        Property { name: "signature", schema: &ED25519_SIGNATURE, default: None, order: Order::Kept },
        Property { name: "signature_algorithm", schema: &SIGNATURE_ALGORITHM, default: Some(Default::Text("ed25519")), order: Order::Kept },
        Property { name: "uncertainty", schema: &REWARD_UNCERTAINTY_STATE_V1, default: None, order: Order::Kept },
    ],
    required: &["receipt_id", "reward_contract_digest", "policy_checkpoint_id", "policy_update", "episode_id", "oracle_tier", "reward_outcome", "evidence_digest", "certificate_state", "uncertainty", "certified", "development_only", "issuer_key_id", "nonce", "issued_at", "signature"],
    others: Others::Refused,
    rules: &[
        Rule { code: Code::ReceiptDevelopmentOnly, member: "oracle_tier", cases: &[Case { values: &[Scalar::Integer(0), Scalar::Integer(1)], then: &Schema { properties: &[Property { name: "development_only", schema: &Schema { options: &[Scalar::Boolean(true)], ..ANY }, default: None, order: Order::Kept }], required: &["development_only"], ..ANY } }, Case { values: &[Scalar::Integer(2), Scalar::Integer(3)], then: &Schema { properties: &[Property { name: "development_only", schema: &Schema { options: &[Scalar::Boolean(false)], ..ANY }, default: None, order: Order::Kept }], required: &["development_only"], ..ANY } }] },
        Rule { code: Code::ReceiptCertifiedTier, member: "certified", cases: &[Case { values: &[Scalar::Boolean(true)], then: &Schema { properties: &[Property { name: "oracle_tier", schema: &Schema { options: &[Scalar::Integer(2), Scalar::Integer(3)], ..ANY }, default: None, order: Order::Kept }], required: &["oracle_tier"], ..ANY } }] },
        Rule { code: Code::ReceiptCertifiedCurrent, member: "certified", cases: &[Case { values: &[Scalar::Boolean(true)], then: &Schema { properties: &[Property { name: "certificate_state", schema: &Schema { options: &[Scalar::Text("current")], ..ANY }, default: None, order: Order::Kept }], required: &["certificate_state"], ..ANY } }] },
        Rule { code: Code::ReceiptAbsentHasNoReference, member: "certificate_state", cases: &[Case { values: &[Scalar::Text("absent")], then: &Schema { properties: &[Property { name: "calibration_corpus_digest", schema: &Schema { types: &[Type::Null], ..ANY }, default: None, order: Order::Kept }, Property { name: "calibration_scope", schema: &Schema { types: &[Type::Null], ..ANY }, default: None, order: Order::Kept }, Property { name: "certificate_digest", schema: &Schema { types: &[Type::Null], ..ANY }, default: None, order: Order::Kept }, Property { name: "certificate_id", schema: &Schema { types: &[Type::Null], ..ANY }, default: None, order: Order::Kept }], required: &[], ..ANY } }] },
        Rule { code: Code::ReceiptReferenceComplete, member: "certificate_state", cases: &[Case { values: &[Scalar::Text("not_yet_valid"), Scalar::Text("current"), Scalar::Text("expired")], then: &Schema { properties: &[Property { name: "calibration_corpus_digest", schema: &Schema { types: &[Type::String], ..ANY }, default: None, order: Order::Kept }, Property { name: "calibration_scope", schema: &Schema { types: &[Type::String], ..ANY }, default: None, order: Order::Kept }, Property { name: "certificate_digest", schema: &Schema { types: &[Type::String], ..ANY }, default: None, order: Order::Kept }, Property { name: "certificate_id", schema: &Schema { types: &[Type::String], ..ANY }, default: None, order: Order::Kept }], required: &["certificate_id", "certificate_digest", "calibration_corpus_digest", "calibration_scope"], ..ANY } }] },
        Rule { code: Code::ReceiptUnscoredNoScalar, member: "reward_outcome", cases: &[Case { values: &[Scalar::Text("reconciliation_required"), Scalar::Text("failed_platform")], then: &Schema { properties: &[Property { name: "scalar_reward", schema: &Schema { types: &[Type::Null], ..ANY }, default: None, order: Order::Kept }], required: &[], ..ANY } }] },
        Rule { code: Code::ReceiptUnscoredNoComponents, member: "reward_outcome", cases: &[Case { values: &[Scalar::Text("reconciliation_required"), Scalar::Text("failed_platform")], then: &Schema { properties: &[Property { name: "reward_components", schema: &Schema { types: &[Type::Object], max_properties: Some(0), ..ANY }, default: None, order: Order::Kept }], required: &[], ..ANY } }] },
        Rule { code: Code::ReceiptScoredNeedsScalar, member: "reward_outcome", cases: &[Case { values: &[Scalar::Text("verified"), Scalar::Text("halted_before_effect"), Scalar::Text("refused"), Scalar::Text("rejected_policy"), Scalar::Text("wrong_effect")], then: &Schema { properties: &[Property { name: "scalar_reward", schema: &Schema { types: &[Type::Number], ..ANY }, default: None, order: Order::Kept }], required: &["scalar_reward"], ..ANY } }] },
        Rule { code: Code::ReceiptScoredNeedsComponents, member: "reward_outcome", cases: &[Case { values: &[Scalar::Text("verified"), Scalar::Text("halted_before_effect"), Scalar::Text("refused"), Scalar::Text("rejected_policy"), Scalar::Text("wrong_effect")], then: &Schema { properties: &[Property { name: "reward_components", schema: &Schema { types: &[Type::Object], min_properties: Some(1), ..ANY }, default: None, order: Order::Kept }], required: &["reward_components"], ..ANY } }] },
        Rule { code: Code::ReceiptVerifiedPositive, member: "reward_outcome", cases: &[Case { values: &[Scalar::Text("verified")], then: &Schema { properties: &[Property { name: "scalar_reward", schema: &Schema { types: &[Type::Null, Type::Number], exclusive_minimum: Some(0.0), ..ANY }, default: None, order: Order::Kept }], required: &[], ..ANY } }] },
        Rule { code: Code::ReceiptPenaltyNotPositive, member: "reward_outcome", cases: &[Case { values: &[Scalar::Text("halted_before_effect"), Scalar::Text("refused"), Scalar::Text("rejected_policy"), Scalar::Text("wrong_effect")], then: &Schema { properties: &[Property { name: "scalar_reward", schema: &Schema { types: &[Type::Null, Type::Number], maximum: Some(0.0), ..ANY }, default: None, order: Order::Kept }], required: &[], ..ANY } }] },
        Rule { code: Code::ReceiptVerifiedCertain, member: "reward_outcome", cases: &[Case { values: &[Scalar::Text("verified")], then: &Schema { properties: &[Property { name: "uncertainty", schema: &Schema { options: &[Scalar::Text("none")], ..ANY }, default: None, order: Order::Kept }], required: &["uncertainty"], ..ANY } }] },
        Rule { code: Code::ReceiptReconciliationUncertain, member: "reward_outcome", cases: &[Case { values: &[Scalar::Text("reconciliation_required")], then: &Schema { properties: &[Property { name: "uncertainty", schema: &Schema { options: &[Scalar::Text("delivery_uncertain"), Scalar::Text("effect_uncertain"), Scalar::Text("oracle_unavailable")], ..ANY }, default: None, order: Order::Kept }], required: &["uncertainty"], ..ANY } }] },
    ],
    ..ANY
};

/// SpecName.
pub static SPEC_NAME: Schema = Schema {
    types: &[Type::String],
    min_length: Some(1),
    max_length: Some(128),
    ..ANY
};

/// ComponentType.
pub static COMPONENT_TYPE: Schema = Schema {
    types: &[Type::String],
    min_length: Some(1),
    max_length: Some(128),
    ..ANY
};

/// TermName.
pub static TERM_NAME: Schema = Schema {
    types: &[Type::String],
    min_length: Some(1),
    max_length: Some(128),
    ..ANY
};

/// ClipBound.
pub static CLIP_BOUND: Schema = Schema {
    any_of: &[Alternative { name: "FiniteNumber", schema: &FINITE_NUMBER }, Alternative { name: "null", schema: &NULL }],
    ..ANY
};

/// ClipBounds.
pub static CLIP_BOUNDS: Schema = Schema {
    types: &[Type::Array],
    items: Some(&CLIP_BOUND),
    max_items: Some(2),
    min_items: Some(2),
    ..ANY
};

/// RewardSpecComponent.
pub static REWARD_SPEC_COMPONENT: Schema = Schema {
    types: &[Type::Object],
    properties: &[
        Property { name: "clip", schema: &Schema { any_of: &[Alternative { name: "ClipBounds", schema: &CLIP_BOUNDS }, Alternative { name: "null", schema: &NULL }], ..ANY }, default: None, order: Order::Kept },
        Property { name: "name", schema: &TERM_NAME, default: None, order: Order::Kept },
        Property { name: "params", schema: &Schema { types: &[Type::Object], others: Others::Any, max_properties: Some(64), ..ANY }, default: None, order: Order::Kept },
        Property { name: "type", schema: &COMPONENT_TYPE, default: None, order: Order::Kept },
        Property { name: "weight", schema: &FINITE_NUMBER, default: None, order: Order::Kept },
    ],
    required: &["type"],
    others: Others::Refused,
    ..ANY
};

/// RewardSpecGate.
pub static REWARD_SPEC_GATE: Schema = Schema {
    types: &[Type::Object],
    properties: &[
        Property { name: "component", schema: &TERM_NAME, default: None, order: Order::Kept },
        Property { name: "requires", schema: &TERM_NAME, default: None, order: Order::Kept },
    ],
    required: &["component", "requires"],
    others: Others::Refused,
    ..ANY
};

/// RewardSpec.
pub static REWARD_SPEC: Schema = Schema {
    types: &[Type::Object],
    properties: &[
        Property { name: "components", schema: &Schema { types: &[Type::Array], items: Some(&REWARD_SPEC_COMPONENT), max_items: Some(64), min_items: Some(1), ..ANY }, default: None, order: Order::Kept },
        Property { name: "gates", schema: &Schema { types: &[Type::Array], items: Some(&REWARD_SPEC_GATE), max_items: Some(4096), ..ANY }, default: Some(Default::Array), order: Order::Kept },
        Property { name: "name", schema: &SPEC_NAME, default: None, order: Order::Kept },
        Property { name: "schema_version", schema: &Schema { types: &[Type::String], constant: Some(Scalar::Text("reward-receipts.reward-spec/v1")), ..ANY }, default: Some(Default::Text("reward-receipts.reward-spec/v1")), order: Order::Kept },
    ],
    required: &["name", "components"],
    others: Others::Refused,
    ..ANY
};

/// `^[A-Za-z0-9][A-Za-z0-9._:-]{7,127}$`
static OPAQUE_ID_STATES: States = States { classes: &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 1, 0, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], width: 3, start: 1, first_accepting: 9, next: &[0, 0, 0, 0, 0, 2, 0, 3, 3, 0, 4, 4, 0, 5, 5, 0, 6, 6, 0, 7, 7, 0, 8, 8, 0, 9, 9, 0, 10, 10, 0, 11, 11, 0, 12, 12, 0, 13, 13, 0, 14, 14, 0, 15, 15, 0, 16, 16, 0, 17, 17, 0, 18, 18, 0, 19, 19, 0, 20, 20, 0, 21, 21, 0, 22, 22, 0, 23, 23, 0, 24, 24, 0, 25, 25, 0, 26, 26, 0, 27, 27, 0, 28, 28, 0, 29, 29, 0, 30, 30, 0, 31, 31, 0, 32, 32, 0, 33, 33, 0, 34, 34, 0, 35, 35, 0, 36, 36, 0, 37, 37, 0, 38, 38, 0, 39, 39, 0, 40, 40, 0, 41, 41, 0, 42, 42, 0, 43, 43, 0, 44, 44, 0, 45, 45, 0, 46, 46, 0, 47, 47, 0, 48, 48, 0, 49, 49, 0, 50, 50, 0, 51, 51, 0, 52, 52, 0, 53, 53, 0, 54, 54, 0, 55, 55, 0, 56, 56, 0, 57, 57, 0, 58, 58, 0, 59, 59, 0, 60, 60, 0, 61, 61, 0, 62, 62, 0, 63, 63, 0, 64, 64, 0, 65, 65, 0, 66, 66, 0, 67, 67, 0, 68, 68, 0, 69, 69, 0, 70, 70, 0, 71, 71, 0, 72, 72, 0, 73, 73, 0, 74, 74, 0, 75, 75, 0, 76, 76, 0, 77, 77, 0, 78, 78, 0, 79, 79, 0, 80, 80, 0, 81, 81, 0, 82, 82, 0, 83, 83, 0, 84, 84, 0, 85, 85, 0, 86, 86, 0, 87, 87, 0, 88, 88, 0, 89, 89, 0, 90, 90, 0, 91, 91, 0, 92, 92, 0, 93, 93, 0, 94, 94, 0, 95, 95, 0, 96, 96, 0, 97, 97, 0, 98, 98, 0, 99, 99, 0, 100, 100, 0, 101, 101, 0, 102, 102, 0, 103, 103, 0, 104, 104, 0, 105, 105, 0, 106, 106, 0, 107, 107, 0, 108, 108, 0, 109, 109, 0, 110, 110, 0, 111, 111, 0, 112, 112, 0, 113, 113, 0, 114, 114, 0, 115, 115, 0, 116, 116, 0, 117, 117, 0, 118, 118, 0, 119, 119, 0, 120, 120, 0, 121, 121, 0, 122, 122, 0, 123, 123, 0, 124, 124, 0, 125, 125, 0, 126, 126, 0, 127, 127, 0, 128, 128, 0, 129, 129, 0, 0, 0] };

/// `^sha256:[a-f0-9]{64}$`
static SHA256_DIGEST_STATES: States = States { classes: &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 1, 1, 3, 4, 1, 1, 1, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 1, 1, 1, 1, 1, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], width: 9, start: 1, first_accepting: 72, next: &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 9, 9, 9, 9, 0, 9, 0, 0, 0, 10, 10, 10, 10, 0, 10, 0, 0, 0, 11, 11, 11, 11, 0, 11, 0, 0, 0, 12, 12, 12, 12, 0, 12, 0, 0, 0, 13, 13, 13, 13, 0, 13, 0, 0, 0, 14, 14, 14, 14, 0, 14, 0, 0, 0, 15, 15, 15, 15, 0, 15, 0, 0, 0, 16, 16, 16, 16, 0, 16, 0, 0, 0, 17, 17, 17, 17, 0, 17, 0, 0, 0, 18, 18, 18, 18, 0, 18, 0, 0, 0, 19, 19, 19, 19, 0, 19, 0, 0, 0, 20, 20, 20, 20, 0, 20, 0, 0, 0, 21, 21, 21, 21, 0, 21, 0, 0, 0, 22, 22, 22, 22, 0, 22, 0, 0, 0, 23, 23, 23, 23, 0, 23, 0, 0, 0, 24, 24, 24, 24, 0, 24, 0, 0, 0, 25, 25, 25, 25, 0, 25, 0, 0, 0, 26, 26, 26, 26, 0, 26, 0, 0, 0, 27, 27, 27, 27, 0, 27, 0, 0, 0, 28, 28, 28, 28, 0, 28, 0, 0, 0, 29, 29, 29, 29, 0, 29, 0, 0, 0, 30, 30, 30, 30, 0, 30, 0, 0, 0, 31, 31, 31, 31, 0, 31, 0, 0, 0, 32, 32, 32, 32, 0, 32, 0, 0, 0, 33, 33, 33, 33, 0, 33, 0, 0, 0, 34, 34, 34, 34, 0, 34, 0, 0, 0, 35, 35, 35, 35, 0, 35, 0, 0, 0, 36, 36, 36, 36, 0, 36, 0, 0, 0, 37, 37, 37, 37, 0, 37, 0, 0, 0, 38, 38, 38, 38, 0, 38, 0, 0, 0, 39, 39, 39, 39, 0, 39, 0, 0, 0, 40, 40, 40, 40, 0, 40, 0, 0, 0, 41, 41, 41, 41, 0, 41, 0, 0, 0, 42, 42, 42, 42, 0, 42, 0, 0, 0, 43, 43, 43, 43, 0, 43, 0, 0, 0, 44, 44, 44, 44, 0, 44, 0, 0, 0, 45, 45, 45, 45, 0, 45, 0, 0, 0, 46, 46, 46, 46, 0, 46, 0, 0, 0, 47, 47, 47, 47, 0, 47, 0, 0, 0, 48, 48, 48, 48, 0, 48, 0, 0, 0, 49, 49, 49, 49, 0, 49, 0, 0, 0, 50, 50, 50, 50, 0, 50, 0, 0, 0, 51, 51, 51, 51, 0, 51, 0, 0, 0, 52, 52, 52, 52, 0, 52, 0, 0, 0, 53, 53, 53, 53, 0, 53, 0, 0, 0, 54, 54, 54, 54, 0, 54, 0, 0, 0, 55, 55, 55, 55, 0, 55, 0, 0, 0, 56, 56, 56, 56, 0, 56, 0, 0, 0, 57, 57, 57, 57, 0, 57, 0, 0, 0, 58, 58, 58, 58, 0, 58, 0, 0, 0, 59, 59, 59, 59, 0, 59, 0, 0, 0, 60, 60, 60, 60, 0, 60, 0, 0, 0, 61, 61, 61, 61, 0, 61, 0, 0, 0, 62, 62, 62, 62, 0, 62, 0, 0, 0, 63, 63, 63, 63, 0, 63, 0, 0, 0, 64, 64, 64, 64, 0, 64, 0, 0, 0, 65, 65, 65, 65, 0, 65, 0, 0, 0, 66, 66, 66, 66, 0, 66, 0, 0, 0, 67, 67, 67, 67, 0, 67, 0, 0, 0, 68, 68, 68, 68, 0, 68, 0, 0, 0, 69, 69, 69, 69, 0, 69, 0, 0, 0, 70, 70, 70, 70, 0, 70, 0, 0, 0, 71, 71, 71, 71, 0, 71, 0, 0, 0, 72, 72, 72, 72, 0, 72, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] };

/// `^[A-Za-z][A-Za-z0-9_-]{0,127}$`
static NAME_STATES: States = States { classes: &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 1, 0, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], width: 3, start: 1, first_accepting: 2, next: &[0, 0, 0, 0, 0, 2, 0, 3, 3, 0, 4, 4, 0, 5, 5, 0, 6, 6, 0, 7, 7, 0, 8, 8, 0, 9, 9, 0, 10, 10, 0, 11, 11, 0, 12, 12, 0, 13, 13, 0, 14, 14, 0, 15, 15, 0, 16, 16, 0, 17, 17, 0, 18, 18, 0, 19, 19, 0, 20, 20, 0, 21, 21, 0, 22, 22, 0, 23, 23, 0, 24, 24, 0, 25, 25, 0, 26, 26, 0, 27, 27, 0, 28, 28, 0, 29, 29, 0, 30, 30, 0, 31, 31, 0, 32, 32, 0, 33, 33, 0, 34, 34, 0, 35, 35, 0, 36, 36, 0, 37, 37, 0, 38, 38, 0, 39, 39, 0, 40, 40, 0, 41, 41, 0, 42, 42, 0, 43, 43, 0, 44, 44, 0, 45, 45, 0, 46, 46, 0, 47, 47, 0, 48, 48, 0, 49, 49, 0, 50, 50, 0, 51, 51, 0, 52, 52, 0, 53, 53, 0, 54, 54, 0, 55, 55, 0, 56, 56, 0, 57, 57, 0, 58, 58, 0, 59, 59, 0, 60, 60, 0, 61, 61, 0, 62, 62, 0, 63, 63, 0, 64, 64, 0, 65, 65, 0, 66, 66, 0, 67, 67, 0, 68, 68, 0, 69, 69, 0, 70, 70, 0, 71, 71, 0, 72, 72, 0, 73, 73, 0, 74, 74, 0, 75, 75, 0, 76, 76, 0, 77, 77, 0, 78, 78, 0, 79, 79, 0, 80, 80, 0, 81, 81, 0, 82, 82, 0, 83, 83, 0, 84, 84, 0, 85, 85, 0, 86, 86, 0, 87, 87, 0, 88, 88, 0, 89, 89, 0, 90, 90, 0, 91, 91, 0, 92, 92, 0, 93, 93, 0, 94, 94, 0, 95, 95, 0, 96, 96, 0, 97, 97, 0, 98, 98, 0, 99, 99, 0, 100, 100, 0, 101, 101, 0, 102, 102, 0, 103, 103, 0, 104, 104, 0, 105, 105, 0, 106, 106, 0, 107, 107, 0, 108, 108, 0, 109, 109, 0, 110, 110, 0, 111, 111, 0, 112, 112, 0, 113, 113, 0, 114, 114, 0, 115, 115, 0, 116, 116, 0, 117, 117, 0, 118, 118, 0, 119, 119, 0, 120, 120, 0, 121, 121, 0, 122, 122, 0, 123, 123, 0, 124, 124, 0, 125, 125, 0, 126, 126, 0, 127, 127, 0, 128, 128, 0, 129, 129, 0, 0, 0] };

/// `^((000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|([0-9]{2}(0[48]|[2468][048]|[13579][26])|(0[48]|[2468][048]|[13579][26])00)-02-29)T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$`
static TIMESTAMP_STATES: States = States { classes: &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 14, 0, 0, 0, 0, 0, 15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], width: 16, start: 1, first_accepting: 49, next: &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 3, 4, 3, 4, 3, 4, 3, 4, 3, 0, 0, 0, 0, 0, 0, 5, 6, 6, 6, 7, 6, 6, 6, 7, 6, 0, 0, 0, 0, 0, 0, 6, 6, 7, 6, 6, 6, 7, 6, 6, 6, 0, 0, 0, 0, 0, 0, 7, 6, 6, 6, 7, 6, 6, 6, 7, 6, 0, 0, 0, 0, 0, 0, 8, 9, 10, 9, 10, 9, 10, 9, 10, 9, 0, 0, 0, 0, 0, 0, 11, 9, 10, 9, 10, 9, 10, 9, 10, 9, 0, 0, 0, 0, 0, 0, 10, 9, 10, 9, 10, 9, 10, 9, 10, 9, 0, 0, 0, 0, 0, 0, 0, 12, 12, 12, 13, 12, 12, 12, 13, 12, 0, 0, 0, 0, 0, 0, 12, 12, 13, 12, 12, 12, 13, 12, 12, 12, 0, 0, 0, 0, 0, 0, 13, 12, 12, 12, 13, 12, 12, 12, 13, 12, 0, 0, 0, 0, 0, 0, 12, 12, 12, 12, 13, 12, 12, 12, 13, 12, 0, 0, 0, 0, 0, 14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16, 17, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 18, 17, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 19, 20, 19, 21, 19, 21, 19, 19, 21, 0, 0, 0, 0, 0, 0, 19, 21, 19, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 19, 22, 19, 21, 19, 21, 19, 19, 21, 0, 0, 0, 0, 0, 23, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 24, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 25, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 26, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 27, 28, 28, 29, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 27, 28, 30, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 27, 28, 28, 31, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 27, 28, 28, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32, 32, 32, 32, 32, 32, 32, 32, 32, 0, 0, 0, 0, 0, 0, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 0, 0, 0, 0, 0, 0, 32, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32, 32, 32, 32, 32, 32, 32, 32, 32, 0, 0, 0, 0, 0, 0, 0, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 33, 0, 0, 0, 0, 34, 34, 35, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 36, 36, 36, 36, 36, 36, 36, 36, 36, 36, 0, 0, 0, 0, 0, 0, 36, 36, 36, 36, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 37, 0, 0, 0, 0, 0, 38, 38, 38, 38, 38, 38, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 39, 39, 39, 39, 39, 39, 39, 39, 39, 39, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 40, 0, 0, 0, 0, 0, 41, 41, 41, 41, 41, 41, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 0, 0, 0, 0, 43, 43, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 49, 0, 0, 0, 44, 44, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 46, 46, 46, 46, 46, 46, 46, 46, 46, 46, 0, 0, 0, 0, 0, 0, 46, 46, 46, 46, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 47, 0, 0, 0, 0, 0, 48, 48, 48, 48, 48, 48, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 49, 49, 49, 49, 49, 49, 49, 49, 49, 49, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] };

/// `^[A-Za-z0-9+/]{85}[AQgw]==$`
static ED25519_SIGNATURE_STATES: States = States { classes: &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 2, 0, 0, 0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], width: 4, start: 1, first_accepting: 89, next: &[0, 0, 0, 0, 0, 2, 0, 2, 0, 3, 0, 3, 0, 4, 0, 4, 0, 5, 0, 5, 0, 6, 0, 6, 0, 7, 0, 7, 0, 8, 0, 8, 0, 9, 0, 9, 0, 10, 0, 10, 0, 11, 0, 11, 0, 12, 0, 12, 0, 13, 0, 13, 0, 14, 0, 14, 0, 15, 0, 15, 0, 16, 0, 16, 0, 17, 0, 17, 0, 18, 0, 18, 0, 19, 0, 19, 0, 20, 0, 20, 0, 21, 0, 21, 0, 22, 0, 22, 0, 23, 0, 23, 0, 24, 0, 24, 0, 25, 0, 25, 0, 26, 0, 26, 0, 27, 0, 27, 0, 28, 0, 28, 0, 29, 0, 29, 0, 30, 0, 30, 0, 31, 0, 31, 0, 32, 0, 32, 0, 33, 0, 33, 0, 34, 0, 34, 0, 35, 0, 35, 0, 36, 0, 36, 0, 37, 0, 37, 0, 38, 0, 38, 0, 39, 0, 39, 0, 40, 0, 40, 0, 41, 0, 41, 0, 42, 0, 42, 0, 43, 0, 43, 0, 44, 0, 44, 0, 45, 0, 45, 0, 46, 0, 46, 0, 47, 0, 47, 0, 48, 0, 48, 0, 49, 0, 49, 0, 50, 0, 50, 0, 51, 0, 51, 0, 52, 0, 52, 0, 53, 0, 53, 0, 54, 0, 54, 0, 55, 0, 55, 0, 56, 0, 56, 0, 57, 0, 57, 0, 58, 0, 58, 0, 59, 0, 59, 0, 60, 0, 60, 0, 61, 0, 61, 0, 62, 0, 62, 0, 63, 0, 63, 0, 64, 0, 64, 0, 65, 0, 65, 0, 66, 0, 66, 0, 67, 0, 67, 0, 68, 0, 68, 0, 69, 0, 69, 0, 70, 0, 70, 0, 71, 0, 71, 0, 72, 0, 72, 0, 73, 0, 73, 0, 74, 0, 74, 0, 75, 0, 75, 0, 76, 0, 76, 0, 77, 0, 77, 0, 78, 0, 78, 0, 79, 0, 79, 0, 80, 0, 80, 0, 81, 0, 81, 0, 82, 0, 82, 0, 83, 0, 83, 0, 84, 0, 84, 0, 85, 0, 85, 0, 86, 0, 86, 0, 0, 0, 87, 0, 0, 88, 0, 0, 0, 89, 0, 0, 0, 0, 0] };
