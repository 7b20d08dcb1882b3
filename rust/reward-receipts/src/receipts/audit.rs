//! What a reader can prove of a receipt with its contract, its certificate and a key in hand.

use std::fmt;

use crate::core::canonical::write_double;
use crate::core::codes::{Code, Given};
use crate::documents::certificate::{PolicyUpdateOutOfRange, require_policy_update};
use crate::generated::documents::{RewardCertificateV1, RewardContractV1, RewardEvidenceReceiptV1};
use crate::generated::vocabulary::RewardCertificateStateV1;
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
/// let audit = Audit { contract: Some(&contract), certificate: Some(&certificate), keyring: Some(&keyring), at_update: None };
/// let report = audit.of(&samples::receipt())?;
/// assert_eq!(report.verdict, AuditVerdict::Holds);
/// # Ok::<(), reward_receipts::PolicyUpdateOutOfRange>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Audit<'a> {
    /// The contract to judge against.
    pub contract: Option<&'a RewardContractV1>,
    /// The certificate to judge against.
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

// The codes of the checks, by what they need. The order is that of the reports.
const CONTRACT_CHECKS: &[Code] = &[
    Code::ReceiptNamesAnotherContract,
    Code::TierExceedsChannel,
    Code::ScalarDiffersFromContract,
    Code::ComponentNotInContract,
];
const CERTIFICATE_CHECKS: &[Code] = &[
    Code::ReceiptNamesAnotherCertificate,
    Code::CertificateIdDiffers,
    Code::CorpusDiffersFromCertificate,
    Code::ScopeDiffersFromCertificate,
    Code::CertificateStateDiffers,
];
const BOTH_CHECKS: &[Code] = &[Code::CertifiedUnsupported, Code::CertifiedUnderstated];

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
        let applies = receipt.certificate_state() != RewardCertificateStateV1::Absent;
        let certificate = self.certificate.filter(|_| applies);
        let mut run = Run::default();
        match self.contract {
            Some(contract) => run.checks(CONTRACT_CHECKS, against_contract(receipt, contract)),
            None => run.without("contract", CONTRACT_CHECKS),
        }
        if applies {
            match certificate {
                Some(certificate) => run.checks(CERTIFICATE_CHECKS, against_certificate(receipt, certificate)),
                None => run.without("certificate", CERTIFICATE_CHECKS),
            }
            match (self.contract, certificate) {
                (Some(contract), Some(certificate)) => {
                    run.checks(BOTH_CHECKS, against_both(receipt, contract, certificate));
                }
                (None, _) => run.without("contract", BOTH_CHECKS),
                (_, None) => run.without("certificate", BOTH_CHECKS),
            }
        }
        run.signature(receipt, self.keyring, Code::SignatureInvalid, Code::SignerUnknown);
        if applies {
            let (invalid, unknown) = (Code::CertificateSignatureInvalid, Code::CertificateSignerUnknown);
            match certificate {
                Some(certificate) => run.signature(certificate, self.keyring, invalid, unknown),
                None => run.without("certificate", &[invalid]),
            }
        }
        if let Some(at_update) = self.at_update {
            if applies {
                let code = Code::CertificateExpiredAtUpdate;
                match certificate {
                    Some(certificate) => run.checks(&[code], expired(certificate, at_update)),
                    None => run.without("certificate", &[code]),
                }
            }
            run.checks(&[Code::PolicyUpdateAhead], ahead(receipt, at_update));
        }
        Ok(run.report())
    }
}

/// One audit under way.
#[derive(Default)]
struct Run {
    findings: Vec<AuditFinding>,
    checked: Vec<Code>,
    unchecked: Vec<AuditFinding>,
}

impl Run {
    fn checks(&mut self, codes: &[Code], found: Vec<AuditFinding>) {
        self.checked.extend(codes);
        self.findings.extend(found);
    }

    fn without(&mut self, missing: &str, codes: &[Code]) {
        let sentence = format!("No {missing} was given.");
        let unchecked =
            codes.iter().map(|code| AuditFinding { code: *code, sentence: sentence.clone(), field: code.field() });
        self.unchecked.extend(unchecked);
    }

    fn signature<D: Signed>(&mut self, document: &D, keyring: Option<&Keyring>, invalid: Code, unknown: Code) {
        let key_id = [("key_id", Given::Text(document.signer()))];
        match keyring.map_or(SignatureVerdict::SignerUnknown, |keyring| verify(document, keyring)) {
            SignatureVerdict::SignerUnknown => self.unchecked.push(finding(unknown, &key_id)),
            SignatureVerdict::Valid => self.checked.push(invalid),
            SignatureVerdict::Invalid => self.checks(&[invalid], vec![finding(invalid, &key_id)]),
        }
    }

    fn report(self) -> AuditReport {
        let decided = if self.unchecked.is_empty() { AuditVerdict::Holds } else { AuditVerdict::Undecided };
        let verdict = if self.findings.is_empty() { decided } else { AuditVerdict::Fails };
        AuditReport { verdict, findings: self.findings, checked: self.checked, unchecked: self.unchecked }
    }
}

fn finding(code: Code, values: &[(&str, Given<'_>)]) -> AuditFinding {
    AuditFinding { code, sentence: code.sentence_with(values), field: code.field() }
}

fn against_contract(receipt: &RewardEvidenceReceiptV1, contract: &RewardContractV1) -> Vec<AuditFinding> {
    let mut found = Vec::new();
    let named = receipt.reward_contract_digest();
    if named != contract.digest() {
        let values = [("receipt", Given::Text(named)), ("contract", Given::Text(contract.digest()))];
        found.push(finding(Code::ReceiptNamesAnotherContract, &values));
    }
    let (tier, channel) = (receipt.oracle_tier(), contract.oracle().channel());
    if tier > channel.tier() {
        let number = |tier: crate::OracleTier| Given::Number(u64::from(tier.number()));
        let values = [
            ("channel", Given::Text(channel.as_str())),
            ("receipt", number(tier)),
            ("contract", number(channel.tier())),
        ];
        found.push(finding(Code::TierExceedsChannel, &values));
    }
    let outcome = receipt.reward_outcome();
    let scalar = contract.scoring().scalar_for(outcome);
    if receipt.scalar_reward() != scalar {
        let (here, there) = (shown(receipt.scalar_reward()), shown(scalar));
        let values = [
            ("outcome", Given::Text(outcome.as_str())),
            ("receipt", Given::Text(&here)),
            ("contract", Given::Text(&there)),
        ];
        found.push(finding(Code::ScalarDiffersFromContract, &values));
    }
    for name in receipt.reward_components().keys() {
        if !contract.component_names().any(|each| each == &**name) {
            let known = contract.component_names().collect::<Vec<_>>().join(", ");
            let values = [("receipt", Given::Text(name)), ("contract", Given::Text(&known))];
            found.push(finding(Code::ComponentNotInContract, &values));
        }
    }
    found
}

fn shown(scalar: Option<f64>) -> String {
    let mut out = String::new();
    match scalar {
        Some(scalar) => write_double(&mut out, scalar),
        None => out.push_str("null"),
    }
    out
}

fn against_certificate(receipt: &RewardEvidenceReceiptV1, certificate: &RewardCertificateV1) -> Vec<AuditFinding> {
    let update = receipt.policy_update();
    let pairs = [
        (Code::ReceiptNamesAnotherCertificate, receipt.certificate_digest(), certificate.digest()),
        (Code::CertificateIdDiffers, receipt.certificate_id(), certificate.certificate_id()),
        (
            Code::CorpusDiffersFromCertificate,
            receipt.calibration_corpus_digest(),
            certificate.calibration_corpus_digest(),
        ),
        (
            Code::ScopeDiffersFromCertificate,
            receipt.calibration_scope().map(crate::RewardCalibrationScopeV1::as_str),
            certificate.calibration_scope().as_str(),
        ),
        (Code::CertificateStateDiffers, Some(receipt.certificate_state().as_str()), certificate.state(update).as_str()),
    ];
    let differ = pairs.into_iter().filter(|(_, here, there)| *here != Some(*there));
    differ
        .map(|(code, here, there)| {
            let (here, there) = (Given::Text(here.unwrap_or("None")), Given::Text(there));
            finding(code, &[("receipt", here), ("certificate", there), ("policy_update", Given::Number(update))])
        })
        .collect()
}

fn against_both(
    receipt: &RewardEvidenceReceiptV1,
    contract: &RewardContractV1,
    certificate: &RewardCertificateV1,
) -> Vec<AuditFinding> {
    let refusals = certification_refusals(receipt, contract, Some(certificate));
    if receipt.certified() == refusals.is_empty() {
        return Vec::new();
    }
    if !receipt.certified() {
        return vec![finding(Code::CertifiedUnderstated, &[])];
    }
    let sentences: Vec<&str> = refusals.iter().map(|refusal| refusal.sentence.as_str()).collect();
    let sentences = sentences.join(" ");
    vec![finding(Code::CertifiedUnsupported, &[("refusals", Given::Text(&sentences))])]
}

fn expired(certificate: &RewardCertificateV1, at_update: u64) -> Vec<AuditFinding> {
    let expires = certificate.expires_at_policy_update();
    if expires > at_update {
        return Vec::new();
    }
    let values = [("expires", Given::Number(expires)), ("at_update", Given::Number(at_update))];
    vec![finding(Code::CertificateExpiredAtUpdate, &values)]
}

fn ahead(receipt: &RewardEvidenceReceiptV1, at_update: u64) -> Vec<AuditFinding> {
    let update = receipt.policy_update();
    if update <= at_update {
        return Vec::new();
    }
    let values = [("receipt", Given::Number(update)), ("at_update", Given::Number(at_update))];
    vec![finding(Code::PolicyUpdateAhead, &values)]
}
