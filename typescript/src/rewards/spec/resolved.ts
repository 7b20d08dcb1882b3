// A reward spec with the defaults of its components filled in, as an engine runs it.

import { asciiBytes, sha256Digest } from "../../core/canonical.js";
import { sentence } from "../../core/codes.js";
import { finding, InvalidDocumentError, shown } from "../../core/findings.js";
import { named } from "../../core/foreign.js";
import { compareText } from "../../core/json.js";
import { canonicalText } from "../../documents/complete.js";
import type { ClipBounds, PlainJson, RewardSpec, RewardSpecInput } from "../../generated/types.js";
import { listed, settlingOrder } from "../../validation/specRules.js";
import { type RewardParam, requireParams, resolvedParams } from "../components/params.js";
import { rewardSpecDigest, settleSpec } from "./document.js";

/**
 * When a component is due: at every step; or once, at the step that ends the episode, terminated or truncated.
 */
export type Cadence = "step" | "episode_end";

/** What a component says of itself, which holds where a spec says nothing. */
export interface RewardComponent {
  /** When it is due; left out, at every step. */
  readonly cadence?: Cadence | undefined;
  /** The bounds that its raw value is clipped to, each a finite number or null for none; null or left out, no clip. */
  readonly clip?: ClipBounds | null | undefined;
  /** Its weight, a finite number; left out, 1. */
  readonly defaultWeight?: number | undefined;
  /** The parameters that a term can give it, by name; left out, none. */
  readonly params?: Readonly<Record<string, RewardParam>> | undefined;
}

/** The components that a spec can name, by the type that names them. */
export type RewardComponents = Readonly<Record<string, RewardComponent>>;

/** One term of a spec, with nothing left to its component's defaults. */
export interface ResolvedTerm {
  /** What contributions, gates and raw values call it. */
  readonly name: string;
  /** The name of its component. */
  readonly type: string;
  /** All parameters of the component, those that the term gives and the defaults of the others. */
  readonly params: Readonly<Record<string, PlainJson>>;
  readonly cadence: Cadence;
  /** What the clipped value is multiplied by; finite. */
  readonly weight: number;
  /** The bounds of the raw value, both finite, the first at most the second; null for none. */
  readonly clip: ClipBounds | null;
  /** The terms that must have contributed more than 0 for this one to count, by their places in the spec, sorted. */
  readonly requires: readonly number[];
}

/** A spec as it is run. */
export interface ResolvedSpec {
  /** What people call the reward. */
  readonly name: string;
  /** The digest of the spec as written. */
  readonly specDigest: string;
  /** The digest of the spec with the components' own weights, clips and parameters filled in. */
  readonly digest: string;
  /** The terms, in the order in which their contributions are added. */
  readonly terms: readonly ResolvedTerm[];
  /** The gates as pairs of places, the term and what it requires, in the order in which they settle. */
  readonly gates: readonly (readonly [term: number, requires: number])[];
}

/**
 * The spec with each term's component found, and its weight, clip and parameters filled in.
 *
 * Throws InvalidDocumentError for a spec that is not valid, for types that the components do not have
 * (`compose.component-unknown`), and for params that a component does not declare, needs or refuses
 * (`compose.param-...`); TypeError without a spec or without components, and RangeError for a component that no spec
 * could use.
 */
export function resolve(spec: RewardSpecInput, components: RewardComponents): ResolvedSpec {
  const written = settleSpec(spec);
  if (typeof components !== "object" || components === null) {
    throw new TypeError(`components are an object of components by type, not ${named(components)}`);
  }
  requireKnown(written, components);
  requireParams(written, components);
  const places = new Map(written.components.map(({ type, name = type }, place) => [name, place]));
  const place = (name: string) => places.get(name)!; // the rules saw to it that it is there
  const gates = written.gates.map(({ component, requires }) => [component, requires] as const);
  const terms = written.components.map(({ type, name = type, params, weight, clip }) => {
    const own = checked(type, components[type]);
    const needs = new Set(gates.filter(([component]) => component === name).map(([, requires]) => place(requires)));
    return Object.freeze({
      name,
      type,
      params: resolvedParams(components[type]?.params ?? {}, params ?? {}),
      cadence: own.cadence,
      weight: weight ?? own.weight,
      clip: clip === undefined ? own.clip : clip,
      requires: Object.freeze([...needs].sort((one, other) => one - other)),
    });
  });
  const settling = settlingOrder([...places.keys()], gates).flatMap((name) =>
    terms[place(name)]!.requires.map((need) => Object.freeze([place(name), need] as const)),
  );
  const filled = { ...written, components: terms.map(asWritten) };
  return Object.freeze({
    name: written.name,
    specDigest: rewardSpecDigest(written),
    digest: sha256Digest(asciiBytes(canonicalText("spec", filled))),
    terms: Object.freeze(terms),
    gates: Object.freeze(settling),
  });
}

/** A resolved term as a spec has it. A name that is the type is left out, as in a spec that names no term. */
function asWritten({ name, type, params, weight, clip }: ResolvedTerm): object {
  const named = name === type ? {} : { name };
  return { type, ...named, ...(Object.keys(params).length === 0 ? {} : { params }), weight, clip };
}

function requireKnown(spec: RewardSpec, components: RewardComponents): void {
  const findings = [...spec.components.entries()]
    .filter(([, { type }]) => !Object.hasOwn(components, type))
    .map(([place, { type }]) => {
      const known = listed(Object.keys(components).sort(compareText)) || "none";
      const values = { name: shown(type), known };
      const code = "compose.component-unknown";
      return finding(code, sentence(code, values), ["components", place, "type"]);
    });
  if (findings.length > 0) throw new InvalidDocumentError(findings);
}

/** What a component says of itself, filled in. */
function checked(
  type: string,
  component: RewardComponent | undefined,
): { readonly cadence: Cadence; readonly weight: number; readonly clip: ClipBounds | null } {
  const refuse = (what: string, found: unknown, due: string): never => {
    throw new RangeError(`the component ${shown(type)} has the ${what} ${named(found)}; give it ${due}`);
  };
  const { cadence = "step", defaultWeight: weight = 1, clip = null } = component ?? {};
  if (cadence !== "step" && cadence !== "episode_end") refuse("cadence", cadence, '"step" or "episode_end"');
  if (!Number.isFinite(weight)) refuse("defaultWeight", weight, "a finite number");
  if (clip === null) return { cadence, weight, clip };
  if (!Array.isArray(clip) || clip.length !== 2) return refuse("clip", clip, BOUNDS);
  const [low, high] = clip;
  const bounded = [low, high].every((bound) => bound === null || Number.isFinite(bound));
  if (!bounded || (low !== null && high !== null && low > high)) refuse("clip", [low, high], BOUNDS);
  return { cadence, weight, clip: Object.freeze([low, high] as const) };
}

const BOUNDS = "null or two bounds, each a finite number or null, the first at most the second";
