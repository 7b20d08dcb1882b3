// Completes a valid document with the defaults of its schema, and writes its canonical text.

import { compareText, doubleText, isObject, type JsonObject, memberOf, namesOf, stringText } from "../core/json.js";
import { CANONICAL_ORDER } from "../generated/tables.js";
import type { DataKind, Kind, Schema } from "../validation/schema.js";
import { definition, schemaOf } from "../validation/schemas.js";

// What a completed value is made of, by the schema: worked out once for each schema.
type Layout =
  | { readonly form: "object"; readonly members: readonly Member[] }
  | { readonly form: "map"; readonly values: Layout }
  | { readonly form: "array"; readonly items: Layout; readonly sortedBy: string | null | undefined }
  | { readonly form: "json" | "integer" | "number" | "other" };

interface Member {
  readonly name: string;
  readonly layout: Layout;
  readonly otherwise: unknown;
}

const LAYOUTS = new Map<Kind | DataKind, Layout>();

function layoutOf(kind: Kind | DataKind): Layout {
  let known = LAYOUTS.get(kind);
  if (known === undefined) LAYOUTS.set(kind, (known = layout(schemaOf(kind))));
  return known;
}

function layout(schema: Schema, sortedBy?: string | null): Layout {
  if (schema.$ref !== undefined) return layout(definition(schema.$ref));
  if (schema.anyOf !== undefined) return layout(schema.anyOf.find(({ type }) => type !== "null") ?? {});
  if (schema.items !== undefined) return { form: "array", items: layout(schema.items), sortedBy };
  if (schema.properties !== undefined) {
    const order = CANONICAL_ORDER[schema.title ?? ""] ?? {};
    const members = Object.entries(schema.properties)
      .map(([name, member]) => ({ name, layout: layout(member, order[name]), otherwise: member.default }))
      .sort((one, other) => compareText(one.name, other.name));
    return { form: "object", members };
  }
  if (typeof schema.additionalProperties === "object") {
    return { form: "map", values: layout(schema.additionalProperties) };
  }
  if (schema.type === "object") return { form: "json" };
  return { form: schema.type === "integer" || schema.type === "number" ? schema.type : "other" };
}

/**
 * A checked document, exact or plain, completed: a frozen copy, the defaults of the schema filled in, members sorted by
 * name, arrays as CANONICAL_ORDER says. What has no default stays left out.
 */
export function completed(kind: Kind | DataKind, value: unknown): object {
  return complete(layoutOf(kind), value) as object;
}

function complete(layout: Layout, value: unknown): unknown {
  if (value === null) return null;
  switch (layout.form) {
    case "object": {
      const copy: Record<string, unknown> = {};
      for (const { name, layout: form, otherwise } of layout.members) {
        const own = memberOf(value as JsonObject, name);
        const member = own === undefined ? otherwise : own;
        if (member !== undefined) copy[name] = complete(form, member);
      }
      return Object.freeze(copy);
    }
    case "map": {
      const given = value as JsonObject;
      const copy: Record<string, unknown> = {};
      for (const name of [...namesOf(given)].sort(compareText)) {
        copy[name] = complete(layout.values, memberOf(given, name));
      }
      return Object.freeze(copy);
    }
    case "array": {
      const items = (value as readonly unknown[]).map((item) => complete(layout.items, item));
      const by = layout.sortedBy;
      if (by === undefined) return Object.freeze(items);
      const key = (item: unknown) => (by === null ? item : (item as Record<string, unknown>)[by]) as string;
      return Object.freeze(items.sort((one, other) => compareText(key(one), key(other))));
    }
    case "json":
      return completedJson(value);
    case "integer":
      return Number(value) + 0; // a whole double is an integer, -0.0 too
    case "number":
      return Number(value);
    default:
      return value;
  }
}

/** Any JSON, frozen, in which every number is a double. Its members are own ones, whatever they are called. */
export function completedJson(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return Object.freeze(value.map(completedJson));
  if (!isObject(value)) return value;
  const members = [...namesOf(value)].sort(compareText);
  return Object.freeze(Object.fromEntries(members.map((name) => [name, completedJson(memberOf(value, name))])));
}

function writeJson(value: unknown): string {
  if (typeof value === "number") return doubleText(value);
  if (typeof value === "string") return stringText(value);
  if (Array.isArray(value)) return `[${value.map(writeJson).join(",")}]`;
  if (!isObject(value)) return String(value);
  const members = [...namesOf(value)].sort(compareText); // JavaScript puts names like "10" first, in another order
  return `{${members.map((name) => `${stringText(name)}:${writeJson(memberOf(value, name))}`).join(",")}}`;
}

/** The canonical text of a completed document; `without` names members at its top that are left out. */
export function canonicalText(kind: Kind | DataKind, document: object, without: readonly string[] = []): string {
  return write(layoutOf(kind), document, without);
}

function write(layout: Layout, value: unknown, without: readonly string[] = []): string {
  if (value === null) return "null";
  switch (layout.form) {
    case "object": {
      let text = "";
      for (const { name, layout: form } of layout.members) {
        const member = (value as Record<string, unknown>)[name];
        if (member === undefined || without.includes(name)) continue;
        text += `${text === "" ? "" : ","}"${name}":${write(form, member)}`;
      }
      return `{${text}}`;
    }
    case "map": {
      const members = Object.entries(value as Record<string, unknown>);
      return `{${members.map(([name, member]) => `${stringText(name)}:${write(layout.values, member)}`).join(",")}}`;
    }
    case "array":
      return `[${(value as readonly unknown[]).map((item) => write(layout.items, item)).join(",")}]`;
    case "json":
      return writeJson(value);
    case "integer":
      return String(value);
    case "number":
      return doubleText(value as number);
    default:
      return typeof value === "string" ? stringText(value) : String(value);
  }
}
