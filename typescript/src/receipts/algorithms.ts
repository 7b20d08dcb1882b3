// How a signature is verified, by the signature_algorithm of a document (docs/decisions/signature-algorithms.md).

import type { RewardCertificateV1 } from "../generated/types.js";
import { verifies as verifiesEd25519 } from "./ed25519.js";

/** Whether a public key made a signature over a message. */
type Verifies = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean;

/** Every algorithm that the schema has; the compiler refuses a table that lacks one. */
export const ALGORITHMS: Readonly<Record<RewardCertificateV1["signature_algorithm"], Verifies>> = Object.freeze({
  ed25519: verifiesEd25519,
});
