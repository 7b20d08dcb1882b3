// Oracle channels and their tiers.

import { named } from "../core/foreign.js";
import { REWARD_CERTIFIED_MINIMUM_TIER, TIER_OF_CHANNEL } from "../generated/tables.js";
import type { OracleChannel, OracleTier, RewardContractV1 } from "../generated/types.js";

/** The tier of a channel. Throws RangeError for what is not a channel. */
export function tierOf(channel: OracleChannel): OracleTier {
  if (typeof channel !== "string" || !Object.hasOwn(TIER_OF_CHANNEL, channel)) {
    throw new RangeError(
      `unknown oracle channel ${named(channel)}; expected one of: ${Object.keys(TIER_OF_CHANNEL).join(", ")}`,
    );
  }
  return TIER_OF_CHANNEL[channel];
}

/** Throws RangeError for what is not an integer from 0 to 3. */
export function requireTier(tier: unknown): asserts tier is OracleTier {
  if (typeof tier !== "number" || !Number.isInteger(tier) || tier < 0 || tier > 3) {
    throw new RangeError(`oracle tier ${named(tier)} is not an integer from 0 to 3`);
  }
}

/** A tier, capped by what the contract's own channel can give. */
export function effectiveTier(contract: RewardContractV1, tier: OracleTier): OracleTier {
  const most = tierOf(contract.oracle.channel);
  return tier < most ? tier : most;
}

/** Whether a tier is one that no certificate covers. */
export function isDevelopmentTier(tier: OracleTier): boolean {
  return tier < REWARD_CERTIFIED_MINIMUM_TIER;
}
