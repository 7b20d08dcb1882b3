//! What each target asks of a text. An answer that breaks a promise is a panic; the crate itself never panics.

use reward_receipts::rewards::RewardSpec;
use reward_receipts::{InvalidDocument, Keyring, Kind, SigningKey, canonical_bytes, read, read_document};

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
                let again = read_document(document.canonical_text().as_bytes(), None).expect("it is a document");
                assert_eq!(again.digest(), document.digest());
            }
            Err(refusal) => refused(data, &refusal),
        }
    }
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
