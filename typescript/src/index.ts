/**
 * Reward contracts, certificates and signed receipts: read, validated, digested, scored, issued, signed, verified,
 * audited; and reward specs: read, resolved, run.
 */

export { canonicalJsonBytes, sha256Digest } from "./core/canonical.js";
export type { CodedSentence } from "./core/codes.js";
export type { TextSource } from "./core/decode.js";
export { type Finding, findingText, InvalidDocumentError } from "./core/findings.js";
export type { JsonValue, Path } from "./core/json.js";
export type { Refused } from "./core/refused.js";
export { certificateState, unmet } from "./documents/certificate.js";
export { certificationRefusals } from "./documents/certification.js";
export { tierOf } from "./documents/oracle.js";
export {
  type Accepted,
  canonicalBytes,
  complete,
  type DocumentResult,
  type Documents,
  digest,
  type Inputs,
  type JsonResult,
  readDocument,
  readJson,
  type Verdict,
  validate,
} from "./documents/read.js";
export { CODES, type Code, type CodeEntry, type CodeOf, type Layer, type RuleId } from "./generated/codes.js";
export {
  DEFAULT_REWARD_SCORING,
  MAX_POLICY_UPDATE,
  MAX_TEXT_BYTES,
  MAX_TEXT_DEPTH,
  REWARD_CERTIFICATE_SCHEMA,
  REWARD_CERTIFIED_MINIMUM_TIER,
  REWARD_CONTRACT_SCHEMA,
  REWARD_EVIDENCE_RECEIPT_SCHEMA,
  REWARD_SCORING_CLASS,
  type RewardScoringClassV1,
  TIER_OF_CHANNEL,
} from "./generated/tables.js";
export type * from "./generated/types.js";
export { type AuditFinding, type AuditOptions, type AuditReport, type AuditVerdict, audit } from "./receipts/audit.js";
export { type IssueOptions, issueReceipt } from "./receipts/issue.js";
export { KeyFormatError, Keyring, type PublicKey } from "./receipts/keys.js";
export { type RewardScoreV1, type ScoreOptions, score } from "./receipts/score.js";
export { SigningKey, sign, type Unsigned } from "./receipts/sign.js";
export { type SignatureVerdict, type SignedKind, unsignedBytes, verify } from "./receipts/verify.js";
export type { RewardParam, RewardParamType } from "./rewards/components/params.js";
export {
  CompositionEngine,
  CompositionError,
  type RawValue,
  type RawValues,
  type RewardResult,
  type StepFlags,
} from "./rewards/engines/plain.js";
export { type Ceiling, ceiling, type TermBound } from "./rewards/spec/ceiling.js";
export {
  completeRewardSpec,
  type RewardSpecResult,
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
export type { Kind } from "./validation/schema.js";
export { KINDS } from "./validation/schemas.js";
