//! Audits of many receipts against the contracts and the certificates that are held.

use std::collections::HashMap;

use crate::bulk::lines::{Accepted, CheckedLines, Judge, digest_of, judge_lines};
use crate::documents::certificate::{PolicyUpdateOutOfRange, require_policy_update};
use crate::documents::direct::decode::{Decoded, decode};
use crate::documents::kind::Kind;
use crate::documents::model::Document as _;
use crate::generated::documents::{RewardCertificateV1, RewardContractV1, RewardEvidenceReceiptV1};
use crate::receipts::audit::{Audit, AuditVerdict, SignedDocument};
use crate::receipts::ed25519::{Computed, ManyTimesKey};
use crate::receipts::keys::Keyring;
use crate::receipts::sign::{Sealed, SignatureVerdict, Signed, computed};

/// Audits receipts, each against the contract and the certificate that it names by digest.
///
/// The signature of a certificate is verified once. It finds the receipts that hold; of any other,
/// [`audit`](crate::audit()) says why it does not.
///
/// ```
/// use reward_receipts::{bulk::Auditor, samples};
///
/// let auditor = Auditor::new([samples::contract()], [samples::certificate()], &samples::keyring());
/// assert!(auditor.holds(samples::receipt().canonical_text().as_bytes()));
/// assert!(!auditor.holds(b"{}"));
/// ```
pub struct Auditor {
    contracts: HashMap<Box<str>, RewardContractV1>,
    /// With the verdict on the signature of each.
    certificates: HashMap<Box<str>, (RewardCertificateV1, SignatureVerdict)>,
    keys: Keys,
    at_update: Option<u64>,
    by_digest: bool,
}

enum Keys {
    ById(HashMap<Box<str>, ManyTimesKey>),
    /// One key, for whatever key id a document names.
    One(Box<ManyTimesKey>),
}

impl Keys {
    fn get(&self, id: &str) -> Option<&ManyTimesKey> {
        match self {
            Self::ById(keys) => keys.get(id),
            Self::One(key) => Some(key),
        }
    }

    fn computed<D: Sealed + Signed>(&self, document: &D) -> Result<Computed, SignatureVerdict> {
        let key = self.get(document.signer()).ok_or(SignatureVerdict::SignerUnknown)?;
        computed(document, key).ok_or(SignatureVerdict::Invalid)
    }

    fn verdict<D: Sealed + Signed>(&self, document: &D) -> SignatureVerdict {
        match self.computed(document) {
            Ok(computed) if computed.is_valid() => SignatureVerdict::Valid,
            Ok(_) => SignatureVerdict::Invalid,
            Err(verdict) => verdict,
        }
    }
}

impl Auditor {
    /// An auditor that holds some contracts, certificates and keys.
    ///
    /// ```
    /// use reward_receipts::{Keyring, bulk::Auditor, samples};
    ///
    /// let auditor = Auditor::new([samples::contract()], [samples::certificate()], &Keyring::default());
    /// assert!(!auditor.holds(samples::receipt().canonical_text().as_bytes())); // nobody here knows the signer
    /// ```
    #[must_use]
    pub fn new(
        contracts: impl IntoIterator<Item = RewardContractV1>,
        certificates: impl IntoIterator<Item = RewardCertificateV1>,
        keyring: &Keyring,
    ) -> Self {
        let keys = keyring.ids().filter_map(|id| Some((id.into(), ManyTimesKey::new(keyring.get(id)?))));
        Self::with_keys(contracts, certificates, Keys::ById(keys.collect()))
    }

    /// The same with one key, which is taken for the one that a document names, whatever its id.
    ///
    /// ```
    /// use reward_receipts::{bulk::Auditor, samples};
    ///
    /// let key = samples::keyring().get(samples::receipt().issuer_key_id()).copied().unwrap_or_default();
    /// let auditor = Auditor::with_one_key([samples::contract()], [samples::certificate()], &key);
    /// assert!(auditor.holds(samples::receipt().canonical_text().as_bytes()));
    /// ```
    #[must_use]
    pub fn with_one_key(
        contracts: impl IntoIterator<Item = RewardContractV1>,
        certificates: impl IntoIterator<Item = RewardCertificateV1>,
        key: &[u8; 32],
    ) -> Self {
        Self::with_keys(contracts, certificates, Keys::One(Box::new(ManyTimesKey::new(key))))
    }

    fn with_keys(
        contracts: impl IntoIterator<Item = RewardContractV1>,
        certificates: impl IntoIterator<Item = RewardCertificateV1>,
        keys: Keys,
    ) -> Self {
        let contracts = contracts.into_iter().map(|contract| (contract.digest().into(), contract)).collect();
        let certificates = certificates.into_iter().map(|certificate| {
            let verdict = keys.verdict(&certificate);
            (certificate.digest().into(), (certificate, verdict))
        });
        let certificates = certificates.collect();
        Self { contracts, certificates, keys, at_update: None, by_digest: true }
    }

    /// The same at the trainer's own policy update.
    ///
    /// ```
    /// use reward_receipts::{bulk::Auditor, samples};
    ///
    /// let auditor = Auditor::new([samples::contract()], [samples::certificate()], &samples::keyring()).at_update(0)?;
    /// assert!(!auditor.holds(samples::receipt().canonical_text().as_bytes())); // it is of a later update
    /// # Ok::<(), reward_receipts::PolicyUpdateOutOfRange>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A policy update that is out of range.
    pub fn at_update(mut self, policy_update: u64) -> Result<Self, PolicyUpdateOutOfRange> {
        self.at_update = Some(require_policy_update(policy_update)?);
        Ok(self)
    }

    /// The same, but where one contract is held, or one certificate, it is taken for receipts that name another.
    ///
    /// ```
    /// use reward_receipts::{bulk::Auditor, samples};
    ///
    /// let auditor = Auditor::new([samples::contract()], [samples::certificate()], &samples::keyring());
    /// assert!(auditor.or_the_only_one().holds(samples::receipt().canonical_text().as_bytes()));
    /// ```
    #[must_use]
    pub const fn or_the_only_one(mut self) -> Self {
        self.by_digest = false;
        self
    }

    /// Whether a text is a receipt of which every check that applies ran and passed.
    ///
    /// ```
    /// use reward_receipts::{bulk::Auditor, samples};
    ///
    /// let auditor = Auditor::new([], [], &samples::keyring());
    /// assert!(!auditor.holds(samples::receipt().canonical_text().as_bytes())); // it holds no contract
    /// ```
    #[must_use]
    pub fn holds(&self, text: &[u8]) -> bool {
        let Some(decoded) = decode(text, Some(Kind::Receipt)) else { return false };
        self.holds_if(&RewardEvidenceReceiptV1::of_decoded(&decoded)).is_some_and(|computed| computed.is_valid())
    }

    /// Audits each line of a buffer of JSON Lines, on some threads. Accepted are the receipts that hold.
    ///
    /// ```
    /// use reward_receipts::{bulk::Auditor, samples};
    ///
    /// let auditor = Auditor::new([samples::contract()], [samples::certificate()], &samples::keyring());
    /// let text = format!("{}\n{{}}\n", samples::receipt().canonical_text());
    /// assert_eq!(auditor.audit_lines(text.as_bytes(), 2).accepted(), 1);
    /// ```
    #[must_use]
    pub fn audit_lines(&self, buffer: &[u8], threads: usize) -> CheckedLines {
        judge_lines(buffer, threads, &Audits(self))
    }

    /// Verifies the signature in each line of a buffer of JSON Lines, on some threads. Accepted are valid ones.
    ///
    /// ```
    /// use reward_receipts::{bulk::Auditor, samples};
    ///
    /// let auditor = Auditor::new([], [], &samples::keyring());
    /// let text = format!("{}\n{}", samples::receipt().canonical_text(), samples::contract().canonical_text());
    /// assert_eq!(auditor.verify_lines(text.as_bytes(), None, 1).accepted(), 1); // a contract has no signature
    /// ```
    #[must_use]
    pub fn verify_lines(&self, buffer: &[u8], kind: Option<Kind>, threads: usize) -> CheckedLines {
        judge_lines(buffer, threads, &Signatures(self, kind))
    }

    /// What decides whether a receipt holds, if nothing else speaks against it.
    fn holds_if(&self, receipt: &RewardEvidenceReceiptV1) -> Option<Computed> {
        let computed = self.keys.computed(receipt).ok()?;
        let only = |count: usize| !self.by_digest && count == 1;
        let contract = self.contracts.get(receipt.reward_contract_digest());
        let contract = contract.or_else(|| self.contracts.values().next().filter(|_| only(self.contracts.len())));
        let certificate = receipt.certificate_digest().and_then(|digest| {
            let other = || self.certificates.values().next().filter(|_| only(self.certificates.len()));
            self.certificates.get(digest).or_else(other)
        });
        let audit = Audit {
            contract,
            certificate: certificate.map(|(certificate, _)| certificate),
            keyring: None,
            at_update: self.at_update,
        };
        let report = audit.with_signatures(receipt, &|document| match document {
            SignedDocument::Receipt(_) => SignatureVerdict::Valid, // it is settled later, with those of others
            SignedDocument::Certificate(_) => {
                certificate.map_or(SignatureVerdict::SignerUnknown, |(_, verdict)| *verdict)
            }
        });
        (report.verdict == AuditVerdict::Holds).then_some(computed)
    }
}

struct Audits<'a>(&'a Auditor);

impl Judge for Audits<'_> {
    fn judge(&self, texts: &[&[u8]], found: &mut Vec<Option<Accepted>>) {
        settle(texts, found, |text| {
            let decoded = decode(text, Some(Kind::Receipt))?;
            let receipt = RewardEvidenceReceiptV1::of_decoded(&decoded);
            Some((self.0.holds_if(&receipt)?, (Kind::Receipt, digest_of(receipt.canonical_text()))))
        });
    }
}

struct Signatures<'a>(&'a Auditor, Option<Kind>);

impl Judge for Signatures<'_> {
    fn judge(&self, texts: &[&[u8]], found: &mut Vec<Option<Accepted>>) {
        fn computed_of<D: Sealed + Signed>(keys: &Keys, decoded: &Decoded<'_>) -> Option<(Computed, Accepted)> {
            let document = D::of_decoded(decoded);
            Some((keys.computed(&document).ok()?, (decoded.kind, digest_of(document.canonical()))))
        }
        settle(texts, found, |text| {
            let decoded = decode(text, self.1)?;
            match decoded.kind {
                Kind::Receipt => computed_of::<RewardEvidenceReceiptV1>(&self.0.keys, &decoded),
                Kind::Certificate => computed_of::<RewardCertificateV1>(&self.0.keys, &decoded),
                Kind::Contract => None,
            }
        });
    }
}

/// Accepts the texts whose signatures are valid; those of a group share the most of an inversion.
fn settle(texts: &[&[u8]], found: &mut Vec<Option<Accepted>>, accept: impl Fn(&[u8]) -> Option<(Computed, Accepted)>) {
    let mut computed = Vec::with_capacity(texts.len());
    let first = found.len();
    for text in texts {
        let accepted = accept(text).map(|(each, accepted)| {
            computed.push(each);
            accepted
        });
        found.push(accepted);
    }
    let waiting = found[first..].iter_mut().filter(|each| each.is_some());
    for (accepted, is_valid) in waiting.zip(Computed::are_valid(&computed)) {
        if !is_valid {
            *accepted = None;
        }
    }
}
