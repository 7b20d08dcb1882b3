import { decode, type TextSource } from "./decode.js";
import { InvalidDocumentError, shown } from "./findings.js";
import { isPlainObject } from "./plain.js";
import { definition } from "./schemas.js";
import { exactValue } from "./text.js";

/** A key or a keyring is malformed. The message never has key bytes. */
export class KeyFormatError extends Error {
  override readonly name: string = "KeyFormatError";
}

/** The public keys that a reader holds, by issuer_key_id. Cannot change. */
export class Keyring {
  readonly #keys: ReadonlyMap<string, Uint8Array>;

  private constructor(keys: ReadonlyMap<string, Uint8Array>) {
    this.#keys = keys;
    Object.freeze(this);
  }

  /** A keyring from key ids and public keys: 32 bytes each, or their base64. Throws KeyFormatError. */
  static of(keys: Iterable<readonly [keyId: string, key: string | Uint8Array]>): Keyring {
    const held = new Map<string, Uint8Array>();
    for (const [keyId, key] of keys) {
      const bytes = typeof key === "string" ? decodePublicKey(key, `the key of ${keyId}`) : key;
      if (!OPAQUE_ID.test(keyId)) {
        throw new KeyFormatError(`the key id ${shown(keyId)} is no OpaqueId (8 to 128 of A-Z a-z 0-9 . _ : -)`);
      }
      held.set(keyId, publicKey(bytes, `the key of ${keyId}`));
    }
    return new Keyring(held);
  }

  /** A keyring from an object of key ids and base64 texts. Throws KeyFormatError. */
  static fromMapping(keys: Readonly<Record<string, string>>): Keyring {
    return Keyring.of(Object.entries(keys));
  }

  /** A keyring from the JSON text of an object of key ids and base64 texts. Throws KeyFormatError. */
  static fromText(data: TextSource): Keyring {
    let members;
    try {
      members = exactValue(decode(data));
    } catch (error) {
      throw error instanceof InvalidDocumentError ? new KeyFormatError(error.message) : error;
    }
    if (!(members instanceof Map)) throw new KeyFormatError(NO_KEYRING);
    return Keyring.of([...members].map(([keyId, key]) => [keyId, text(key)]));
  }

  /** The key that is held under an id; undefined where none is. */
  get(keyId: string): Uint8Array | undefined {
    return this.#keys.get(keyId)?.slice();
  }

  has(keyId: string): boolean {
    return this.#keys.has(keyId);
  }

  get size(): number {
    return this.#keys.size;
  }
}

/**
 * A keyring, an object of key ids and base64 texts, or one public key: 32 bytes, or their base64.
 *
 * One key by itself is taken for the key that the document names.
 */
export type PublicKey = Keyring | Readonly<Record<string, string>> | Uint8Array | string;

/** The key that is held for an id; undefined where none is. Throws KeyFormatError. */
export function heldKey(keys: PublicKey, keyId: string): Uint8Array | undefined {
  if (keys instanceof Keyring) return keys.get(keyId);
  if (typeof keys === "string") return decodePublicKey(keys);
  if (keys instanceof Uint8Array) return publicKey(keys, "the public key");
  if (isPlainObject(keys)) {
    return Keyring.of(Object.entries(keys).map(([id, key]) => [id, text(key)])).get(keyId);
  }
  throw new KeyFormatError("a key is a Uint8Array, base64 text, an object of key ids and base64 texts or a Keyring");
}

/** The 32 bytes of a public key from its canonical base64. Throws KeyFormatError. */
export function decodePublicKey(encoded: string, what = "the public key"): Uint8Array {
  if (!BASE64.test(encoded)) throw new KeyFormatError(`${what} is not base64`);
  const bytes = decodeBase64(encoded);
  if (btoa(String.fromCharCode(...bytes)) !== encoded) {
    throw new KeyFormatError(`${what} is not canonical base64; one key has one spelling`);
  }
  return publicKey(bytes, what);
}

/** The bytes of a base64 text that is known to be one. */
export function decodeBase64(encoded: string): Uint8Array {
  return Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0));
}

const NO_KEYRING = "a keyring is a JSON object of key ids and base64 public keys";
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const OPAQUE_ID = new RegExp(definition("OpaqueId").pattern!, "u");

function publicKey(bytes: Uint8Array, what: string): Uint8Array {
  if (bytes.length !== 32) {
    throw new KeyFormatError(`${what} has ${bytes.length} bytes; an Ed25519 public key has 32`);
  }
  return Uint8Array.from(bytes);
}

function text(key: unknown): string {
  if (typeof key !== "string") throw new KeyFormatError(NO_KEYRING);
  return key;
}
