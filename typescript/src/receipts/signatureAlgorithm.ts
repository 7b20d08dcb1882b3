// What the package needs to know of a signature algorithm. Each algorithm is a module; algorithms.ts lists them.

/** One algorithm: the sizes of its keys and signatures in bytes, and what uses keys. */
export interface SignatureAlgorithm {
  /** The signature_algorithm of documents, and the prefix of keys in text. */
  readonly name: string;
  /** The name in messages, with an article: "an Ed25519". */
  readonly title: string;
  readonly publicKeyBytes: number;
  /** What the bytes of a private key are called: "seed". */
  readonly privateKey: string;
  readonly privateKeyBytes: number;
  readonly signatureBytes: number;
  /** A new private key from the system's random source. */
  generate(): Uint8Array;
  publicKeyOf(privateKey: Uint8Array): Uint8Array;
  signatureOver(message: Uint8Array, privateKey: Uint8Array): Uint8Array;
  verifies(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
}
