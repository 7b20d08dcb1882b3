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
import { DEFAULT, spelledKey, splitKey } from "./algorithms.js";
import type { SignatureAlgorithm } from "./signatureAlgorithm.js";

/** A key or a keyring is malformed. The message never has a byte of what could be a key, wherever it was given. */
export class KeyFormatError extends Error {
  override readonly name: string = "KeyFormatError";
}

const ENTRIES: unique symbol = Symbol.for("reward-receipts.keyring.entries");
const HELD: unique symbol = Symbol("held");

/** A public key that is held, and its algorithm. */
interface HeldKey {
  readonly algorithm: SignatureAlgorithm;
  readonly bytes: Uint8Array;
}

/** The public keys that a reader holds, by issuer_key_id. Cannot change. */
export class Keyring {
  readonly #keys: ReadonlyMap<string, HeldKey>;

  private constructor(keys: ReadonlyMap<string, HeldKey>) {
    this.#keys = keys;
    Object.freeze(this);
  }

  /**
   * A keyring from key ids and public keys: the 32 bytes of an Ed25519 key, or any key as text.
   *
   * Throws KeyFormatError for a malformed id or key, and for two different keys under one id.
   */
  static of(keys: Iterable<readonly [keyId: string, key: string | Uint8Array]>): Keyring {
    const held = new Map<string, HeldKey>();
    let entry = 0;
    for (const [keyId, key] of keys) {
      entry++;
      if (typeof keyId !== "string" || !OPAQUE_ID.test(keyId)) {
        throw new KeyFormatError(`the id of key ${entry} of the keyring is not an OpaqueId (${OPAQUE_ID_FORM})`);
      }
      const given = publicKey(key, `the key of ${redacted(keyId)}`);
      const known = held.get(keyId);
      if (known !== undefined && textOf(known) !== textOf(given)) {
        throw new KeyFormatError(`two different keys have the id ${redacted(keyId)}; give one key for each id`);
      }
      held.set(keyId, given);
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
    return this.#keys.get(keyId)?.bytes.slice();
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
  [ENTRIES](): readonly (readonly [keyId: string, key: string])[] {
    return Array.from(this.#keys, ([keyId, key]) => [keyId, textOf(key)] as const);
  }

  /** @internal */
  [HELD](keyId: string): HeldKey | undefined {
    return this.#keys.get(keyId);
  }
}

/**
 * A keyring, an object of key ids and keys as text, or one public key: 32 bytes of Ed25519, or any key as text.
 *
 * One key by itself is taken for the key that the document names.
 */
export type PublicKey = Keyring | Readonly<Record<string, string>> | Uint8Array | string;

/** The key that is held for an id; undefined if none is. Throws KeyFormatError. */
export function heldKey(keys: PublicKey, keyId: string): HeldKey | undefined {
  if (typeof keys === "string" || bytesOfArray(keys) !== undefined) {
    return publicKey(keys as string | Uint8Array, "the public key");
  }
  if (keys instanceof Keyring) return keys[HELD](keyId);
  const entries = typeof keys === "object" && keys !== null ? (keys as Partial<Keyring>)[ENTRIES] : undefined;
  if (typeof entries === "function") return Keyring.of(entries.call(keys))[HELD](keyId);
  if (isPlainObject(keys)) return Keyring.fromMapping(keys as Readonly<Record<string, string>>)[HELD](keyId);
  throw new KeyFormatError("a key is a Uint8Array, base64 text, an object of key ids and base64 texts or a Keyring");
}

/** The ids and keys of a keyring, as text. */
export function entriesOf(keyring: Keyring): readonly (readonly [keyId: string, key: string])[] {
  return keyring[ENTRIES]();
}

/** A public key from its text. Throws KeyFormatError. */
export function decodePublicKey(text: string, what = "the public key"): HeldKey {
  const [algorithm, encoded] = splitKey(text);
  const bytes = keyBytes(encoded, what, `${algorithm.title} public key`, algorithm.publicKeyBytes);
  return { algorithm, bytes };
}

/** So many bytes from their canonical base64. Throws KeyFormatError, with no byte of them. */
export function keyBytes(encoded: string, what: string, form: string, size: number): Uint8Array {
  // The length first: what is as long as a text may be is not decoded at all.
  const padding = encoded.endsWith("==") ? 2 : encoded.endsWith("=") ? 1 : 0;
  const digits = encoded.length - padding;
  if (encoded.length % 4 !== 0 || NO_BASE64.test(encoded.slice(0, digits))) {
    throw new KeyFormatError(`${what} is not base64`);
  }
  const length = (encoded.length / 4) * 3 - padding;
  if (length !== size) throw new KeyFormatError(`${what} has ${length} bytes; ${form} has ${size}`);
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

function textOf({ algorithm, bytes }: HeldKey): string {
  return spelledKey(algorithm, bytes);
}

function publicKey(key: string | Uint8Array, what: string): HeldKey {
  if (typeof key === "string") return decodePublicKey(key, what);
  const bytes = bytesOfArray(key)?.slice();
  if (bytes === undefined) throw new KeyFormatError(`${what} is not a Uint8Array or base64 text`);
  const size = DEFAULT.publicKeyBytes;
  if (bytes.length !== size) {
    throw new KeyFormatError(`${what} has ${bytes.length} bytes; ${DEFAULT.title} public key has ${size}`);
  }
  return { algorithm: DEFAULT, bytes };
}

function text(key: unknown): string {
  if (typeof key !== "string") throw new KeyFormatError(NO_KEYRING);
  return key;
}

// Nobody can replace what a keyring answers.
Object.freeze(Keyring);
Object.freeze(Keyring.prototype);
