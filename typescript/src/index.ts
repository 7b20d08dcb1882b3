/**
 * Reward contracts, certificates and signed receipts: read, validated, digested, scored, issued, signed, verified,
 * audited; and reward specs: read, resolved, run.
 */

export type * from "./generated/types.js";
export * from "./generated/codes.js";
export * from "./generated/tables.js";
export type { CodedSentence } from "./core/codes.js";
export { canonicalJsonBytes, sha256Digest } from "./core/canonical.js";
export type { TextSource } from "./core/decode.js";
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
} from "./documents/read.js";
export { type Finding, InvalidDocumentError, findingText } from "./core/findings.js";
export type { Refused } from "./core/refused.js";
export type { JsonValue, Path } from "./core/json.js";
export { KINDS, type Kind } from "./validation/schemas.js";
export { certificateState, unmet } from "./documents/certificate.js";
export { certificationRefusals } from "./documents/certification.js";
export { tierOf } from "./documents/oracle.js";
export { type RewardScoreV1, type ScoreOptions, score } from "./receipts/score.js";
export { KeyFormatError, Keyring, type PublicKey } from "./receipts/keys.js";
export { SigningKey, type Unsigned, sign } from "./receipts/sign.js";
export { type IssueOptions, issueReceipt } from "./receipts/issue.js";
export { type SignatureVerdict, type SignedKind, unsignedBytes, verify } from "./receipts/verify.js";
export { type AuditFinding, type AuditOptions, type AuditReport, type AuditVerdict, audit } from "./receipts/audit.js";
export {
  type RewardSpecResult,
  completeRewardSpec,
  readRewardSpec,
  rewardSpecBytes,
  rewardSpecDigest,
} from "./rewards/spec/document.js";
export {
  type Cadence,
  type ResolvedSpec,
  type ResolvedTerm,
  type RewardComponent,
  type RewardComponents,
  resolve,
} from "./rewards/spec/resolved.js";
export { type Ceiling, type TermBound, ceiling } from "./rewards/spec/ceiling.js";
export {
  CompositionEngine,
  CompositionError,
  type RawValue,
  type RawValues,
  type RewardResult,
  type StepFlags,
} from "./rewards/engines/plain.js";
