//! Signatures and audits, with a table for each key that is used often.

use std::collections::HashMap;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use reward_receipts::bulk;
use reward_receipts::{Keyring, RewardCertificateV1, RewardContractV1, direct};

use crate::lines::{Checked, checked};
use crate::{kind_named, read, text_of};

/// An Ed25519 public key, ready to verify. One that is used often gets a table.
#[pyclass(frozen, module = "reward_receipts_core")]
pub(crate) struct VerifyingKey(direct::VerifyingKey);

#[pymethods]
impl VerifyingKey {
    #[new]
    fn new(key: [u8; 32]) -> Self {
        Self(direct::VerifyingKey::new(&key))
    }

    /// Whether the key made a signature over a message.
    fn verifies(&self, py: Python<'_>, signature: &[u8], message: &[u8]) -> bool {
        let Ok(signature) = signature.try_into() else { return false };
        py.detach(|| self.0.verifies(message, signature))
    }
}

/// Audits receipts against the contracts, certificates and keys that it was given.
#[pyclass(frozen, module = "reward_receipts_core")]
pub(crate) struct Auditor(bulk::Auditor);

#[pymethods]
impl Auditor {
    /// Contracts and certificates are canonical texts; keys are a dict of ids and 32 bytes, or one key for any id.
    #[new]
    #[allow(clippy::needless_pass_by_value)] // they come from Python
    #[pyo3(signature = (contracts, certificates, keys, at_update=None, *, by_digest=true))]
    fn new(
        contracts: Vec<String>,
        certificates: Vec<String>,
        keys: Keys,
        at_update: Option<u64>,
        by_digest: bool,
    ) -> PyResult<Self> {
        let refused = |error: &dyn std::fmt::Display| PyValueError::new_err(error.to_string());
        let contracts = contracts.iter().map(|text| RewardContractV1::read(text.as_bytes()));
        let contracts = contracts.collect::<Result<Vec<_>, _>>().map_err(|error| refused(&error))?;
        let certificates = certificates.iter().map(|text| RewardCertificateV1::read(text.as_bytes()));
        let certificates = certificates.collect::<Result<Vec<_>, _>>().map_err(|error| refused(&error))?;
        let mut auditor = match keys {
            Keys::One(key) => bulk::Auditor::with_one_key(contracts, certificates, &key),
            Keys::ById(keys) => {
                let keys = keys.iter().map(|(id, key)| (id.as_str(), *key));
                let keyring = Keyring::from_keys(keys).map_err(|error| refused(&error))?;
                bulk::Auditor::new(contracts, certificates, &keyring)
            }
        };
        if let Some(update) = at_update {
            auditor = auditor.at_update(update).map_err(|error| refused(&error))?;
        }
        Ok(Self(if by_digest { auditor } else { auditor.or_the_only_one() }))
    }

    /// Whether a text is a receipt of which every check that applies ran and passed.
    fn holds(&self, text: &Bound<'_, PyAny>) -> bool {
        text_of(text).is_some_and(|bytes| read(text.py(), bytes, |bytes| self.0.holds(bytes)))
    }

    /// Finds each line of a buffer of JSON Lines that is a receipt of which every check that applies ran and passed.
    #[pyo3(signature = (data, *, threads=1, first_line=1, r#final=true))]
    fn audit_lines(
        &self,
        data: &Bound<'_, PyAny>,
        threads: usize,
        first_line: u64,
        r#final: bool,
    ) -> PyResult<Checked> {
        checked(data, first_line, r#final, |buffer| self.0.audit_lines(buffer, threads))
    }

    /// Finds each line of a buffer of JSON Lines that is a valid document with a valid signature.
    #[pyo3(signature = (data, kind=None, *, threads=1, first_line=1, r#final=true))]
    fn verify_lines(
        &self,
        data: &Bound<'_, PyAny>,
        kind: Option<&str>,
        threads: usize,
        first_line: u64,
        r#final: bool,
    ) -> PyResult<Checked> {
        let kind = kind_named(kind).map_err(|()| PyValueError::new_err("an unknown kind of document"))?;
        checked(data, first_line, r#final, |buffer| self.0.verify_lines(buffer, kind, threads))
    }
}

#[derive(FromPyObject)]
enum Keys {
    One([u8; 32]),
    ById(HashMap<String, [u8; 32]>),
}
