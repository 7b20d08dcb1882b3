// Public keys and keyrings.

import { decodeBase64, encodeBase64 } from "../core/base64.js";
import { bytesOfArray } from "../core/brands.js";
import { decode, type TextSource } from "../core/decode.js";
import { InvalidDocumentError } from "../core/findings.js";
import type { JsonValue } from "../core/json.js";
import { redacted } from "../core/redaction.js";
import { exactValue } from "../core/strictJson.js";
import { isPlainObject } from "../documents/javascriptInput.js";
import { definition } from "../validation/schemas.js";

/** A key or a keyring is malformed. The message never has a byte of what could be a key, wherever it was given. */
export class KeyFormatError extends Error {
  override readonly name: string = "KeyFormatError";
}

const ENTRIES: unique symbol = Symbol.for("reward-receipts.keyring.entries");

/** The public keys that a reader holds, by issuer_key_id. Cannot change. */
export class Keyring {
  readonly #keys: ReadonlyMap<string, Uint8Array>;

  private constructor(keys: ReadonlyMap<string, Uint8Array>) {
    this.#keys = keys;
    Object.freeze(this);
  }

  /**
   * A keyring from key ids and public keys: 32 bytes each, or their base64.
   *
   * Throws KeyFormatError for a malformed id or key, and for two different keys under one id.
   */
  static of(keys: Iterable<readonly [keyId: string, key: string | Uint8Array]>): Keyring {
    const held = new Map<string, Uint8Array>();
    let entry = 0;
    for (const [keyId, key] of keys) {
      entry++;
      if (typeof keyId !== "string" || !OPAQUE_ID.test(keyId)) {
        throw new KeyFormatError(`the id of key ${entry} of the keyring is not an OpaqueId (${OPAQUE_ID_FORM})`);
      }
      const bytes = publicKey(key, `the key of ${redacted(keyId)}`);
      const known = held.get(keyId);
      if (known?.some((byte, at) => byte !== bytes[at])) {
        throw new KeyFormatError(`two different keys have the id ${redacted(keyId)}; give one key for each id`);
      }
      held.set(keyId, bytes);
    }
    return new Keyring(held);
  }

  /** A keyring from an object of key ids and base64 texts. Throws KeyFormatError. */
  static fromMapping(keys: Readonly<Record<string, string>>): Keyring {
    return Keyring.of(Object.entries(keys).map(([keyId, key]) => [keyId, text(key)]));
  }

  /** A keyring from the JSON text of an object of key ids and base64 texts. Throws KeyFormatError. */
  static fromText(data: TextSource): Keyring {
    let members: JsonValue;
    try {
      members = exactValue(decode(data));
    } catch (error) {
      if (!(error instanceof InvalidDocumentError)) throw error;
      // Its sentence quotes the text, which may be a private key by mistake.
      const { line, column, code } = error.findings[0]!;
      throw new KeyFormatError(`${line}:${column}: ${code}; a keyring is JSON`);
    }
    if (!(members instanceof Map)) throw new KeyFormatError(NO_KEYRING);
    if (members.has("private_key")) {
      throw new KeyFormatError("this is the text of a private key file; a keyring has public keys");
    }
    return Keyring.of([...members].map(([keyId, key]) => [keyId, text(key)]));
  }

  /** The key that is held under an id; undefined if none is. */
  get(keyId: string): Uint8Array | undefined {
    return this.#keys.get(keyId)?.slice();
  }

  has(keyId: string): boolean {
    return this.#keys.has(keyId);
  }

  /** The ids under which keys are held. */
  get ids(): readonly string[] {
    return [...this.#keys.keys()];
  }

  get size(): number {
    return this.#keys.size;
  }

  /**
   * The ids and keys, for `heldKey`: `reward-receipts` and `reward-receipts/browser` have a class Keyring each, and
   * take each other's.
   *
   * @internal
   */
  [ENTRIES](): readonly (readonly [keyId: string, key: Uint8Array])[] {
    return Array.from(this.#keys, ([keyId, key]) => [keyId, key.slice()] as const);
  }
}

/**
 * A keyring, an object of key ids and base64 texts, or one public key: 32 bytes, or their base64.
 *
 * One key by itself is taken for the key that the document names.
 */
export type PublicKey = Keyring | Readonly<Record<string, string>> | Uint8Array | string;

/** The key that is held for an id; undefined if none is. Throws KeyFormatError. */
export function heldKey(keys: PublicKey, keyId: string): Uint8Array | undefined {
  if (typeof keys === "string" || bytesOfArray(keys) !== undefined) {
    return publicKey(keys as string | Uint8Array, "the public key");
  }
  if (keys instanceof Keyring) return keys.get(keyId);
  const entries = typeof keys === "object" && keys !== null ? (keys as Partial<Keyring>)[ENTRIES] : undefined;
  if (typeof entries === "function") return Keyring.of(entries.call(keys)).get(keyId);
  if (isPlainObject(keys)) return Keyring.fromMapping(keys as Readonly<Record<string, string>>).get(keyId);
  throw new KeyFormatError("a key is a Uint8Array, base64 text, an object of key ids and base64 texts or a Keyring");
}

/** The 32 bytes of a public key from its canonical base64. Throws KeyFormatError. */
export function decodePublicKey(encoded: string, what = "the public key"): Uint8Array {
  return keyBytes(encoded, what, "public key");
}

/** 32 bytes from their canonical base64. Throws KeyFormatError, with no byte of them. */
export function keyBytes(encoded: string, what: string, form: string): Uint8Array {
  // The length first: what is as long as a text may be is not decoded at all.
  const padding = encoded.endsWith("==") ? 2 : encoded.endsWith("=") ? 1 : 0;
  const digits = encoded.length - padding;
  if (encoded.length % 4 !== 0 || NO_BASE64.test(encoded.slice(0, digits))) {
    throw new KeyFormatError(`${what} is not base64`);
  }
  const length = (encoded.length / 4) * 3 - padding;
  if (length !== 32) throw new KeyFormatError(`${what} has ${length} bytes; an Ed25519 ${form} has 32`);
  const bytes = decodeBase64(encoded);
  if (encodeBase64(bytes) !== encoded) {
    throw new KeyFormatError(`${what} is not canonical base64; one key has one spelling`);
  }
  return bytes;
}

/** Throws KeyFormatError for what is not an OpaqueId, without a byte of it. */
export function requireKeyId(keyId: unknown): asserts keyId is string {
  if (typeof keyId !== "string" || !OPAQUE_ID.test(keyId)) {
    throw new KeyFormatError(`the key id is not an OpaqueId (${OPAQUE_ID_FORM})`);
  }
}

const NO_KEYRING = "a keyring is a JSON object of key ids and base64 public keys";
const NO_BASE64 = /[^A-Za-z0-9+/]/;
const OPAQUE_ID = new RegExp(definition("OpaqueId").pattern!, "u");
const OPAQUE_ID_FORM = "8 to 128 of A-Z a-z 0-9 . _ : -";

function publicKey(key: string | Uint8Array, what: string): Uint8Array {
  if (typeof key === "string") return decodePublicKey(key, what);
  const bytes = bytesOfArray(key)?.slice();
  if (bytes === undefined) throw new KeyFormatError(`${what} is not a Uint8Array or base64 text`);
  if (bytes.length !== 32) {
    throw new KeyFormatError(`${what} has ${bytes.length} bytes; an Ed25519 public key has 32`);
  }
  return bytes;
}

function text(key: unknown): string {
  if (typeof key !== "string") throw new KeyFormatError(NO_KEYRING);
  return key;
}

// Nobody can replace what a keyring answers.
Object.freeze(Keyring);
Object.freeze(Keyring.prototype);
