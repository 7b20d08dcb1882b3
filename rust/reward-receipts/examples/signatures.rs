//! Random signatures, most of them with something wrong that a careless verifier lets through, and what the crate says to
//! each: for the test in Python that asks libsodium too.
//!
//!     signatures SEED COUNT
//!
//! Each record has the key (32 bytes), the message (32), the signature (64) and one byte, 1 if it is valid. Keys are used
//! again, so that some get a table of their multiples; with it and without, the answer has to be the same.

use std::collections::HashMap;
use std::io::{self, Write as _};

use curve25519_dalek::constants::{ED25519_BASEPOINT_TABLE, EIGHT_TORSION};
use curve25519_dalek::edwards::EdwardsPoint;
use curve25519_dalek::scalar::Scalar;
use reward_receipts::direct::VerifyingKey;
use reward_receipts::is_valid_signature;
use sha2::{Digest as _, Sha512};

/// The order of the base point, and p = 2^255 - 19, as little-endian bytes.
const ORDER: [u8; 32] = {
    let mut bytes = [0; 32];
    let low = 27_742_317_777_372_353_535_851_937_790_883_648_493_u128.to_le_bytes();
    let mut at = 0;
    while at < 16 {
        bytes[at] = low[at];
        at += 1;
    }
    bytes[31] = 0x10;
    bytes
};

/// A stream of random bytes that the seed decides.
struct Random {
    seed: u64,
    count: u64,
}

impl Random {
    fn bytes(&mut self) -> [u8; 64] {
        self.count += 1;
        Sha512::new().chain_update(self.seed.to_le_bytes()).chain_update(self.count.to_le_bytes()).finalize().into()
    }

    fn scalar(&mut self) -> Scalar {
        Scalar::from_bytes_mod_order_wide(&self.bytes())
    }

    fn below(&mut self, bound: u8) -> u8 {
        self.bytes()[0] % bound
    }

    /// No torsion half of the time.
    fn torsion(&mut self) -> EdwardsPoint {
        let place = self.below(16);
        EIGHT_TORSION[usize::from(if place < 8 { place } else { 0 })]
    }
}

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1).map(|each| each.parse().unwrap_or(0));
    let (seed, count) = (arguments.next().unwrap_or(0), arguments.next().unwrap_or(0));
    let mut random = Random { seed, count: 0 };
    let mut keys: HashMap<[u8; 32], VerifyingKey> = HashMap::new();
    let mut signer = Signer::new(&mut random);
    let mut out = io::BufWriter::new(io::stdout().lock());
    for _ in 0..count {
        if random.bytes()[..2] < [2, 0][..] {
            keys.clear(); // and their tables
            signer = Signer::new(&mut random); // for about 128 signatures
        }
        let (key, message, signature) = signed(&mut random, &signer);
        let is_valid = is_valid_signature(&key, &message, &signature);
        let kept = keys.entry(key).or_insert_with(|| VerifyingKey::new(&key));
        assert_eq!(kept.verifies(&message, &signature), is_valid, "{key:?} {message:?} {signature:?}");
        out.write_all(&key)?;
        out.write_all(&message)?;
        out.write_all(&signature)?;
        out.write_all(&[u8::from(is_valid)])?;
    }
    out.flush()
}

/// A secret and a public key that goes with it more or less.
struct Signer {
    secret: Scalar,
    key: [u8; 32],
}

impl Signer {
    fn new(random: &mut Random) -> Self {
        let secret = random.scalar();
        let point = point(random, &secret);
        Self { secret, key: encoded(random, &point) }
    }
}

/// A multiple of the base point, with a part of small order half of the time; now and then that alone.
fn point(random: &mut Random, scalar: &Scalar) -> EdwardsPoint {
    if random.below(20) == 0 { random.torsion() } else { scalar * ED25519_BASEPOINT_TABLE + random.torsion() }
}

fn signed(random: &mut Random, signer: &Signer) -> ([u8; 32], [u8; 32], [u8; 64]) {
    let Signer { secret, key } = signer;
    let mut key = *key;
    let nonce = random.scalar();
    let message = first_half(&random.bytes());
    let nonce_point = point(random, &nonce);
    let mut r = encoded(random, &nonce_point);
    let hash = Sha512::new().chain_update(r).chain_update(key).chain_update(message).finalize();
    let h = Scalar::from_bytes_mod_order_wide(&hash.into());
    let s = if random.below(20) == 0 { nonce } else { nonce + h * secret };
    let mut s = s.to_bytes();
    match random.below(12) {
        0 => add(&mut s, &ORDER),
        1 => flip(random, &mut s),
        2 => flip(random, &mut r),
        3 => flip(random, &mut key),
        _ => {}
    }
    let mut signature = [0; 64];
    signature[..32].copy_from_slice(&r);
    signature[32..].copy_from_slice(&s);
    (key, message, signature)
}

/// The encoding of a point; of one that has another, now and then that one: y + p, or a sign where x is 0.
fn encoded(random: &mut Random, point: &EdwardsPoint) -> [u8; 32] {
    let mut bytes = point.compress().to_bytes();
    if point.is_small_order() && random.below(2) == 0 {
        if bytes[1..31].iter().all(|byte| *byte == 0) && bytes[0] < 19 {
            let mut prime = [0xff; 32];
            (prime[0], prime[31]) = (0xed, 0x7f);
            let sign = bytes[31] & 0x80;
            bytes[31] &= 0x7f;
            add(&mut bytes, &prime);
            bytes[31] |= sign;
        } else {
            bytes[31] ^= 0x80;
        }
    }
    bytes
}

fn first_half(bytes: &[u8; 64]) -> [u8; 32] {
    let mut half = [0; 32];
    half.copy_from_slice(&bytes[..32]);
    half
}

fn flip(random: &mut Random, bytes: &mut [u8; 32]) {
    let (place, bit) = (random.below(32), random.below(8));
    bytes[usize::from(place)] ^= 1 << bit;
}

fn add(bytes: &mut [u8; 32], other: &[u8; 32]) {
    let mut carried = false;
    for (byte, other) in bytes.iter_mut().zip(other) {
        let (sum, first) = byte.overflowing_add(*other);
        let (sum, second) = sum.overflowing_add(u8::from(carried));
        *byte = sum;
        carried = first || second;
    }
}
