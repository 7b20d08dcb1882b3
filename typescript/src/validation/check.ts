// Everything that is wrong with a value as a document: schema, rules of the schema, rules beyond it.

import { broken } from "../core/codes.js";
import { type Finding, finding, jsonPointer, shown } from "../core/findings.js";
import { compareText, type JsonValue } from "../core/json.js";
import { CODES, type Code } from "../generated/codes.js";
import { rulesBeyondSchemas } from "./documentRules.js";
import type { DataKind, Kind } from "./schema.js";
import { KINDS, kindOfVersion, schemaOf, versionOf } from "./schemas.js";
import { type Check, compiled, type Fault, Faults, typed } from "./sentences.js";
import { firstOf } from "./specRules.js";

/** Everything that is wrong with an exact value as a document of a kind, or of the kind that it names itself. */
export function judge(value: JsonValue, kind?: Kind): readonly Finding[] {
  const named = kind ?? kindOf(value);
  return typeof named === "string" ? check(named, value) : [named];
}

/** The kind that an exact value says it is, or what keeps it from saying so. */
export function kindOf(value: JsonValue): Kind | Finding {
  if (!(value instanceof Map)) {
    return finding("schema.type", `Expected a document, which is a JSON object; found ${typed(value)}.`);
  }
  const version = value.get("schema_version");
  if (version === undefined) {
    const what = `schema_version is missing; a document names its kind. ${known()}`;
    return finding("schema.required", `${what}${likelyMistake(value)}`);
  }
  return (
    kindOfVersion(version) ??
    finding("schema.enum", `Found ${shown(version)}, no known kind. ${known()}`, ["schema_version"])
  );
}

/** What an object without a kind may be instead of a document, as one more sentence; "" if there is no sign. */
function likelyMistake(value: ReadonlyMap<string, JsonValue>): string {
  for (const [name, member] of value) {
    if (member instanceof Map && kindOfVersion(member.get("schema_version")) !== undefined) {
      return ` Its member ${shown(name)} is a document; take it out of its envelope.`;
    }
  }
  return value.has("private_key") ? " This looks like a private key file, which is not a document." : "";
}

/**
 * How many findings a document can get of schema and rules, and of each rule that is not in the schema: the first ones.
 * A text of 1 MiB could have half a million, and nobody reads on.
 */
export const MOST_FINDINGS = 1000;

/**
 * Whether a value is a document of a kind: what `check` decides, without the findings. The value can also be plain
 * JavaScript with doubles as its numbers; no document has integers that a double cannot tell apart.
 */
export function isValid(kind: Kind, value: unknown): boolean {
  const { schema, rules } = checksOf(kind);
  return (
    schema(value, null) &&
    rules.every(({ check }) => check(value, null)) &&
    rulesBeyondSchemas(kind, value).next().done === true
  );
}

/**
 * What is wrong with an exact value as a document of a kind: shape, then rules; none where nothing is. At most
 * MOST_FINDINGS of each.
 */
export function check(kind: Kind | DataKind, value: JsonValue): readonly Finding[] {
  const { schema, rules } = checksOf(kind);
  const first = new First();
  schema(value, new Faults((fault) => first.add(`schema.${fault.keyword}`, -1, fault)));
  for (const { code, place, check } of rules) check(value, new Faults((fault) => first.add(code, place, fault)));
  return [...first.findings(), ...firstOf(rulesBeyondSchemas(kind, value), MOST_FINDINGS)];
}

/** The compiled schema of a kind, and each of its rules with its place in the order of a report. */
interface Checks {
  readonly schema: Check;
  readonly rules: readonly { readonly code: Code; readonly place: number; readonly check: Check }[];
}

const CHECKS = new Map<Kind | DataKind, Checks>();

function checksOf(kind: Kind | DataKind): Checks {
  let known = CHECKS.get(kind);
  if (known === undefined) {
    const schema = schemaOf(kind);
    const rules = (schema.allOf ?? []).map((rule) => {
      const code = rule.title as Code;
      return { code, place: RULE_ORDER.get(code)!, check: compiled(rule) };
    });
    CHECKS.set(kind, (known = { schema: compiled(schema), rules }));
  }
  return known;
}

/** A fault of a document, and where it comes among the others: by rule (-1 is the schema), pointer, code. */
interface Ranked {
  readonly code: string;
  readonly rule: number;
  readonly pointer: string;
  readonly fault: Fault;
}

/**
 * The first MOST_FINDINGS of any number of faults, in the order of a report; the last says how many more there are.
 * Keeps twice as many at most.
 */
class First {
  #kept: Ranked[] = [];
  #last: Ranked | undefined;
  #count = 0;

  add(code: string, rule: number, fault: Fault): void {
    this.#count++;
    const ranked = { code, rule, pointer: jsonPointer(fault.path), fault };
    if (this.#last !== undefined && inOrder(ranked, this.#last) > 0) return;
    this.#kept.push(ranked);
    if (this.#kept.length >= 2 * MOST_FINDINGS) this.#cut();
  }

  findings(): Finding[] {
    this.#cut();
    const more = this.#count - this.#kept.length;
    return this.#kept.map(({ code, rule, fault }, index) => {
      const isLast = index === this.#kept.length - 1;
      const rest = isLast && more > 0 ? ` And ${more} more ${more === 1 ? "finding" : "findings"}.` : "";
      const found = fault.found() + rest;
      return rule < 0 ? finding(code, found, fault.path) : broken(code as Code, found, fault.path);
    });
  }

  #cut(): void {
    this.#kept.sort(inOrder);
    this.#kept.length = Math.min(this.#kept.length, MOST_FINDINGS);
    if (this.#kept.length === MOST_FINDINGS) this.#last = this.#kept[MOST_FINDINGS - 1];
  }
}

const RULE_ORDER = new Map(
  Object.entries(CODES)
    .filter(([, { layer }]) => layer === "rules")
    .map(([id], place) => [id, place]),
);

function inOrder(one: Ranked, other: Ranked): number {
  return one.rule - other.rule || compareText(one.pointer, other.pointer) || compareText(one.code, other.code);
}

function known(): string {
  return `Known are ${KINDS.map(versionOf).join(", ")}.`;
}
