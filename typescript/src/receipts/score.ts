// Scores one episode under a contract.

import type { CodedSentence } from "../core/codes.js";
import { sentence } from "../core/codes.js";
import { finding, InvalidDocumentError } from "../core/findings.js";
import { requirePolicyUpdate } from "../documents/certificate.js";
import { refusals } from "../documents/certification.js";
import { effectiveTier, isDevelopmentTier, requireTier } from "../documents/oracle.js";
import { requireOutcome, scalarFor } from "../documents/outcomes.js";
import { type Inputs, type Settled, settle } from "../documents/read.js";
import type { OracleTier, RewardOutcomeV1 } from "../generated/types.js";
import { heldKey, type PublicKey } from "./keys.js";
import { verifySettled } from "./verify.js";

/** What one episode scored. */
export interface RewardScoreV1 {
  /** The reward; null for an unscored episode, which is to be dropped and is never 0.0. */
  readonly scalar: number | null;
  /** Whether the reward is certified (synthetic): no refusals. Read the scalar first: null is not a reward at all. */
  readonly certified: boolean;
  /** Whether the effective tier is one that no certificate covers. */
  readonly developmentOnly: boolean;
  /** What speaks against certification (synthetic). */
  readonly certificationRefusals: readonly CodedSentence[];
}

/** The inputs of `score` other than the outcome. */
export interface ScoreOptions {
  readonly contract: Inputs["contract"];
  /**
   * The key, or the keyring, of the party that may issue certificates. A certificate that none of these keys
   * signed is refused, also if its signer has no key there. If left out, the certificate's signature is not checked.
   */
  readonly certificateKeyring?: PublicKey | undefined;
}

/**
 * Scores one episode under a contract. Pure.
 *
 * Without `certificateKeyring` whoever edits a certificate's epsilon makes a reward certified (synthetic): give it, or
 * `verify` the certificate once.
 *
 * The tier counts at most as much as the contract's own channel. Throws RangeError for what is not an outcome, for a
 * tier that is not an integer from 0 to 3 and for a policy update that is not one from 0 to 9007199254740991;
 * InvalidDocumentError for a document that is not valid and for a certificate that `certificateKeyring` did not sign;
 * KeyFormatError for a malformed key.
 */
export function score(
  outcome: RewardOutcomeV1,
  tier: OracleTier,
  certificate: Inputs["certificate"] | null,
  policyUpdate: number,
  { contract, certificateKeyring }: ScoreOptions,
): RewardScoreV1 {
  requireOutcome(outcome);
  requireTier(tier);
  requirePolicyUpdate(policyUpdate);
  const checked = settle(contract, "contract");
  const held = certificate === null ? null : settle(certificate, "certificate");
  if (certificateKeyring !== undefined) requireSignature(held, certificateKeyring);
  const found = refusals(checked, held, tier, policyUpdate);
  return Object.freeze({
    scalar: scalarFor(checked.document.scoring, outcome),
    certified: found.length === 0,
    developmentOnly: isDevelopmentTier(effectiveTier(checked.document, tier)),
    certificationRefusals: Object.freeze(found),
  });
}

function requireSignature(certificate: Settled<"certificate"> | null, keys: PublicKey): void {
  if (certificate === null) {
    heldKey(keys, "any-key-id"); // a malformed key is an error, needed or not
    return;
  }
  const verdict = verifySettled(certificate, keys);
  if (verdict === "valid") return;
  const [code, member] =
    verdict === "invalid"
      ? (["certificate-signature-invalid", "signature"] as const)
      : (["certificate-signer-unknown", "issuer_key_id"] as const);
  throw new InvalidDocumentError([
    finding(code, sentence(code, { key_id: certificate.document.issuer_key_id }), [member]),
  ]);
}
