// Verifies the signature of a certificate or a receipt, and says which bytes it covers.

import { decodeBase64 } from "../core/base64.js";
import { asciiBytes } from "../core/canonical.js";
import { keywordFound } from "../core/codes.js";
import { finding, InvalidDocumentError } from "../core/findings.js";
import { canonicalText } from "../documents/complete.js";
import { type Inputs, type Settled, settle } from "../documents/read.js";
import { heldKey, type PublicKey } from "./keys.js";

/**
 * What verification found: the key that the document names signed it ("valid"), it did not, or the document was
 * altered since ("invalid"), or no key is held under the document's issuer_key_id ("signer-unknown").
 */
export type SignatureVerdict = "valid" | "invalid" | "signer-unknown";

/** The kinds of documents that carry a signature. */
export type SignedKind = "certificate" | "receipt";

/**
 * Whether a key that the caller holds signed a certificate or a receipt.
 *
 * A keyring is asked for the document's issuer_key_id only: a right key under another id is not tried. Throws
 * KeyFormatError for a malformed key, which is an error and not a verdict; InvalidDocumentError for a document that
 * does not hold, or that carries no signature.
 */
export function verify(document: Inputs[SignedKind], keys: PublicKey, kind?: SignedKind): SignatureVerdict {
  const settled: Settled = settle(document, kind);
  if (settled.kind === "contract") {
    throw new InvalidDocumentError([finding("schema.required", keywordFound("required", { member: "signature" }))]);
  }
  return verifySettled(settled as Settled<SignedKind>, keys);
}

/** The same of a checked document. */
export function verifySettled(settled: Settled<SignedKind>, keys: PublicKey): SignatureVerdict {
  const key = heldKey(keys, settled.document.issuer_key_id);
  if (key === undefined) return "signer-unknown";
  const signature = decodeBase64(settled.document.signature);
  // The reader's key decides how it is used, and not the document.
  const isItsAlgorithm = settled.document.signature_algorithm === key.algorithm.name;
  return isItsAlgorithm && key.algorithm.verifies(signature, signedBytes(settled), key.bytes) ? "valid" : "invalid";
}

/** The bytes that the signature of a certificate or a receipt covers. Throws as `verify` does. */
export function unsignedBytes(document: Inputs[SignedKind], kind?: SignedKind): Uint8Array {
  return signedBytes(settle(document, kind));
}

/** The same of a checked document. */
export function signedBytes({ kind, document }: Settled<SignedKind>): Uint8Array {
  return asciiBytes(canonicalText(kind, document, ["signature", "signature_algorithm"]));
}
