//! What each target asks of a text. An answer that breaks a promise is a panic; the crate itself never panics.

use reward_receipts::direct::Direct;
use reward_receipts::rewards::RewardSpec;
use reward_receipts::{
    InvalidDocument, Keyring, Kind, RewardCertificateV1, RewardContractV1, RewardEvidenceReceiptV1, SigningKey,
    canonical_bytes, read, read_document,
};

/// A refusal names at least one finding, each with a place inside the text.
fn refused(text: &[u8], refusal: &InvalidDocument) {
    assert!(!refusal.findings().is_empty());
    let lines = text.split(|byte| *byte == b'\n').count();
    for finding in refusal.findings() {
        assert!(finding.line.is_some_and(|line| line >= 1 && line as usize <= lines), "{finding}");
        assert!(finding.column.is_some_and(|column| column >= 1 && column as usize <= text.len() + 1), "{finding}");
    }
}

/// Canonical text reads back to itself.
pub(crate) fn text(data: &[u8]) {
    match read(data) {
        Ok(value) => {
            let canonical = canonical_bytes(&value);
            let again = read(&canonical).map(|value| canonical_bytes(&value));
            // The canonical form is in ASCII, so that a text which just fits may not fit any more.
            assert!(again.as_ref() == Ok(&canonical) || canonical.len() > reward_receipts::MAX_TEXT_BYTES);
        }
        Err(refusal) => refused(data, &refusal),
    }
}

/// A document that is accepted is accepted in its canonical form too, with the same digest.
pub(crate) fn document(data: &[u8]) {
    for kind in [None, Some(Kind::Contract), Some(Kind::Certificate), Some(Kind::Receipt)] {
        match read_document(data, kind) {
            Ok(document) => {
                the_long_way_agrees(data, kind);
                let again = read_document(document.canonical_text().as_bytes(), None).expect("it is a document");
                assert_eq!(again.digest(), document.digest());
            }
            Err(refusal) => refused(data, &refusal),
        }
    }
}

/// What the short way accepts, the general reader and the checks accept, and make the same of it.
fn the_long_way_agrees(data: &[u8], kind: Option<Kind>) {
    let Some(direct) = Direct::decode(data, kind) else { return };
    let value = read(data).expect("a strict text");
    let (canonical, long, short) = match direct.kind() {
        Kind::Contract => {
            let document = RewardContractV1::from_json(&value).expect("a contract");
            let short = RewardContractV1::read(data).expect("a contract");
            (document.canonical_text().to_owned(), format!("{document:?}"), format!("{short:?}"))
        }
        Kind::Certificate => {
            let document = RewardCertificateV1::from_json(&value).expect("a certificate");
            let short = RewardCertificateV1::read(data).expect("a certificate");
            (document.canonical_text().to_owned(), format!("{document:?}"), format!("{short:?}"))
        }
        Kind::Receipt => {
            let document = RewardEvidenceReceiptV1::from_json(&value).expect("a receipt");
            let short = RewardEvidenceReceiptV1::read(data).expect("a receipt");
            (document.canonical_text().to_owned(), format!("{document:?}"), format!("{short:?}"))
        }
    };
    assert_eq!(direct.canonical_text(), canonical);
    assert_eq!(short, long);
    let version = value.get("schema_version").and_then(|version| version.as_str());
    assert!(version.map_or(kind.is_some(), |version| version == direct.kind().schema_version()));
}

/// Keys are read or refused, and no message has the text.
pub(crate) fn keyring(data: &[u8]) {
    if let Err(error) = Keyring::read(data) {
        assert!(error.to_string().len() < 1000);
    }
    if let Err(error) = SigningKey::read(data) {
        assert!(error.to_string().len() < 1000);
    }
}

/// A spec that is accepted is accepted in its canonical form too, with the same digest.
pub(crate) fn spec(data: &[u8]) {
    match RewardSpec::read(data) {
        Ok(spec) => {
            let again = RewardSpec::read(spec.canonical_text().as_bytes()).expect("it is a spec");
            assert_eq!(again.digest(), spec.digest());
        }
        Err(refusal) => refused(data, &refusal),
    }
}
