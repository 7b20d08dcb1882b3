// Runs a resolved reward spec, step by step.

import { sentence } from "../../core/codes.js";
import { shown } from "../../core/findings.js";
import { failureText, named } from "../../core/foreign.js";
import { doubleText } from "../../core/json.js";
import type { CodeOf } from "../../generated/codes.js";
import type { RewardSpecInput } from "../../generated/types.js";
import { type ResolvedSpec, type ResolvedTerm, type RewardComponents, resolve } from "../spec/resolved.js";

/**
 * What the component of a term gives at a step, in its own unit, before clip and weight: a finite number (a bigint
 * counts as its nearest double), or a function that gives it. The function is called only if the term is due.
 */
export type RawValue = number | bigint | (() => number | bigint);

/** Raw values by the name of their term. What is not due is not looked at, and may be left out. */
export type RawValues = Readonly<Record<string, RawValue>>;

/** What a step was, beside its raw values. */
export interface StepFlags {
  /** Whether the step brought the episode to an end of its own; left out, it did not. */
  readonly terminated?: boolean | undefined;
  /** Whether the episode was cut off after the step; left out, it was not. */
  readonly truncated?: boolean | undefined;
  /** The number of the step, for messages; left out, 0. */
  readonly step?: number | undefined;
}

/** What a spec made of one step. Frozen. */
export interface RewardResult {
  /** The sum of the contributions, from left to right in the spec's order, from 0. Always finite. */
  readonly total: number;
  /** The contribution of each term that was due, by its name. Never -0. */
  readonly contributions: Readonly<Record<string, number>>;
}

/**
 * A step has no reward: a component gave no finite number, the sum is none, or the episode is over. Nothing is in
 * for it.
 */
export class CompositionError extends Error {
  override readonly name: string = "CompositionError";

  constructor(
    /** The id of the code (`compose.not-finite`). */
    readonly code: CodeOf<"compose">,
    message: string,
    /** The name of the term; null if no term is at fault (`compose.episode-over`). */
    readonly component: string | null,
    /** The number of the step, as the caller gave it. */
    readonly step: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Runs a spec on the raw values of one environment. */
export class CompositionEngine {
  /** The spec as it is run. */
  readonly resolved: ResolvedSpec;
  #ended = false;

  /**
   * Throws InvalidDocumentError for a spec that does not hold, and where a type of it is not one of the components;
   * TypeError without a spec (there is no default reward).
   */
  constructor(spec: RewardSpecInput, components: RewardComponents) {
    this.resolved = resolve(spec, components);
  }

  /**
   * The reward of one step.
   *
   * The terms of the cadence `episode_end` are due at the step that is terminated or truncated. Throws
   * CompositionError, with code and component, where a due component fails or gives anything but a finite number, where
   * a contribution or the total is not finite, and for a step after the episode's end without a reset: the step then
   * does not count as the episode's end. Throws TypeError if the raw values are not an object or a flag is not a boolean.
   */
  computeStep(raw: RawValues, { terminated = false, truncated = false, step = 0 }: StepFlags = {}): RewardResult {
    if (typeof raw !== "object" || raw === null) {
      throw new TypeError(`raw values are an object of values by the name of their term, not ${named(raw)}`);
    }
    requireFlag("terminated", terminated);
    requireFlag("truncated", truncated);
    if (this.#ended) {
      const code = "compose.episode-over";
      throw new CompositionError(code, sentence(code, { step }), null, step);
    }
    const ends = terminated || truncated;
    const values = this.resolved.terms.map(({ name, cadence }) =>
      ends || cadence === "step" ? finiteNumber(name, asked(name, raw, step), step) : null,
    );
    const { contributions, total } = compose(this.resolved, values, step);
    if (ends) this.#ended = true;
    const due = this.resolved.terms.flatMap(({ name }, place) => {
      const contribution = contributions[place]!;
      return contribution === null ? [] : [[name, contribution] as const];
    });
    return Object.freeze({ total, contributions: Object.freeze(Object.fromEntries(due)) });
  }

  /** Begins a new episode: its end can come again. */
  reset(): void {
    this.#ended = false;
  }
}

type Due = number | null;

/** Clip, weight, gates in the order in which they settle, sum from left to right from 0; null is not due. */
function compose(
  { terms, gates }: ResolvedSpec,
  values: readonly Due[],
  step: number,
): { readonly contributions: readonly Due[]; readonly total: number } {
  const contributions = terms.map((term, place) => {
    const value = values[place]!;
    return value === null ? null : contributionOf(term, value, step);
  });
  for (const [place, need] of gates) {
    if (contributions[place] !== null && !((contributions[need] ?? 0) > 0)) contributions[place] = 0;
  }
  let total = 0;
  for (const [place, contribution] of contributions.entries()) {
    total += contribution ?? 0;
    if (!Number.isFinite(total)) refuse("compose.total-overflows", terms[place]!.name, step);
  }
  return { contributions, total };
}

function contributionOf({ name, clip, weight }: ResolvedTerm, raw: number, step: number): number {
  const [low, high] = clip ?? [null, null];
  const value = low !== null && raw < low ? low : high !== null && raw > high ? high : raw;
  const contribution = weight * value + 0; // 0 is added, so that -0 becomes 0
  if (!Number.isFinite(contribution)) {
    const values = { value: doubleText(value), weight: doubleText(weight) };
    refuse("compose.contribution-overflows", name, step, values);
  }
  return contribution;
}

/** What stands for a component among the raw values, or what it gives. */
function asked(name: string, raw: RawValues, step: number): unknown {
  try {
    const value: unknown = Object.hasOwn(raw, name) ? raw[name] : undefined;
    return typeof value === "function" ? value() : value;
  } catch (error) {
    return refuse("compose.component-failed", name, step, { found: failureText(error) }, { cause: error });
  }
}

function finiteNumber(name: string, value: unknown, step: number): number {
  if (typeof value !== "number" && typeof value !== "bigint") {
    refuse("compose.not-a-number", name, step, { found: kindOf(value) });
  }
  const double = Number(value);
  if (!Number.isFinite(double)) {
    const found = typeof value === "bigint" ? "a number beyond any double" : String(value);
    refuse("compose.not-finite", name, step, { found });
  }
  return double;
}

function refuse(
  code: CodeOf<"compose">,
  component: string,
  step: number,
  values: Readonly<Record<string, string>> = {},
  options?: ErrorOptions,
): never {
  const message = sentence(code, { name: shown(component), step, ...values });
  throw new CompositionError(code, message, component, step, options);
}

/** A value that is not a number, as it is named in a message. */
function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === "string" || typeof value === "boolean") return `${typeof value} ${shown(value, 40)}`;
  return Array.isArray(value) ? "array" : typeof value;
}

function requireFlag(name: string, flag: unknown): void {
  if (typeof flag !== "boolean") throw new TypeError(`${name} is true or false, not ${named(flag)}`);
}
