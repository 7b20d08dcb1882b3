// The largest reward that a resolved spec can give for a step and for an episode.

import { named } from "../../core/foreign.js";
import type { Cadence, ResolvedSpec, ResolvedTerm } from "./resolved.js";

/** The most that one term can contribute when it is due. */
export interface TermBound {
  /** The name of the term. */
  readonly name: string;
  /** The name of its component. */
  readonly type: string;
  readonly cadence: Cadence;
  /** Null where nothing bounds it. */
  readonly bound: number | null;
}

/** The most that a reward can come to. A sum with an unbounded term in it is unbounded: null. */
export interface Ceiling {
  /** The sum of the bounds of the terms that are due at each step: what one step can give; null where unbounded. */
  readonly perStep: number | null;
  /** The sum of the bounds of the terms that are due at the end of an episode: what it can give on top. */
  readonly atEnd: number | null;
  /** The bound of each term, in the spec's order. */
  readonly bounds: readonly TermBound[];
  /** The names of the terms that nothing bounds. */
  readonly unbounded: readonly string[];
  /** What an episode of some steps can give at most. Throws RangeError for what is not a whole number from 0 on. */
  perEpisode(steps: number): number | null;
}

/** The ceiling of a resolved spec, which looks at no step. */
export function ceiling({ terms }: ResolvedSpec): Ceiling {
  const bounds = terms.map((term) =>
    Object.freeze({ name: term.name, type: term.type, cadence: term.cadence, bound: boundOf(term) }),
  );
  const perStep = sum(bounds, "step");
  const atEnd = sum(bounds, "episode_end");
  return Object.freeze({
    perStep,
    atEnd,
    bounds: Object.freeze(bounds),
    unbounded: Object.freeze(bounds.filter(({ bound }) => bound === null).map(({ name }) => name)),
    perEpisode(steps: number): number | null {
      if (!Number.isInteger(steps) || steps < 0) {
        throw new RangeError(`an episode has a whole number of steps, at least 0, not ${named(steps)}`);
      }
      return perStep === null || atEnd === null ? null : finite(steps * perStep + atEnd);
    },
  });
}

function boundOf({ clip, weight, requires }: ResolvedTerm): number | null {
  if (clip === null) return null;
  const [low, high] = clip;
  if (weight === 0 && (low === null || high === null)) return null; // unbounded, as it is without a clip
  const most = Math.max(weight * (low ?? -Infinity), weight * (high ?? Infinity)) + 0; // -0 becomes 0
  return finite(requires.length > 0 ? Math.max(most, 0) : most); // a gate can make it 0, and 0 can be the most
}

function sum(bounds: readonly TermBound[], due: Cadence): number | null {
  let total = 0;
  for (const { cadence, bound } of bounds) {
    if (cadence !== due) continue;
    if (bound === null) return null;
    total += bound;
  }
  return finite(total);
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null; // what overflows a double, nothing bounds
}
