// Ed25519 signatures, accepted exactly when libsodium accepts them.

import { getPublicKey, hashes, Point, sign } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { encodeBase64 } from "../core/base64.js";
import type { SignatureAlgorithm } from "./signatureAlgorithm.js";

const { n: ORDER, p: PRIME } = Point.CURVE();

/** A root of d y^4 + 2 y^2 = 1: the y of two points of order 8. Its negative is that of the other two. */
const Y_OF_ORDER_8 = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;

/** The y of the eight points whose order divides 8. */
const SMALL_ORDER = new Set([0n, 1n, PRIME - 1n, Y_OF_ORDER_8, PRIME - Y_OF_ORDER_8]);

/**
 * Whether a 64-byte Ed25519 signature over a message is one of a 32-byte public key (RFC 8032, without the cofactor).
 *
 * Refused: S at or above the order, and an A or R that is of small order or not in its one encoding. These checks are
 * made here, because platforms differ in them. The rest is the equation, which a platform computes ten times faster.
 */
function verifies(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  const encodedR = signature.subarray(0, 32);
  if (littleEndian(signature.subarray(32)) >= ORDER || !isAcceptable(publicKey) || !isAcceptable(encodedR))
    return false;
  return onPlatform(signature, message, publicKey) ?? equationHolds(signature, message, publicKey);
}

/** The 32-byte public key of a 32-byte seed. */
function publicKeyOf(seed: Uint8Array): Uint8Array {
  hashes.sha512 = sha512; // the library asks for it, and may be shared with others who set another
  return getPublicKey(seed);
}

/** The 64-byte Ed25519 signature (RFC 8032) of a 32-byte seed over a message. */
function signatureOver(message: Uint8Array, seed: Uint8Array): Uint8Array {
  hashes.sha512 = sha512;
  return sign(message, seed);
}

/** Whether an encoding may stand as A or R, given that it is that of a point: y is below the prime, and not small. */
function isAcceptable(encoded: Uint8Array): boolean {
  const y = BigInt.asUintN(255, littleEndian(encoded)); // without the sign of x
  return y < PRIME && !SMALL_ORDER.has(y);
}

/** The part of node:crypto that verifies, with the types that are used here. */
interface NodeCrypto {
  createPublicKey(input: { readonly key: object; readonly format: "jwk" }): object;
  verify(algorithm: null, data: Uint8Array, key: object, signature: Uint8Array): boolean;
}

declare const process: { getBuiltinModule?(name: "node:crypto"): NodeCrypto | undefined } | undefined;

// Asked for and not imported, so that a bundler for browsers does not look for it. Node has this since 20.16. The build
// for browsers replaces `process`, so that nothing of this line is left in it.
const NODE_CRYPTO = typeof process === "undefined" ? undefined : process.getBuiltinModule?.("node:crypto");

/**
 * The platform's answer about a signature with an acceptable A and R; undefined if it has none.
 *
 * OpenSSL and its relatives compute S B - h A with h modulo the order, and compare the encoding of the sum to R, as
 * `equationHolds` does. So they agree too on an A or R that has a part of small order.
 */
function onPlatform(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean | undefined {
  if (NODE_CRYPTO === undefined) return undefined;
  try {
    return NODE_CRYPTO.verify(null, message, platformKey(NODE_CRYPTO, publicKey), signature);
  } catch {
    return undefined; // a platform without Ed25519, or one that refuses the key: the other code decides
  }
}

const PLATFORM_KEYS = new Map<string, object>();
const MAX_PLATFORM_KEYS = 100;

/** The platform's form of a public key, kept for the next signature: to make it is a tenth of a verification. */
function platformKey(platform: NodeCrypto, publicKey: Uint8Array): object {
  const x = encodeBase64(publicKey).replace(/[+/=]/g, (sign) => (sign === "+" ? "-" : sign === "/" ? "_" : ""));
  let key = PLATFORM_KEYS.get(x);
  if (key === undefined) {
    key = platform.createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    if (PLATFORM_KEYS.size >= MAX_PLATFORM_KEYS) PLATFORM_KEYS.clear();
    PLATFORM_KEYS.set(x, key);
  }
  return key;
}

/** Whether S B - h A is encoded as R, computed in JavaScript. */
function equationHolds(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  const encodedR = signature.subarray(0, 32);
  let a: Point;
  try {
    a = Point.fromBytes(Uint8Array.from(publicKey));
  } catch {
    return false; // the encoding is not that of a point
  }
  const bound = sha512.create().update(encodedR).update(publicKey).update(message).digest();
  const h = littleEndian(bound) % ORDER;
  const s = littleEndian(signature.subarray(32));
  const found = Point.BASE.multiply(s, false).subtract(a.multiply(h, false)).toBytes();
  return found.every((byte, at) => byte === encodedR[at]);
}

function littleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${bytesToHex(Uint8Array.from(bytes).reverse())}`);
}

/** Ed25519 (RFC 8032), accepted exactly when libsodium accepts it. */
export const ED25519: SignatureAlgorithm = Object.freeze({
  name: "ed25519",
  title: "an Ed25519",
  publicKeyBytes: 32,
  privateKey: "seed",
  privateKeyBytes: 32,
  signatureBytes: 64,
  generate: () => crypto.getRandomValues(new Uint8Array(32)),
  publicKeyOf,
  signatureOver,
  verifies,
});
