// Reads and completes reward specs, and their digests.

import { asciiBytes, sha256Digest } from "../../core/canonical.js";
import { decode, type TextSource } from "../../core/decode.js";
import { InvalidDocumentError } from "../../core/findings.js";
import type { JsonValue } from "../../core/json.js";
import { attempt, placed, type Refused, refused } from "../../core/refused.js";
import { valueToCheck } from "../../core/strictJson.js";
import { canonicalText, completed } from "../../documents/complete.js";
import { plainCopy, toExact } from "../../documents/javascriptInput.js";
import type { RewardSpec, RewardSpecInput } from "../../generated/types.js";
import { check } from "../../validation/check.js";

/** A reward spec that holds its schema and every rule, completed and frozen; or what is wrong. */
export type RewardSpecResult = { readonly ok: true; readonly spec: RewardSpec } | Refused;

/**
 * The reward spec in a strict JSON text, with its schema and every rule enforced.
 *
 * Completed are schema_version and gates; a weight or clip that was left out stays left out, it is the component's own.
 * The findings of a refused one have line and column. Throws TypeError where the text is neither a string nor bytes.
 */
export function readRewardSpec(data: TextSource): RewardSpecResult {
  return attempt(() => {
    const text = decode(data);
    const result = held(valueToCheck(text));
    return result.ok ? result : refused(placed(result.findings, text));
  });
}

/**
 * A JavaScript value as a completed, frozen reward spec, or what is wrong with it.
 *
 * A member that is undefined counts as left out. Numbers have the type that the schema gives them.
 */
export function completeRewardSpec(value: unknown): RewardSpecResult {
  return attempt(() => held(toExact(plainCopy(value).value)));
}

/** The canonical bytes of a completed reward spec. Throws InvalidDocumentError for a spec that does not hold. */
export function rewardSpecBytes(spec: RewardSpecInput): Uint8Array {
  return asciiBytes(canonicalText("spec", settleSpec(spec)));
}

/**
 * `sha256:` and the hex of the SHA-256 over the canonical bytes of a completed reward spec.
 *
 * Throws InvalidDocumentError for a spec that does not hold its schema and every rule.
 */
export function rewardSpecDigest(spec: RewardSpecInput): string {
  return sha256Digest(rewardSpecBytes(spec));
}

// The specs that came through here. They are frozen, so what was found once stays true.
const SETTLED = new WeakSet<object>();

/** A completed spec with its schema and every rule enforced; one that was checked already is not checked again. */
export function settleSpec(spec: unknown): RewardSpec {
  if (spec === undefined || spec === null) {
    throw new TypeError(
      "no reward spec was named, and there is no default reward; name one: readRewardSpec(text) or " +
        "completeRewardSpec({ name: ..., components: [{ type: ... }] })",
    );
  }
  if (typeof spec === "object" && SETTLED.has(spec)) return spec as RewardSpec;
  const result = completeRewardSpec(spec);
  if (!result.ok) throw new InvalidDocumentError(result.findings);
  return result.spec;
}

function held(exact: JsonValue): RewardSpecResult {
  const findings = check("spec", exact);
  if (findings.length > 0) return refused(findings);
  const spec = completed("spec", exact) as RewardSpec;
  SETTLED.add(spec);
  return { ok: true, spec };
}
