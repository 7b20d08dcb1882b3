//! Issuing receipts whose derived members follow from the documents that they belong to.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::core::codes::{Code, CodedSentence};
use crate::core::findings::InvalidDocument;
use crate::core::value::Json;
use crate::documents::certificate::{PolicyUpdateOutOfRange, certificate_state};
use crate::generated::documents::{RewardCertificateV1, RewardContractV1, RewardEvidenceReceiptV1};
use crate::generated::vocabulary::{OracleTier, RewardOutcomeV1, RewardUncertaintyStateV1};
use crate::receipts::audit::Audit;
use crate::receipts::certification::effective_tier;
use crate::receipts::keys::{Keyring, SigningKey};
use crate::receipts::score::score;
use crate::receipts::sign::{PLACEHOLDER, SignError, SignatureVerdict, sign, verify};

/// What a receipt is issued of: one episode, and the documents that it was scored under.
///
/// ```
/// use reward_receipts::{Audit, AuditVerdict, Episode, OracleTier, RewardOutcomeV1, SigningKey, issue, samples};
///
/// let (contract, key) = (samples::contract(), SigningKey::generate("issuer.key:1")?);
/// let evidence = reward_receipts::sha256_digest(b"what the oracle read");
/// let episode = Episode {
///     reward_components: &[("task", 1.0)],
///     ..Episode::new(&contract, RewardOutcomeV1::Verified, OracleTier::SystemOfRecord, 7, "checkpoint.0007", "episode.0001", &evidence)
/// };
/// let receipt = issue(&episode, &key)?;
/// assert_eq!(receipt.scalar_reward(), Some(1.0));
///
/// let keyring = key.keyring();
/// let report = Audit { contract: Some(&contract), keyring: Some(&keyring), ..Audit::default() }.of(&receipt)?;
/// assert_eq!(report.verdict, AuditVerdict::Holds);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Episode<'e> {
    /// The contract that the episode is scored under.
    pub contract: &'e RewardContractV1,
    /// The certificate of the checker, if there is one.
    pub certificate: Option<&'e RewardCertificateV1>,
    /// Who may issue certificates: a certificate that none of these keys signed is refused. Without it only a
    /// certificate under the signing key's own id is checked.
    pub certificate_keyring: Option<&'e Keyring>,
    /// What the oracle found.
    pub outcome: RewardOutcomeV1,
    /// The tier at which it read the effect; it counts at most as much as the contract's own channel.
    pub tier: OracleTier,
    /// The policy update of the checkpoint that acted.
    pub policy_update: u64,
    /// That checkpoint.
    pub policy_checkpoint_id: &'e str,
    /// The episode.
    pub episode_id: &'e str,
    /// Digest of the evidence.
    pub evidence_digest: &'e str,
    /// What each component contributed; none for an unscored episode.
    pub reward_components: &'e [(&'e str, f64)],
    /// What is uncertain about the effect.
    pub uncertainty: RewardUncertaintyStateV1,
    /// The id of the receipt; made where it is `None`.
    pub receipt_id: Option<&'e str>,
    /// Used once per key; made where it is `None`.
    pub nonce: Option<&'e str>,
    /// When the receipt is issued; now where it is `None`.
    pub issued_at: Option<&'e str>,
}

impl<'e> Episode<'e> {
    /// An episode without a certificate, components and uncertainty.
    ///
    /// ```
    /// use reward_receipts::{Episode, OracleTier, RewardOutcomeV1, samples};
    ///
    /// let (contract, evidence) = (samples::contract(), reward_receipts::sha256_digest(b""));
    /// let (outcome, tier) = (RewardOutcomeV1::Refused, OracleTier::Visual);
    /// let episode = Episode::new(&contract, outcome, tier, 7, "checkpoint.0007", "episode.0001", &evidence);
    /// assert!(episode.certificate.is_none());
    /// ```
    #[must_use]
    pub const fn new(
        contract: &'e RewardContractV1,
        outcome: RewardOutcomeV1,
        tier: OracleTier,
        policy_update: u64,
        policy_checkpoint_id: &'e str,
        episode_id: &'e str,
        evidence_digest: &'e str,
    ) -> Self {
        Self {
            contract,
            certificate: None,
            certificate_keyring: None,
            outcome,
            tier,
            policy_update,
            policy_checkpoint_id,
            episode_id,
            evidence_digest,
            reward_components: &[],
            uncertainty: RewardUncertaintyStateV1::None,
            receipt_id: None,
            nonce: None,
            issued_at: None,
        }
    }
}

/// A receipt was not issued.
///
/// ```
/// use reward_receipts::{Episode, IssueError, OracleTier, RewardOutcomeV1, SigningKey, issue, samples};
///
/// let (contract, key) = (samples::contract(), SigningKey::generate("issuer.key:1")?);
/// let (outcome, tier) = (RewardOutcomeV1::Verified, OracleTier::SystemOfRecord);
/// let episode = Episode::new(&contract, outcome, tier, 7, "checkpoint.0007", "episode.0001", "no digest");
/// assert!(matches!(issue(&episode, &key), Err(IssueError::Invalid(_))));
/// # Ok::<(), reward_receipts::KeyError>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IssueError {
    /// What is given breaks the schema or a rule.
    #[error(transparent)]
    Invalid(#[from] InvalidDocument),
    /// The policy update is out of range.
    #[error(transparent)]
    PolicyUpdate(#[from] PolicyUpdateOutOfRange),
    /// A component's value is NaN or infinite.
    #[error("the component {name} is not finite")]
    NotFinite {
        /// The name of the component.
        name: String,
    },
    /// No key that may issue certificates signed the certificate.
    #[error("{0}")]
    Certificate(CodedSentence),
    /// The receipt would not hold against its contract.
    #[error("no receipt was issued: {0}")]
    DoesNotHold(String),
    /// There are no random bytes for an id.
    #[error("the system has no random bytes")]
    Random,
    /// The receipt could not be signed.
    #[error(transparent)]
    Sign(#[from] SignError),
}

/// A signed receipt that is right by construction: what follows from the other documents is worked out here.
///
/// That is the scalar, certified (synthetic), `development_only`, the state of the certificate and the reference to it.
///
/// ```
/// let receipt = reward_receipts::samples::receipt(); // issued
/// assert!(receipt.certified()); // certified (synthetic)
/// ```
///
/// # Errors
///
/// Whatever would make a receipt that does not hold.
pub fn issue(episode: &Episode<'_>, key: &SigningKey) -> Result<RewardEvidenceReceiptV1, IssueError> {
    let (contract, certificate) = (episode.contract, episode.certificate);
    let scored = score(episode.outcome, episode.tier, certificate, episode.policy_update, contract)?;
    if let Some(certificate) = certificate {
        require_signature(certificate, episode, key)?;
    }
    let components = episode.reward_components.iter().map(|(name, value)| match Json::double(*value) {
        Some(value) => Ok((*name, value)),
        None => Err(IssueError::NotFinite { name: crate::core::redaction::redacted(name).into_owned() }),
    });
    let components = Json::object(components.collect::<Result<Vec<_>, _>>()?)?;
    let text = |text: Option<&'_ str>| text.map_or(Json::null(), |text| Json::from(text.to_owned()));
    let made = |given: Option<&str>, kind: &str| match given {
        Some(given) => Ok(Json::from(given.to_owned())),
        None => random_id(kind).map(Json::from),
    };
    let state = certificate_state(certificate, episode.policy_update)?;
    let unsigned = Json::object([
        ("receipt_id", made(episode.receipt_id, "receipt")?),
        ("reward_contract_digest", Json::from(contract.digest())),
        ("policy_checkpoint_id", Json::from(episode.policy_checkpoint_id)),
        ("policy_update", Json::from(episode.policy_update)),
        ("episode_id", Json::from(episode.episode_id)),
        ("oracle_tier", Json::from(i32::from(effective_tier(contract, episode.tier).number()))),
        ("reward_outcome", Json::from(episode.outcome.as_str())),
        ("evidence_digest", Json::from(episode.evidence_digest)),
        ("reward_components", components),
        ("scalar_reward", scored.scalar.and_then(Json::double).unwrap_or(Json::null())),
        ("certificate_id", text(certificate.map(RewardCertificateV1::certificate_id))),
        ("certificate_digest", text(certificate.map(RewardCertificateV1::digest))),
        ("certificate_state", Json::from(state.as_str())),
        ("calibration_corpus_digest", text(certificate.map(RewardCertificateV1::calibration_corpus_digest))),
        ("calibration_scope", text(certificate.map(|certificate| certificate.calibration_scope().as_str()))),
        ("uncertainty", Json::from(episode.uncertainty.as_str())),
        ("certified", Json::from(scored.certified)),
        ("development_only", Json::from(scored.development_only)),
        ("issuer_key_id", Json::from(key.id())),
        ("nonce", made(episode.nonce, "nonce")?),
        ("issued_at", episode.issued_at.map_or_else(|| Json::from(now()), |at| Json::from(at.to_owned()))),
        ("signature", Json::from(PLACEHOLDER)),
    ])?;
    let receipt = sign(&RewardEvidenceReceiptV1::from_json(&unsigned)?, key)?;
    let keyring = key.keyring();
    let report =
        Audit { contract: Some(contract), certificate, keyring: Some(&keyring), at_update: None }.of(&receipt)?;
    if report.findings.is_empty() {
        return Ok(receipt);
    }
    let found = report.findings.iter().map(|finding| format!("{}: {}", finding.code, finding.sentence));
    Err(IssueError::DoesNotHold(found.collect::<Vec<_>>().join(" ")))
}

fn require_signature(
    certificate: &RewardCertificateV1,
    episode: &Episode<'_>,
    key: &SigningKey,
) -> Result<(), IssueError> {
    let verdict = match episode.certificate_keyring {
        Some(keyring) => verify(certificate, keyring),
        None if certificate.issuer_key_id() == key.id() => verify(certificate, &key.keyring()),
        None => SignatureVerdict::Valid,
    };
    let code = match verdict {
        SignatureVerdict::Valid => return Ok(()),
        SignatureVerdict::Invalid => Code::CertificateSignatureInvalid,
        SignatureVerdict::SignerUnknown => Code::CertificateSignerUnknown,
    };
    let key_id = crate::core::codes::Given::Text(certificate.issuer_key_id());
    Err(IssueError::Certificate(code.with(&[("key_id", key_id)])))
}

fn random_id(kind: &str) -> Result<String, IssueError> {
    use std::fmt::Write as _;
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|_| IssueError::Random)?;
    let mut id = format!("{kind}.");
    for byte in bytes {
        let _ = write!(id, "{byte:02x}");
    }
    Ok(id)
}

/// The time in whole seconds, as documents have it.
fn now() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    timestamp(seconds)
}

/// Seconds since 1970 as a Timestamp.
fn timestamp(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // The civil calendar in years that begin in March, so that the leap day is the last: 400 of them have 146,097 days.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = 400 * era + year + next;
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_200, "2024-03-01T00:00:00Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(timestamp(seconds), expected);
        }
    }
}
