//! Scoring one episode: the scalar that the contract gives, and whether it is certified (synthetic).

use crate::core::codes::CodedSentence;
use crate::documents::certificate::{PolicyUpdateOutOfRange, require_policy_update};
use crate::generated::documents::{RewardCertificateV1, RewardContractV1};
use crate::generated::tables::REWARD_CERTIFIED_MINIMUM_TIER;
use crate::generated::vocabulary::{OracleTier, RewardOutcomeV1};
use crate::receipts::certification::{effective_tier, refusals};

/// What one episode scored.
///
/// ```
/// use reward_receipts::{OracleTier, RewardOutcomeV1, samples, score};
///
/// let contract = samples::contract();
/// let unscored = score(RewardOutcomeV1::FailedPlatform, OracleTier::SystemOfRecord, None, 7, &contract)?;
/// assert_eq!(unscored.scalar, None); // to be dropped: it is never 0.0
/// # Ok::<(), reward_receipts::PolicyUpdateOutOfRange>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RewardScoreV1 {
    /// The reward; `None` for an unscored episode, which is to be dropped and is never 0.0.
    pub scalar: Option<f64>,
    /// Whether the reward is certified (synthetic): no refusals. Read the scalar first: `None` is not a reward at all.
    pub certified: bool,
    /// Whether the effective tier is one that no certificate covers.
    pub development_only: bool,
    /// What speaks against certification (synthetic).
    pub certification_refusals: Vec<CodedSentence>,
}

/// Scores one episode under a contract. Pure: nobody checks the certificate's signature here, so
/// [`verify`](crate::verify) it once before an inner loop.
///
/// The tier counts at most as much as the contract's own channel.
///
/// ```
/// use reward_receipts::{OracleTier, RewardOutcomeV1, samples, score};
///
/// let (contract, certificate) = (samples::contract(), samples::certificate());
/// let verified = score(RewardOutcomeV1::Verified, OracleTier::Counterparty, Some(&certificate), 100, &contract)?;
/// assert_eq!((verified.scalar, verified.certified), (Some(1.0), true)); // certified (synthetic)
///
/// let alone = score(RewardOutcomeV1::Verified, OracleTier::Counterparty, None, 100, &contract)?;
/// assert_eq!(alone.certification_refusals[0].code.id(), "certificate-absent");
/// # Ok::<(), reward_receipts::PolicyUpdateOutOfRange>(())
/// ```
///
/// # Errors
///
/// A policy update that is not from 0 to 9007199254740991.
pub fn score(
    outcome: RewardOutcomeV1,
    tier: OracleTier,
    certificate: Option<&RewardCertificateV1>,
    policy_update: u64,
    contract: &RewardContractV1,
) -> Result<RewardScoreV1, PolicyUpdateOutOfRange> {
    require_policy_update(policy_update)?;
    let certification_refusals = refusals(contract, certificate, tier, policy_update);
    Ok(RewardScoreV1 {
        scalar: contract.scoring().scalar_for(outcome),
        certified: certification_refusals.is_empty(),
        development_only: effective_tier(contract, tier) < REWARD_CERTIFIED_MINIMUM_TIER,
        certification_refusals,
    })
}
