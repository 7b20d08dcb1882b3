//! Ed25519 (RFC 8032) as libsodium does it, so that every language accepts the same signatures.
//!
//! Verification is without the cofactor: the encoding of S*B - h*A must equal the bytes of R. Refused are S that is not
//! below the order, A and R of small order, and A and R in an encoding that is not canonical.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use curve25519_dalek::constants::{ED25519_BASEPOINT_POINT, ED25519_BASEPOINT_TABLE, EIGHT_TORSION};
use curve25519_dalek::edwards::{CompressedEdwardsY, EdwardsPoint};
use curve25519_dalek::scalar::{Scalar, clamp_integer};
use curve25519_dalek::traits::Identity as _;
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
    ManyTimesKey::new(key).signed([message, b""], signature)
}

/// A public key that may have many signatures, for those who keep it: after some of them a table makes the others cheaper.
pub struct VerifyingKey(ManyTimesKey);

impl VerifyingKey {
    /// The key of 32 bytes.
    #[must_use]
    pub fn new(key: &[u8; 32]) -> Self {
        Self(ManyTimesKey::new(key))
    }

    /// Whether it made a signature over a message; as [`is_valid_signature`].
    #[must_use]
    pub fn verifies(&self, message: &[u8], signature: &[u8; 64]) -> bool {
        self.0.signed([message, b""], signature)
    }
}

/// A public key that may have many signatures: after some of them, a table of its multiples makes the others cheaper.
///
/// A table takes 0.7 MB, and as much time as some twenty signatures. It changes no answer.
pub(crate) struct ManyTimesKey {
    key: [u8; 32],
    /// The negative of its point; `None` if no signature is valid under the key.
    negative: Option<EdwardsPoint>,
    uses: AtomicU32,
    table: OnceLock<Multiples>,
}

/// After so many signatures of a key its table is made.
const USES_BEFORE_TABLE: u32 = 16;

/// A process makes so many tables; further keys do without.
const MOST_TABLES: u32 = 8;

static TABLES: AtomicU32 = AtomicU32::new(0);

impl ManyTimesKey {
    pub(crate) fn new(key: &[u8; 32]) -> Self {
        Self { key: *key, negative: point(key).map(|point| -point), uses: AtomicU32::new(0), table: OnceLock::new() }
    }

    /// Whether a signature over a message in two parts is one of the key; as [`is_valid_signature`].
    pub(crate) fn signed(&self, message: [&[u8]; 2], signature: &[u8; 64]) -> bool {
        self.computed(message, signature).is_some_and(|computed| computed.is_valid())
    }

    /// The point to compare with that of a signature; `None` if the signature is invalid already.
    pub(crate) fn computed(&self, message: [&[u8]; 2], signature: &[u8; 64]) -> Option<Computed> {
        let negative = self.negative.as_ref()?;
        let (r, s) = halves(signature);
        let s = Option::<Scalar>::from(Scalar::from_canonical_bytes(s))?;
        let h = challenge(&r, &self.key, message);
        let point = match self.table(negative) {
            Some(table) => table.times(&h, base().times(&s, EdwardsPoint::identity())),
            None => EdwardsPoint::vartime_double_scalar_mul_basepoint(&h, negative, &s),
        };
        Some(Computed { r, point })
    }

    fn table(&self, negative: &EdwardsPoint) -> Option<&Multiples> {
        if let Some(table) = self.table.get() {
            return Some(table);
        }
        if self.uses.fetch_add(1, Ordering::Relaxed) != USES_BEFORE_TABLE {
            return None; // one thread makes it, and the others go on without it
        }
        if TABLES.fetch_add(1, Ordering::Relaxed) >= MOST_TABLES {
            TABLES.fetch_sub(1, Ordering::Relaxed);
            return None;
        }
        Some(self.table.get_or_init(|| Multiples::of(*negative, 8)))
    }
}

impl Drop for ManyTimesKey {
    fn drop(&mut self) {
        if self.table.get().is_some() {
            TABLES.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// S*B - h*A, and the R of the signature, whose bytes its encoding has to equal.
pub(crate) struct Computed {
    r: [u8; 32],
    point: EdwardsPoint,
}

impl Computed {
    pub(crate) fn is_valid(&self) -> bool {
        self.equals(&self.point.compress())
    }

    /// Whether each of several signatures is valid. They share one inversion; each is compared by itself.
    pub(crate) fn are_valid(several: &[Self]) -> impl Iterator<Item = bool> {
        let points: Vec<EdwardsPoint> = several.iter().map(|each| each.point).collect();
        let found = EdwardsPoint::compress_batch_alloc(&points);
        several.iter().zip(found).map(|(each, found)| each.equals(&found))
    }

    /// The encoding that was found is canonical, so an R that equals it is too.
    fn equals(&self, found: &CompressedEdwardsY) -> bool {
        found.0 == self.r && !small_order().contains(found)
    }
}

/// The encodings of the eight points of small order.
fn small_order() -> &'static [CompressedEdwardsY; 8] {
    static POINTS: OnceLock<[CompressedEdwardsY; 8]> = OnceLock::new();
    POINTS.get_or_init(|| EIGHT_TORSION.map(|point| point.compress()))
}

/// The table of the base point, which all keys share: a larger one than theirs, of 2 MB.
fn base() -> &'static Multiples {
    static BASE: OnceLock<Multiples> = OnceLock::new();
    BASE.get_or_init(|| Multiples::of(ED25519_BASEPOINT_POINT, 10))
}

/// The multiples 1 to half of a radix of a point, of the radix times the point, and so on: with them a product is an
/// addition for each digit.
struct Multiples {
    /// The radix is two to this power.
    bits: usize,
    points: Vec<EdwardsPoint>,
}

impl Multiples {
    fn of(mut point: EdwardsPoint, bits: usize) -> Self {
        let (digits, half) = (256_usize.div_ceil(bits), 1 << (bits - 1));
        let mut points = Vec::with_capacity(digits * half);
        for _ in 0..digits {
            let mut multiple = EdwardsPoint::identity();
            for _ in 0..half {
                multiple += point;
                points.push(multiple);
            }
            point = multiple + multiple;
        }
        Self { bits, points }
    }

    /// A sum and the product of a scalar and the point. Not in constant time: nothing here is secret.
    fn times(&self, scalar: &Scalar, mut sum: EdwardsPoint) -> EdwardsPoint {
        let (radix, half) = (1_u32 << self.bits, 1_usize << (self.bits - 1));
        let mut carry = 0;
        for (place, multiples) in self.points.chunks_exact(half).enumerate() {
            let digit = bits_at(scalar.as_bytes(), place * self.bits) % radix + carry; // at most the radix
            let is_negative = digit as usize > half;
            carry = u32::from(is_negative); // what is missing to the radix is taken away
            let size = if is_negative { radix - digit } else { digit } as usize;
            if let Some(multiple) = multiples.get(size.wrapping_sub(1)) {
                if is_negative {
                    sum -= multiple;
                } else {
                    sum += multiple;
                }
            }
        }
        sum
    }
}

/// The 25 bits or more from a bit on.
fn bits_at(bytes: &[u8; 32], bit: usize) -> u32 {
    let bytes = bytes.iter().skip(bit / 8).take(4);
    bytes.enumerate().fold(0, |word, (place, byte)| word | u32::from(*byte) << (8 * place)) >> (bit % 8)
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

fn challenge(r: &[u8; 32], key: &[u8; 32], message: [&[u8]; 2]) -> Scalar {
    let [first, second] = message;
    let hash = Sha512::new().chain_update(r).chain_update(key).chain_update(first).chain_update(second).finalize();
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
        let s = challenge(&r, &self.public, [message, b""]) * *secret + *nonce;
        let mut signature = [0; 64];
        signature[..32].copy_from_slice(&r);
        signature[32..].copy_from_slice(s.as_bytes());
        signature
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn with_a_table_or_in_a_group_the_answers_are_the_same() {
        let signer = Expanded::of_seed(&[7; 32]);
        let key = ManyTimesKey::new(&signer.public);
        let mut computed = Vec::new();
        let mut expected = Vec::new();
        for number in 0..3 * USES_BEFORE_TABLE {
            let message = number.to_le_bytes();
            let mut signature = signer.sign(&message);
            match number % 4 {
                1 => signature[0] ^= 1,  // R
                2 => signature[32] ^= 1, // S
                3 => signature[..32].copy_from_slice(&EdwardsPoint::identity().compress().to_bytes()),
                _ => {}
            }
            expected.push(number % 4 == 0);
            assert_eq!(is_valid_signature(&signer.public, &message, &signature), number % 4 == 0);
            let one = key.computed([&message[..1], &message[1..]], &signature).expect("S is below the order");
            assert_eq!(one.is_valid(), number % 4 == 0);
            computed.push(one);
        }
        assert!(key.table.get().is_some());
        assert_eq!(Computed::are_valid(&computed).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn products_of_the_table_are_those_of_the_library() {
        for bits in [4, 8, 10] {
            products(&Multiples::of(ED25519_BASEPOINT_POINT, bits));
        }
    }

    fn products(table: &Multiples) {
        let order_less_one = -Scalar::ONE;
        let mut scalars = vec![Scalar::ZERO, Scalar::ONE, order_less_one];
        scalars.extend([127_u64, 128, 129, 255, 256, 0x8080_8080, u64::MAX].map(Scalar::from));
        scalars.extend((0..64_u8).map(|each| challenge(&[each; 32], &[0; 32], [b"", b""])));
        for scalar in scalars {
            assert_eq!(table.times(&scalar, EdwardsPoint::identity()), scalar * ED25519_BASEPOINT_POINT);
        }
    }
}
