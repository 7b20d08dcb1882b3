// The documents and their parts.
//
// Generated from schemas/. Do not edit: change the schemas, then run
//
//     python scripts/generate

use std::collections::BTreeMap;

use super::schemas;
use super::vocabulary::*;
use crate::core::value::Json;
use crate::documents::kind::Kind;
use crate::documents::model::{Complete, Facts, Members, document, part};
use crate::validation::check::Checked;

/// The reader of the terminal effect.
///
/// ```
/// fn of(documents: &[reward_receipts::RewardOracleV1]) -> usize {
///     documents.len()
/// }
/// assert_eq!(of(&[]), 0);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct RewardOracleV1 {
    channel: OracleChannel,
    identity_keys: Vec<Box<str>>,
    oracle_contract_digest: Box<str>,
}

impl RewardOracleV1 {
    /// The channel it reads through.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardOracleV1) {
    ///     let _ = value.channel();
    /// }
    /// ```
    #[must_use]
    pub fn channel(&self) -> OracleChannel {
        self.channel
    }

    /// The fields by which it finds the record. The completed document has them sorted.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardOracleV1) {
    ///     let _ = value.identity_keys();
    /// }
    /// ```
    #[must_use]
    pub fn identity_keys(&self) -> &[Box<str>] {
        &self.identity_keys
    }

    /// Digest of the oracle's recipe, which itself appears nowhere.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardOracleV1) {
    ///     let _ = value.oracle_contract_digest();
    /// }
    /// ```
    #[must_use]
    pub fn oracle_contract_digest(&self) -> &str {
        &self.oracle_contract_digest
    }
}

impl Complete for RewardOracleV1 {
    fn complete(members: &Members<'_, '_>) -> Self {
        Self {
            channel: members.word::<OracleChannel>("channel"),
            identity_keys: members.texts("identity_keys"),
            oracle_contract_digest: members.text("oracle_contract_digest"),
        }
    }
}

part!(RewardOracleV1, schemas::REWARD_ORACLE_V1);

/// One named and weighted term of the reward.
///
/// ```
/// fn of(documents: &[reward_receipts::RewardComponentV1]) -> usize {
///     documents.len()
/// }
/// assert_eq!(of(&[]), 0);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct RewardComponentV1 {
    name: Box<str>,
    weight: f64,
}

impl RewardComponentV1 {
    /// The component's name, once per contract.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardComponentV1) {
    ///     let _ = value.name();
    /// }
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The component's weight.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardComponentV1) {
    ///     let _ = value.weight();
    /// }
    /// ```
    #[must_use]
    pub fn weight(&self) -> f64 {
        self.weight
    }
}

impl Complete for RewardComponentV1 {
    fn complete(members: &Members<'_, '_>) -> Self {
        Self {
            name: members.text("name"),
            weight: members.double("weight"),
        }
    }
}

part!(RewardComponentV1, schemas::REWARD_COMPONENT_V1);

/// What each outcome scores. What is left out has its default.
///
/// ```
/// fn of(documents: &[reward_receipts::RewardScoringPolicyV1]) -> usize {
///     documents.len()
/// }
/// assert_eq!(of(&[]), 0);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct RewardScoringPolicyV1 {
    verified_reward: f64,
    halted_before_effect_reward: f64,
    refused_reward: f64,
    rejected_policy_reward: f64,
    wrong_effect_reward: f64,
}

impl RewardScoringPolicyV1 {
    /// The scalar of a verified episode.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardScoringPolicyV1) {
    ///     let _ = value.verified_reward();
    /// }
    /// ```
    #[must_use]
    pub fn verified_reward(&self) -> f64 {
        self.verified_reward
    }

    /// The scalar of an episode that halted before an effect.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardScoringPolicyV1) {
    ///     let _ = value.halted_before_effect_reward();
    /// }
    /// ```
    #[must_use]
    pub fn halted_before_effect_reward(&self) -> f64 {
        self.halted_before_effect_reward
    }

    /// The scalar of a refused episode.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardScoringPolicyV1) {
    ///     let _ = value.refused_reward();
    /// }
    /// ```
    #[must_use]
    pub fn refused_reward(&self) -> f64 {
        self.refused_reward
    }

    /// The scalar of an episode that a policy of the environment rejected.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardScoringPolicyV1) {
    ///     let _ = value.rejected_policy_reward();
    /// }
    /// ```
    #[must_use]
    pub fn rejected_policy_reward(&self) -> f64 {
        self.rejected_policy_reward
    }

    /// The scalar of an episode with a wrong effect.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardScoringPolicyV1) {
    ///     let _ = value.wrong_effect_reward();
    /// }
    /// ```
    #[must_use]
    pub fn wrong_effect_reward(&self) -> f64 {
        self.wrong_effect_reward
    }
}

impl Complete for RewardScoringPolicyV1 {
    fn complete(members: &Members<'_, '_>) -> Self {
        Self {
            verified_reward: members.double("verified_reward"),
            halted_before_effect_reward: members.double("halted_before_effect_reward"),
            refused_reward: members.double("refused_reward"),
            rejected_policy_reward: members.double("rejected_policy_reward"),
            wrong_effect_reward: members.double("wrong_effect_reward"),
        }
    }
}

part!(RewardScoringPolicyV1, schemas::REWARD_SCORING_POLICY_V1);

/// The bound that a certificate must carry.
///
/// ```
/// fn of(documents: &[reward_receipts::RewardCertificatePolicyV1]) -> usize {
///     documents.len()
/// }
/// assert_eq!(of(&[]), 0);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct RewardCertificatePolicyV1 {
    epsilon: f64,
    delta: f64,
    threshold: f64,
    calibration_corpus_digest: Box<str>,
    expiry_policy_updates: u64,
}

impl RewardCertificatePolicyV1 {
    /// The largest bound on the probability of a false accept that the contract admits.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardCertificatePolicyV1) {
    ///     let _ = value.epsilon();
    /// }
    /// ```
    #[must_use]
    pub fn epsilon(&self) -> f64 {
        self.epsilon
    }

    /// The largest probability that the bound itself is wrong, 1 minus its confidence.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardCertificatePolicyV1) {
    ///     let _ = value.delta();
    /// }
    /// ```
    #[must_use]
    pub fn delta(&self) -> f64 {
        self.delta
    }

    /// The acceptance threshold that the checker must have been calibrated at, exactly.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardCertificatePolicyV1) {
    ///     let _ = value.threshold();
    /// }
    /// ```
    #[must_use]
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// Digest of the corpus that the checker must have been calibrated on.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardCertificatePolicyV1) {
    ///     let _ = value.calibration_corpus_digest();
    /// }
    /// ```
    #[must_use]
    pub fn calibration_corpus_digest(&self) -> &str {
        &self.calibration_corpus_digest
    }

    /// The largest number of policy updates for which a certificate may be valid.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardCertificatePolicyV1) {
    ///     let _ = value.expiry_policy_updates();
    /// }
    /// ```
    #[must_use]
    pub fn expiry_policy_updates(&self) -> u64 {
        self.expiry_policy_updates
    }
}

impl Complete for RewardCertificatePolicyV1 {
    fn complete(members: &Members<'_, '_>) -> Self {
        Self {
            epsilon: members.double("epsilon"),
            delta: members.double("delta"),
            threshold: members.double("threshold"),
            calibration_corpus_digest: members.text("calibration_corpus_digest"),
            expiry_policy_updates: members.integer("expiry_policy_updates"),
        }
    }
}

part!(RewardCertificatePolicyV1, schemas::REWARD_CERTIFICATE_POLICY_V1);

/// What earns reward, who reads the terminal effect, and which bound that reader must carry.
///
/// It is valid: its schema and every rule accept it. It is completed, and cannot change.
///
/// ```
/// fn of(documents: &[reward_receipts::RewardContractV1]) -> usize {
///     documents.len()
/// }
/// assert_eq!(of(&[]), 0);
/// ```
#[derive(Debug, Clone)]
pub struct RewardContractV1 {
    contract_id: Box<str>,
    contract_version: Box<str>,
    task_id: Box<str>,
    task_digest: Box<str>,
    environment_id: Box<str>,
    environment_digest: Box<str>,
    required_effect_contract_digest: Box<str>,
    forbidden_effect_contract_digest: Box<str>,
    oracle: RewardOracleV1,
    components: Vec<RewardComponentV1>,
    scoring: RewardScoringPolicyV1,
    certificate_policy: RewardCertificatePolicyV1,
    pub(crate) facts: Facts,
}

impl RewardContractV1 {
    /// The contract, over all its versions.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardContractV1) {
    ///     let _ = value.contract_id();
    /// }
    /// ```
    #[must_use]
    pub fn contract_id(&self) -> &str {
        &self.contract_id
    }

    /// This version of the contract.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardContractV1) {
    ///     let _ = value.contract_version();
    /// }
    /// ```
    #[must_use]
    pub fn contract_version(&self) -> &str {
        &self.contract_version
    }

    /// The task that the policy is given.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardContractV1) {
    ///     let _ = value.task_id();
    /// }
    /// ```
    #[must_use]
    pub fn task_id(&self) -> &str {
        &self.task_id
    }

    /// Digest of the task's definition.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardContractV1) {
    ///     let _ = value.task_digest();
    /// }
    /// ```
    #[must_use]
    pub fn task_digest(&self) -> &str {
        &self.task_digest
    }

    /// The environment that the episodes run in.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardContractV1) {
    ///     let _ = value.environment_id();
    /// }
    /// ```
    #[must_use]
    pub fn environment_id(&self) -> &str {
        &self.environment_id
    }

    /// Digest of the environment's build.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardContractV1) {
    ///     let _ = value.environment_digest();
    /// }
    /// ```
    #[must_use]
    pub fn environment_digest(&self) -> &str {
        &self.environment_digest
    }

    /// Digest of the contract that says which effect must be there at the end.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardContractV1) {
    ///     let _ = value.required_effect_contract_digest();
    /// }
    /// ```
    #[must_use]
    pub fn required_effect_contract_digest(&self) -> &str {
        &self.required_effect_contract_digest
    }

    /// Digest of the contract that says which effects must not be there.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardContractV1) {
    ///     let _ = value.forbidden_effect_contract_digest();
    /// }
    /// ```
    #[must_use]
    pub fn forbidden_effect_contract_digest(&self) -> &str {
        &self.forbidden_effect_contract_digest
    }

    /// Who reads the terminal effect.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardContractV1) {
    ///     let _ = value.oracle();
    /// }
    /// ```
    #[must_use]
    pub fn oracle(&self) -> &RewardOracleV1 {
        &self.oracle
    }

    /// The terms that a receipt's component vector may name. The completed document has them sorted by name.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardContractV1) {
    ///     let _ = value.components();
    /// }
    /// ```
    #[must_use]
    pub fn components(&self) -> &[RewardComponentV1] {
        &self.components
    }

    /// What each outcome scores.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardContractV1) {
    ///     let _ = value.scoring();
    /// }
    /// ```
    #[must_use]
    pub fn scoring(&self) -> &RewardScoringPolicyV1 {
        &self.scoring
    }

    /// The bound that a certificate must carry for a reward to be certified (synthetic).
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardContractV1) {
    ///     let _ = value.certificate_policy();
    /// }
    /// ```
    #[must_use]
    pub fn certificate_policy(&self) -> &RewardCertificatePolicyV1 {
        &self.certificate_policy
    }
}

impl Complete for RewardContractV1 {
    fn complete(members: &Members<'_, '_>) -> Self {
        Self {
            contract_id: members.text("contract_id"),
            contract_version: members.text("contract_version"),
            task_id: members.text("task_id"),
            task_digest: members.text("task_digest"),
            environment_id: members.text("environment_id"),
            environment_digest: members.text("environment_digest"),
            required_effect_contract_digest: members.text("required_effect_contract_digest"),
            forbidden_effect_contract_digest: members.text("forbidden_effect_contract_digest"),
            oracle: members.part::<RewardOracleV1>("oracle"),
            components: members.parts::<RewardComponentV1>("components"),
            scoring: members.part::<RewardScoringPolicyV1>("scoring"),
            certificate_policy: members.part::<RewardCertificatePolicyV1>("certificate_policy"),
            facts: members.facts(),
        }
    }
}

document!(RewardContractV1, "reward_receipts::RewardContractV1", Checked::Document(Kind::Contract));

/// The bound on a checker's false accepts, P(false accept) \<= epsilon at confidence 1 - delta, and the policy updates for which it is valid.
///
/// It is valid: its schema and every rule accept it. It is completed, and cannot change.
///
/// ```
/// fn of(documents: &[reward_receipts::RewardCertificateV1]) -> usize {
///     documents.len()
/// }
/// assert_eq!(of(&[]), 0);
/// ```
#[derive(Debug, Clone)]
pub struct RewardCertificateV1 {
    certificate_id: Box<str>,
    reward_contract_digest: Box<str>,
    checker_configuration_digest: Box<str>,
    epsilon: f64,
    delta: f64,
    threshold: f64,
    calibration_corpus_digest: Box<str>,
    calibration_scope: RewardCalibrationScopeV1,
    issued_at_policy_update: u64,
    expiry_policy_updates: u64,
    issued_at: Box<str>,
    issuer: RewardCertificateIssuerV1,
    issuer_key_id: Box<str>,
    signature: Box<str>,
    pub(crate) facts: Facts,
}

impl RewardCertificateV1 {
    /// The certificate.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardCertificateV1) {
    ///     let _ = value.certificate_id();
    /// }
    /// ```
    #[must_use]
    pub fn certificate_id(&self) -> &str {
        &self.certificate_id
    }

    /// Digest of the contract that the certificate was issued for.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardCertificateV1) {
    ///     let _ = value.reward_contract_digest();
    /// }
    /// ```
    #[must_use]
    pub fn reward_contract_digest(&self) -> &str {
        &self.reward_contract_digest
    }

    /// Digest of the calibrated checker's configuration.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardCertificateV1) {
    ///     let _ = value.checker_configuration_digest();
    /// }
    /// ```
    #[must_use]
    pub fn checker_configuration_digest(&self) -> &str {
        &self.checker_configuration_digest
    }

    /// The bound on the probability of a false accept.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardCertificateV1) {
    ///     let _ = value.epsilon();
    /// }
    /// ```
    #[must_use]
    pub fn epsilon(&self) -> f64 {
        self.epsilon
    }

    /// The probability that the bound is wrong, 1 minus its confidence.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardCertificateV1) {
    ///     let _ = value.delta();
    /// }
    /// ```
    #[must_use]
    pub fn delta(&self) -> f64 {
        self.delta
    }

    /// The acceptance threshold that the bound was computed at.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardCertificateV1) {
    ///     let _ = value.threshold();
    /// }
    /// ```
    #[must_use]
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// Digest of the corpus that the checker was calibrated on.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardCertificateV1) {
    ///     let _ = value.calibration_corpus_digest();
    /// }
    /// ```
    #[must_use]
    pub fn calibration_corpus_digest(&self) -> &str {
        &self.calibration_corpus_digest
    }

    /// What kind of corpus that was: always synthetic.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardCertificateV1) {
    ///     let _ = value.calibration_scope();
    /// }
    /// ```
    #[must_use]
    pub fn calibration_scope(&self) -> RewardCalibrationScopeV1 {
        self.calibration_scope
    }

    /// The first policy update that the certificate holds at.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardCertificateV1) {
    ///     let _ = value.issued_at_policy_update();
    /// }
    /// ```
    #[must_use]
    pub fn issued_at_policy_update(&self) -> u64 {
        self.issued_at_policy_update
    }

    /// For how many policy updates it holds.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardCertificateV1) {
    ///     let _ = value.expiry_policy_updates();
    /// }
    /// ```
    #[must_use]
    pub fn expiry_policy_updates(&self) -> u64 {
        self.expiry_policy_updates
    }

    /// When it was issued.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardCertificateV1) {
    ///     let _ = value.issued_at();
    /// }
    /// ```
    #[must_use]
    pub fn issued_at(&self) -> &str {
        &self.issued_at
    }

    /// Who vouches for it.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardCertificateV1) {
    ///     let _ = value.issuer();
    /// }
    /// ```
    #[must_use]
    pub fn issuer(&self) -> RewardCertificateIssuerV1 {
        self.issuer
    }

    /// The key that signed the document, by the name that the reader's keyring has for it.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardCertificateV1) {
    ///     let _ = value.issuer_key_id();
    /// }
    /// ```
    #[must_use]
    pub fn issuer_key_id(&self) -> &str {
        &self.issuer_key_id
    }

    /// The signature over the canonical bytes of the document without signature and signature_algorithm.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardCertificateV1) {
    ///     let _ = value.signature();
    /// }
    /// ```
    #[must_use]
    pub fn signature(&self) -> &str {
        &self.signature
    }
}

impl Complete for RewardCertificateV1 {
    fn complete(members: &Members<'_, '_>) -> Self {
        Self {
            certificate_id: members.text("certificate_id"),
            reward_contract_digest: members.text("reward_contract_digest"),
            checker_configuration_digest: members.text("checker_configuration_digest"),
            epsilon: members.double("epsilon"),
            delta: members.double("delta"),
            threshold: members.double("threshold"),
            calibration_corpus_digest: members.text("calibration_corpus_digest"),
            calibration_scope: members.word::<RewardCalibrationScopeV1>("calibration_scope"),
            issued_at_policy_update: members.integer("issued_at_policy_update"),
            expiry_policy_updates: members.integer("expiry_policy_updates"),
            issued_at: members.text("issued_at"),
            issuer: members.word::<RewardCertificateIssuerV1>("issuer"),
            issuer_key_id: members.text("issuer_key_id"),
            signature: members.text("signature"),
            facts: members.facts(),
        }
    }
}

document!(RewardCertificateV1, "reward_receipts::RewardCertificateV1", Checked::Document(Kind::Certificate));

/// The terminal effect of one episode was read by the oracle, and what it scored. A receipt states nothing else.
///
/// It is valid: its schema and every rule accept it. It is completed, and cannot change.
///
/// ```
/// fn of(documents: &[reward_receipts::RewardEvidenceReceiptV1]) -> usize {
///     documents.len()
/// }
/// assert_eq!(of(&[]), 0);
/// ```
#[derive(Debug, Clone)]
pub struct RewardEvidenceReceiptV1 {
    receipt_id: Box<str>,
    reward_contract_digest: Box<str>,
    policy_checkpoint_id: Box<str>,
    policy_update: u64,
    episode_id: Box<str>,
    oracle_tier: OracleTier,
    reward_outcome: RewardOutcomeV1,
    evidence_digest: Box<str>,
    reward_components: BTreeMap<Box<str>, f64>,
    scalar_reward: Option<f64>,
    certificate_id: Option<Box<str>>,
    certificate_digest: Option<Box<str>>,
    certificate_state: RewardCertificateStateV1,
    calibration_corpus_digest: Option<Box<str>>,
    calibration_scope: Option<RewardCalibrationScopeV1>,
    uncertainty: RewardUncertaintyStateV1,
    certified: bool,
    development_only: bool,
    issuer_key_id: Box<str>,
    nonce: Box<str>,
    issued_at: Box<str>,
    signature: Box<str>,
    pub(crate) facts: Facts,
}

impl RewardEvidenceReceiptV1 {
    /// The receipt.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardEvidenceReceiptV1) {
    ///     let _ = value.receipt_id();
    /// }
    /// ```
    #[must_use]
    pub fn receipt_id(&self) -> &str {
        &self.receipt_id
    }

    /// Digest of the contract that the episode was scored under.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardEvidenceReceiptV1) {
    ///     let _ = value.reward_contract_digest();
    /// }
    /// ```
    #[must_use]
    pub fn reward_contract_digest(&self) -> &str {
        &self.reward_contract_digest
    }

    /// The checkpoint of the policy that acted.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardEvidenceReceiptV1) {
    ///     let _ = value.policy_checkpoint_id();
    /// }
    /// ```
    #[must_use]
    pub fn policy_checkpoint_id(&self) -> &str {
        &self.policy_checkpoint_id
    }

    /// The policy update of that checkpoint.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardEvidenceReceiptV1) {
    ///     let _ = value.policy_update();
    /// }
    /// ```
    #[must_use]
    pub fn policy_update(&self) -> u64 {
        self.policy_update
    }

    /// The episode.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardEvidenceReceiptV1) {
    ///     let _ = value.episode_id();
    /// }
    /// ```
    #[must_use]
    pub fn episode_id(&self) -> &str {
        &self.episode_id
    }

    /// The tier at which the terminal effect was read.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardEvidenceReceiptV1) {
    ///     let _ = value.oracle_tier();
    /// }
    /// ```
    #[must_use]
    pub fn oracle_tier(&self) -> OracleTier {
        self.oracle_tier
    }

    /// What the oracle found.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardEvidenceReceiptV1) {
    ///     let _ = value.reward_outcome();
    /// }
    /// ```
    #[must_use]
    pub fn reward_outcome(&self) -> RewardOutcomeV1 {
        self.reward_outcome
    }

    /// Digest of the evidence, which itself appears nowhere.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardEvidenceReceiptV1) {
    ///     let _ = value.evidence_digest();
    /// }
    /// ```
    #[must_use]
    pub fn evidence_digest(&self) -> &str {
        &self.evidence_digest
    }

    /// What each component contributed, by the component's name.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardEvidenceReceiptV1) {
    ///     let _ = value.reward_components();
    /// }
    /// ```
    #[must_use]
    pub fn reward_components(&self) -> &BTreeMap<Box<str>, f64> {
        &self.reward_components
    }

    /// The reward, or null for an unscored episode, which is never 0.0.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardEvidenceReceiptV1) {
    ///     let _ = value.scalar_reward();
    /// }
    /// ```
    #[must_use]
    pub fn scalar_reward(&self) -> Option<f64> {
        self.scalar_reward
    }

    /// The certificate that the receipt refers to.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardEvidenceReceiptV1) {
    ///     let _ = value.certificate_id();
    /// }
    /// ```
    #[must_use]
    pub fn certificate_id(&self) -> Option<&str> {
        self.certificate_id.as_deref()
    }

    /// Digest of that certificate.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardEvidenceReceiptV1) {
    ///     let _ = value.certificate_digest();
    /// }
    /// ```
    #[must_use]
    pub fn certificate_digest(&self) -> Option<&str> {
        self.certificate_digest.as_deref()
    }

    /// Where that certificate was at policy_update.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardEvidenceReceiptV1) {
    ///     let _ = value.certificate_state();
    /// }
    /// ```
    #[must_use]
    pub fn certificate_state(&self) -> RewardCertificateStateV1 {
        self.certificate_state
    }

    /// Digest of the corpus that the certificate names.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardEvidenceReceiptV1) {
    ///     let _ = value.calibration_corpus_digest();
    /// }
    /// ```
    #[must_use]
    pub fn calibration_corpus_digest(&self) -> Option<&str> {
        self.calibration_corpus_digest.as_deref()
    }

    /// The scope that the certificate names: always synthetic.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardEvidenceReceiptV1) {
    ///     let _ = value.calibration_scope();
    /// }
    /// ```
    #[must_use]
    pub fn calibration_scope(&self) -> Option<RewardCalibrationScopeV1> {
        self.calibration_scope
    }

    /// What is uncertain about the effect.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardEvidenceReceiptV1) {
    ///     let _ = value.uncertainty();
    /// }
    /// ```
    #[must_use]
    pub fn uncertainty(&self) -> RewardUncertaintyStateV1 {
        self.uncertainty
    }

    /// Whether the reward is certified (synthetic).
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardEvidenceReceiptV1) {
    ///     let _ = value.certified();
    /// }
    /// ```
    #[must_use]
    pub fn certified(&self) -> bool {
        self.certified
    }

    /// Whether the tier is one that a certificate cannot cover.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardEvidenceReceiptV1) {
    ///     let _ = value.development_only();
    /// }
    /// ```
    #[must_use]
    pub fn development_only(&self) -> bool {
        self.development_only
    }

    /// The key that signed the document, by the name that the reader's keyring has for it.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardEvidenceReceiptV1) {
    ///     let _ = value.issuer_key_id();
    /// }
    /// ```
    #[must_use]
    pub fn issuer_key_id(&self) -> &str {
        &self.issuer_key_id
    }

    /// Used once per issuer key.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardEvidenceReceiptV1) {
    ///     let _ = value.nonce();
    /// }
    /// ```
    #[must_use]
    pub fn nonce(&self) -> &str {
        &self.nonce
    }

    /// When the receipt was issued.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardEvidenceReceiptV1) {
    ///     let _ = value.issued_at();
    /// }
    /// ```
    #[must_use]
    pub fn issued_at(&self) -> &str {
        &self.issued_at
    }

    /// The signature over the canonical bytes of the document without signature and signature_algorithm.
    ///
    /// ```
    /// fn of(value: &reward_receipts::RewardEvidenceReceiptV1) {
    ///     let _ = value.signature();
    /// }
    /// ```
    #[must_use]
    pub fn signature(&self) -> &str {
        &self.signature
    }
}

impl Complete for RewardEvidenceReceiptV1 {
    fn complete(members: &Members<'_, '_>) -> Self {
        Self {
            receipt_id: members.text("receipt_id"),
            reward_contract_digest: members.text("reward_contract_digest"),
            policy_checkpoint_id: members.text("policy_checkpoint_id"),
            policy_update: members.integer("policy_update"),
            episode_id: members.text("episode_id"),
            oracle_tier: members.word::<OracleTier>("oracle_tier"),
            reward_outcome: members.word::<RewardOutcomeV1>("reward_outcome"),
            evidence_digest: members.text("evidence_digest"),
            reward_components: members.doubles("reward_components"),
            scalar_reward: members.optional_double("scalar_reward"),
            certificate_id: members.optional_text("certificate_id"),
            certificate_digest: members.optional_text("certificate_digest"),
            certificate_state: members.word::<RewardCertificateStateV1>("certificate_state"),
            calibration_corpus_digest: members.optional_text("calibration_corpus_digest"),
            calibration_scope: members.optional_word::<RewardCalibrationScopeV1>("calibration_scope"),
            uncertainty: members.word::<RewardUncertaintyStateV1>("uncertainty"),
            certified: members.boolean("certified"),
            development_only: members.boolean("development_only"),
            issuer_key_id: members.text("issuer_key_id"),
            nonce: members.text("nonce"),
            issued_at: members.text("issued_at"),
            signature: members.text("signature"),
            facts: members.facts(),
        }
    }
}

document!(RewardEvidenceReceiptV1, "reward_receipts::RewardEvidenceReceiptV1", Checked::Document(Kind::Receipt));

/// One term: a registered component, what it is made with, and how its raw value becomes a contribution.
///
/// ```
/// fn of(documents: &[reward_receipts::rewards::RewardSpecComponent]) -> usize {
///     documents.len()
/// }
/// assert_eq!(of(&[]), 0);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct RewardSpecComponent {
    type_: Box<str>,
    name: Option<Box<str>>,
    params: Option<Json<'static>>,
    weight: Option<f64>,
    clip: Option<Option<[Option<f64>; 2]>>,
}

impl RewardSpecComponent {
    /// The name that the component is registered under.
    ///
    /// ```
    /// fn of(value: &reward_receipts::rewards::RewardSpecComponent) {
    ///     let _ = value.type_();
    /// }
    /// ```
    #[must_use]
    pub fn type_(&self) -> &str {
        &self.type_
    }

    /// What gates, contributions and traces call the term. Left out, it is the type.
    ///
    /// ```
    /// fn of(value: &reward_receipts::rewards::RewardSpecComponent) {
    ///     let _ = value.name();
    /// }
    /// ```
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// What the component is made with: any JSON, by the name of the parameter; numbers count as doubles. Left out, the component's own defaults.
    ///
    /// ```
    /// fn of(value: &reward_receipts::rewards::RewardSpecComponent) {
    ///     let _ = value.params();
    /// }
    /// ```
    #[must_use]
    pub fn params(&self) -> Option<&Json<'static>> {
        self.params.as_ref()
    }

    /// What the clipped value is multiplied by. Left out, it is the component's own default.
    ///
    /// ```
    /// fn of(value: &reward_receipts::rewards::RewardSpecComponent) {
    ///     let _ = value.weight();
    /// }
    /// ```
    #[must_use]
    pub fn weight(&self) -> Option<f64> {
        self.weight
    }

    /// The bounds that the raw value is clipped to; null for none. Left out, they are the component's own.
    ///
    /// ```
    /// fn of(value: &reward_receipts::rewards::RewardSpecComponent) {
    ///     let _ = value.clip();
    /// }
    /// ```
    #[must_use]
    #[allow(clippy::option_option)] // left out and null are two things
    pub fn clip(&self) -> Option<Option<[Option<f64>; 2]>> {
        self.clip
    }
}

impl Complete for RewardSpecComponent {
    fn complete(members: &Members<'_, '_>) -> Self {
        Self {
            type_: members.text("type"),
            name: members.optional_text("name"),
            params: members.optional_json("params"),
            weight: members.optional_double("weight"),
            clip: members.maybe_null_bounds("clip"),
        }
    }
}

part!(RewardSpecComponent, schemas::REWARD_SPEC_COMPONENT);

/// A gate: one term contributes 0 unless another one contributed more than 0 at the same step.
///
/// ```
/// fn of(documents: &[reward_receipts::rewards::RewardSpecGate]) -> usize {
///     documents.len()
/// }
/// assert_eq!(of(&[]), 0);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct RewardSpecGate {
    component: Box<str>,
    requires: Box<str>,
}

impl RewardSpecGate {
    /// The name of the term that the gate closes.
    ///
    /// ```
    /// fn of(value: &reward_receipts::rewards::RewardSpecGate) {
    ///     let _ = value.component();
    /// }
    /// ```
    #[must_use]
    pub fn component(&self) -> &str {
        &self.component
    }

    /// The name of the term that has to be positive.
    ///
    /// ```
    /// fn of(value: &reward_receipts::rewards::RewardSpecGate) {
    ///     let _ = value.requires();
    /// }
    /// ```
    #[must_use]
    pub fn requires(&self) -> &str {
        &self.requires
    }
}

impl Complete for RewardSpecGate {
    fn complete(members: &Members<'_, '_>) -> Self {
        Self {
            component: members.text("component"),
            requires: members.text("requires"),
        }
    }
}

part!(RewardSpecGate, schemas::REWARD_SPEC_GATE);

/// A reward as data: named components, each clipped, weighted and gated, whose contributions are added in this order.
///
/// It is valid: its schema and every rule accept it. It is completed, and cannot change.
///
/// ```
/// fn of(documents: &[reward_receipts::rewards::RewardSpec]) -> usize {
///     documents.len()
/// }
/// assert_eq!(of(&[]), 0);
/// ```
#[derive(Debug, Clone)]
pub struct RewardSpec {
    name: Box<str>,
    components: Vec<RewardSpecComponent>,
    gates: Vec<RewardSpecGate>,
    pub(crate) facts: Facts,
}

impl RewardSpec {
    /// What people call the reward.
    ///
    /// ```
    /// fn of(value: &reward_receipts::rewards::RewardSpec) {
    ///     let _ = value.name();
    /// }
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The terms of the reward, in the order in which their contributions are added.
    ///
    /// ```
    /// fn of(value: &reward_receipts::rewards::RewardSpec) {
    ///     let _ = value.components();
    /// }
    /// ```
    #[must_use]
    pub fn components(&self) -> &[RewardSpecComponent] {
        &self.components
    }

    /// Which terms count only where another one is positive.
    ///
    /// ```
    /// fn of(value: &reward_receipts::rewards::RewardSpec) {
    ///     let _ = value.gates();
    /// }
    /// ```
    #[must_use]
    pub fn gates(&self) -> &[RewardSpecGate] {
        &self.gates
    }
}

impl Complete for RewardSpec {
    fn complete(members: &Members<'_, '_>) -> Self {
        Self {
            name: members.text("name"),
            components: members.parts::<RewardSpecComponent>("components"),
            gates: members.parts::<RewardSpecGate>("gates"),
            facts: members.facts(),
        }
    }
}

document!(RewardSpec, "reward_receipts::rewards::RewardSpec", Checked::Spec);
