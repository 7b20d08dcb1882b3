//! What is done with receipts: scoring, signing, verifying, auditing, issuing.

pub(crate) mod audit;
pub(crate) mod certification;
pub(crate) mod ed25519;
pub(crate) mod issue;
pub(crate) mod keys;
pub(crate) mod score;
pub(crate) mod sign;
