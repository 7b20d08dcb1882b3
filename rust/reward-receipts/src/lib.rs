//! Reward contracts, certificates and signed receipts for reinforcement learning: read, validated, digested, scored,
//! signed, verified, audited, issued; and rewards as data: read, resolved, run.
//!
//! A document is read strictly, checked against its schema and every rule, completed, and cannot change. A certificate
//! is always of a synthetic calibration, and a reward that is certified is certified (synthetic).
//!
//! ```
//! use reward_receipts::{Audit, AuditVerdict, Keyring, RewardContractV1, RewardEvidenceReceiptV1, samples};
//!
//! # let (contract, receipt) = (samples::contract(), samples::receipt());
//! # let (contract_text, receipt_text) = (contract.canonical_text().as_bytes(), receipt.canonical_text().as_bytes());
//! let contract = RewardContractV1::read(contract_text)?;
//! let receipt = RewardEvidenceReceiptV1::read(receipt_text)?;
//! let keyring = Keyring::default(); // what the reader already holds
//!
//! let audit = Audit { contract: Some(&contract), keyring: Some(&keyring), ..Audit::default() };
//! assert_eq!(audit.of(&receipt)?.verdict, AuditVerdict::Undecided); // nobody here knows the signer
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;

pub mod bulk;
mod core;
mod documents;
#[rustfmt::skip]
#[allow(clippy::all, clippy::pedantic, unreachable_pub)]
mod generated {
    //! Written by scripts/generate.py from schemas/.

    pub mod audit;
    #[allow(dead_code)] // not every sentence is of a check that the crate makes
    pub mod codes;
    pub mod documents;
    pub mod schemas;
    pub mod tables;
    #[macro_use]
    pub mod vocabulary;
}
/// What the Python extension of this workspace is made with. No part of the interface: it can change in any version.
#[doc(hidden)]
pub mod direct {
    pub use crate::documents::direct::members::{Direct, Field, Member, fields};
    pub use crate::receipts::ed25519::VerifyingKey;
}
mod receipts;
pub mod rewards;
#[doc(hidden)]
pub mod samples;
mod validation;

pub use crate::core::canonical::{canonical_bytes, sha256_digest};
pub use crate::core::codes::{Code, CodedSentence, Layer};
pub use crate::core::findings::{Finding, InvalidDocument};
pub use crate::core::strict_json::{read, read_within};
pub use crate::core::value::{Json, JsonKind};
pub use crate::documents::certificate::{PolicyUpdateOutOfRange, certificate_state, unmet};
pub use crate::documents::kind::Kind;
pub use crate::documents::read::{RewardDocument, read_document};
pub use crate::documents::vocabulary::UnknownWord;
pub use crate::generated::documents::{
    RewardCertificatePolicyV1, RewardCertificateV1, RewardComponentV1, RewardContractV1, RewardEvidenceReceiptV1,
    RewardOracleV1, RewardScoringPolicyV1,
};
pub use crate::generated::tables::*;
pub use crate::generated::vocabulary::*;
pub use crate::receipts::audit::{Audit, AuditFinding, AuditReport, AuditVerdict, audit};
pub use crate::receipts::certification::certification_refusals;
pub use crate::receipts::ed25519::is_valid_signature;
pub use crate::receipts::issue::{Episode, IssueError, issue};
pub use crate::receipts::keys::{KeyError, Keyring, SigningKey};
pub use crate::receipts::score::{RewardScoreV1, score};
pub use crate::receipts::sign::{SignError, SignatureVerdict, Signed, sign, verify};
