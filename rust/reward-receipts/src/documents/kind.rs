//! The kinds of documents that an audit reads.

use std::fmt;
use std::str::FromStr;

use crate::documents::vocabulary::UnknownWord;
use crate::generated::tables::{REWARD_CERTIFICATE_SCHEMA, REWARD_CONTRACT_SCHEMA, REWARD_EVIDENCE_RECEIPT_SCHEMA};

/// The kind of a document that an audit reads.
///
/// ```
/// use reward_receipts::Kind;
///
/// assert_eq!("receipt".parse(), Ok(Kind::Receipt));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// What earns reward.
    Contract,
    /// The bound on a checker's false accepts.
    Certificate,
    /// What one episode scored.
    Receipt,
}

impl Kind {
    /// All kinds.
    pub const ALL: &'static [Self] = &[Self::Contract, Self::Certificate, Self::Receipt];

    /// The name of the kind.
    ///
    /// ```
    /// assert_eq!(reward_receipts::Kind::Contract.as_str(), "contract");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Contract => "contract",
            Self::Certificate => "certificate",
            Self::Receipt => "receipt",
        }
    }

    /// The `schema_version` of its documents.
    ///
    /// ```
    /// assert_eq!(reward_receipts::Kind::Contract.schema_version(), "openadapt.reward-contract/v1");
    /// ```
    #[must_use]
    pub const fn schema_version(self) -> &'static str {
        match self {
            Self::Contract => REWARD_CONTRACT_SCHEMA,
            Self::Certificate => REWARD_CERTIFICATE_SCHEMA,
            Self::Receipt => REWARD_EVIDENCE_RECEIPT_SCHEMA,
        }
    }

    pub(crate) fn of_schema_version(version: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.schema_version() == version)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Kind {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == word).ok_or_else(|| UnknownWord::new("kind", word))
    }
}
