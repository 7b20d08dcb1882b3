// Everything that is wrong with a value as a document: schema, rules of the schema, rules beyond it.

import { keywordFound, note, sentence } from "../core/codes.js";
import { type Finding, finding, jsonPointer, shown } from "../core/findings.js";
import { compareText, type JsonValue } from "../core/json.js";
import { CODES, type Code } from "../generated/codes.js";
import { MAX_FINDINGS } from "../generated/tables.js";
import { rulesBeyondSchemas } from "./documentRules.js";
import type { DataKind, Kind } from "./schema.js";
import { KINDS, kindOfVersion, schemaOf, versionOf } from "./schemas.js";
import { type Check, compiled, type Fault, Faults, typed } from "./sentences.js";
import { firstOf } from "./specRules.js";

/** Everything that is wrong with an exact value as a document of a kind, or of the kind that it names itself. */
export function checkDocument(value: JsonValue, kind?: Kind): readonly Finding[] {
  const named = kind ?? kindOf(value);
  return typeof named === "string" ? check(named, value) : [named];
}

/** The kind that an exact value says it is, or what keeps it from saying so. */
export function kindOf(value: JsonValue): Kind | Finding {
  if (!(value instanceof Map)) {
    const values = { place: "the document", value: typed(value), expected: "an object" };
    return finding("schema.type", keywordFound("type", values));
  }
  const version = value.get("schema_version");
  if (version === undefined) {
    const found = keywordFound("required", { member: "schema_version" });
    const kinds = note("kinds", { versions: KINDS.map(versionOf).join(", ") });
    return finding("schema.required", `${found} ${kinds}${likelyMistake(value)}`);
  }
  const kind = kindOfVersion(version);
  if (kind !== undefined) return kind;
  const expected = KINDS.map((each) => shown(versionOf(each))).join(" or ");
  const found = keywordFound("enum", { place: "schema_version", value: shown(version), expected });
  return finding("schema.enum", found, ["schema_version"]);
}

/** What an object without a kind may be instead of a document, as one more sentence; "" if there is no sign. */
function likelyMistake(value: ReadonlyMap<string, JsonValue>): string {
  for (const [name, member] of value) {
    if (member instanceof Map && kindOfVersion(member.get("schema_version")) !== undefined) {
      return ` ${note("document-inside", { member: shown(name) })}`;
    }
  }
  return value.has("private_key") ? ` ${note("private-key-file")}` : "";
}

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
 * MAX_FINDINGS of each.
 */
export function check(kind: Kind | DataKind, value: JsonValue): readonly Finding[] {
  const { schema, rules } = checksOf(kind);
  const first = new First();
  schema(value, new Faults((fault) => first.add(`schema.${fault.keyword}`, -1, fault)));
  for (const { code, place, check } of rules) check(value, new Faults((fault) => first.add(code, place, fault)));
  return [...first.findings(), ...firstOf(rulesBeyondSchemas(kind, value), MAX_FINDINGS)];
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
 * The first MAX_FINDINGS of any number of faults, in the order of a report; the last says how many more there are.
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
    if (this.#kept.length >= 2 * MAX_FINDINGS) this.#cut();
  }

  findings(): Finding[] {
    this.#cut();
    const more = this.#count - this.#kept.length;
    return this.#kept.map(({ code, rule, fault }, index) => {
      const isLast = index === this.#kept.length - 1;
      const rest = isLast && more > 0 ? ` ${note("more-findings", { count: more })}` : "";
      const found = fault.found() + rest;
      return finding(code, rule < 0 ? found : `${sentence(code as Code)} ${found}`, fault.path);
    });
  }

  #cut(): void {
    this.#kept.sort(inOrder);
    this.#kept.length = Math.min(this.#kept.length, MAX_FINDINGS);
    if (this.#kept.length === MAX_FINDINGS) this.#last = this.#kept[MAX_FINDINGS - 1];
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
