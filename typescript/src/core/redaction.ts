// Text of others that could be a private key, which no message may quote. The forms and bounds are those of the Python
// package (redaction.py): both give the same sentences.

const SHORTEST = 40; // a key of 32 bytes has 43 characters of base64; one that lost a few on the way counts
const LONGEST = 1024; // only so much of a text is looked at, so that a long one costs no more
const WINDOW = 43;
const EXACT = new Set([43, 86]); // base64 without padding of 32 bytes, a seed, and of 64, a seed with its public key

// White space as Python knows it; JavaScript's \s has another.
const SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const MARKS = new RegExp(
  `PRIVATE KEY|private_key\\\\?"[${SPACE}]*:|"kty"[${SPACE}]*:` + // PEM and OpenSSH, the key file of keygen, JWK
    "|MC4CAQ|MFMCAQ|b3BlbnNzaC1rZXktdjE", // the first bytes of PKCS #8 and of OpenSSH in base64
);
const DIGEST = /sha256:[0-9a-f]{64}(?![0-9A-Za-z])/g;
const HEX = new RegExp(`(?:[0-9A-Fa-f]{2}[${SPACE}:,-]{0,2}){32}`, "g");
const HEX_DIGITS = /^[0-9A-Fa-f]+$/;
const BREAKS = new RegExp(`[${SPACE}]+|\\\\[nrt]`, "g");
const BASE64 = [/[A-Za-z0-9+/]{40,}/g, /[A-Za-z0-9_-]{40,}/g];
const WHOLE_BASE64 = [/^[A-Za-z0-9+/]{40,}$/, /^[A-Za-z0-9_-]{40,}$/];
const WORD = new RegExp(`[^${SPACE}]{39,}[^${SPACE}:;,.)]`, "gu");
const PIECE = new RegExp(`[^${SPACE}"'\`,;:(){}[\\]<>|&?*\\\\]{40,}`, "gu");
const PART_OF_KEY = /[A-Za-z0-9+/=_-]{8,}/g;
const PLAIN_WORD = /^(?:[A-Z]?[a-z]+|[a-z]+(?:_[a-z]+)*_?|[A-Z]+|[-+]?[0-9]+[-+.eE0-9]*)$/;
const WORD_ENDS = [" ", "\t", "\r", "\n", '"'];

/**
 * Whether the whole of a text is a private key: in base64, base64url or hex, in PEM, in JSON. Padding, quotes and white
 * space make no difference.
 */
export function isKeySpelling(text: string): boolean {
  if (isShort(text)) return false;
  const start = firstCharacters(text, 4 * LONGEST);
  if (MARKS.test(start)) return true;
  const bare = start
    .replace(BREAKS, "")
    .replace(/^["']+|["']+$/g, "")
    .replace(/=+$/, "");
  if (EXACT.has(bare.length) && WHOLE_BASE64.some((alphabet) => alphabet.test(bare))) return true;
  const digits = bare.replace(/^0x/, "").replace(/^0X/, "");
  HEX.lastIndex = 0;
  return HEX.exec(digits)?.index === 0 && hasHex(bare);
}

/**
 * Whether a text is or contains what could be a private key: beside the spellings of a whole key that is a run of 40
 * characters of base64 or more that looks random.
 */
export function couldBeKey(text: string): boolean {
  if (isShort(text)) return false;
  const start = firstCharacters(text, LONGEST).replace(DIGEST, " ");
  if (hasHex(start) || isKeySpelling(start)) return true;
  const compact = start.replace(BREAKS, "");
  const pieces = [...(start.match(PIECE) ?? []), ...(compact === start ? [] : (compact.match(PIECE) ?? []))];
  return pieces.some((piece) => isKeySpelling(piece) || looksRandom(piece));
}

/** The text; in place of one that could be a key, its length. */
export function redacted(text: string): string {
  return couldBeKey(text) ? `(${characters(text)} characters that could be a key)` : text;
}

/** A message of several words, in which each that could be a key is redacted. */
export function redactedWords(text: string): string {
  return text.length < SHORTEST ? text : text.replace(WORD, redacted);
}

/**
 * The `count` characters at an offset of a text, unless they are a part of what could be a key.
 *
 * A few characters of a key do not look like one. So the word around the place decides, and if the text is short all of
 * it. In JSON Lines a key can be broken over lines; a word of 8 characters is quoted only if it is one of letters or a
 * number.
 */
export function quotedAt(text: string, start: number, count: number): string {
  const quoted = firstCharacters(text.slice(start, start + 2 * count), count);
  const before = [...text.slice(Math.max(0, start - 400), start)].slice(-200).join("");
  const after = firstCharacters(text.slice(start, start + 400), 200);
  const wordStart = Math.max(...WORD_ENDS.map((end) => before.lastIndexOf(end))) + 1;
  const ends = WORD_ENDS.map((end) => after.indexOf(end)).filter((at) => at > 0);
  const wordEnd = ends.length > 0 ? Math.min(...ends) : after.length;
  const isPart =
    couldBeKey(before.slice(wordStart) + after.slice(0, wordEnd)) ||
    (characters(text.slice(0, 2 * LONGEST + 2)) <= LONGEST && isKeySpelling(text)) ||
    (quoted.match(PART_OF_KEY) ?? []).some((part) => !PLAIN_WORD.test(part));
  return isPart ? `(${characters(quoted)} characters of what could be a key)` : quoted;
}

/** Whether 32 bytes in hex are in a text. Decimals alone are a long number. */
function hasHex(text: string): boolean {
  return (text.match(HEX) ?? []).some((found) => !/^[0-9]+$/.test(found));
}

/**
 * Whether a part of a text looks like base64 of random bytes, and not like words. Of 43 random characters of base64, 31
 * are distinct on average, and the class (capital, small letter, digit, sign) changes 27 times. Most names that are made
 * of words stay below both bounds; one random key in 100,000 does.
 */
function looksRandom(text: string): boolean {
  for (const alphabet of BASE64) {
    for (const run of text.match(alphabet) ?? []) {
      if (HEX_DIGITS.test(run)) continue; // a commit, say; a key in hex is longer
      const changed = [0];
      for (let at = 1; at < run.length; at++)
        changed.push(changed[at - 1]! + (classOf(run, at - 1) === classOf(run, at) ? 0 : 1));
      for (let start = 0; start < Math.max(1, run.length - WINDOW + 1); start += 8) {
        const last = Math.min(start + WINDOW, run.length) - 1;
        if (changed[last]! - changed[start]! >= 17 || new Set(run.slice(start, last + 1)).size >= 26) return true;
      }
    }
  }
  return false;
}

function classOf(text: string, at: number): string {
  const character = text.charAt(at);
  return /[A-Z]/.test(character) ? "A" : /[a-z]/.test(character) ? "a" : /[0-9]/.test(character) ? "0" : "-";
}

function isShort(text: string): boolean {
  return text.length < SHORTEST || characters(text.slice(0, 2 * SHORTEST)) < SHORTEST;
}

/** How many characters a text has; a surrogate pair is one. */
export function characters(text: string): number {
  let count = text.length;
  for (let at = 1; at < text.length; at++) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) count--;
  }
  return count;
}

/** The first characters of a text; a surrogate pair is one. */
export function firstCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  return [...text.slice(0, 2 * count)].slice(0, count).join("");
}
