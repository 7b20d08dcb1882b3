// The words of the documents: enums.
//
// Generated from schemas/. Do not edit: change the schemas, then run
//
//     python scripts/generate

use crate::documents::vocabulary::{integer_enum, text_enum};

/// The channel through which the oracle reads the terminal effect. Its tier follows from it.
///
/// ```
/// use reward_receipts::OracleChannel;
///
/// assert_eq!("visual".parse(), Ok(OracleChannel::Visual));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum OracleChannel {
    /// What the screen shows, read as an image: tier 0.
    Visual,
    /// What the screen shows, read as text: tier 0.
    Ocr,
    /// A second session, independent of the one that acted: tier 1.
    SecondSession,
    /// The application programming interface of the system of record: tier 2.
    Api,
    /// The database of the system of record: tier 2.
    Db,
    /// A file that the system of record wrote: tier 2.
    File,
    /// An acknowledgement by the system of record: tier 2.
    Ack,
    /// What the other party to the effect holds: tier 3.
    Counterparty,
}

impl OracleChannel {
    /// All members, in the order of the schema.
    pub const ALL: &'static [Self] = &[Self::Visual, Self::Ocr, Self::SecondSession, Self::Api, Self::Db, Self::File, Self::Ack, Self::Counterparty];

    /// The value in a document.
    ///
    /// ```
    /// assert_eq!(reward_receipts::OracleChannel::Visual.as_str(), "visual");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Visual => "visual",
            Self::Ocr => "ocr",
            Self::SecondSession => "second_session",
            Self::Api => "api",
            Self::Db => "db",
            Self::File => "file",
            Self::Ack => "ack",
            Self::Counterparty => "counterparty",
        }
    }
}

text_enum!(OracleChannel);

/// What the checker was calibrated on. Version 1 knows one scope; a production scope cannot be written down.
///
/// ```
/// use reward_receipts::RewardCalibrationScopeV1;
///
/// assert_eq!("synthetic".parse(), Ok(RewardCalibrationScopeV1::Synthetic));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum RewardCalibrationScopeV1 {
    /// A synthetic corpus.
    Synthetic,
}

impl RewardCalibrationScopeV1 {
    /// All members, in the order of the schema.
    pub const ALL: &'static [Self] = &[Self::Synthetic];

    /// The value in a document.
    ///
    /// ```
    /// assert_eq!(reward_receipts::RewardCalibrationScopeV1::Synthetic.as_str(), "synthetic");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Synthetic => "synthetic",
        }
    }
}

text_enum!(RewardCalibrationScopeV1);

/// Who vouches for the certificate. Version 1 knows one issuer.
///
/// ```
/// use reward_receipts::RewardCertificateIssuerV1;
///
/// assert_eq!("self_signed".parse(), Ok(RewardCertificateIssuerV1::SelfSigned));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum RewardCertificateIssuerV1 {
    /// Whoever calibrated the checker, with a key of their own.
    SelfSigned,
}

impl RewardCertificateIssuerV1 {
    /// All members, in the order of the schema.
    pub const ALL: &'static [Self] = &[Self::SelfSigned];

    /// The value in a document.
    ///
    /// ```
    /// assert_eq!(reward_receipts::RewardCertificateIssuerV1::SelfSigned.as_str(), "self_signed");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SelfSigned => "self_signed",
        }
    }
}

text_enum!(RewardCertificateIssuerV1);

/// How independent of the actor's own view the reader of the terminal effect is.
///
/// ```
/// use reward_receipts::OracleTier;
///
/// assert_eq!(OracleTier::try_from(0), Ok(OracleTier::Visual));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum OracleTier {
    /// The actor's own view of the screen.
    Visual,
    /// A session of its own, on the same application.
    IndependentSession,
    /// The system that holds the record.
    SystemOfRecord,
    /// The other party to the effect.
    Counterparty,
}

impl OracleTier {
    /// All members, in the order of the schema.
    pub const ALL: &'static [Self] = &[Self::Visual, Self::IndependentSession, Self::SystemOfRecord, Self::Counterparty];

    /// The value in a document.
    ///
    /// ```
    /// assert_eq!(reward_receipts::OracleTier::Visual.number(), 0);
    /// ```
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::Visual => 0,
            Self::IndependentSession => 1,
            Self::SystemOfRecord => 2,
            Self::Counterparty => 3,
        }
    }
}

integer_enum!(OracleTier);

/// What the oracle found at the end of the episode.
///
/// ```
/// use reward_receipts::RewardOutcomeV1;
///
/// assert_eq!("verified".parse(), Ok(RewardOutcomeV1::Verified));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum RewardOutcomeV1 {
    /// The required effect is there, and no forbidden one.
    Verified,
    /// The policy stopped before it had an effect.
    HaltedBeforeEffect,
    /// The policy declined the task.
    Refused,
    /// A policy of the environment rejected the action.
    RejectedPolicy,
    /// An effect is there that the contract forbids or does not ask for.
    WrongEffect,
    /// Nobody can say yet what the effect was: unscored, never 0.0.
    ReconciliationRequired,
    /// The platform failed, not the policy: unscored, never 0.0.
    FailedPlatform,
}

impl RewardOutcomeV1 {
    /// All members, in the order of the schema.
    pub const ALL: &'static [Self] = &[Self::Verified, Self::HaltedBeforeEffect, Self::Refused, Self::RejectedPolicy, Self::WrongEffect, Self::ReconciliationRequired, Self::FailedPlatform];

    /// The value in a document.
    ///
    /// ```
    /// assert_eq!(reward_receipts::RewardOutcomeV1::Verified.as_str(), "verified");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::HaltedBeforeEffect => "halted_before_effect",
            Self::Refused => "refused",
            Self::RejectedPolicy => "rejected_policy",
            Self::WrongEffect => "wrong_effect",
            Self::ReconciliationRequired => "reconciliation_required",
            Self::FailedPlatform => "failed_platform",
        }
    }
}

text_enum!(RewardOutcomeV1);

/// The state of the certificate at the policy update of the receipt.
///
/// ```
/// use reward_receipts::RewardCertificateStateV1;
///
/// assert_eq!("absent".parse(), Ok(RewardCertificateStateV1::Absent));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum RewardCertificateStateV1 {
    /// No certificate was presented.
    Absent,
    /// The policy update comes before the one that the certificate was issued at.
    NotYetValid,
    /// The certificate holds at this policy update.
    Current,
    /// The certificate's policy updates are used up.
    Expired,
}

impl RewardCertificateStateV1 {
    /// All members, in the order of the schema.
    pub const ALL: &'static [Self] = &[Self::Absent, Self::NotYetValid, Self::Current, Self::Expired];

    /// The value in a document.
    ///
    /// ```
    /// assert_eq!(reward_receipts::RewardCertificateStateV1::Absent.as_str(), "absent");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::NotYetValid => "not_yet_valid",
            Self::Current => "current",
            Self::Expired => "expired",
        }
    }
}

text_enum!(RewardCertificateStateV1);

/// What is uncertain about the terminal effect.
///
/// ```
/// use reward_receipts::RewardUncertaintyStateV1;
///
/// assert_eq!("none".parse(), Ok(RewardUncertaintyStateV1::None));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum RewardUncertaintyStateV1 {
    /// Nothing.
    None,
    /// Whether the action was delivered.
    DeliveryUncertain,
    /// What the effect was.
    EffectUncertain,
    /// The oracle could not be read.
    OracleUnavailable,
}

impl RewardUncertaintyStateV1 {
    /// All members, in the order of the schema.
    pub const ALL: &'static [Self] = &[Self::None, Self::DeliveryUncertain, Self::EffectUncertain, Self::OracleUnavailable];

    /// The value in a document.
    ///
    /// ```
    /// assert_eq!(reward_receipts::RewardUncertaintyStateV1::None.as_str(), "none");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::DeliveryUncertain => "delivery_uncertain",
            Self::EffectUncertain => "effect_uncertain",
            Self::OracleUnavailable => "oracle_unavailable",
        }
    }
}

text_enum!(RewardUncertaintyStateV1);
