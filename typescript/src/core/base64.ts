// The base64 of keys and signatures.

/** The bytes of a base64 text that is known to be one. */
export function decodeBase64(encoded: string): Uint8Array {
  return Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0));
}

/** The base64 of a few bytes. */
export function encodeBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
