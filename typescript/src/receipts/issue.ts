// Issues a signed receipt, with the members that follow from the other documents filled in.

import { bytesToHex } from "@noble/hashes/utils.js";
import { certificateState } from "../documents/certificate.js";
import { effectiveTier } from "../documents/oracle.js";
import { type Inputs, settle } from "../documents/read.js";
import type {
  OracleTier,
  RewardEvidenceReceiptV1,
  RewardOutcomeV1,
  RewardUncertaintyStateV1,
} from "../generated/types.js";
import { audit } from "./audit.js";
import type { PublicKey } from "./keys.js";
import { score } from "./score.js";
import { placeholder, type SigningKey, sign, type Unsigned } from "./sign.js";

/** What a receipt says that does not follow from its contract and certificate. */
export interface IssueOptions {
  readonly contract: Inputs["contract"];
  /** Null if no certificate was presented. */
  readonly certificate: Inputs["certificate"] | null;
  readonly outcome: RewardOutcomeV1;
  /** The oracle tier of the reading. It counts at most as much as the contract's own channel. */
  readonly tier: OracleTier;
  readonly policyUpdate: number;
  readonly policyCheckpointId: string;
  readonly episodeId: string;
  readonly evidenceDigest: string;
  readonly signingKey: SigningKey;
  /** Required for a scored episode, with names of the contract's components; left out for an unscored one. */
  readonly rewardComponents?: Readonly<Record<string, number>> | undefined;
  /** As in `score`. Left out, a certificate under the signing key's own id is checked with that key, no other is. */
  readonly certificateKeyring?: PublicKey | undefined;
  /** Left out, "none". */
  readonly uncertainty?: RewardUncertaintyStateV1 | undefined;
  /** Left out, it is made. */
  readonly receiptId?: string | undefined;
  /** Left out, it is made. */
  readonly nonce?: string | undefined;
  /** Left out, it is now. */
  readonly issuedAt?: string | undefined;
}

/**
 * A signed receipt with every member that follows from the other documents filled in.
 *
 * Those are the scalar, certified (synthetic), development_only, the state of the certificate and the reference to it,
 * and the tier. Throws RangeError where `score` does and for a component that the contract does not have;
 * InvalidDocumentError if a document is not valid, or if what is given breaks a rule (components of an unscored
 * episode, a verified one that is uncertain).
 *
 * @example
 * const receipt = issueReceipt({
 *   contract,
 *   certificate,
 *   outcome: "verified",
 *   tier: 2,
 *   policyUpdate: 7,
 *   policyCheckpointId: "checkpoint.0007",
 *   episodeId: "episode.0001",
 *   evidenceDigest: `sha256:${"e".repeat(64)}`,
 *   rewardComponents: { terminal_effect: 1 },
 *   signingKey: SigningKey.generate("key.mine.0001"),
 * });
 */
export function issueReceipt(options: IssueOptions): RewardEvidenceReceiptV1 {
  const { outcome, tier, policyUpdate, signingKey } = options;
  const contract = settle(options.contract, "contract");
  const certificate = options.certificate === null ? null : settle(options.certificate, "certificate").document;
  const scored = score(outcome, tier, certificate, policyUpdate, {
    contract: contract.document,
    certificateKeyring: options.certificateKeyring,
  });
  const unsigned = {
    receipt_id: options.receiptId ?? `receipt.${randomHex()}`,
    reward_contract_digest: contract.digest,
    policy_checkpoint_id: options.policyCheckpointId,
    policy_update: policyUpdate,
    episode_id: options.episodeId,
    oracle_tier: effectiveTier(contract.document, tier),
    reward_outcome: outcome,
    evidence_digest: options.evidenceDigest,
    reward_components: options.rewardComponents ?? {},
    scalar_reward: scored.scalar,
    certificate_id: certificate === null ? null : certificate.certificate_id,
    certificate_digest: certificate === null ? null : settle(certificate, "certificate").digest,
    certificate_state: certificateState(certificate, policyUpdate),
    calibration_corpus_digest: certificate === null ? null : certificate.calibration_corpus_digest,
    calibration_scope: certificate === null ? null : certificate.calibration_scope,
    uncertainty: options.uncertainty ?? "none",
    certified: scored.certified,
    development_only: scored.developmentOnly,
    issuer_key_id: signingKey.keyId,
    nonce: options.nonce ?? `nonce.${randomHex()}`,
    issued_at: options.issuedAt ?? `${new Date().toISOString().slice(0, 19)}Z`,
    ...placeholder(signingKey.algorithm),
  };
  // Whether its members go together is what the schema says: `sign` enforces it.
  const receipt = sign(unsigned as Unsigned<"receipt">, signingKey, "receipt");
  const { findings } = audit(receipt, { contract: contract.document, certificate, keyring: signingKey.keyring });
  if (findings.length > 0) {
    throw new RangeError(
      `no receipt was issued: ${findings.map(({ code, sentence }) => `${code}: ${sentence}`).join(" ")}`,
    );
  }
  return receipt;
}

function randomHex(): string {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(16)));
}
