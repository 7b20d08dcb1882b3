// The rules of documents that JSON Schema cannot express, each in one place. A rule looks only at what has the right
// shape: the rest is another finding.

import { broken } from "../core/codes.js";
import { type Finding, shown } from "../core/findings.js";
import { isObject, type JsonValue, memberOf } from "../core/json.js";
import { MAX_POLICY_UPDATE } from "../generated/tables.js";
import type { DataKind, Kind } from "./schema.js";
import { isWhole } from "./sentences.js";
import { specFindings } from "./specRules.js";

/** What a value breaks of the rules beyond the schema of its kind. A spec has to be an exact value. */
export function* rulesBeyondSchemas(kind: Kind | DataKind, value: unknown): Generator<Finding> {
  if (kind === "contract") yield* componentNamesUnique(value);
  else if (kind === "certificate") yield* expiryFits(value);
  else if (kind === "spec") yield* specFindings(value as JsonValue);
}

function* componentNamesUnique(contract: unknown): Generator<Finding> {
  const components = isObject(contract) ? memberOf(contract, "components") : undefined;
  if (!Array.isArray(components)) return;
  const seen = new Map<string, number>();
  for (const [index, component] of components.entries()) {
    const name = isObject(component) ? memberOf(component, "name") : undefined;
    if (typeof name !== "string") continue;
    const first = seen.get(name);
    if (first === undefined) seen.set(name, index);
    else {
      const values = { name: shown(name), first };
      yield broken("contract.component-names-unique", ["components", index, "name"], values);
    }
  }
}

function* expiryFits(certificate: unknown): Generator<Finding> {
  if (!isObject(certificate)) return;
  const issued = memberOf(certificate, "issued_at_policy_update");
  const updates = memberOf(certificate, "expiry_policy_updates");
  if (!isWhole(issued) || !isWhole(updates)) return;
  const values = { issued: BigInt(issued), updates: BigInt(updates), sum: BigInt(issued) + BigInt(updates) };
  if (values.sum > BigInt(MAX_POLICY_UPDATE))
    yield broken("certificate.expiry-fits", ["expiry_policy_updates"], values);
}
