// The table of signature algorithms, by the signature_algorithm of a document (docs/decisions/signature-algorithms.md).

import { encodeBase64 } from "../core/base64.js";
import type { RewardCertificateV1 } from "../generated/types.js";
import { ED25519 } from "./ed25519.js";
import type { SignatureAlgorithm } from "./signatureAlgorithm.js";

export type AlgorithmName = RewardCertificateV1["signature_algorithm"];

/** The algorithm of a key whose text names none. */
export const DEFAULT: SignatureAlgorithm = ED25519;

/** Every algorithm that the schema has; the compiler refuses a table that lacks one. */
export const ALGORITHMS: Readonly<Record<AlgorithmName, SignatureAlgorithm>> = Object.freeze({ ed25519: ED25519 });

/**
 * The algorithm of a key in text, which is `NAME:BASE64`, and its base64; an Ed25519 key has no name. An unknown name
 * stays in the base64, which refuses it.
 */
export function splitKey(text: string): readonly [algorithm: SignatureAlgorithm, encoded: string] {
  const colon = text.indexOf(":");
  const name = text.slice(0, Math.max(colon, 0));
  if (!Object.hasOwn(ALGORITHMS, name) || name === DEFAULT.name) return [DEFAULT, text];
  return [ALGORITHMS[name as AlgorithmName], text.slice(colon + 1)];
}

/** A key as text: one spelling for each. */
export function spelledKey(algorithm: SignatureAlgorithm, key: Uint8Array): string {
  const encoded = encodeBase64(key);
  return algorithm.name === DEFAULT.name ? encoded : `${algorithm.name}:${encoded}`;
}
