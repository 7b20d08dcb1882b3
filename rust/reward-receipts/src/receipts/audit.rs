//! What a reader can prove of a receipt with its contract, its certificate and a key in hand.

use std::fmt;

use crate::core::canonical::write_double;
use crate::core::codes::{Code, CodedSentence, Given, text_with};
use crate::documents::certificate::{PolicyUpdateOutOfRange, require_policy_update};
use crate::generated::audit::CHECKS;
use crate::generated::codes::notes;
use crate::generated::documents::{RewardCertificateV1, RewardContractV1, RewardEvidenceReceiptV1};
use crate::generated::vocabulary::{OracleTier, RewardCalibrationScopeV1, RewardCertificateStateV1};
use crate::receipts::certification::certification_refusals;
use crate::receipts::keys::Keyring;
use crate::receipts::sign::{SignatureVerdict, Signed, verify};

/// The verdict of an audit. Only `Holds` is good.
///
/// ```
/// assert_eq!(reward_receipts::AuditVerdict::Undecided.to_string(), "undecided");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AuditVerdict {
    /// Every check that applies ran and passed.
    Holds,
    /// At least one check failed.
    Fails,
    /// No check failed, and some could not run.
    Undecided,
}

impl fmt::Display for AuditVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Holds => "holds",
            Self::Fails => "fails",
            Self::Undecided => "undecided",
        })
    }
}

/// A check that failed, or that could not run.
///
/// ```
/// use reward_receipts::{Audit, samples};
///
/// let report = Audit::default().of(&samples::receipt())?;
/// assert_eq!(report.unchecked[0].field, "reward_contract_digest");
/// # Ok::<(), reward_receipts::PolicyUpdateOutOfRange>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AuditFinding {
    /// The check, or what kept it from running.
    pub code: Code,
    /// What was found and what was expected, or why the check could not run.
    pub sentence: String,
    /// The member of the receipt that it is about; empty where it is about the whole.
    pub field: &'static str,
}

impl AuditFinding {
    /// The JSON pointer of the field in the receipt.
    ///
    /// ```
    /// use reward_receipts::{Audit, samples};
    ///
    /// let report = Audit::default().of(&samples::receipt())?;
    /// assert_eq!(report.unchecked[0].pointer(), "/reward_contract_digest");
    /// # Ok::<(), reward_receipts::PolicyUpdateOutOfRange>(())
    /// ```
    #[must_use]
    pub fn pointer(&self) -> String {
        if self.field.is_empty() { String::new() } else { format!("/{}", self.field) }
    }
}

/// What an audit found.
///
/// ```
/// use reward_receipts::{Audit, AuditVerdict, samples};
///
/// let report = Audit::default().of(&samples::receipt())?;
/// assert_eq!(report.verdict, AuditVerdict::Undecided); // nobody gave the contract
/// # Ok::<(), reward_receipts::PolicyUpdateOutOfRange>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AuditReport {
    /// Holds, fails or undecided.
    pub verdict: AuditVerdict,
    /// The checks that failed.
    pub findings: Vec<AuditFinding>,
    /// The checks that ran, passed or failed.
    pub checked: Vec<Code>,
    /// The checks that apply and could not run, and why.
    pub unchecked: Vec<AuditFinding>,
}

/// What a reader holds against receipts. What is left out leaves its checks unchecked.
///
/// With `certificate_state` absent, the certificate's checks do not apply. A receipt whose signature nobody checked
/// never holds.
///
/// ```
/// use reward_receipts::{Audit, AuditVerdict, samples};
///
/// let (contract, certificate, keyring) = (samples::contract(), samples::certificate(), samples::keyring());
/// let audit = Audit { contract: Some(&contract), certificate: Some(&certificate), keyring: Some(&keyring), at_update:
/// None }; let report = audit.of(&samples::receipt())?;
/// assert_eq!(report.verdict, AuditVerdict::Holds);
/// # Ok::<(), reward_receipts::PolicyUpdateOutOfRange>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Audit<'a> {
    /// The contract to check against.
    pub contract: Option<&'a RewardContractV1>,
    /// The certificate to check against.
    pub certificate: Option<&'a RewardCertificateV1>,
    /// The keys that the reader holds. Any of them may have signed the receipt, and any the certificate.
    pub keyring: Option<&'a Keyring>,
    /// The trainer's own policy update; without it the two checks that need it do not apply.
    pub at_update: Option<u64>,
}

/// Checks a receipt against what is given.
///
/// ```
/// use reward_receipts::{Audit, AuditVerdict, audit, samples};
///
/// let contract = samples::contract();
/// let report = audit(&samples::receipt(), &Audit { contract: Some(&contract), ..Audit::default() })?;
/// assert_eq!(report.verdict, AuditVerdict::Undecided);
/// # Ok::<(), reward_receipts::PolicyUpdateOutOfRange>(())
/// ```
///
/// # Errors
///
/// An `at_update` that is out of range: an error of the caller, never a verdict.
pub fn audit(receipt: &RewardEvidenceReceiptV1, against: &Audit<'_>) -> Result<AuditReport, PolicyUpdateOutOfRange> {
    against.of(receipt)
}

/// A check of an audit. schemas/codes.json has them all, in their order.
pub(crate) struct Check {
    pub(crate) code: Code,
    /// Whether it applies only if the receipt names a certificate.
    pub(crate) with_certificate: bool,
    /// Whether it applies only if the trainer's update is given.
    pub(crate) with_update: bool,
    /// The inputs that it needs besides the receipt.
    pub(crate) needs: &'static [Input],
    /// The code under which a check of a signature is unchecked if no key of the signer is held.
    pub(crate) signer_unknown: Option<Code>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Input {
    Contract,
    Certificate,
    Key,
}

impl Audit<'_> {
    /// Checks a receipt.
    ///
    /// ```
    /// use reward_receipts::{Audit, samples};
    ///
    /// assert!(Audit { at_update: Some(u64::MAX), ..Audit::default() }.of(&samples::receipt()).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// As [`audit`].
    pub fn of(&self, receipt: &RewardEvidenceReceiptV1) -> Result<AuditReport, PolicyUpdateOutOfRange> {
        if let Some(at_update) = self.at_update {
            require_policy_update(at_update)?;
        }
        let keyring = |document: SignedDocument<'_>| match (self.keyring, document) {
            (None, _) => SignatureVerdict::SignerUnknown,
            (Some(keyring), SignedDocument::Receipt(receipt)) => verify(receipt, keyring),
            (Some(keyring), SignedDocument::Certificate(certificate)) => verify(certificate, keyring),
        };
        Ok(self.with_signatures(receipt, &keyring))
    }

    /// The same with what says whose signature is valid, in place of the keyring. The update is in range.
    pub(crate) fn with_signatures(&self, receipt: &RewardEvidenceReceiptV1, signatures: Signatures<'_>) -> AuditReport {
        let names_certificate = receipt.certificate_state() != RewardCertificateStateV1::Absent;
        let certificate = self.certificate.filter(|_| names_certificate);
        let mut run = Run::default();
        for check in &CHECKS {
            let applies =
                (names_certificate || !check.with_certificate) && (self.at_update.is_some() || !check.with_update);
            if applies {
                run.check(check, &Audit { certificate, ..*self }, receipt, signatures);
            }
        }
        run.report()
    }
}

/// A document whose signature an audit asks about.
#[derive(Clone, Copy)]
pub(crate) enum SignedDocument<'d> {
    Receipt(&'d RewardEvidenceReceiptV1),
    Certificate(&'d RewardCertificateV1),
}

/// Says whose signature is valid.
pub(crate) type Signatures<'s> = &'s dyn Fn(SignedDocument<'_>) -> SignatureVerdict;

/// One audit under way.
#[derive(Default)]
struct Run {
    findings: Vec<AuditFinding>,
    checked: Vec<Code>,
    unchecked: Vec<AuditFinding>,
}

impl Run {
    /// Runs a check, or lists it as unchecked because an input is missing or the signer is unknown.
    fn check(
        &mut self,
        check: &Check,
        against: &Audit<'_>,
        receipt: &RewardEvidenceReceiptV1,
        signatures: Signatures<'_>,
    ) {
        let missing = check.needs.iter().find_map(|need| match need {
            Input::Contract => against.contract.is_none().then_some("contract"),
            Input::Certificate => against.certificate.is_none().then_some("certificate"),
            Input::Key => None, // whether there is one depends on the signer
        });
        if let Some(missing) = missing {
            let sentence = text_with(notes::NOT_GIVEN, &[("input", Given::Text(missing))]);
            self.unchecked.push(AuditFinding { code: check.code, sentence, field: check.code.field() });
            return;
        }
        match found(check.code, against, receipt, signatures) {
            Ok(found) => {
                self.checked.push(check.code);
                self.findings.extend(found);
            }
            Err(SignerUnknown(key_id)) => {
                let code = check.signer_unknown.unwrap_or(check.code);
                self.unchecked.push(finding(code, &[("key_id", Given::Text(key_id))]));
            }
        }
    }

    fn report(self) -> AuditReport {
        let decided = if self.unchecked.is_empty() { AuditVerdict::Holds } else { AuditVerdict::Undecided };
        let verdict = if self.findings.is_empty() { decided } else { AuditVerdict::Fails };
        AuditReport { verdict, findings: self.findings, checked: self.checked, unchecked: self.unchecked }
    }
}

/// No key is held for the issuer key id of a document.
struct SignerUnknown<'d>(&'d str);

type Found<'d> = Result<Vec<AuditFinding>, SignerUnknown<'d>>;

/// What a check finds. Its inputs are there.
fn found<'d>(
    code: Code,
    against: &Audit<'d>,
    receipt: &'d RewardEvidenceReceiptV1,
    signatures: Signatures<'_>,
) -> Found<'d> {
    let (contract, certificate) = (against.contract, against.certificate);
    let update = receipt.policy_update();
    let found = match (code, contract, certificate, against.at_update) {
        (Code::ReceiptNamesAnotherContract, Some(contract), ..) => {
            differing(code, Some(receipt.reward_contract_digest()), contract.digest(), "contract")
        }
        (Code::TierExceedsChannel, Some(contract), ..) => tier(receipt, contract),
        (Code::ScalarDiffersFromContract, Some(contract), ..) => scalar(receipt, contract),
        (Code::ComponentNotInContract, Some(contract), ..) => components(receipt, contract),
        (Code::ReceiptNamesAnotherCertificate, _, Some(certificate), _) => {
            differing(code, receipt.certificate_digest(), certificate.digest(), CERTIFICATE)
        }
        (Code::CertificateIdDiffers, _, Some(certificate), _) => {
            differing(code, receipt.certificate_id(), certificate.certificate_id(), CERTIFICATE)
        }
        (Code::CorpusDiffersFromCertificate, _, Some(certificate), _) => {
            let corpus = certificate.calibration_corpus_digest();
            differing(code, receipt.calibration_corpus_digest(), corpus, CERTIFICATE)
        }
        (Code::ScopeDiffersFromCertificate, _, Some(certificate), _) => {
            let scope = receipt.calibration_scope().map(RewardCalibrationScopeV1::as_str);
            differing(code, scope, certificate.calibration_scope().as_str(), CERTIFICATE)
        }
        (Code::CertificateStateDiffers, _, Some(certificate), _) => state(receipt, certificate),
        (Code::CertifiedUnsupported, Some(contract), Some(certificate), _) if receipt.certified() => {
            unsupported(&certification_refusals(receipt, contract, Some(certificate)))
        }
        (Code::CertifiedUnderstated, Some(contract), Some(certificate), _) if !receipt.certified() => {
            let refusals = certification_refusals(receipt, contract, Some(certificate));
            if refusals.is_empty() { vec![finding(code, &[])] } else { Vec::new() }
        }
        (Code::SignatureInvalid, ..) => return signature(code, receipt, signatures(SignedDocument::Receipt(receipt))),
        (Code::CertificateSignatureInvalid, _, Some(certificate), _) => {
            return signature(code, certificate, signatures(SignedDocument::Certificate(certificate)));
        }
        (Code::CertificateExpiredAtUpdate, _, Some(certificate), Some(at_update))
            if certificate.expires_at_policy_update() <= at_update =>
        {
            let expires = Given::Number(certificate.expires_at_policy_update());
            vec![finding(code, &[("expires", expires), ("at_update", Given::Number(at_update))])]
        }
        (Code::PolicyUpdateAhead, .., Some(at_update)) if update > at_update => {
            vec![finding(code, &[("receipt", Given::Number(update)), ("at_update", Given::Number(at_update))])]
        }
        _ => Vec::new(),
    };
    Ok(found)
}

const CERTIFICATE: &str = "certificate";

fn finding(code: Code, values: &[(&str, Given<'_>)]) -> AuditFinding {
    AuditFinding { code, sentence: code.sentence_with(values), field: code.field() }
}

fn differing(code: Code, receipt: Option<&str>, other: &str, name: &str) -> Vec<AuditFinding> {
    if receipt == Some(other) {
        return Vec::new();
    }
    vec![finding(code, &[("receipt", Given::Text(receipt.unwrap_or("None"))), (name, Given::Text(other))])]
}

fn tier(receipt: &RewardEvidenceReceiptV1, contract: &RewardContractV1) -> Vec<AuditFinding> {
    let (tier, channel) = (receipt.oracle_tier(), contract.oracle().channel());
    if tier <= channel.tier() {
        return Vec::new();
    }
    let number = |tier: OracleTier| Given::Number(u64::from(tier.number()));
    let values =
        [("channel", Given::Text(channel.as_str())), ("receipt", number(tier)), ("contract", number(channel.tier()))];
    vec![finding(Code::TierExceedsChannel, &values)]
}

fn scalar(receipt: &RewardEvidenceReceiptV1, contract: &RewardContractV1) -> Vec<AuditFinding> {
    let outcome = receipt.reward_outcome();
    let scalar = contract.scoring().scalar_for(outcome);
    if receipt.scalar_reward() == scalar {
        return Vec::new();
    }
    let (here, there) = (shown(receipt.scalar_reward()), shown(scalar));
    let values = [
        ("outcome", Given::Text(outcome.as_str())),
        ("receipt", Given::Text(&here)),
        ("contract", Given::Text(&there)),
    ];
    vec![finding(Code::ScalarDiffersFromContract, &values)]
}

fn shown(scalar: Option<f64>) -> String {
    let mut out = String::new();
    match scalar {
        Some(scalar) => write_double(&mut out, scalar),
        None => out.push_str("null"),
    }
    out
}

fn components(receipt: &RewardEvidenceReceiptV1, contract: &RewardContractV1) -> Vec<AuditFinding> {
    let names = receipt.reward_components().keys();
    let unknown = names.filter(|name| !contract.component_names().any(|each| each == &***name));
    unknown
        .map(|name| {
            let known = contract.component_names().collect::<Vec<_>>().join(", ");
            let values = [("receipt", Given::Text(name)), ("contract", Given::Text(&known))];
            finding(Code::ComponentNotInContract, &values)
        })
        .collect()
}

fn state(receipt: &RewardEvidenceReceiptV1, certificate: &RewardCertificateV1) -> Vec<AuditFinding> {
    let (here, update) = (receipt.certificate_state(), receipt.policy_update());
    let there = certificate.state(update);
    if here == there {
        return Vec::new();
    }
    let (here, there) = (Given::Text(here.as_str()), Given::Text(there.as_str()));
    let values = [("receipt", here), ("certificate", there), ("policy_update", Given::Number(update))];
    vec![finding(Code::CertificateStateDiffers, &values)]
}

fn unsupported(refusals: &[CodedSentence]) -> Vec<AuditFinding> {
    if refusals.is_empty() {
        return Vec::new();
    }
    let sentences: Vec<&str> = refusals.iter().map(|refusal| refusal.sentence.as_str()).collect();
    vec![finding(Code::CertifiedUnsupported, &[("refusals", Given::Text(&sentences.join(" ")))])]
}

fn signature<D: Signed>(code: Code, document: &D, verdict: SignatureVerdict) -> Found<'_> {
    match verdict {
        SignatureVerdict::Valid => Ok(Vec::new()),
        SignatureVerdict::Invalid => Ok(vec![finding(code, &[("key_id", Given::Text(document.signer()))])]),
        SignatureVerdict::SignerUnknown => Err(SignerUnknown(document.signer())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Json, samples};

    /// A document with some members changed.
    fn changed<D: crate::documents::model::Document>(text: &str, members: &[(&str, Json<'static>)]) -> D {
        let mut value = crate::read(text.as_bytes()).expect("canonical text");
        for (name, member) in members {
            value = value.with_member(name, member.clone());
        }
        D::of_value(&value).expect("a document")
    }

    /// Each check that the table lists can fail: none of them is left out here.
    #[test]
    fn every_check_of_the_table_finds_something() {
        let digest = |text: &str| Json::from(crate::sha256_digest(text.as_bytes()));
        let (contract, keyring) = (samples::contract(), samples::keyring());
        let members = [
            ("reward_contract_digest", digest("another")),
            ("oracle_tier", Json::from(3)),
            ("scalar_reward", Json::from(2)),
            ("reward_components", Json::object([("another", Json::from(1))]).expect("an object")),
            ("certificate_id", Json::from("another.certificate")),
            ("certificate_digest", digest("another")),
            ("calibration_corpus_digest", digest("another")),
            ("policy_update", Json::from(99)),
        ];
        let receipt: RewardEvidenceReceiptV1 = changed(samples::receipt().canonical_text(), &members);
        let certificate: RewardCertificateV1 =
            changed(samples::certificate().canonical_text(), &[("certificate_id", Json::from("sample.certificate:2"))]);
        let against = |contract, certificate, at_update| Audit {
            contract: Some(contract),
            certificate: Some(certificate),
            keyring: Some(&keyring),
            at_update: Some(at_update),
        };
        let mut reports = vec![
            against(&contract, &certificate, 98).of(&receipt),
            against(&contract, &certificate, 1_000_000).of(&receipt),
        ];
        let understated: RewardEvidenceReceiptV1 =
            changed(samples::receipt().canonical_text(), &[("certified", Json::from(false))]);
        let certificate = samples::certificate();
        reports.push(against(&contract, &certificate, 100).of(&understated));
        let codes: Vec<Code> = reports
            .into_iter()
            .flat_map(|report| report.expect("an update in range").findings)
            .map(|finding| finding.code)
            .collect();
        // Version 1 has one scope, so that two documents cannot differ in it.
        for check in CHECKS.iter().filter(|check| check.code != Code::ScopeDiffersFromCertificate) {
            assert!(codes.contains(&check.code), "{} finds nothing", check.code);
        }
    }
}
