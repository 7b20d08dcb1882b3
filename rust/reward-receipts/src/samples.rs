//! Documents for the examples of this documentation, signed with a key that is drawn when they are first asked for.

use std::sync::OnceLock;

use crate::{
    Episode, Json, Keyring, OracleTier, RewardCertificateV1, RewardContractV1, RewardEvidenceReceiptV1,
    RewardOutcomeV1, SigningKey, issue, sha256_digest, sign,
};

const KEY_ID: &str = "sample.issuer:1";

struct Samples {
    contract: RewardContractV1,
    certificate: RewardCertificateV1,
    receipt: RewardEvidenceReceiptV1,
    keyring: Keyring,
}

fn samples() -> &'static Samples {
    static SAMPLES: OnceLock<Samples> = OnceLock::new();
    SAMPLES.get_or_init(|| made().unwrap_or_else(|error| panic!("the samples are documents: {error}")))
}

fn made() -> Result<Samples, Box<dyn std::error::Error>> {
    let key = SigningKey::generate(KEY_ID)?;
    let contract = RewardContractV1::read(include_bytes!("samples/contract.json"))?;
    let policy = contract.certificate_policy();
    let double = |value| Json::double(value).unwrap_or(Json::null());
    let unsigned = Json::object([
        ("certificate_id", Json::from("sample.certificate:1")),
        ("reward_contract_digest", Json::from(contract.digest())),
        ("checker_configuration_digest", Json::from(sha256_digest(b"sample checker"))),
        ("epsilon", double(policy.epsilon() / 2.0)),
        ("delta", double(policy.delta())),
        ("threshold", double(policy.threshold())),
        ("calibration_corpus_digest", Json::from(policy.calibration_corpus_digest())),
        ("calibration_scope", Json::from("synthetic")),
        ("issued_at_policy_update", Json::from(100)),
        ("expiry_policy_updates", Json::from(policy.expiry_policy_updates())),
        ("issued_at", Json::from("2026-01-31T12:00:00Z")),
        ("issuer", Json::from("self_signed")),
        ("issuer_key_id", Json::from(KEY_ID)),
        ("signature", Json::from(crate::receipts::sign::PLACEHOLDER)),
    ])?;
    let certificate = sign(&RewardCertificateV1::from_json(&unsigned)?, &key)?;
    let evidence = sha256_digest(b"sample evidence");
    let (outcome, tier) = (RewardOutcomeV1::Verified, OracleTier::SystemOfRecord);
    let episode = Episode {
        certificate: Some(&certificate),
        reward_components: &[("task", 1.0)],
        ..Episode::new(&contract, outcome, tier, 100, "sample.checkpoint:1", "sample.episode:1", &evidence)
    };
    let receipt = issue(&episode, &key)?;
    Ok(Samples { contract, certificate, receipt, keyring: key.keyring() })
}

/// A contract with the components `speed` and `task`.
pub fn contract() -> RewardContractV1 {
    samples().contract.clone()
}

/// A certificate that meets the contract's policy from update 100 on.
pub fn certificate() -> RewardCertificateV1 {
    samples().certificate.clone()
}

/// A receipt of a verified episode at update 100, certified (synthetic).
pub fn receipt() -> RewardEvidenceReceiptV1 {
    samples().receipt.clone()
}

/// The key that signed both.
pub fn keyring() -> Keyring {
    samples().keyring.clone()
}
