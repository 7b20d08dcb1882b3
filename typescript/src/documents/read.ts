// Reads, validates and completes documents, and keeps what was worked out about each.

import { bytesIn } from "../core/brands.js";
import { asciiBytes, canonicalJsonBytes, sha256Digest } from "../core/canonical.js";
import { decode, type TextSource } from "../core/decode.js";
import { type Finding, InvalidDocumentError } from "../core/findings.js";
import { isObject, type JsonValue, memberOf } from "../core/json.js";
import { attempt, placed, type Refused, refusalIn, refused } from "../core/refused.js";
import { exactValue, plainValue, valueToCheck } from "../core/strictJson.js";
import type {
  RewardCertificateV1,
  RewardCertificateV1Input,
  RewardContractV1,
  RewardContractV1Input,
  RewardDocument,
  RewardEvidenceReceiptV1,
  RewardEvidenceReceiptV1Input,
} from "../generated/types.js";
import { checkDocument, isValid, kindOf } from "../validation/check.js";
import type { Kind } from "../validation/schema.js";
import { kindOfVersion, requireKind } from "../validation/schemas.js";
import { canonicalText, completed } from "./complete.js";
import { type PlainCopy, plainCopy, toExact } from "./javascriptInput.js";

/** The completed documents by kind. */
export interface Documents {
  readonly contract: RewardContractV1;
  readonly certificate: RewardCertificateV1;
  readonly receipt: RewardEvidenceReceiptV1;
}

/** The documents by kind as they may be written: what has a default may be left out. */
export interface Inputs {
  readonly contract: RewardContractV1Input;
  readonly certificate: RewardCertificateV1Input;
  readonly receipt: RewardEvidenceReceiptV1Input;
}

/** A document that holds its schema and every rule, completed and frozen; or what is wrong. */
export type DocumentResult<K extends Kind = Kind> = Accepted<K> | Refused;

/** A document of the kind that was found. */
export type Accepted<K extends Kind = Kind> = {
  [P in K]: { readonly ok: true; readonly kind: P; readonly document: Documents[P] };
}[K];

/** A strict JSON value, exactly; or the first fault of its text. */
export type JsonResult = { readonly ok: true; readonly value: JsonValue } | Refused;

/** Whether a value is a document that holds its schema and every rule; the findings say what is wrong. */
export interface Verdict {
  readonly valid: boolean;
  /** The kind that was asked for, or the one that the document names; null where it names none. */
  readonly kind: Kind | null;
  /** None where the document is valid; else in the order schema shape, rules, pointer. */
  readonly findings: readonly Finding[];
}

/**
 * The value of a strict JSON text, exactly: an integer token is a bigint, any other number a double, an object a Map.
 *
 * `limit` is the longest text that is read, in bytes. Throws TypeError where the text is neither a string nor bytes.
 */
export function readJson(data: TextSource, limit?: number): JsonResult {
  return attempt(() => ({ ok: true, value: exactValue(decode(data, limit)) }) as const);
}

/**
 * The document in a strict JSON text, with its schema and every rule enforced.
 *
 * Without a kind the text has to name it, by its schema_version. The findings of a refused one have line and column.
 * Throws TypeError where the text is neither a string nor bytes, and for a kind that is none.
 */
export function readDocument<K extends Kind = Kind>(data: TextSource, kind?: K): DocumentResult<K> {
  requireKind(kind);
  return attempt(() => {
    const text = decode(data);
    return good<K>(plainValue(text), kind) ?? checkedResult<K>(text, kind);
  });
}

// One function for each way to read a text, so that only one of its values is in memory at a time.

function good<K extends Kind>(value: unknown, kind: K | undefined): Accepted<K> | undefined {
  const named = quickly(value, kind);
  return named === undefined ? undefined : accepted<K>(named, value);
}

function checkedResult<K extends Kind>(text: string, kind: K | undefined): DocumentResult<K> {
  const exact = valueToCheck(text);
  const findings = checkDocument(exact, kind);
  if (findings.length === 0) return accepted<K>((kind ?? kindOf(exact)) as Kind, exact);
  return refused(placed(findings, text));
}

/**
 * Whether a JavaScript value is a document of a kind, or of the kind that its schema_version names.
 *
 * A member that is undefined counts as left out. Numbers have the type that the schema gives them. Throws TypeError
 * for a kind that is none.
 */
export function validate(value: unknown, kind?: Kind): Verdict {
  requireKind(kind);
  const copy = plainCopy(value);
  const named = quicklyCopied(copy, kind);
  if (named !== undefined) return { valid: true, kind: named, findings: NONE };
  try {
    const exact = toExact(copy.value);
    const found = kind ?? kindOf(exact);
    const findings = checkDocument(exact, kind);
    return { valid: findings.length === 0, kind: typeof found === "string" ? found : null, findings };
  } catch (error) {
    return { valid: false, kind: kind ?? null, findings: refusalIn(error).findings };
  }
}

/**
 * A JavaScript value as a completed, frozen document, or what is wrong with it. Otherwise like `validate`.
 *
 * Each own member is read once: what is checked is what the document has, whatever getters and proxies give later.
 */
export function complete<K extends Kind = Kind>(value: unknown, kind?: K): DocumentResult<K> {
  requireKind(kind);
  return attempt(() => {
    const copy = plainCopy(value);
    const named = quicklyCopied(copy, kind);
    if (named !== undefined) return accepted<K>(named, copy.value);
    const exact = toExact(copy.value);
    const findings = checkDocument(exact, kind);
    if (findings.length > 0) return refused(findings);
    return accepted<K>((kind ?? kindOf(exact)) as Kind, exact);
  });
}

/**
 * The canonical bytes of a JSON text, as plain JSON, or of a document, completed.
 *
 * A plain JavaScript number has no type, so anything else is refused: `canonicalJsonBytes` takes exact values. Throws
 * InvalidDocumentError for a text that is refused and for a document that does not hold.
 */
export function canonicalBytes(source: TextSource | RewardDocument | Inputs[Kind], kind?: Kind): Uint8Array {
  if (typeof source === "string" || bytesIn(source) !== undefined) {
    return canonicalJsonBytes(exactValue(decode(source as TextSource)));
  }
  return asciiBytes(settle(source, kind).text);
}

/**
 * `sha256:` and the hex of the SHA-256 over the canonical bytes of a completed document.
 *
 * Throws InvalidDocumentError for a document that does not hold its schema and every rule.
 */
export function digest(document: RewardDocument | Inputs[Kind], kind?: Kind): string {
  return settle(document, kind).digest;
}

/** A document that was checked, and what was worked out about it. */
export class Settled<K extends Kind = Kind> {
  #text: string | undefined;
  #digest: string | undefined;

  constructor(
    readonly kind: K,
    readonly document: Documents[K],
  ) {}

  /** The canonical text. */
  get text(): string {
    return (this.#text ??= canonicalText(this.kind, this.document));
  }

  /** The digest over it. */
  get digest(): string {
    return (this.#digest ??= sha256Digest(asciiBytes(this.text)));
  }
}

// The documents that came through here. They are frozen, so what was found once stays true.
const SETTLED = new WeakMap<object, Settled>();

/** A document with its schema and every rule enforced; one that was checked already is not checked again. */
export function settle<K extends Kind>(document: unknown, kind?: K): Settled<K> {
  const known = typeof document === "object" && document !== null ? SETTLED.get(document) : undefined;
  if (known !== undefined && (kind === undefined || known.kind === kind)) return known as Settled<Kind> as Settled<K>;
  const result = complete(document, kind);
  if (!result.ok) throw new InvalidDocumentError(result.findings);
  return SETTLED.get(result.document) as Settled<Kind> as Settled<K>;
}

const NONE: readonly Finding[] = Object.freeze([]);

function quicklyCopied({ value, isPlain }: PlainCopy, kind: Kind | undefined): Kind | undefined {
  return isPlain ? quickly(value, kind) : undefined;
}

/** The kind of a value of arrays, plain objects and primitives that is valid as it is; undefined if it is not. */
function quickly(value: unknown, kind: Kind | undefined): Kind | undefined {
  if (!isObject(value)) return undefined;
  const named = kind ?? kindOfVersion(memberOf(value, "schema_version"));
  return named !== undefined && isValid(named, value) ? named : undefined;
}

function accepted<K extends Kind>(kind: Kind, value: unknown): Accepted<K> {
  const document = completed(kind, value);
  SETTLED.set(document, new Settled<Kind>(kind, document as RewardDocument));
  return { ok: true, kind, document } as unknown as Accepted<K>;
}
