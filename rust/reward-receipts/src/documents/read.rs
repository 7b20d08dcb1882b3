//! From text to documents: the boundary where they enter a system.

use crate::core::findings::InvalidDocument;
use crate::core::strict_json::{decode, document};
use crate::documents::direct::decode as direct;
use crate::documents::kind::Kind;
use crate::documents::model::Document;
use crate::generated::documents::{RewardCertificateV1, RewardContractV1, RewardEvidenceReceiptV1};
use crate::generated::tables::MAX_TEXT_BYTES;
use crate::validation::check::{Checked, check, kind_of};

/// A document of the kind that was found.
///
/// ```
/// use reward_receipts::{Kind, RewardDocument};
///
/// fn kinds(documents: &[RewardDocument]) -> Vec<Kind> {
///     documents.iter().map(RewardDocument::kind).collect()
/// }
/// assert!(kinds(&[]).is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RewardDocument {
    /// What earns reward.
    Contract(Box<RewardContractV1>),
    /// The bound on a checker's false accepts.
    Certificate(Box<RewardCertificateV1>),
    /// What one episode scored.
    Receipt(Box<RewardEvidenceReceiptV1>),
}

impl RewardDocument {
    /// The kind that was found.
    ///
    /// ```
    /// fn is_receipt(document: &reward_receipts::RewardDocument) -> bool {
    ///     document.kind() == reward_receipts::Kind::Receipt
    /// }
    /// ```
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Contract(_) => Kind::Contract,
            Self::Certificate(_) => Kind::Certificate,
            Self::Receipt(_) => Kind::Receipt,
        }
    }

    /// The digest of the document.
    ///
    /// ```
    /// fn digests(documents: &[reward_receipts::RewardDocument]) -> Vec<&str> {
    ///     documents.iter().map(|document| document.digest()).collect()
    /// }
    /// ```
    #[must_use]
    pub fn digest(&self) -> &str {
        match self {
            Self::Contract(document) => document.digest(),
            Self::Certificate(document) => document.digest(),
            Self::Receipt(document) => document.digest(),
        }
    }

    /// The canonical text of the document.
    ///
    /// ```
    /// fn text(document: &reward_receipts::RewardDocument) -> &str {
    ///     document.canonical_text()
    /// }
    /// ```
    #[must_use]
    pub fn canonical_text(&self) -> &str {
        match self {
            Self::Contract(document) => document.canonical_text(),
            Self::Certificate(document) => document.canonical_text(),
            Self::Receipt(document) => document.canonical_text(),
        }
    }
}

/// The document in a strict JSON text, with its schema and every rule enforced.
///
/// Without a kind the text has to name it, by its `schema_version`.
///
/// ```
/// use reward_receipts::{Code, read_document};
///
/// let refused = read_document(br#"{"schema_version": "openadapt.reward-contract/v2"}"#, None).unwrap_err();
/// assert_eq!(refused.findings()[0].code, Code::SchemaEnum);
/// assert_eq!(refused.findings()[0].pointer, "/schema_version");
/// ```
///
/// # Errors
///
/// What is wrong with the text or the document, with line and column: at least one finding, in the order text, schema,
/// rules, pointer.
pub fn read_document(text: &[u8], kind: Option<Kind>) -> Result<RewardDocument, InvalidDocument> {
    if let Some(decoded) = direct::decode(text, kind) {
        return Ok(match decoded.kind {
            Kind::Contract => RewardDocument::Contract(Box::new(RewardContractV1::of_decoded(&decoded))),
            Kind::Certificate => RewardDocument::Certificate(Box::new(RewardCertificateV1::of_decoded(&decoded))),
            Kind::Receipt => RewardDocument::Receipt(Box::new(RewardEvidenceReceiptV1::of_decoded(&decoded))),
        });
    }
    let text = decode(text, MAX_TEXT_BYTES)?;
    let value = document(text)?;
    let kind = match kind {
        Some(kind) => kind,
        None => kind_of(&value).map_err(|finding| InvalidDocument::from(finding).placed(text))?,
    };
    let findings = check(Checked::Document(kind), &value);
    if !findings.is_empty() {
        return Err(InvalidDocument::new(findings).placed(text));
    }
    Ok(match kind {
        Kind::Contract => RewardDocument::Contract(Box::new(RewardContractV1::of_checked(&value))),
        Kind::Certificate => RewardDocument::Certificate(Box::new(RewardCertificateV1::of_checked(&value))),
        Kind::Receipt => RewardDocument::Receipt(Box::new(RewardEvidenceReceiptV1::of_checked(&value))),
    })
}

/// The document of one kind in a strict JSON text.
pub(crate) fn read_as<D: Document>(text: &[u8]) -> Result<D, InvalidDocument> {
    if let Checked::Document(kind) = D::CHECKED
        && let Some(decoded) = direct::decode(text, Some(kind))
    {
        return Ok(D::of_decoded(&decoded));
    }
    let text = decode(text, MAX_TEXT_BYTES)?;
    D::of_value(&document(text)?).map_err(|refused| refused.placed(text))
}
