// Contracts, certificates, what may be left out when one is written, and documents of any kind.

import type {
  OracleChannel,
  RewardCertificateV1,
  RewardCertificateV1Input,
  RewardComponentV1,
  RewardContractV1,
  RewardContractV1Input,
  RewardDocument,
  RewardDocumentInput,
  RewardEvidenceReceiptV1,
  RewardEvidenceReceiptV1Input,
  RewardScoringPolicyV1,
  RewardScoringPolicyV1Input,
} from "../../generated/typescript/types.js";
import type { Json } from "./expect.js";
import { is } from "./expect.js";

const digest = "sha256:0000000000000000000000000000000000000000000000000000000000000000";

// A contract as somebody writes it.

const written = {
  contract_id: "contract.0001",
  contract_version: "version.0001",
  task_id: "task.0001",
  task_digest: digest,
  environment_id: "environment.0001",
  environment_digest: digest,
  required_effect_contract_digest: digest,
  forbidden_effect_contract_digest: digest,
  oracle: { channel: "db", identity_keys: ["invoice"], oracle_contract_digest: digest },
  components: [{ name: "terminal_effect", weight: 1 }],
  certificate_policy: {
    epsilon: 0.05,
    delta: 0.05,
    threshold: 0.5,
    calibration_corpus_digest: digest,
    expiry_policy_updates: 10,
  },
} as const satisfies RewardContractV1Input;

({ ...written, scoring: {} }) satisfies RewardContractV1Input;
({ ...written, scoring: { verified_reward: 2 } }) satisfies RewardContractV1Input;
({ ...written, schema_version: "openadapt.reward-contract/v1" }) satisfies RewardContractV1Input;
// @ts-expect-error left out is not undefined
({ ...written, scoring: undefined }) satisfies RewardContractV1Input;
// @ts-expect-error nor null
({ ...written, scoring: null }) satisfies RewardContractV1Input;
// @ts-expect-error the version of another kind
({ ...written, schema_version: "openadapt.reward-certificate/v1" }) satisfies RewardContractV1Input;
// @ts-expect-error a member without a default has to be given
(({ task_id, ...rest }) => rest satisfies RewardContractV1Input)(written);
// @ts-expect-error what is written is not completed: scoring and schema_version are not there
written satisfies RewardContractV1;

// A completed contract.

declare const contract: RewardContractV1;
contract satisfies RewardContractV1Input;
is<RewardScoringPolicyV1>()(contract.scoring);
is<number>()(contract.scoring.verified_reward);
is<"unscored">()(contract.scoring.platform_failures);
is<OracleChannel>()(contract.oracle.channel);
is<readonly RewardComponentV1[]>()(contract.components);
contract satisfies Json;

// @ts-expect-error read-only
contract.contract_id = "contract.0002";
// @ts-expect-error read-only at every depth
contract.oracle.channel = "visual";
// @ts-expect-error read-only at every depth
contract.scoring.verified_reward = 2;
// @ts-expect-error arrays too
contract.components.push({ name: "other", weight: 1 });
// @ts-expect-error arrays too
contract.oracle.identity_keys[0] = "other";
// @ts-expect-error nothing to call sort on: sort would change it
contract.components.sort();
// @ts-expect-error an object refuses unknown members
({ name: "terminal_effect", weight: 1, clip: null }) satisfies RewardComponentV1;
// @ts-expect-error and has no index signature
contract.components[0]!["clip"];
// @ts-expect-error no channel
({ channel: "telepathy", identity_keys: ["id"], oracle_contract_digest: digest }) satisfies RewardContractV1["oracle"];
// @ts-expect-error version 1 has one way to treat what is uncertain
({ uncertain_episodes: "zero" }) satisfies RewardScoringPolicyV1Input;
// @ts-expect-error a completed policy has all its members
({ verified_reward: 1 }) satisfies RewardScoringPolicyV1;

// A certificate.

declare const certificate: RewardCertificateV1;
is<"synthetic">()(certificate.calibration_scope);
is<"self_signed">()(certificate.issuer);
is<"ed25519">()(certificate.signature_algorithm);
certificate satisfies RewardCertificateV1Input;
// @ts-expect-error read-only
certificate.epsilon = 0;
// @ts-expect-error a production scope cannot be written down
({ ...certificate, calibration_scope: "production" }) satisfies RewardCertificateV1;
// @ts-expect-error a number is not text
({ ...certificate, epsilon: "0.05" }) satisfies RewardCertificateV1;
// @ts-expect-error a contract is not a certificate
contract satisfies RewardCertificateV1;

// A receipt as somebody writes it: what its outcome and its state make null may be left out.

const unscored = {
  receipt_id: "receipt.0001",
  reward_contract_digest: digest,
  policy_checkpoint_id: "checkpoint.0001",
  policy_update: 7,
  episode_id: "episode.0001",
  oracle_tier: 2,
  reward_outcome: "failed_platform",
  evidence_digest: digest,
  certificate_state: "absent",
  uncertainty: "none",
  certified: false,
  development_only: false,
  issuer_key_id: "key.0001",
  nonce: "nonce.0001",
  issued_at: "2026-01-01T00:00:00Z",
  signature: "AA==",
} as const satisfies RewardEvidenceReceiptV1Input;
const scored = {
  ...unscored,
  reward_outcome: "verified",
  scalar_reward: 1,
  reward_components: { terminal_effect: 1 },
} as const satisfies RewardEvidenceReceiptV1Input;
const reference = {
  certificate_state: "current",
  certificate_id: "certificate.0001",
  certificate_digest: digest,
  calibration_corpus_digest: digest,
  calibration_scope: "synthetic",
} as const;

({ ...unscored, scalar_reward: null, reward_components: {} }) satisfies RewardEvidenceReceiptV1Input;
({ ...unscored, certificate_id: null }) satisfies RewardEvidenceReceiptV1Input;
({ ...scored, ...reference, certified: true }) satisfies RewardEvidenceReceiptV1Input;
// @ts-expect-error never 0.0
({ ...unscored, scalar_reward: 0 }) satisfies RewardEvidenceReceiptV1Input;
// @ts-expect-error left out is not undefined
({ ...unscored, scalar_reward: undefined }) satisfies RewardEvidenceReceiptV1Input;
// @ts-expect-error a scored episode carries a scalar
(({ scalar_reward, ...rest }) => rest satisfies RewardEvidenceReceiptV1Input)(scored);
// @ts-expect-error a scored episode carries components
(({ reward_components, ...rest }) => rest satisfies RewardEvidenceReceiptV1Input)(scored);
// @ts-expect-error with a certificate, all four references are given
(({ certificate_id, ...rest }) => rest satisfies RewardEvidenceReceiptV1Input)({ ...scored, ...reference });
// @ts-expect-error what is written is not completed
unscored satisfies RewardEvidenceReceiptV1;
declare const receipt: RewardEvidenceReceiptV1;
receipt satisfies RewardEvidenceReceiptV1Input;

// A document of any kind: its schema_version says which.

export function kindOf(document: RewardDocument): string {
  switch (document.schema_version) {
    case "openadapt.reward-contract/v1":
      document satisfies RewardContractV1;
      return document.contract_id;
    case "openadapt.reward-certificate/v1":
      document satisfies RewardCertificateV1;
      return document.certificate_id;
    case "openadapt.reward-evidence-receipt/v1":
      document satisfies RewardEvidenceReceiptV1;
      if (document.reward_outcome === "verified") is<number>()(document.scalar_reward);
      return document.receipt_id;
    default:
      return document satisfies never;
  }
}
contract satisfies RewardDocument;
certificate satisfies RewardDocument;
receipt satisfies RewardDocument;
({ ...written, schema_version: "openadapt.reward-contract/v1" }) satisfies RewardDocumentInput;
// @ts-expect-error if the kind is not known, it has to be given
written satisfies RewardDocumentInput;
declare const document: RewardDocument;
// @ts-expect-error nobody asked which kind it is
document.receipt_id;
// @ts-expect-error the Execute Seal is not one of them
if (document.schema_version === "openadapt.execute-evidence-receipt/v1") throw document;
