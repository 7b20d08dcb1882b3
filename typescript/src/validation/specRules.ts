// The rules of a reward spec that JSON Schema cannot express.

import { broken } from "../core/codes.js";
import { type Finding, shown } from "../core/findings.js";
import { compareText, type JsonValue } from "../core/json.js";
import { MAX_LISTED_NAMES, MAX_SPEC_FINDINGS } from "../generated/tables.js";
import { schemaOf } from "./schemas.js";

// Rules of a reward spec that JSON Schema cannot say. Each looks only where the shape is right: what is not is another
// finding. A rule gives its first findings only, and a sentence lists its first names: a small text could make millions.

type Item = readonly [index: number, members: ReadonlyMap<string, JsonValue>];

// One more than the gates that a spec may have. A spec with more is refused by that, and to look for cycles in all of
// them would take the square of their number.
const MOST_ITEMS = (schemaOf("spec").properties?.["gates"]?.maxItems ?? 0) + 1;

/** Every rule that an exact value breaks as a reward spec, in the catalogue's order. */
export function* specFindings(spec: JsonValue): Generator<Finding> {
  if (!(spec instanceof Map)) return;
  const components = objects(spec.get("components"));
  const gates = objects(spec.get("gates"));
  yield* firstOf(namesUnique(components));
  yield* firstOf(clipsOrdered(components));
  yield* firstOf(gateNamesKnown(components, gates));
  yield* firstOf(gatesAcyclic(gates));
}

/** The first of some findings; what comes after them is not even made. */
export function* firstOf(findings: Iterable<Finding>, most: number = MAX_SPEC_FINDINGS): Generator<Finding> {
  let given = 0;
  for (const finding of findings) {
    yield finding;
    if (++given === most) return;
  }
}

/** Names as a sentence lists them: the first of them, and how many more there are. */
export function listed(names: readonly string[], between = ", "): string {
  const words = names.slice(0, MAX_LISTED_NAMES).map((name) => shown(name));
  if (names.length > MAX_LISTED_NAMES) words.push(`... (${names.length - MAX_LISTED_NAMES} more)`);
  return words.join(between);
}

/** The name of a term: its `name`, or its `type` if it has none. */
function termName(component: ReadonlyMap<string, JsonValue>): JsonValue | undefined {
  return component.has("name") ? component.get("name") : component.get("type");
}

/**
 * The names so that each comes after all that its gates require, else in the given order.
 *
 * The gates are pairs of a term and what it requires, both among the names, and have no cycle.
 */
export function settlingOrder(
  names: readonly string[],
  gates: readonly (readonly [component: string, requires: string])[],
): readonly string[] {
  const waiting = new Map(names.map((name) => [name, new Set<string>()]));
  for (const [component, requires] of gates) waiting.get(component)?.add(requires);
  const order: string[] = [];
  while (waiting.size > 0) {
    const settled = [...waiting].find(([, needs]) => ![...needs].some((need) => waiting.has(need)));
    if (settled === undefined) throw new Error("gates that hold their rules have no cycle");
    waiting.delete(settled[0]);
    order.push(settled[0]);
  }
  return order;
}

function* namesUnique(components: readonly Item[]): Generator<Finding> {
  const seen = new Map<string, number>();
  for (const [index, component] of components) {
    const name = termName(component);
    if (!isText(name)) continue;
    const first = seen.get(name);
    if (first === undefined) seen.set(name, index);
    else {
      const values = { name: shown(name), first };
      yield broken(
        "spec.component-types-unique",
        ["components", index, component.has("name") ? "name" : "type"],
        values,
      );
    }
  }
}

function* clipsOrdered(components: readonly Item[]): Generator<Finding> {
  for (const [index, component] of components) {
    const clip = component.get("clip");
    if (!Array.isArray(clip) || clip.length !== 2) continue;
    const [low, high] = clip as [JsonValue, JsonValue];
    if (!isNumber(low) || !isNumber(high) || low <= high) continue;
    const values = { first: shown(low), second: shown(high) };
    yield broken("spec.clip-ordered", ["components", index, "clip"], values);
  }
}

function* gateNamesKnown(components: readonly Item[], gates: readonly Item[]): Generator<Finding> {
  const names = components.map(([, component]) => termName(component)).filter(isText);
  const terms = new Set(names);
  let known: string | undefined;
  for (const [index, gate] of gates) {
    for (const end of ["component", "requires"]) {
      const name = gate.get(end);
      if (!isText(name) || terms.has(name)) continue;
      known ??= listed(names);
      yield broken("spec.gate-names-known", ["gates", index, end], { name: shown(name), known });
    }
  }
}

/** Each gate that closes a cycle with those before it. */
function* gatesAcyclic(gates: readonly Item[]): Generator<Finding> {
  const requires = new Map<string, Set<string>>();
  for (const [index, gate] of gates) {
    const component = gate.get("component");
    const required = gate.get("requires");
    if (!isText(component) || !isText(required)) continue;
    const cycle = way(requires, required, component);
    if (cycle !== undefined) {
      const values = { cycle: listed([component, ...cycle], " requires ") };
      yield broken("spec.gates-acyclic", ["gates", index], values);
      continue;
    }
    const known = requires.get(component);
    if (known === undefined) requires.set(component, new Set([required]));
    else known.add(required);
  }
}

/** A way along gates from one term to another, both included; undefined where there is none. */
function way(requires: ReadonlyMap<string, ReadonlySet<string>>, start: string, end: string): string[] | undefined {
  const cameFrom = new Map<string, string | null>([[start, null]]);
  const open = [start];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (name === end) {
      const found: string[] = [];
      for (let step: string | null = name; step !== null; step = cameFrom.get(step) ?? null) found.unshift(step);
      return found;
    }
    // Sorted, so that of several ways the same one is named whatever the order of the gates.
    for (const following of [...(requires.get(name) ?? [])].sort(compareText)) {
      if (cameFrom.has(following)) continue;
      cameFrom.set(following, name);
      open.push(following);
    }
  }
  return undefined;
}

function objects(value: JsonValue | undefined): readonly Item[] {
  if (!Array.isArray(value)) return [];
  const items = [...(value as readonly JsonValue[]).slice(0, MOST_ITEMS).entries()];
  return items.filter((item): item is [number, ReadonlyMap<string, JsonValue>] => item[1] instanceof Map);
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === "string";
}

function isNumber(value: JsonValue): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}
