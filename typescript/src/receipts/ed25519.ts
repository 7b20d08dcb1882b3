// Ed25519 signatures, accepted exactly when libsodium accepts them.

import { getPublicKey, hashes, Point, sign } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";

const ORDER = Point.CURVE().n;

/**
 * Whether a 64-byte Ed25519 signature over a message is one of a 32-byte public key (RFC 8032, without the cofactor).
 *
 * Refused: S at or above the order, and an A or R that is of small order or not in its one encoding.
 */
export function verifies(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  const encodedR = signature.subarray(0, 32);
  const s = littleEndian(signature.subarray(32));
  const a = acceptable(publicKey);
  if (s >= ORDER || a === null || acceptable(encodedR) === null) return false;
  const bound = sha512.create().update(encodedR).update(publicKey).update(message).digest();
  const h = littleEndian(bound) % ORDER;
  const found = Point.BASE.multiply(s, false).subtract(a.multiply(h, false)).toBytes();
  return found.every((byte, at) => byte === encodedR[at]);
}

/** The 32-byte public key of a 32-byte seed. */
export function publicKeyOf(seed: Uint8Array): Uint8Array {
  hashes.sha512 = sha512; // the library asks for it, and may be shared with others who set another
  return getPublicKey(seed);
}

/** The 64-byte Ed25519 signature (RFC 8032) of a 32-byte seed over a message. */
export function signatureOver(message: Uint8Array, seed: Uint8Array): Uint8Array {
  hashes.sha512 = sha512;
  return sign(message, seed);
}

/** The point of an encoding that may stand as A or R; null where it may not. */
function acceptable(encoded: Uint8Array): Point | null {
  let point: Point;
  try {
    point = Point.fromBytes(Uint8Array.from(encoded)); // refuses what is not in its one encoding
  } catch {
    return null;
  }
  return point.isSmallOrder() ? null : point;
}

function littleEndian(bytes: Uint8Array): bigint {
  let hex = "";
  for (const byte of bytes) hex = byte.toString(16).padStart(2, "0") + hex;
  return BigInt(`0x${hex}`);
}
