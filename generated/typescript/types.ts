/*
 * The reward documents and their parts: types.
 *
 * Generated from schemas/. Do not edit: change the schemas, then run
 *
 *     python scripts/generate
 */

/** Any JSON value. */
export type PlainJson =
  | null
  | boolean
  | number
  | string
  | readonly PlainJson[]
  | { readonly [name: string]: PlainJson };

/** A SHA-256 digest: the word sha256, a colon, 64 lower-case hexadecimal digits. */
export type Sha256Digest = string;

/** An identifier that a reader compares and never interprets: 8 to 128 ASCII letters, digits, dots, underscores, colons and hyphens, the first a letter or a digit. */
export type OpaqueId = string;

/** A name that people read: 1 to 128 ASCII letters, digits, underscores and hyphens, the first a letter. */
export type Name = string;

/** A moment in whole seconds: YYYY-MM-DDThh:mm:ss and Z or an offset. The day exists, leap years included; hours run to 23, minutes and seconds to 59, in the offset too. */
export type Timestamp = string;

/** An Ed25519 signature: canonical base64 of its 64 bytes, so that one signature has one spelling. */
export type Ed25519Signature = string;

/** The one signature algorithm of version 1: Ed25519 as in RFC 8032. */
export type SignatureAlgorithm = "ed25519";

/** The number of a policy update. It counts updates of the policy, not hours. */
export type PolicyUpdate = number;

/** A number of policy updates, at least one. */
export type PolicyUpdateCount = number;

/** A probability strictly between 0 and 1. */
export type Probability = number;

/** Any double. JSON text has finite ones only, and one that overflows is refused before any schema. */
export type FiniteNumber = number;

/** A reward: finite, at most 1000000 away from 0. */
export type RewardMagnitude = number;

/** What a verified effect earns: above 0, at most 1000000. */
export type PositiveReward = number;

/** What an episode without a verified effect scores: 0 or a penalty, at least -1000000. */
export type ZeroOrPenalty = number;

/** The weight of a reward component: above 0, at most 1000000. */
export type ComponentWeight = number;

/** The name that a reward component is registered under: a text of 1 to 128 characters. */
export type ComponentType = string;

/** What a regime of an environment is called: a text of 1 to 128 characters. */
export type RegimeLabel = string;

/** The channel through which the oracle reads the terminal effect. Its tier follows from it. */
export type OracleChannel =
  | /** What the screen shows, read as an image: tier 0. */
    "visual"
  | /** What the screen shows, read as text: tier 0. */
    "ocr"
  | /** A second session, independent of the one that acted: tier 1. */
    "second_session"
  | /** The application programming interface of the system of record: tier 2. */
    "api"
  | /** The database of the system of record: tier 2. */
    "db"
  | /** A file that the system of record wrote: tier 2. */
    "file"
  | /** An acknowledgement by the system of record: tier 2. */
    "ack"
  | /** What the other party to the effect holds: tier 3. */
    "counterparty";

/** How independent of the actor's own view the reader of the terminal effect is. */
export type OracleTier =
  | /** VISUAL: The actor's own view of the screen. */
    0
  | /** INDEPENDENT_SESSION: A session of its own, on the same application. */
    1
  | /** SYSTEM_OF_RECORD: The system that holds the record. */
    2
  | /** COUNTERPARTY: The other party to the effect. */
    3;

/** What the oracle found at the end of the episode. */
export type RewardOutcomeV1 =
  | /** The required effect is there, and no forbidden one. */
    "verified"
  | /** The policy stopped before it had an effect. */
    "halted_before_effect"
  | /** The policy declined the task. */
    "refused"
  | /** A policy of the environment rejected the action. */
    "rejected_policy"
  | /** An effect is there that the contract forbids or does not ask for. */
    "wrong_effect"
  | /** Nobody can say yet what the effect was: unscored, never 0.0. */
    "reconciliation_required"
  | /** The platform failed, not the policy: unscored, never 0.0. */
    "failed_platform";

/** The state of the certificate at the policy update of the receipt. */
export type RewardCertificateStateV1 =
  | /** No certificate was presented. */
    "absent"
  | /** The policy update comes before the one that the certificate was issued at. */
    "not_yet_valid"
  | /** The certificate holds at this policy update. */
    "current"
  | /** The certificate's policy updates are used up. */
    "expired";

/** What is uncertain about the terminal effect. */
export type RewardUncertaintyStateV1 =
  | /** Nothing. */
    "none"
  | /** Whether the action was delivered. */
    "delivery_uncertain"
  | /** What the effect was. */
    "effect_uncertain"
  | /** The oracle could not be read. */
    "oracle_unavailable";

/** What the checker was calibrated on. Version 1 knows one scope; a production scope cannot be written down. */
export type RewardCalibrationScopeV1 =
  | /** A synthetic corpus. */
    "synthetic";

/** Who vouches for the certificate. Version 1 knows one issuer. */
export type RewardCertificateIssuerV1 =
  | /** Whoever calibrated the checker, with a key of their own. */
    "self_signed";

/** The reader of the terminal effect. */
export type RewardOracleV1 = {
  /** The channel it reads through. */
  readonly channel: OracleChannel;
  /** The fields by which it finds the record. The completed document has them sorted. */
  readonly identity_keys: readonly Name[];
  /** Digest of the oracle's recipe, which itself appears nowhere. */
  readonly oracle_contract_digest: Sha256Digest;
};

/** One named and weighted term of the reward. */
export type RewardComponentV1 = {
  /** The component's name, once per contract. */
  readonly name: Name;
  /** The component's weight. */
  readonly weight: ComponentWeight;
};

/** What each outcome scores. What is left out has its default. */
export type RewardScoringPolicyV1 = {
  /** The scalar of a verified episode. */
  readonly verified_reward: PositiveReward;
  /** The scalar of an episode that halted before an effect. */
  readonly halted_before_effect_reward: ZeroOrPenalty;
  /** The scalar of a refused episode. */
  readonly refused_reward: ZeroOrPenalty;
  /** The scalar of an episode that a policy of the environment rejected. */
  readonly rejected_policy_reward: ZeroOrPenalty;
  /** The scalar of an episode with a wrong effect. */
  readonly wrong_effect_reward: ZeroOrPenalty;
  /** Episodes that need reconciliation are unscored, never 0.0. */
  readonly uncertain_episodes: "unscored";
  /** Episodes that the platform failed are unscored, never 0.0. */
  readonly platform_failures: "unscored";
};

/** What each outcome scores. What is left out has its default. What has a default may be left out. */
export type RewardScoringPolicyV1Input = {
  /** The scalar of a verified episode. Left out, it is 1.0. */
  readonly verified_reward?: PositiveReward;
  /** The scalar of an episode that halted before an effect. Left out, it is 0.0. */
  readonly halted_before_effect_reward?: ZeroOrPenalty;
  /** The scalar of a refused episode. Left out, it is 0.0. */
  readonly refused_reward?: ZeroOrPenalty;
  /** The scalar of an episode that a policy of the environment rejected. Left out, it is 0.0. */
  readonly rejected_policy_reward?: ZeroOrPenalty;
  /** The scalar of an episode with a wrong effect. Left out, it is -1.0. */
  readonly wrong_effect_reward?: ZeroOrPenalty;
  /** Episodes that need reconciliation are unscored, never 0.0. Left out, it is "unscored". */
  readonly uncertain_episodes?: "unscored";
  /** Episodes that the platform failed are unscored, never 0.0. Left out, it is "unscored". */
  readonly platform_failures?: "unscored";
};

/** The bound that a certificate must carry. */
export type RewardCertificatePolicyV1 = {
  /** The largest bound on the probability of a false accept that the contract admits. */
  readonly epsilon: Probability;
  /** The largest probability that the bound itself is wrong, 1 minus its confidence. */
  readonly delta: Probability;
  /** The acceptance threshold that the checker must have been calibrated at, exactly. */
  readonly threshold: FiniteNumber;
  /** Digest of the corpus that the checker must have been calibrated on. */
  readonly calibration_corpus_digest: Sha256Digest;
  /** The largest number of policy updates for which a certificate may be valid. */
  readonly expiry_policy_updates: PolicyUpdateCount;
};

/** What earns reward, who reads the terminal effect, and which bound that reader must carry. */
export type RewardContractV1 = {
  /** Names the kind and the version of the document. */
  readonly schema_version: "openadapt.reward-contract/v1";
  /** The contract, over all its versions. */
  readonly contract_id: OpaqueId;
  /** This version of the contract. */
  readonly contract_version: OpaqueId;
  /** The task that the policy is given. */
  readonly task_id: OpaqueId;
  /** Digest of the task's definition. */
  readonly task_digest: Sha256Digest;
  /** The environment that the episodes run in. */
  readonly environment_id: OpaqueId;
  /** Digest of the environment's build. */
  readonly environment_digest: Sha256Digest;
  /** Digest of the contract that says which effect must be there at the end. */
  readonly required_effect_contract_digest: Sha256Digest;
  /** Digest of the contract that says which effects must not be there. */
  readonly forbidden_effect_contract_digest: Sha256Digest;
  /** Who reads the terminal effect. */
  readonly oracle: RewardOracleV1;
  /** The terms that a receipt's component vector may name. The completed document has them sorted by name. */
  readonly components: readonly RewardComponentV1[];
  /** What each outcome scores. */
  readonly scoring: RewardScoringPolicyV1;
  /** The bound that a certificate must carry for a reward to be certified (synthetic). */
  readonly certificate_policy: RewardCertificatePolicyV1;
};

/** What earns reward, who reads the terminal effect, and which bound that reader must carry. What has a default may be left out. */
export type RewardContractV1Input = {
  /** Names the kind and the version of the document. Left out, it is "openadapt.reward-contract/v1". */
  readonly schema_version?: "openadapt.reward-contract/v1";
  /** The contract, over all its versions. */
  readonly contract_id: OpaqueId;
  /** This version of the contract. */
  readonly contract_version: OpaqueId;
  /** The task that the policy is given. */
  readonly task_id: OpaqueId;
  /** Digest of the task's definition. */
  readonly task_digest: Sha256Digest;
  /** The environment that the episodes run in. */
  readonly environment_id: OpaqueId;
  /** Digest of the environment's build. */
  readonly environment_digest: Sha256Digest;
  /** Digest of the contract that says which effect must be there at the end. */
  readonly required_effect_contract_digest: Sha256Digest;
  /** Digest of the contract that says which effects must not be there. */
  readonly forbidden_effect_contract_digest: Sha256Digest;
  /** Who reads the terminal effect. */
  readonly oracle: RewardOracleV1;
  /** The terms that a receipt's component vector may name. The completed document has them sorted by name. */
  readonly components: readonly RewardComponentV1[];
  /** What each outcome scores. Left out, it is {}. */
  readonly scoring?: RewardScoringPolicyV1Input;
  /** The bound that a certificate must carry for a reward to be certified (synthetic). */
  readonly certificate_policy: RewardCertificatePolicyV1;
};

/** The bound on a checker's false accepts, P(false accept) <= epsilon at confidence 1 - delta, and the policy updates for which it is valid. */
export type RewardCertificateV1 = {
  /** Names the kind and the version of the document. */
  readonly schema_version: "openadapt.reward-certificate/v1";
  /** The certificate. */
  readonly certificate_id: OpaqueId;
  /** Digest of the contract that the certificate was issued for. */
  readonly reward_contract_digest: Sha256Digest;
  /** Digest of the calibrated checker's configuration. */
  readonly checker_configuration_digest: Sha256Digest;
  /** The bound on the probability of a false accept. */
  readonly epsilon: Probability;
  /** The probability that the bound is wrong, 1 minus its confidence. */
  readonly delta: Probability;
  /** The acceptance threshold that the bound was computed at. */
  readonly threshold: FiniteNumber;
  /** Digest of the corpus that the checker was calibrated on. */
  readonly calibration_corpus_digest: Sha256Digest;
  /** What kind of corpus that was: always synthetic. */
  readonly calibration_scope: RewardCalibrationScopeV1;
  /** The first policy update that the certificate holds at. */
  readonly issued_at_policy_update: PolicyUpdate;
  /** For how many policy updates it holds. */
  readonly expiry_policy_updates: PolicyUpdateCount;
  /** When it was issued. */
  readonly issued_at: Timestamp;
  /** Who vouches for it. */
  readonly issuer: RewardCertificateIssuerV1;
  /** The key that signed the document, by the name that the reader's keyring has for it. */
  readonly issuer_key_id: OpaqueId;
  /** How it is signed. */
  readonly signature_algorithm: SignatureAlgorithm;
  /** The signature over the canonical bytes of the document without signature and signature_algorithm. */
  readonly signature: Ed25519Signature;
};

/** The bound on a checker's false accepts, P(false accept) <= epsilon at confidence 1 - delta, and the policy updates for which it is valid. What has a default may be left out. */
export type RewardCertificateV1Input = {
  /** Names the kind and the version of the document. Left out, it is "openadapt.reward-certificate/v1". */
  readonly schema_version?: "openadapt.reward-certificate/v1";
  /** The certificate. */
  readonly certificate_id: OpaqueId;
  /** Digest of the contract that the certificate was issued for. */
  readonly reward_contract_digest: Sha256Digest;
  /** Digest of the calibrated checker's configuration. */
  readonly checker_configuration_digest: Sha256Digest;
  /** The bound on the probability of a false accept. */
  readonly epsilon: Probability;
  /** The probability that the bound is wrong, 1 minus its confidence. */
  readonly delta: Probability;
  /** The acceptance threshold that the bound was computed at. */
  readonly threshold: FiniteNumber;
  /** Digest of the corpus that the checker was calibrated on. */
  readonly calibration_corpus_digest: Sha256Digest;
  /** What kind of corpus that was: always synthetic. */
  readonly calibration_scope: RewardCalibrationScopeV1;
  /** The first policy update that the certificate holds at. */
  readonly issued_at_policy_update: PolicyUpdate;
  /** For how many policy updates it holds. */
  readonly expiry_policy_updates: PolicyUpdateCount;
  /** When it was issued. */
  readonly issued_at: Timestamp;
  /** Who vouches for it. */
  readonly issuer: RewardCertificateIssuerV1;
  /** The key that signed the document, by the name that the reader's keyring has for it. */
  readonly issuer_key_id: OpaqueId;
  /** How it is signed. Left out, it is "ed25519". */
  readonly signature_algorithm?: SignatureAlgorithm;
  /** The signature over the canonical bytes of the document without signature and signature_algorithm. */
  readonly signature: Ed25519Signature;
};

/** The members of RewardEvidenceReceiptV1, before its rules. */
type RewardEvidenceReceiptV1Members = {
  /** Names the kind and the version of the document. */
  readonly schema_version: "openadapt.reward-evidence-receipt/v1";
  /** The receipt. */
  readonly receipt_id: OpaqueId;
  /** Digest of the contract that the episode was scored under. */
  readonly reward_contract_digest: Sha256Digest;
  /** The checkpoint of the policy that acted. */
  readonly policy_checkpoint_id: OpaqueId;
  /** The policy update of that checkpoint. */
  readonly policy_update: PolicyUpdate;
  /** The episode. */
  readonly episode_id: OpaqueId;
  /** The tier at which the terminal effect was read. */
  readonly oracle_tier: OracleTier;
  /** What the oracle found. */
  readonly reward_outcome: RewardOutcomeV1;
  /** Digest of the evidence, which itself appears nowhere. */
  readonly evidence_digest: Sha256Digest;
  /** What each component contributed, by the component's name. */
  readonly reward_components: Readonly<Record<Name, RewardMagnitude>>;
  /** The reward, or null for an unscored episode, which is never 0.0. */
  readonly scalar_reward: RewardMagnitude | null;
  /** The certificate that the receipt refers to. */
  readonly certificate_id: OpaqueId | null;
  /** Digest of that certificate. */
  readonly certificate_digest: Sha256Digest | null;
  /** Where that certificate was at policy_update. */
  readonly certificate_state: RewardCertificateStateV1;
  /** Digest of the corpus that the certificate names. */
  readonly calibration_corpus_digest: Sha256Digest | null;
  /** The scope that the certificate names: always synthetic. */
  readonly calibration_scope: RewardCalibrationScopeV1 | null;
  /** What is uncertain about the effect. */
  readonly uncertainty: RewardUncertaintyStateV1;
  /** Whether the reward is certified (synthetic). */
  readonly certified: boolean;
  /** Whether the tier is one that a certificate cannot cover. */
  readonly development_only: boolean;
  /** The key that signed the document, by the name that the reader's keyring has for it. */
  readonly issuer_key_id: OpaqueId;
  /** Used once per issuer key. */
  readonly nonce: OpaqueId;
  /** When the receipt was issued. */
  readonly issued_at: Timestamp;
  /** How it is signed. */
  readonly signature_algorithm: SignatureAlgorithm;
  /** The signature over the canonical bytes of the document without signature and signature_algorithm. */
  readonly signature: Ed25519Signature;
};

/** What follows from oracle_tier. The tier at which the terminal effect was read. */
type RewardEvidenceReceiptV1ByOracleTier =
  | {
      /** The tier at which the terminal effect was read. */
      readonly oracle_tier: 0 | 1;
      /** receipt.development-only: development_only is true exactly at tier 0 or 1. */
      readonly development_only: true;
    }
  | {
      /** The tier at which the terminal effect was read. */
      readonly oracle_tier: 2 | 3;
      /** receipt.development-only: development_only is true exactly at tier 0 or 1. */
      readonly development_only: false;
    };

/** What follows from certified. Whether the reward is certified (synthetic). */
type RewardEvidenceReceiptV1ByCertified =
  | {
      /** Whether the reward is certified (synthetic). */
      readonly certified: false;
    }
  | {
      /** Whether the reward is certified (synthetic). */
      readonly certified: true;
      /** receipt.certified-tier: A certified (synthetic) reward needs tier 2 or 3. */
      readonly oracle_tier: 2 | 3;
      /** receipt.certified-current: A certified (synthetic) reward needs certificate_state current. */
      readonly certificate_state: "current";
    };

/** What follows from certificate_state. Where that certificate was at policy_update. */
type RewardEvidenceReceiptV1ByCertificateState =
  | {
      /** Where that certificate was at policy_update. */
      readonly certificate_state: "absent";
      /** receipt.absent-has-no-reference: With certificate_state absent, certificate_id, certificate_digest, calibration_corpus_digest and calibration_scope are all null. */
      readonly certificate_id: null;
      /** receipt.absent-has-no-reference: With certificate_state absent, certificate_id, certificate_digest, calibration_corpus_digest and calibration_scope are all null. */
      readonly certificate_digest: null;
      /** receipt.absent-has-no-reference: With certificate_state absent, certificate_id, certificate_digest, calibration_corpus_digest and calibration_scope are all null. */
      readonly calibration_corpus_digest: null;
      /** receipt.absent-has-no-reference: With certificate_state absent, certificate_id, certificate_digest, calibration_corpus_digest and calibration_scope are all null. */
      readonly calibration_scope: null;
    }
  | {
      /** Where that certificate was at policy_update. */
      readonly certificate_state: "not_yet_valid" | "current" | "expired";
      /** receipt.reference-complete: With any certificate_state but absent, certificate_id, certificate_digest, calibration_corpus_digest and calibration_scope are all given. */
      readonly certificate_id: OpaqueId;
      /** receipt.reference-complete: With any certificate_state but absent, certificate_id, certificate_digest, calibration_corpus_digest and calibration_scope are all given. */
      readonly certificate_digest: Sha256Digest;
      /** receipt.reference-complete: With any certificate_state but absent, certificate_id, certificate_digest, calibration_corpus_digest and calibration_scope are all given. */
      readonly calibration_corpus_digest: Sha256Digest;
      /** receipt.reference-complete: With any certificate_state but absent, certificate_id, certificate_digest, calibration_corpus_digest and calibration_scope are all given. */
      readonly calibration_scope: RewardCalibrationScopeV1;
    };

/** What follows from reward_outcome. What the oracle found. */
type RewardEvidenceReceiptV1ByRewardOutcome =
  | {
      /** What the oracle found. */
      readonly reward_outcome: "verified";
      /** receipt.scored-needs-scalar: A scored episode carries a scalar. receipt.verified-positive: A verified episode scores above 0. */
      readonly scalar_reward: RewardMagnitude;
      /** receipt.verified-certain: A verified episode carries no uncertainty. */
      readonly uncertainty: "none";
    }
  | {
      /** What the oracle found. */
      readonly reward_outcome: "halted_before_effect" | "refused" | "rejected_policy" | "wrong_effect";
      /** receipt.scored-needs-scalar: A scored episode carries a scalar. receipt.penalty-not-positive: An episode that halted, was refused, was rejected or had a wrong effect scores 0 or below. */
      readonly scalar_reward: RewardMagnitude;
    }
  | {
      /** What the oracle found. */
      readonly reward_outcome: "reconciliation_required";
      /** receipt.unscored-no-components: An unscored episode (reconciliation_required, failed_platform) carries no reward components. */
      readonly reward_components: Readonly<Record<Name, never>>;
      /** receipt.unscored-no-scalar: An unscored episode (reconciliation_required, failed_platform) carries no scalar, never 0.0. */
      readonly scalar_reward: null;
      /** receipt.reconciliation-uncertain: An episode that needs reconciliation names what is uncertain. */
      readonly uncertainty: "delivery_uncertain" | "effect_uncertain" | "oracle_unavailable";
    }
  | {
      /** What the oracle found. */
      readonly reward_outcome: "failed_platform";
      /** receipt.unscored-no-components: An unscored episode (reconciliation_required, failed_platform) carries no reward components. */
      readonly reward_components: Readonly<Record<Name, never>>;
      /** receipt.unscored-no-scalar: An unscored episode (reconciliation_required, failed_platform) carries no scalar, never 0.0. */
      readonly scalar_reward: null;
    };

/** The terminal effect of one episode was read by the oracle, and what it scored. A receipt states nothing else. */
export type RewardEvidenceReceiptV1 = RewardEvidenceReceiptV1Members & RewardEvidenceReceiptV1ByOracleTier & RewardEvidenceReceiptV1ByCertified & RewardEvidenceReceiptV1ByCertificateState & RewardEvidenceReceiptV1ByRewardOutcome;

/** The members of RewardEvidenceReceiptV1Input, before its rules. */
type RewardEvidenceReceiptV1InputMembers = {
  /** Names the kind and the version of the document. Left out, it is "openadapt.reward-evidence-receipt/v1". */
  readonly schema_version?: "openadapt.reward-evidence-receipt/v1";
  /** The receipt. */
  readonly receipt_id: OpaqueId;
  /** Digest of the contract that the episode was scored under. */
  readonly reward_contract_digest: Sha256Digest;
  /** The checkpoint of the policy that acted. */
  readonly policy_checkpoint_id: OpaqueId;
  /** The policy update of that checkpoint. */
  readonly policy_update: PolicyUpdate;
  /** The episode. */
  readonly episode_id: OpaqueId;
  /** The tier at which the terminal effect was read. */
  readonly oracle_tier: OracleTier;
  /** What the oracle found. */
  readonly reward_outcome: RewardOutcomeV1;
  /** Digest of the evidence, which itself appears nowhere. */
  readonly evidence_digest: Sha256Digest;
  /** What each component contributed, by the component's name. Left out, it is {}. */
  readonly reward_components?: Readonly<Record<Name, RewardMagnitude>>;
  /** The reward, or null for an unscored episode, which is never 0.0. Left out, it is null. */
  readonly scalar_reward?: RewardMagnitude | null;
  /** The certificate that the receipt refers to. Left out, it is null. */
  readonly certificate_id?: OpaqueId | null;
  /** Digest of that certificate. Left out, it is null. */
  readonly certificate_digest?: Sha256Digest | null;
  /** Where that certificate was at policy_update. */
  readonly certificate_state: RewardCertificateStateV1;
  /** Digest of the corpus that the certificate names. Left out, it is null. */
  readonly calibration_corpus_digest?: Sha256Digest | null;
  /** The scope that the certificate names: always synthetic. Left out, it is null. */
  readonly calibration_scope?: RewardCalibrationScopeV1 | null;
  /** What is uncertain about the effect. */
  readonly uncertainty: RewardUncertaintyStateV1;
  /** Whether the reward is certified (synthetic). */
  readonly certified: boolean;
  /** Whether the tier is one that a certificate cannot cover. */
  readonly development_only: boolean;
  /** The key that signed the document, by the name that the reader's keyring has for it. */
  readonly issuer_key_id: OpaqueId;
  /** Used once per issuer key. */
  readonly nonce: OpaqueId;
  /** When the receipt was issued. */
  readonly issued_at: Timestamp;
  /** How it is signed. Left out, it is "ed25519". */
  readonly signature_algorithm?: SignatureAlgorithm;
  /** The signature over the canonical bytes of the document without signature and signature_algorithm. */
  readonly signature: Ed25519Signature;
};

/** What follows from oracle_tier. The tier at which the terminal effect was read. */
type RewardEvidenceReceiptV1InputByOracleTier =
  | {
      /** The tier at which the terminal effect was read. */
      readonly oracle_tier: 0 | 1;
      /** receipt.development-only: development_only is true exactly at tier 0 or 1. */
      readonly development_only: true;
    }
  | {
      /** The tier at which the terminal effect was read. */
      readonly oracle_tier: 2 | 3;
      /** receipt.development-only: development_only is true exactly at tier 0 or 1. */
      readonly development_only: false;
    };

/** What follows from certified. Whether the reward is certified (synthetic). */
type RewardEvidenceReceiptV1InputByCertified =
  | {
      /** Whether the reward is certified (synthetic). */
      readonly certified: false;
    }
  | {
      /** Whether the reward is certified (synthetic). */
      readonly certified: true;
      /** receipt.certified-tier: A certified (synthetic) reward needs tier 2 or 3. */
      readonly oracle_tier: 2 | 3;
      /** receipt.certified-current: A certified (synthetic) reward needs certificate_state current. */
      readonly certificate_state: "current";
    };

/** What follows from certificate_state. Where that certificate was at policy_update. */
type RewardEvidenceReceiptV1InputByCertificateState =
  | {
      /** Where that certificate was at policy_update. */
      readonly certificate_state: "absent";
      /** receipt.absent-has-no-reference: With certificate_state absent, certificate_id, certificate_digest, calibration_corpus_digest and calibration_scope are all null. */
      readonly certificate_id?: null;
      /** receipt.absent-has-no-reference: With certificate_state absent, certificate_id, certificate_digest, calibration_corpus_digest and calibration_scope are all null. */
      readonly certificate_digest?: null;
      /** receipt.absent-has-no-reference: With certificate_state absent, certificate_id, certificate_digest, calibration_corpus_digest and calibration_scope are all null. */
      readonly calibration_corpus_digest?: null;
      /** receipt.absent-has-no-reference: With certificate_state absent, certificate_id, certificate_digest, calibration_corpus_digest and calibration_scope are all null. */
      readonly calibration_scope?: null;
    }
  | {
      /** Where that certificate was at policy_update. */
      readonly certificate_state: "not_yet_valid" | "current" | "expired";
      /** receipt.reference-complete: With any certificate_state but absent, certificate_id, certificate_digest, calibration_corpus_digest and calibration_scope are all given. */
      readonly certificate_id: OpaqueId;
      /** receipt.reference-complete: With any certificate_state but absent, certificate_id, certificate_digest, calibration_corpus_digest and calibration_scope are all given. */
      readonly certificate_digest: Sha256Digest;
      /** receipt.reference-complete: With any certificate_state but absent, certificate_id, certificate_digest, calibration_corpus_digest and calibration_scope are all given. */
      readonly calibration_corpus_digest: Sha256Digest;
      /** receipt.reference-complete: With any certificate_state but absent, certificate_id, certificate_digest, calibration_corpus_digest and calibration_scope are all given. */
      readonly calibration_scope: RewardCalibrationScopeV1;
    };

/** What follows from reward_outcome. What the oracle found. */
type RewardEvidenceReceiptV1InputByRewardOutcome =
  | {
      /** What the oracle found. */
      readonly reward_outcome: "verified";
      /** receipt.scored-needs-components: A scored episode carries at least one reward component. */
      readonly reward_components: Readonly<Record<Name, RewardMagnitude>>;
      /** receipt.scored-needs-scalar: A scored episode carries a scalar. receipt.verified-positive: A verified episode scores above 0. */
      readonly scalar_reward: RewardMagnitude;
      /** receipt.verified-certain: A verified episode carries no uncertainty. */
      readonly uncertainty: "none";
    }
  | {
      /** What the oracle found. */
      readonly reward_outcome: "halted_before_effect" | "refused" | "rejected_policy" | "wrong_effect";
      /** receipt.scored-needs-components: A scored episode carries at least one reward component. */
      readonly reward_components: Readonly<Record<Name, RewardMagnitude>>;
      /** receipt.scored-needs-scalar: A scored episode carries a scalar. receipt.penalty-not-positive: An episode that halted, was refused, was rejected or had a wrong effect scores 0 or below. */
      readonly scalar_reward: RewardMagnitude;
    }
  | {
      /** What the oracle found. */
      readonly reward_outcome: "reconciliation_required";
      /** receipt.unscored-no-components: An unscored episode (reconciliation_required, failed_platform) carries no reward components. */
      readonly reward_components?: Readonly<Record<Name, never>>;
      /** receipt.unscored-no-scalar: An unscored episode (reconciliation_required, failed_platform) carries no scalar, never 0.0. */
      readonly scalar_reward?: null;
      /** receipt.reconciliation-uncertain: An episode that needs reconciliation names what is uncertain. */
      readonly uncertainty: "delivery_uncertain" | "effect_uncertain" | "oracle_unavailable";
    }
  | {
      /** What the oracle found. */
      readonly reward_outcome: "failed_platform";
      /** receipt.unscored-no-components: An unscored episode (reconciliation_required, failed_platform) carries no reward components. */
      readonly reward_components?: Readonly<Record<Name, never>>;
      /** receipt.unscored-no-scalar: An unscored episode (reconciliation_required, failed_platform) carries no scalar, never 0.0. */
      readonly scalar_reward?: null;
    };

/** The terminal effect of one episode was read by the oracle, and what it scored. A receipt states nothing else. What has a default may be left out. */
export type RewardEvidenceReceiptV1Input = RewardEvidenceReceiptV1InputMembers & RewardEvidenceReceiptV1InputByOracleTier & RewardEvidenceReceiptV1InputByCertified & RewardEvidenceReceiptV1InputByCertificateState & RewardEvidenceReceiptV1InputByRewardOutcome;

/** Any of the reward documents. schema_version says which, so here it must be given. */
export type RewardDocument = {
  /** Names the kind and the version of the document. */
  readonly schema_version: "openadapt.reward-contract/v1" | "openadapt.reward-certificate/v1" | "openadapt.reward-evidence-receipt/v1";
} & (RewardContractV1 | RewardCertificateV1 | RewardEvidenceReceiptV1);

/** Any of the reward documents. schema_version says which, so here it must be given. What has a default may be left out. */
export type RewardDocumentInput = {
  /** Names the kind and the version of the document. */
  readonly schema_version: "openadapt.reward-contract/v1" | "openadapt.reward-certificate/v1" | "openadapt.reward-evidence-receipt/v1";
} & (RewardContractV1Input | RewardCertificateV1Input | RewardEvidenceReceiptV1Input);

/** A text of 1 to 128 characters. */
export type SpecName = string;

/** The name of a term, different from that of every other term of the spec: a text of 1 to 128 characters. */
export type TermName = string;

/** A bound of a clip; null where that side is unbounded. */
export type ClipBound = FiniteNumber | null;

/** The least and the greatest raw value that count: two finite numbers, the first at most the second. Null leaves that side unbounded. */
export type ClipBounds = readonly [ClipBound, ClipBound];

/** One term: a registered component, what it is made with, and how its raw value becomes a contribution. */
export type RewardSpecComponent = {
  /** The name that the component is registered under. */
  readonly type: ComponentType;
  /** What gates, contributions and traces call the term. Left out, it is the type. */
  readonly name?: TermName;
  /** What the component is made with: any JSON, by the name of the parameter; numbers count as doubles. Left out, the component's own defaults. */
  readonly params?: Readonly<Record<string, PlainJson>>;
  /** What the clipped value is multiplied by. Left out, it is the component's own default. */
  readonly weight?: FiniteNumber;
  /** The bounds that the raw value is clipped to; null for none. Left out, they are the component's own. */
  readonly clip?: ClipBounds | null;
};

/** A gate: one term contributes 0 unless another one contributed more than 0 at the same step. */
export type RewardSpecGate = {
  /** The name of the term that the gate closes. */
  readonly component: TermName;
  /** The name of the term that has to be positive. */
  readonly requires: TermName;
};

/** A reward as data: named components, each clipped, weighted and gated, whose contributions are added in this order. */
export type RewardSpec = {
  /** Names the kind and the version of the document. */
  readonly schema_version: "reward-receipts.reward-spec/v1";
  /** What people call the reward. */
  readonly name: SpecName;
  /** The terms of the reward, in the order in which their contributions are added. */
  readonly components: readonly RewardSpecComponent[];
  /** Which terms count only where another one is positive. */
  readonly gates: readonly RewardSpecGate[];
};

/** A reward as data: named components, each clipped, weighted and gated, whose contributions are added in this order. What has a default may be left out. */
export type RewardSpecInput = {
  /** Names the kind and the version of the document. Left out, it is "reward-receipts.reward-spec/v1". */
  readonly schema_version?: "reward-receipts.reward-spec/v1";
  /** What people call the reward. */
  readonly name: SpecName;
  /** The terms of the reward, in the order in which their contributions are added. */
  readonly components: readonly RewardSpecComponent[];
  /** Which terms count only where another one is positive. Left out, it is []. */
  readonly gates?: readonly RewardSpecGate[];
};

/** A number of things that come one after another. */
export type TraceCount = number;

/** Why a term contributed 0: the first step on its way that made it 0. */
export type ZeroReason =
  | /** It is not due at this step. */
    "skipped"
  | /** Its value was 0, and the step provides nothing of what it reads. */
    "reads_missing"
  | /** Its component gave 0. */
    "zero_value"
  | /** The clip made its value 0. */
    "clipped"
  | /** Its weight is 0. */
    "zero_weight"
  | /** Its value times its weight is nearer to 0 than to any other double. */
    "underflow"
  | /** A term that it requires did not contribute more than 0. */
    "gated";

/** How the contribution of one term was computed at one step. */
export type RewardTermDetail = {
  /** The component's value before the clip; null where it was not due. */
  readonly raw: FiniteNumber | null;
  /** Why the contribution is 0; null where it is not. */
  readonly zero: ZeroReason | null;
  /** The sub-terms that the component reports. */
  readonly terms: Readonly<Record<ComponentType, FiniteNumber>>;
};

/** How the contribution of one term was computed at one step. What has a default may be left out. */
export type RewardTermDetailInput = {
  /** The component's value before the clip; null where it was not due. Left out, it is null. */
  readonly raw?: FiniteNumber | null;
  /** Why the contribution is 0; null where it is not. Left out, it is null. */
  readonly zero?: ZeroReason | null;
  /** The sub-terms that the component reports. Left out, it is {}. */
  readonly terms?: Readonly<Record<ComponentType, FiniteNumber>>;
};

/** What one step of one environment was rewarded with, and why. */
export type RewardTraceRow = {
  /** Names the kind and the version of the document. */
  readonly schema_version: "reward-receipts.trace-row/v1";
  /** Which environment of a vector environment it is; 0 where there is one. */
  readonly environment: TraceCount;
  /** Which episode of that environment it is, from 0. */
  readonly episode: TraceCount;
  /** Which step of the episode it is, from 0. */
  readonly step: TraceCount;
  /** What the trainer was given; null where the step is unscored, never 0.0 for that. */
  readonly reward: FiniteNumber | null;
  /** The environment's own reward, where a composed one is in its place. */
  readonly environment_reward: FiniteNumber | null;
  /** The contribution of each term that was due, by its type. They add up to the reward in the spec's order. */
  readonly reward_components: Readonly<Record<ComponentType, FiniteNumber>>;
  /** How the contribution of each term was computed, by its type. */
  readonly reward_detail: Readonly<Record<ComponentType, RewardTermDetail>>;
  /** Whether the episode ended by itself. */
  readonly terminated: boolean;
  /** Whether the episode was cut off. */
  readonly truncated: boolean;
  /** Whether the step was taken to evaluate a policy, and not to train it. */
  readonly evaluation: boolean;
  /** The label of the regime that the step was taken in; null where none is known. */
  readonly regime: RegimeLabel | null;
  /** Whether the regime begins with this step. */
  readonly regime_boundary: boolean;
  /** Digest of the reward spec as written; null where the reward is the environment's own. */
  readonly spec_digest: Sha256Digest | null;
  /** Digest of the spec with the components' own weights and clips filled in; null where there is no spec. */
  readonly resolved_spec_digest: Sha256Digest | null;
};

/** What one step of one environment was rewarded with, and why. What has a default may be left out. */
export type RewardTraceRowInput = {
  /** Names the kind and the version of the document. Left out, it is "reward-receipts.trace-row/v1". */
  readonly schema_version?: "reward-receipts.trace-row/v1";
  /** Which environment of a vector environment it is; 0 where there is one. */
  readonly environment: TraceCount;
  /** Which episode of that environment it is, from 0. */
  readonly episode: TraceCount;
  /** Which step of the episode it is, from 0. */
  readonly step: TraceCount;
  /** What the trainer was given; null where the step is unscored, never 0.0 for that. */
  readonly reward: FiniteNumber | null;
  /** The environment's own reward, where a composed one is in its place. Left out, it is null. */
  readonly environment_reward?: FiniteNumber | null;
  /** The contribution of each term that was due, by its type. They add up to the reward in the spec's order. Left out, it is {}. */
  readonly reward_components?: Readonly<Record<ComponentType, FiniteNumber>>;
  /** How the contribution of each term was computed, by its type. Left out, it is {}. */
  readonly reward_detail?: Readonly<Record<ComponentType, RewardTermDetailInput>>;
  /** Whether the episode ended by itself. */
  readonly terminated: boolean;
  /** Whether the episode was cut off. */
  readonly truncated: boolean;
  /** Whether the step was taken to evaluate a policy, and not to train it. Left out, it is false. */
  readonly evaluation?: boolean;
  /** The label of the regime that the step was taken in; null where none is known. Left out, it is null. */
  readonly regime?: RegimeLabel | null;
  /** Whether the regime begins with this step. Left out, it is false. */
  readonly regime_boundary?: boolean;
  /** Digest of the reward spec as written; null where the reward is the environment's own. Left out, it is null. */
  readonly spec_digest?: Sha256Digest | null;
  /** Digest of the spec with the components' own weights and clips filled in; null where there is no spec. Left out, it is null. */
  readonly resolved_spec_digest?: Sha256Digest | null;
};

/** A number of rows, steps or episodes. */
export type ReportCount = number;

/** One number of each finished episode. Episodes that have not ended are left out. */
export type EpisodeStatistics = {
  /** Episodes that mean, min and max are taken over. */
  readonly count: ReportCount;
  /** Episodes that ended in these rows and are not counted: a regime or a spec leaves out those with steps of another one, and returns leave out those with a step without a reward or without a row. */
  readonly left_out: ReportCount;
  /** The mean over the counted episodes; null if there are none. */
  readonly mean: FiniteNumber | null;
  /** The smallest; null if no episode is counted. */
  readonly min: FiniteNumber | null;
  /** The greatest; null if no episode is counted. */
  readonly max: FiniteNumber | null;
};

/** A summary of the rows of one spec. */
export type SpecStageSummary = {
  /** Digest of the spec as written; null if the reward is the environment's own. */
  readonly spec_digest: Sha256Digest | null;
  /** Digest of the spec with the components' own weights and clips filled in; null if there is no spec. */
  readonly resolved_spec_digest: Sha256Digest | null;
  /** The rows, of all regimes. */
  readonly summary: RegimeSummary;
};

/** A summary of the rows of one spec. What has a default may be left out. */
export type SpecStageSummaryInput = {
  /** Digest of the spec as written; null if the reward is the environment's own. */
  readonly spec_digest: Sha256Digest | null;
  /** Digest of the spec with the components' own weights and clips filled in; null if there is no spec. */
  readonly resolved_spec_digest: Sha256Digest | null;
  /** The rows, of all regimes. */
  readonly summary: RegimeSummaryInput;
};

/** A summary of the evaluation rows of a trace. */
export type EvaluationSummary = {
  /** All of them. */
  readonly overall: RegimeSummary;
  /** Those of each regime, in the order in which the regimes first came. */
  readonly regimes: readonly RegimeSummary[];
};

/** A summary of the evaluation rows of a trace. What has a default may be left out. */
export type EvaluationSummaryInput = {
  /** All of them. */
  readonly overall: RegimeSummaryInput;
  /** Those of each regime, in the order in which the regimes first came. */
  readonly regimes: readonly RegimeSummaryInput[];
};

/** A summary of some rows of a trace. */
export type RegimeSummary = {
  /** The regime; null for all rows, and for rows of no regime. */
  readonly label: RegimeLabel | null;
  /** How often a regime began in these rows. */
  readonly boundaries: ReportCount;
  /** Episodes that ended in these rows. */
  readonly episodes: ReportCount;
  /** Steps that have a reward. */
  readonly scored_steps: ReportCount;
  /** Steps that have none. They are not counted in any total or mean. */
  readonly unscored_steps: ReportCount;
  /** Steps that were taken and have no row, because it was refused: gaps in the step numbers, counted with the row after the gap. For all rows it is at least the number of refused steps in a finished manifest. They are not counted in any total or mean. */
  readonly missing_steps: ReportCount;
  /** The sums of the rewards of each episode that ended in these rows. */
  readonly returns: EpisodeStatistics;
  /** The numbers of steps of each episode that ended in these rows. */
  readonly lengths: EpisodeStatistics;
  /** The sum of the rewards of the scored steps, in the order of the rows; null where no step is scored. */
  readonly total: FiniteNumber | null;
  /** The total over the number of scored steps; null where no step is scored. */
  readonly mean: FiniteNumber | null;
  /** The greatest total that the spec allows for these steps; null where it is unbounded or not known. */
  readonly ceiling: FiniteNumber | null;
  /** The ceiling minus the total; null where there is no ceiling. */
  readonly gap: FiniteNumber | null;
  /** What each component contributed, in the spec's order. */
  readonly components: readonly ComponentSummary[];
};

/** A summary of some rows of a trace. What has a default may be left out. */
export type RegimeSummaryInput = {
  /** The regime; null for all rows, and for rows of no regime. Left out, it is null. */
  readonly label?: RegimeLabel | null;
  /** How often a regime began in these rows. */
  readonly boundaries: ReportCount;
  /** Episodes that ended in these rows. */
  readonly episodes: ReportCount;
  /** Steps that have a reward. */
  readonly scored_steps: ReportCount;
  /** Steps that have none. They are not counted in any total or mean. */
  readonly unscored_steps: ReportCount;
  /** Steps that were taken and have no row, because it was refused: gaps in the step numbers, counted with the row after the gap. For all rows it is at least the number of refused steps in a finished manifest. They are not counted in any total or mean. */
  readonly missing_steps: ReportCount;
  /** The sums of the rewards of each episode that ended in these rows. */
  readonly returns: EpisodeStatistics;
  /** The numbers of steps of each episode that ended in these rows. */
  readonly lengths: EpisodeStatistics;
  /** The sum of the rewards of the scored steps, in the order of the rows; null where no step is scored. */
  readonly total: FiniteNumber | null;
  /** The total over the number of scored steps; null where no step is scored. */
  readonly mean: FiniteNumber | null;
  /** The greatest total that the spec allows for these steps; null where it is unbounded or not known. */
  readonly ceiling: FiniteNumber | null;
  /** The ceiling minus the total; null where there is no ceiling. */
  readonly gap: FiniteNumber | null;
  /** What each component contributed, in the spec's order. */
  readonly components: readonly ComponentSummary[];
};

/** What one component contributed to some rows of a trace. */
export type ComponentSummary = {
  /** The component. */
  readonly type: ComponentType;
  /** Scored steps at which it was due. */
  readonly due_steps: ReportCount;
  /** Those of them at which it contributed 0. */
  readonly zero_steps: ReportCount;
  /** The sum of its contributions, in the order of the rows. */
  readonly total: FiniteNumber;
  /** The greatest total that its clip and weight allow; null where it is unbounded or not known. */
  readonly ceiling: FiniteNumber | null;
  /** The ceiling minus the total; null where there is no ceiling. */
  readonly gap: FiniteNumber | null;
};

/** A summary of a trace: over all of it and in each regime, by component, against the ceiling. */
export type RegimeReport = {
  /** Names the kind and the version of the document. */
  readonly schema_version: "reward-receipts.regime-report/v1";
  /** Digest of the reward spec as written; null if the reward is the environment's own, or if several specs were used one after another. */
  readonly spec_digest: Sha256Digest | null;
  /** Digest of the spec with the components' own weights and clips filled in; null if spec_digest is null. */
  readonly resolved_spec_digest: Sha256Digest | null;
  /** All training rows of the trace. */
  readonly overall: RegimeSummary;
  /** The training rows of each regime, in the order in which the regimes first came; rows without a regime have no label. */
  readonly regimes: readonly RegimeSummary[];
  /** The training rows of each spec, in the order in which the specs first came. */
  readonly stages: readonly SpecStageSummary[];
  /** The evaluation rows of the trace, which count in nothing else; null if there are none. */
  readonly evaluation: EvaluationSummary | null;
};

/** A summary of a trace: over all of it and in each regime, by component, against the ceiling. What has a default may be left out. */
export type RegimeReportInput = {
  /** Names the kind and the version of the document. Left out, it is "reward-receipts.regime-report/v1". */
  readonly schema_version?: "reward-receipts.regime-report/v1";
  /** Digest of the reward spec as written; null if the reward is the environment's own, or if several specs were used one after another. Left out, it is null. */
  readonly spec_digest?: Sha256Digest | null;
  /** Digest of the spec with the components' own weights and clips filled in; null if spec_digest is null. Left out, it is null. */
  readonly resolved_spec_digest?: Sha256Digest | null;
  /** All training rows of the trace. */
  readonly overall: RegimeSummaryInput;
  /** The training rows of each regime, in the order in which the regimes first came; rows without a regime have no label. */
  readonly regimes: readonly RegimeSummaryInput[];
  /** The training rows of each spec, in the order in which the specs first came. */
  readonly stages: readonly SpecStageSummaryInput[];
  /** The evaluation rows of the trace, which count in nothing else; null if there are none. */
  readonly evaluation: EvaluationSummaryInput | null;
};
