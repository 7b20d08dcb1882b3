//! Whether a reward could be certified (synthetic), and what speaks against it.

use crate::core::codes::{Code, CodedSentence, Given};
use crate::generated::documents::{RewardCertificateV1, RewardContractV1, RewardEvidenceReceiptV1};
use crate::generated::tables::REWARD_CERTIFIED_MINIMUM_TIER;
use crate::generated::vocabulary::{OracleTier, RewardCertificateStateV1};

/// What speaks against certifying (synthetic) a receipt's reward, given what it refers to; nothing where nothing does.
///
/// For a receipt that does not say certified (synthetic), refusals are not errors.
///
/// ```
/// use reward_receipts::{certification_refusals, samples};
///
/// let refusals = certification_refusals(&samples::receipt(), &samples::contract(), Some(&samples::certificate()));
/// assert!(refusals.is_empty());
/// ```
#[must_use]
pub fn certification_refusals(
    receipt: &RewardEvidenceReceiptV1,
    contract: &RewardContractV1,
    certificate: Option<&RewardCertificateV1>,
) -> Vec<CodedSentence> {
    let mut found = Vec::new();
    let named = receipt.reward_contract_digest();
    if named != contract.digest() {
        let values = [("receipt", Given::Text(named)), ("contract", Given::Text(contract.digest()))];
        found.push(Code::ReceiptNamesAnotherContract.with(&values));
    }
    match (receipt.certificate_digest(), certificate) {
        (Some(named), None) => {
            found.push(Code::ReceiptCertificateNotGiven.with(&[("receipt", Given::Text(named))]));
        }
        (named, Some(certificate)) if named != Some(certificate.digest()) => {
            let values =
                [("receipt", Given::Text(named.unwrap_or("null"))), ("certificate", Given::Text(certificate.digest()))];
            found.push(Code::ReceiptNamesAnotherCertificate.with(&values));
        }
        _ => {}
    }
    found.extend(refusals(contract, certificate, receipt.oracle_tier(), receipt.policy_update()));
    found
}

/// A tier, capped by what the contract's own channel can give.
pub(crate) fn effective_tier(contract: &RewardContractV1, tier: OracleTier) -> OracleTier {
    tier.min(contract.oracle().tier())
}

/// What speaks against certification (synthetic) of a reward that was read at a tier and an update.
pub(crate) fn refusals(
    contract: &RewardContractV1,
    certificate: Option<&RewardCertificateV1>,
    tier: OracleTier,
    policy_update: u64,
) -> Vec<CodedSentence> {
    let mut found = Vec::new();
    let effective = effective_tier(contract, tier);
    if effective < REWARD_CERTIFIED_MINIMUM_TIER {
        let minimum = Given::Number(u64::from(REWARD_CERTIFIED_MINIMUM_TIER.number()));
        let values = [("tier", Given::Number(u64::from(effective.number()))), ("minimum", minimum)];
        found.push(Code::TierDevelopmentOnly.with(&values));
    }
    let Some(certificate) = certificate else {
        found.push(Code::CertificateAbsent.with(&[]));
        return found;
    };
    let update = ("policy_update", Given::Number(policy_update));
    match certificate.state(policy_update) {
        RewardCertificateStateV1::NotYetValid => {
            let first = Given::Number(certificate.issued_at_policy_update());
            found.push(Code::CertificateNotYetValid.with(&[("first", first), update]));
        }
        RewardCertificateStateV1::Expired => {
            let expires = Given::Number(certificate.expires_at_policy_update());
            found.push(Code::CertificateExpired.with(&[("expires", expires), update]));
        }
        _ => {}
    }
    if !certificate.names(contract) {
        let named = Given::Text(certificate.reward_contract_digest());
        let values = [("certificate", named), ("contract", Given::Text(contract.digest()))];
        found.push(Code::CertificateNamesAnotherContract.with(&values));
    }
    found.extend(certificate.unmet(contract.certificate_policy()));
    found
}
