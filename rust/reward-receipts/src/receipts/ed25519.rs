//! Ed25519 (RFC 8032) as libsodium does it, so that every language accepts the same signatures.
//!
//! Verification is without the cofactor: the encoding of S*B - h*A must equal the bytes of R. Refused are S that is not
//! below the order, A and R of small order, and A and R in an encoding that is not canonical.

use curve25519_dalek::constants::ED25519_BASEPOINT_TABLE;
use curve25519_dalek::edwards::{CompressedEdwardsY, EdwardsPoint};
use curve25519_dalek::scalar::{Scalar, clamp_integer};
use sha2::{Digest as _, Sha512};
use zeroize::Zeroizing;

/// Whether a signature over a message is one of a key, as version 1 has it: what libsodium accepts.
///
/// ```
/// use reward_receipts::is_valid_signature;
///
/// assert!(!is_valid_signature(&[0; 32], b"a message", &[0; 64])); // a key of small order
/// ```
#[must_use]
pub fn is_valid_signature(key: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> bool {
    let Some(point) = point(key) else { return false };
    let (r, s) = halves(signature);
    let Some(s) = Option::<Scalar>::from(Scalar::from_canonical_bytes(s)) else { return false };
    let h = challenge(&r, key, message);
    let found = EdwardsPoint::vartime_double_scalar_mul_basepoint(&h, &-point, &s);
    // The encoding that was found is canonical, so an R that equals it is too.
    found.compress().to_bytes() == r && !found.is_small_order()
}

/// The point of a public key, if it is one, of large order and in its canonical encoding.
fn point(key: &[u8; 32]) -> Option<EdwardsPoint> {
    let point = CompressedEdwardsY(*key).decompress()?;
    (point.compress().to_bytes() == *key && !point.is_small_order()).then_some(point)
}

fn halves(signature: &[u8; 64]) -> ([u8; 32], [u8; 32]) {
    let mut halves = ([0; 32], [0; 32]);
    halves.0.copy_from_slice(&signature[..32]);
    halves.1.copy_from_slice(&signature[32..]);
    halves
}

fn challenge(r: &[u8; 32], key: &[u8; 32], message: &[u8]) -> Scalar {
    let hash = Sha512::new().chain_update(r).chain_update(key).chain_update(message).finalize();
    Scalar::from_bytes_mod_order_wide(&hash.into())
}

/// The secret scalar of a seed, the prefix that its nonces are made with, and the public key.
pub(crate) struct Expanded {
    secret: Zeroizing<[u8; 32]>,
    prefix: Zeroizing<[u8; 32]>,
    pub(crate) public: [u8; 32],
}

impl Expanded {
    pub(crate) fn of_seed(seed: &[u8; 32]) -> Self {
        let hash: Zeroizing<[u8; 64]> = Zeroizing::new(Sha512::digest(seed).into());
        let (low, high) = halves(&hash);
        let (low, prefix) = (Zeroizing::new(low), Zeroizing::new(high));
        let secret = Zeroizing::new(Scalar::from_bytes_mod_order(clamp_integer(*low)).to_bytes());
        let scalar = Zeroizing::new(Scalar::from_bytes_mod_order(*secret));
        let public = (&*scalar * ED25519_BASEPOINT_TABLE).compress().to_bytes();
        Self { secret, prefix, public }
    }

    pub(crate) fn sign(&self, message: &[u8]) -> [u8; 64] {
        let hash: Zeroizing<[u8; 64]> =
            Zeroizing::new(Sha512::new().chain_update(*self.prefix).chain_update(message).finalize().into());
        let nonce = Zeroizing::new(Scalar::from_bytes_mod_order_wide(&hash));
        let r = (&*nonce * ED25519_BASEPOINT_TABLE).compress().to_bytes();
        let secret = Zeroizing::new(Scalar::from_bytes_mod_order(*self.secret));
        let s = challenge(&r, &self.public, message) * *secret + *nonce;
        let mut signature = [0; 64];
        signature[..32].copy_from_slice(&r);
        signature[32..].copy_from_slice(s.as_bytes());
        signature
    }
}
