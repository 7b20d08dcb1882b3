// What follows from an outcome and from a channel, and the limits.
//
// Generated from schemas/. Do not edit: change the schemas, then run
//
//     python scripts/generate

use super::vocabulary::{OracleChannel, OracleTier, RewardOutcomeV1};

/// How an outcome is scored.
///
/// ```
/// use reward_receipts::RewardScoringClassV1::Unscored;
/// use reward_receipts::RewardOutcomeV1;
///
/// assert_eq!(RewardOutcomeV1::FailedPlatform.scoring_class(), Unscored);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RewardScoringClassV1 {
    /// A reward above 0.
    AdmittedPositive,
    /// 0 or below.
    ZeroOrPenalty,
    /// No scalar at all, never 0.0.
    Unscored,
}

impl RewardOutcomeV1 {
    /// How the outcome is scored.
    ///
    /// ```
    /// reward_receipts::RewardOutcomeV1::Verified.scoring_class(); // "admitted_positive"
    /// ```
    #[must_use]
    pub const fn scoring_class(self) -> RewardScoringClassV1 {
        match self {
            Self::Verified => RewardScoringClassV1::AdmittedPositive,
            Self::HaltedBeforeEffect | Self::Refused | Self::RejectedPolicy | Self::WrongEffect => RewardScoringClassV1::ZeroOrPenalty,
            Self::ReconciliationRequired | Self::FailedPlatform => RewardScoringClassV1::Unscored,
        }
    }
}

impl OracleChannel {
    /// The tier of the channel.
    ///
    /// ```
    /// assert!(reward_receipts::OracleChannel::Api.tier() > reward_receipts::OracleChannel::Ocr.tier());
    /// ```
    #[must_use]
    pub const fn tier(self) -> OracleTier {
        match self {
            Self::Visual | Self::Ocr => OracleTier::Visual,
            Self::SecondSession => OracleTier::IndependentSession,
            Self::Api | Self::Db | Self::File | Self::Ack => OracleTier::SystemOfRecord,
            Self::Counterparty => OracleTier::Counterparty,
        }
    }
}

/// The lowest tier that a certificate can cover: a certified (synthetic) reward needs it or a higher one.
pub const REWARD_CERTIFIED_MINIMUM_TIER: OracleTier = OracleTier::SystemOfRecord;

/// The greatest number of a policy update.
pub const MAX_POLICY_UPDATE: u64 = 9007199254740991;

/// The longest text that is read, in bytes.
pub const MAX_TEXT_BYTES: usize = 1048576;

/// The largest number of open containers in a text.
pub const MAX_TEXT_DEPTH: usize = 64;

/// The most findings of a document from its schema, and from a rule beyond it. A text of 1 MiB could make half a million.
pub const MAX_FINDINGS: usize = 1000;

/// The most findings of a reward spec from a rule beyond its schema. A small text could make millions.
pub const MAX_SPEC_FINDINGS: usize = 100;

/// The most names that a sentence lists.
pub const MAX_LISTED_NAMES: usize = 100;

/// The most items that are checked of an array, or members of an object, that has more than its schema allows; one more than the schema allows, if that is greater.
pub const MAX_CHECKED_ITEMS: usize = 1000;

/// The longest name of a member whose own members are checked. No schema accepts a longer one, and each of their pointers would repeat it.
pub const MAX_CHECKED_NAME: usize = 1000;

/// The most characters of a value or a name that a sentence shows.
pub const MAX_SHOWN: usize = 80;

/// The most invalid documents of an array after which the rest of it is not checked.
pub const MAX_INVALID_DOCUMENTS: usize = 1000;

/// The most bytes that are read of a file with one key.
pub const MAX_KEY_FILE_BYTES: usize = 4096;

/// The `schema_version` of RewardContractV1.
pub const REWARD_CONTRACT_SCHEMA: &str = "openadapt.reward-contract/v1";

/// The `schema_version` of RewardCertificateV1.
pub const REWARD_CERTIFICATE_SCHEMA: &str = "openadapt.reward-certificate/v1";

/// The `schema_version` of RewardEvidenceReceiptV1.
pub const REWARD_EVIDENCE_RECEIPT_SCHEMA: &str = "openadapt.reward-evidence-receipt/v1";

/// The `schema_version` of RewardSpec.
pub const REWARD_SPEC_SCHEMA: &str = "reward-receipts.reward-spec/v1";
