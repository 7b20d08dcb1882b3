//! What a certificate can do beside holding its members.

use crate::core::codes::{Code, CodedSentence, Given};
use crate::generated::documents::{RewardCertificatePolicyV1, RewardCertificateV1, RewardContractV1};
use crate::generated::tables::MAX_POLICY_UPDATE;
use crate::generated::vocabulary::RewardCertificateStateV1;

/// A policy update that is not an integer from 0 to 9007199254740991.
///
/// ```
/// let error = reward_receipts::certificate_state(None, u64::MAX).unwrap_err();
/// assert!(error.to_string().starts_with("policy update 18446744073709551615 is not an integer from 0 to"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("policy update {0} is not an integer from 0 to {MAX_POLICY_UPDATE}")]
pub struct PolicyUpdateOutOfRange(pub(crate) u64);

pub(crate) fn require_policy_update(policy_update: u64) -> Result<u64, PolicyUpdateOutOfRange> {
    if policy_update <= MAX_POLICY_UPDATE { Ok(policy_update) } else { Err(PolicyUpdateOutOfRange(policy_update)) }
}

/// The state of a certificate at a policy update; absent if there is none.
///
/// ```
/// use reward_receipts::{RewardCertificateStateV1, certificate_state};
///
/// assert_eq!(certificate_state(None, 7), Ok(RewardCertificateStateV1::Absent));
/// ```
///
/// # Errors
///
/// A policy update that is out of range.
pub fn certificate_state(
    certificate: Option<&RewardCertificateV1>,
    policy_update: u64,
) -> Result<RewardCertificateStateV1, PolicyUpdateOutOfRange> {
    require_policy_update(policy_update)?;
    Ok(certificate.map_or(RewardCertificateStateV1::Absent, |certificate| certificate.state(policy_update)))
}

/// What a contract's certificate policy asks for and a certificate does not give; nothing where it gives all.
///
/// ```
/// use reward_receipts::{samples, unmet};
///
/// let contract = samples::contract();
/// assert!(unmet(&samples::certificate(), contract.certificate_policy()).is_empty());
/// ```
#[must_use]
pub fn unmet(certificate: &RewardCertificateV1, policy: &RewardCertificatePolicyV1) -> Vec<CodedSentence> {
    certificate.unmet(policy)
}

impl RewardCertificateV1 {
    /// The first policy update at which the certificate no longer holds.
    ///
    /// ```
    /// let certificate = reward_receipts::samples::certificate();
    /// let holds_for = certificate.expires_at_policy_update() - certificate.issued_at_policy_update();
    /// assert_eq!(holds_for, certificate.expiry_policy_updates());
    /// ```
    #[must_use]
    pub fn expires_at_policy_update(&self) -> u64 {
        self.issued_at_policy_update() + self.expiry_policy_updates()
    }

    /// The state of the certificate at a policy update: not yet valid, current or expired.
    ///
    /// ```
    /// use reward_receipts::{RewardCertificateStateV1, samples};
    ///
    /// let certificate = samples::certificate();
    /// let end = certificate.expires_at_policy_update();
    /// assert_eq!(certificate.state_at(end), Ok(RewardCertificateStateV1::Expired));
    /// assert_eq!(certificate.state_at(end - 1), Ok(RewardCertificateStateV1::Current));
    /// ```
    ///
    /// # Errors
    ///
    /// A policy update that is out of range.
    pub fn state_at(&self, policy_update: u64) -> Result<RewardCertificateStateV1, PolicyUpdateOutOfRange> {
        require_policy_update(policy_update).map(|update| self.state(update))
    }

    /// Whether the certificate holds at a policy update.
    ///
    /// ```
    /// assert_eq!(reward_receipts::samples::certificate().is_current(0), Ok(false));
    /// ```
    ///
    /// # Errors
    ///
    /// A policy update that is out of range.
    pub fn is_current(&self, policy_update: u64) -> Result<bool, PolicyUpdateOutOfRange> {
        self.state_at(policy_update).map(|state| state == RewardCertificateStateV1::Current)
    }

    pub(crate) fn state(&self, policy_update: u64) -> RewardCertificateStateV1 {
        if policy_update < self.issued_at_policy_update() {
            RewardCertificateStateV1::NotYetValid
        } else if policy_update < self.expires_at_policy_update() {
            RewardCertificateStateV1::Current
        } else {
            RewardCertificateStateV1::Expired
        }
    }

    /// The requirements of a policy that the certificate does not meet.
    ///
    /// ```
    /// use reward_receipts::samples;
    ///
    /// let contract = samples::contract();
    /// assert!(samples::certificate().unmet(contract.certificate_policy()).is_empty());
    /// ```
    #[must_use]
    pub fn unmet(&self, policy: &RewardCertificatePolicyV1) -> Vec<CodedSentence> {
        let mut found = Vec::new();
        let mut short = |is_short: bool, code: Code, here: Given<'_>, there: Given<'_>| {
            if is_short {
                found.push(code.with(&[("certificate", here), ("policy", there)]));
            }
        };
        let (here, there) = (self.epsilon(), policy.epsilon());
        short(here > there, Code::EpsilonExceedsPolicy, Given::Double(here), Given::Double(there));
        let (here, there) = (self.delta(), policy.delta());
        short(here > there, Code::DeltaExceedsPolicy, Given::Double(here), Given::Double(there));
        let (here, there) = (self.threshold(), policy.threshold());
        short(here != there, Code::ThresholdDiffers, Given::Double(here), Given::Double(there));
        let (here, there) = (self.calibration_corpus_digest(), policy.calibration_corpus_digest());
        short(here != there, Code::CalibrationCorpusDiffers, Given::Text(here), Given::Text(there));
        let (here, there) = (self.expiry_policy_updates(), policy.expiry_policy_updates());
        short(here > there, Code::ExpiryExceedsPolicy, Given::Number(here), Given::Number(there));
        found
    }

    /// Whether the certificate meets a policy.
    ///
    /// ```
    /// use reward_receipts::samples;
    ///
    /// assert!(samples::certificate().satisfies(samples::contract().certificate_policy()));
    /// ```
    #[must_use]
    pub fn satisfies(&self, policy: &RewardCertificatePolicyV1) -> bool {
        self.unmet(policy).is_empty()
    }

    pub(crate) fn names(&self, contract: &RewardContractV1) -> bool {
        self.reward_contract_digest() == contract.digest()
    }
}
