// Signing keys, and signing a certificate or a receipt.

import { encodeBase64 } from "../core/base64.js";
import { bytesOfArray } from "../core/brands.js";
import { decode, type TextSource } from "../core/decode.js";
import { InvalidDocumentError, shown } from "../core/findings.js";
import type { JsonValue } from "../core/json.js";
import { redacted } from "../core/redaction.js";
import { exactValue } from "../core/strictJson.js";
import { plainCopy } from "../documents/javascriptInput.js";
import { type Documents, type Inputs, settle } from "../documents/read.js";
import type { RewardCertificateV1, RewardEvidenceReceiptV1 } from "../generated/types.js";
import { ALGORITHMS, type AlgorithmName, DEFAULT, spelledKey, splitKey } from "./algorithms.js";
import { KeyFormatError, Keyring, keyBytes, requireKeyId } from "./keys.js";
import { type SignedKind, signedBytes } from "./verify.js";

/** What is in a document that a key will sign: zero bytes as a signature, which verifies under no key. */
export function placeholder(algorithm: AlgorithmName): { signature_algorithm: AlgorithmName; signature: string } {
  const signature = encodeBase64(new Uint8Array(ALGORITHMS[algorithm].signatureBytes));
  return { signature_algorithm: algorithm, signature };
}

/**
 * A private key and its issuer_key_id. Its bytes are never shown: they are not a property, and no message,
 * `console.log` or `JSON.stringify` has them.
 */
export class SigningKey {
  /** The issuer_key_id of the documents that it signs. */
  readonly keyId: string;
  readonly #seed: Uint8Array;
  /** The signature_algorithm of the documents that it signs. */
  readonly algorithm: AlgorithmName;

  /** Takes the bytes of a private key, for Ed25519 a seed of 32, and copies them. Throws KeyFormatError. */
  constructor(keyId: string, seed: Uint8Array, algorithm = DEFAULT.name as AlgorithmName) {
    requireKeyId(keyId);
    const { title, privateKey, privateKeyBytes } = known(algorithm);
    const bytes = bytesOfArray(seed)?.slice();
    const what = `the private key of ${redacted(keyId)}`;
    if (bytes === undefined)
      throw new KeyFormatError(
        `${what} is not a Uint8Array; ${title} ${privateKey} is one of ${privateKeyBytes} bytes`,
      );
    if (bytes.length !== privateKeyBytes) {
      throw new KeyFormatError(`${what} has ${bytes.length} bytes; ${title} ${privateKey} has ${privateKeyBytes}`);
    }
    this.keyId = keyId;
    this.algorithm = algorithm;
    this.#seed = bytes;
    Object.freeze(this);
  }

  /** A new key from the system's random source. Throws KeyFormatError for a malformed id. */
  static generate(keyId: string, algorithm = DEFAULT.name as AlgorithmName): SigningKey {
    return new SigningKey(keyId, known(algorithm).generate(), algorithm);
  }

  /**
   * The key in the text of a private key file that `reward-receipts keygen` wrote: a JSON object of `issuer_key_id` and
   * `private_key`. Throws KeyFormatError; its message never has a part of the text.
   */
  static fromText(data: TextSource): SigningKey {
    let members: JsonValue;
    try {
      members = exactValue(decode(data));
    } catch (error) {
      if (!(error instanceof InvalidDocumentError)) throw error;
      throw new KeyFormatError(NO_KEY_FILE);
    }
    if (!(members instanceof Map) || members.size !== 2) throw new KeyFormatError(NO_KEY_FILE);
    const [keyId, encoded] = [members.get("issuer_key_id"), members.get("private_key")];
    if (typeof keyId !== "string" || typeof encoded !== "string") throw new KeyFormatError(NO_KEY_FILE);
    const [{ name, title, privateKey, privateKeyBytes }, base64] = splitKey(encoded);
    const bytes = keyBytes(base64, "the private key", `${title} ${privateKey}`, privateKeyBytes);
    return new SigningKey(keyId, bytes, name as AlgorithmName);
  }

  /** The public key as keyrings have it: for Ed25519 the base64 of 32 bytes. */
  get publicKey(): string {
    return spelledKey(ALGORITHMS[this.algorithm], ALGORITHMS[this.algorithm].publicKeyOf(this.#seed));
  }

  /** A keyring of this key's public half. */
  get keyring(): Keyring {
    return Keyring.of([[this.keyId, this.publicKey]]);
  }

  /** The canonical base64 of the signature over bytes. */
  signatureOf(message: Uint8Array): string {
    return encodeBase64(ALGORITHMS[this.algorithm].signatureOver(message, this.#seed));
  }
}

function known(algorithm: AlgorithmName) {
  if (!Object.hasOwn(ALGORITHMS, algorithm)) {
    const names = Object.keys(ALGORITHMS).join(", ");
    throw new KeyFormatError(`there is no signature algorithm ${shown(algorithm)}; known are ${names}`);
  }
  return ALGORITHMS[algorithm];
}

const NO_KEY_FILE = "this is not the text of a private key file of reward-receipts keygen";

/** A document as it may be written before it is signed: a signature that it has is replaced. */
export type Unsigned<K extends SignedKind> = WithoutSignature<Inputs[K]>;

type WithoutSignature<T> = T extends unknown ? Omit<T, "signature"> & { readonly signature?: string } : never;

/**
 * A certificate or a receipt, completed, with the key's signature over it; a signature that it has is replaced.
 *
 * Throws RangeError if the document names another issuer_key_id, TypeError for a document of another kind,
 * InvalidDocumentError for one that is not valid.
 *
 * @example
 * const signed = sign(receipt, SigningKey.generate("key.mine.0001"), "receipt");
 */
export function sign(
  document: Unsigned<"certificate">,
  signingKey: SigningKey,
  kind?: "certificate",
): RewardCertificateV1;
export function sign(document: Unsigned<"receipt">, signingKey: SigningKey, kind?: "receipt"): RewardEvidenceReceiptV1;
export function sign(document: Unsigned<SignedKind>, signingKey: SigningKey, kind?: SignedKind): Documents[SignedKind] {
  const { value } = plainCopy(document);
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Map);
  const unsigned = settle(isObject ? { ...value, ...placeholderIn(value, signingKey.algorithm) } : value, kind);
  if ((unsigned.kind as string) === "contract") {
    throw new TypeError("a certificate or a receipt is signed; this is a contract, which has no signature");
  }
  const { issuer_key_id } = unsigned.document;
  if (issuer_key_id !== signingKey.keyId) {
    const keys = `key ${redacted(issuer_key_id)}; the signing key is ${redacted(signingKey.keyId)}`;
    throw new RangeError(`the document names ${keys}`);
  }
  const signature = signingKey.signatureOf(signedBytes(unsigned));
  return settle({ ...unsigned.document, signature }, unsigned.kind).document;
}

/** A signature_algorithm that nobody knows stays: the schema refuses it. */
function placeholderIn(value: object, algorithm: AlgorithmName): Partial<ReturnType<typeof placeholder>> {
  const named = "signature_algorithm" in value ? value.signature_algorithm : algorithm;
  const { signature, signature_algorithm } = placeholder(algorithm);
  const isKnown = typeof named === "string" && Object.hasOwn(ALGORITHMS, named);
  return isKnown ? { signature, signature_algorithm } : { signature };
}

// Nobody can replace what a signing key does with its bytes.
Object.freeze(SigningKey);
Object.freeze(SigningKey.prototype);
