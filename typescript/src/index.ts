/**
 * Reward contracts, certificates and signed receipts: read, validated, digested, scored, issued, signed, verified,
 * audited; and reward specs: read, resolved, run.
 */

export type * from "./generated/types.js";
export * from "./generated/codes.js";
export * from "./generated/tables.js";
export type { CodedSentence } from "./catalogue.js";
export { canonicalJsonBytes, sha256Digest } from "./canonical.js";
export type { TextSource } from "./decode.js";
export {
  type Accepted,
  type DocumentResult,
  type Documents,
  type Inputs,
  type JsonResult,
  type Verdict,
  canonicalBytes,
  complete,
  digest,
  readDocument,
  readJson,
  validate,
} from "./documents.js";
export { type Finding, InvalidDocumentError, findingText } from "./findings.js";
export type { Refused } from "./refused.js";
export type { JsonValue, Path } from "./json.js";
export { KINDS, type Kind } from "./schemas.js";
export { certificateState, unmet } from "./certificate.js";
export { certificationRefusals } from "./certification.js";
export { tierOf } from "./oracle.js";
export { type RewardScoreV1, type ScoreOptions, score } from "./scoring.js";
export { KeyFormatError, Keyring, type PublicKey } from "./keys.js";
export { SigningKey, type Unsigned, sign } from "./signing.js";
export { type IssueOptions, issueReceipt } from "./issuing.js";
export { type SignatureVerdict, type SignedKind, unsignedBytes, verify } from "./signatures.js";
export { type AuditFinding, type AuditOptions, type AuditReport, type AuditVerdict, audit } from "./auditing.js";
export {
  type RewardSpecResult,
  completeRewardSpec,
  readRewardSpec,
  rewardSpecBytes,
  rewardSpecDigest,
} from "./specs.js";
export {
  type Cadence,
  type ResolvedSpec,
  type ResolvedTerm,
  type RewardComponent,
  type RewardComponents,
  resolve,
} from "./resolving.js";
export { type Ceiling, type TermBound, ceiling } from "./ceiling.js";
export {
  CompositionEngine,
  CompositionError,
  type RawValue,
  type RawValues,
  type RewardResult,
  type StepFlags,
} from "./composing.js";
