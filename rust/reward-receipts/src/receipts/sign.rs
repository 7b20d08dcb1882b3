//! Signatures over the canonical bytes of a document, made with a private key and checked against keys that the reader
//! holds.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::core::findings::InvalidDocument;
use crate::core::strict_json::read;
use crate::core::value::Json;
use crate::documents::model::Document;
use crate::generated::documents::{RewardCertificateV1, RewardEvidenceReceiptV1};
use crate::receipts::ed25519::{Computed, ManyTimesKey};
use crate::receipts::keys::{Keyring, SigningKey};

/// What verification found. Only `Valid` is good.
///
/// ```
/// assert_eq!(reward_receipts::SignatureVerdict::SignerUnknown.to_string(), "signer-unknown");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SignatureVerdict {
    /// The key that the document names signed it.
    Valid,
    /// It did not, or the document was altered since.
    Invalid,
    /// The keyring has no key under the document's issuer key id.
    SignerUnknown,
}

impl fmt::Display for SignatureVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Valid => "valid",
            Self::Invalid => "invalid",
            Self::SignerUnknown => "signer-unknown",
        })
    }
}

/// A document could not be signed.
///
/// ```
/// use reward_receipts::{SignError, SigningKey, samples, sign};
///
/// let other = SigningKey::generate("another.key:1")?;
/// assert!(matches!(sign(&samples::receipt(), &other), Err(SignError::AnotherKey { .. })));
/// # Ok::<(), reward_receipts::KeyError>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SignError {
    /// The document names another key than the one that was to sign it.
    #[error("the document names key {document}; the signing key is {key}")]
    AnotherKey {
        /// The id in the document.
        document: String,
        /// The id of the key.
        key: String,
    },
    /// The document does not hold.
    #[error(transparent)]
    Invalid(#[from] InvalidDocument),
}

/// A document that carries a signature over itself: a certificate or a receipt.
///
/// ```
/// use reward_receipts::{Signed, samples};
///
/// let unsigned = samples::receipt().unsigned_text();
/// assert!(!unsigned.contains("\"signature\""));
/// ```
#[allow(private_bounds)]
pub trait Signed: Sealed + Sized {
    /// The key that the document says signed it.
    fn signer(&self) -> &str;

    /// The canonical text that the signature covers: the completed document without `signature` and
    /// `signature_algorithm`.
    fn unsigned_text(&self) -> String;
}

pub(crate) trait Sealed: Document {
    fn canonical(&self) -> &str;
    fn signature_text(&self) -> &str;
}

macro_rules! signed {
    ($name:ident) => {
        impl Sealed for $name {
            fn canonical(&self) -> &str {
                self.canonical_text()
            }

            fn signature_text(&self) -> &str {
                self.signature()
            }
        }

        impl Signed for $name {
            fn signer(&self) -> &str {
                self.issuer_key_id()
            }

            fn unsigned_text(&self) -> String {
                around_signature(self.canonical()).concat()
            }
        }
    };
}

signed!(RewardCertificateV1);
signed!(RewardEvidenceReceiptV1);

const SIGNATURE: &str = ",\"signature\":\"";

/// What of a canonical text is signed: that before the two members of the signature, which stand next to each other
/// after others, and that after them.
pub(crate) fn around_signature(text: &str) -> [&str; 2] {
    // No text in a signed document has an unescaped quote, so that this is where the member is.
    let Some(start) = memchr::memmem::find(text.as_bytes(), SIGNATURE.as_bytes()) else { return [text, ""] };
    let (before, signature) = text.split_at(start);
    let mut rest = &signature[SIGNATURE.len()..];
    // The quotes that end its text, and those around the name and the text of the algorithm.
    for _ in 0..5 {
        rest = rest.split_once('"').map_or("", |(_, after)| after);
    }
    [before, rest]
}

/// Used where a document is not signed yet: 64 zero bytes, which verify under no key.
pub(crate) const PLACEHOLDER: &str =
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==";

/// A copy of a certificate or a receipt with the key's signature over it, in place of one that is there.
///
/// ```
/// use reward_receipts::{SignatureVerdict, SigningKey, samples, sign, verify};
///
/// let receipt = samples::receipt();
/// let key = SigningKey::generate(receipt.issuer_key_id())?;
/// let signed = sign(&receipt, &key).unwrap();
/// assert_eq!(verify(&signed, &key.keyring()), SignatureVerdict::Valid);
/// # Ok::<(), reward_receipts::KeyError>(())
/// ```
///
/// # Errors
///
/// A document that names another key.
pub fn sign<D: Signed>(document: &D, key: &SigningKey) -> Result<D, SignError> {
    if document.signer() != key.id() {
        let shown = |id: &str| crate::core::redaction::redacted(id).into_owned();
        return Err(SignError::AnotherKey { document: shown(document.signer()), key: shown(key.id()) });
    }
    let signature = key.signature_of(document.unsigned_text().as_bytes());
    let signed = read(document.canonical().as_bytes())?.with_member("signature", Json::from(signature));
    Ok(D::of_value(&signed)?)
}

/// Whether a key that the caller holds signed a certificate or a receipt.
///
/// The keyring is asked for the document's issuer key id only: a right key under another id is not tried.
///
/// ```
/// use reward_receipts::{Keyring, SignatureVerdict, samples, verify};
///
/// assert_eq!(verify(&samples::receipt(), &Keyring::default()), SignatureVerdict::SignerUnknown);
/// ```
#[must_use]
pub fn verify<D: Signed>(document: &D, keyring: &Keyring) -> SignatureVerdict {
    let Some(key) = keyring.get(document.signer()) else { return SignatureVerdict::SignerUnknown };
    if computed(document, &ManyTimesKey::new(key)).is_some_and(|computed| computed.is_valid()) {
        SignatureVerdict::Valid
    } else {
        SignatureVerdict::Invalid
    }
}

/// What a key makes of the signature of a document; `None` if it is invalid already.
pub(crate) fn computed<D: Sealed>(document: &D, key: &ManyTimesKey) -> Option<Computed> {
    // The schema has it that a signature is the canonical base64 of 64 bytes.
    let mut bytes = [0; 66];
    let length = STANDARD.decode_slice(document.signature_text(), &mut bytes).ok()?;
    let signature: &[u8; 64] = bytes.get(..length)?.try_into().ok()?;
    key.computed(around_signature(document.canonical()).map(str::as_bytes), signature)
}
