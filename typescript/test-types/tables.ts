// Codes, and the tables over the words of the documents: literal types, whole, and nobody changes them.

import type { Code, CodeOf, Layer, RuleId } from "../../generated/typescript/codes.js";
import { CODES } from "../../generated/typescript/codes.js";
import type { RewardScoringClassV1 } from "../../generated/typescript/tables.js";
import {
  DEFAULT_REWARD_SCORING,
  MAX_POLICY_UPDATE,
  REWARD_CERTIFIED_MINIMUM_TIER,
  REWARD_EVIDENCE_RECEIPT_SCHEMA,
  REWARD_SCORING_CLASS,
  TIER_OF_CHANNEL,
} from "../../generated/typescript/tables.js";
import type {
  OracleChannel,
  OracleTier,
  RewardEvidenceReceiptV1,
  RewardOutcomeV1,
  RewardScoringPolicyV1,
} from "../../generated/typescript/types.js";
import { is } from "./expect.js";

is<"rules">()(CODES["receipt.certified-tier"].layer);
is<"reward-evidence-receipt.schema.json">()(CODES["receipt.certified-tier"].source);
is<"scalar_reward">()(CODES["scalar-differs-from-contract"].field);
"json.duplicate" satisfies Code;
"receipt.verified-positive" satisfies RuleId;
"contract.component-names-unique" satisfies RuleId;
"json.duplicate" satisfies CodeOf<"text">;
"rules" satisfies Layer;
is<"spec.component-misspelt" | "spec.cost-pays" | "spec.gate-never-opens" | "spec.only-zero">()(
  {} as CodeOf<"warnings">,
);
// @ts-expect-error no code
"json.dupe" satisfies Code;
// @ts-expect-error a code, and no rule
"json.duplicate" satisfies RuleId;
// @ts-expect-error no layer
({}) as CodeOf<"vibes">;
// @ts-expect-error there is no such code
CODES["receipt.unheard-of"];
// @ts-expect-error read-only
CODES["json.bom"].sentence = "";

is<"unscored">()(REWARD_SCORING_CLASS.failed_platform);
is<RewardScoringClassV1>()(REWARD_SCORING_CLASS[{} as RewardOutcomeV1]);
is<RewardOutcomeV1>()({} as keyof typeof REWARD_SCORING_CLASS);
is<OracleChannel>()({} as keyof typeof TIER_OF_CHANNEL);
is<OracleTier>()(TIER_OF_CHANNEL[{} as OracleChannel]);
is<2>()(TIER_OF_CHANNEL.db);
is<2>()(REWARD_CERTIFIED_MINIMUM_TIER);
is<9007199254740991>()(MAX_POLICY_UPDATE);
is<RewardEvidenceReceiptV1["schema_version"]>()(REWARD_EVIDENCE_RECEIPT_SCHEMA);
DEFAULT_REWARD_SCORING satisfies RewardScoringPolicyV1;
// @ts-expect-error read-only
DEFAULT_REWARD_SCORING.verified_reward = 2;
// @ts-expect-error read-only
REWARD_SCORING_CLASS.verified = "unscored";
