// Reward outcomes and the scalar of each.

import { named } from "../core/foreign.js";
import { REWARD_SCORING_CLASS } from "../generated/tables.js";
import type { RewardOutcomeV1, RewardScoringPolicyV1 } from "../generated/types.js";

/** Throws RangeError for what is not an outcome. */
export function requireOutcome(outcome: unknown): asserts outcome is RewardOutcomeV1 {
  if (typeof outcome !== "string" || !Object.hasOwn(REWARD_SCORING_CLASS, outcome)) {
    throw new RangeError(
      `unknown reward outcome ${named(outcome)}; expected one of: ${Object.keys(REWARD_SCORING_CLASS).join(", ")}`,
    );
  }
}

/** The scalar that a scoring policy gives for an outcome; null for an unscored one, which is never 0.0. */
export function scalarFor(scoring: RewardScoringPolicyV1, outcome: RewardOutcomeV1): number | null {
  return isUnscored(outcome) ? null : scoring[`${outcome}_reward`];
}

type Unscored = {
  [O in RewardOutcomeV1]: (typeof REWARD_SCORING_CLASS)[O] extends "unscored" ? O : never;
}[RewardOutcomeV1];

function isUnscored(outcome: RewardOutcomeV1): outcome is Unscored {
  return REWARD_SCORING_CLASS[outcome] === "unscored";
}
