// The parameters that a component declares, and what a term's params are under that declaration.

import { sentence } from "../../core/codes.js";
import { type Finding, finding, InvalidDocumentError, shown } from "../../core/findings.js";
import { named } from "../../core/foreign.js";
import { compareText, doubleText, type JsonValue } from "../../core/json.js";
import { completedJson } from "../../documents/complete.js";
import type { CodeOf } from "../../generated/codes.js";
import type { PlainJson, RewardSpec } from "../../generated/types.js";
import { listed } from "../../validation/specRules.js";

/**
 * What a parameter is: `number` is a finite double, `integer` a whole number within 2^53, `json` any JSON.
 */
export type RewardParamType = "number" | "integer" | "boolean" | "text" | "json";

/** One parameter of a component. */
export interface RewardParam {
  readonly type: RewardParamType;
  /** Its value if a term does not give it; left out, each term has to give it. */
  readonly default?: PlainJson | undefined;
  /** The least value of a number or integer, inclusive. */
  readonly minimum?: number | undefined;
  /** The greatest value of a number or integer, inclusive. */
  readonly maximum?: number | undefined;
}

type Declared = Readonly<Record<string, RewardParam>>;
type Given = Readonly<Record<string, PlainJson>>;

/** Throws InvalidDocumentError for params that their components do not declare, need, or refuse. */
export function requireParams(
  spec: RewardSpec,
  components: Readonly<Record<string, { readonly params?: Declared | undefined }>>,
): void {
  const findings = spec.components.flatMap(({ type, params = {} }, place) => [
    ...paramFindings(type, components[type]?.params ?? {}, params, place),
  ]);
  if (findings.length > 0) throw new InvalidDocumentError(findings);
}

/** All parameters of a component: those that a term gives, and the defaults of the others. Frozen. */
export function resolvedParams(declared: Declared, given: Given): Given {
  const names = Object.keys(declared).sort(compareText);
  return Object.freeze(
    Object.fromEntries(
      names.map((name) => [name, completedJson(Object.hasOwn(given, name) ? given[name] : declared[name]!.default)]),
    ),
  ) as Given;
}

function* paramFindings(type: string, declared: Declared, given: Given, place: number): Generator<Finding> {
  const component = shown(type);
  const refusal = (
    code: CodeOf<"compose">,
    path: readonly (string | number)[],
    values: Readonly<Record<string, string>>,
  ) => finding(code, sentence(code, { type: component, ...values }), ["components", place, ...path]);
  for (const name of Object.keys(given).sort(compareText)) {
    if (!Object.hasOwn(declared, name)) {
      const known = listed(Object.keys(declared).sort(compareText)) || "none";
      yield refusal("compose.param-unknown", ["params", name], { name: shown(name), known });
      continue;
    }
    const wrong = wrongWith(name, declared[name]!, given[name]!);
    if (wrong === undefined) continue;
    yield refusal(wrong.code, ["params", name], {
      ...wrong,
      name: shown(name),
      found: shown(exact(given[name]!)),
    });
  }
  for (const name of Object.keys(declared).sort(compareText)) {
    if (declared[name]!.default === undefined && !Object.hasOwn(given, name)) {
      yield refusal("compose.param-missing", [], { name: shown(name) });
    }
  }
}

/** A value of params as exact JSON, its numbers doubles. */
function exact(value: PlainJson): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(exact);
  const members = Object.entries(value).sort(([one], [other]) => compareText(one, other));
  return new Map(members.map(([name, member]) => [name, exact(member as PlainJson)]));
}

interface Wrong {
  readonly code: "compose.param-type" | "compose.param-range";
  readonly expected: string;
}

function wrongWith(name: string, param: RewardParam, value: PlainJson): Wrong | undefined {
  const { type, minimum: low, maximum: high } = param;
  if (!hasType(name, type, value)) return { code: "compose.param-type", expected: type };
  if (typeof value !== "number" || ((low === undefined || value >= low) && (high === undefined || value <= high))) {
    return undefined;
  }
  const [least, most] = [low, high].map((bound) => (bound === undefined ? "" : doubleText(bound)));
  const expected =
    low === undefined ? `at most ${most}` : high === undefined ? `at least ${least}` : `${least} to ${most}`;
  return { code: "compose.param-range", expected };
}

function hasType(name: string, type: RewardParamType, value: PlainJson): boolean {
  switch (type) {
    case "number":
      return typeof value === "number";
    case "integer":
      return Number.isSafeInteger(value);
    case "boolean":
      return typeof value === "boolean";
    case "text":
      return typeof value === "string";
    case "json":
      return true;
    default:
      throw new RangeError(
        `the parameter ${shown(name)} has the type ${named(type)}; expected number, integer, boolean, text or json`,
      );
  }
}
