// The JSON Schema keywords as functions, compiled from the schemas when they are first used. One function both decides
// and explains: asked only whether a value is valid it stops at the first keyword that refuses, else it reports each of
// them with a sentence. Values are exact JSON (Map, bigint) or plain JavaScript; only own members count.

import { keywordForm, keywordFound, type Values } from "../core/codes.js";
import { shown } from "../core/findings.js";
import {
  compareText,
  isObject,
  type JsonObject,
  type JsonValue,
  memberOf,
  namesOf,
  type Path,
  sizeOf,
} from "../core/json.js";
import { characters, firstCharacters, redacted } from "../core/redaction.js";
import type { KEYWORD_FORM, KEYWORD_FOUND } from "../generated/codes.js";
import { MAX_CHECKED_ITEMS, MAX_CHECKED_NAME, MAX_SHOWN } from "../generated/tables.js";
import type { Constant, Schema } from "./schema.js";
import { definition } from "./schemas.js";

type Keyword = keyof typeof KEYWORD_FOUND;

/** One keyword that refuses a value. */
export interface Fault {
  readonly keyword: Keyword;
  readonly path: Path;
  /** What the keyword found and what it expected. Made on request: most faults are only counted. */
  readonly found: () => string;
}

/** Takes the faults of one value. */
export class Faults {
  /** The path of the value that is checked at the moment. */
  readonly path: (string | number)[] = [];

  constructor(private readonly take: (fault: Fault) => void) {}

  /** A fault, and what fills the template of its keyword besides the place. */
  add(keyword: Keyword, values: () => Values): void {
    const path = [...this.path];
    this.take({ keyword, path, found: () => keywordFound(keyword, { place: nameOf(path), ...values() }) });
  }
}

/** Whether a value is valid. With `faults` every keyword that refuses is reported, without it the first one decides. */
export interface Check {
  (value: unknown, faults: Faults | null): boolean;
  /** The same without faults, where it is one keyword. */
  readonly accepts?: (value: unknown) => boolean;
}

/** The check of all keywords of a schema, except `allOf`, which has the rules. */
export function compiled(given: Schema): Check {
  const schema: Schema = Object.assign(Object.create(null), given); // nothing that somebody added to every object
  return every([
    ...(schema.$ref === undefined ? [] : [ofDefinition(schema.$ref)]),
    ...generalChecks(schema),
    ...textForms(schema).map(textCheck),
    ...numberChecks(schema),
    ...arrayChecks(schema),
    ...objectChecks(schema),
    ...(schema.if === undefined ? [] : [conditional(schema.if, schema.then, schema.else)]),
  ]);
}

const DEFINITIONS = new Map<string, Check>();

function ofDefinition(name: string): Check {
  let known = DEFINITIONS.get(name);
  if (known === undefined) DEFINITIONS.set(name, (known = compiled(definition(name))));
  return known;
}

function every(checks: readonly Check[]): Check {
  if (checks.length === 1) return checks[0]!;
  const deciding = checks.map((check) => check.accepts ?? check); // one call less for each keyword
  return (value, faults) => {
    if (faults === null) {
      for (let index = 0; index < deciding.length; index++) {
        if (!deciding[index]!(value, null)) return false;
      }
      return true;
    }
    let valid = true;
    for (const check of checks) {
      if (!check(value, faults)) valid = false;
    }
    return valid;
  };
}

/** The check of one keyword, and what fills its template besides the place and the value. */
function keyword(
  name: Keyword,
  accepts: (value: unknown) => boolean,
  values: (value: JsonValue) => Values = () => ({}),
): Check {
  const check = (value: unknown, faults: Faults | null) => {
    if (accepts(value)) return true;
    const refused = value as JsonValue;
    faults?.add(name, () => ({ value: shown(refused), ...values(refused) }));
    return false;
  };
  return Object.assign(check, { accepts });
}

function generalChecks(schema: Schema): Check[] {
  const checks: Check[] = [];
  if (schema.type !== undefined) {
    const types = typeof schema.type === "string" ? [schema.type] : [...schema.type].sort();
    const [only] = types;
    const accepts =
      types.length === 1 ? OF_TYPE[only!]! : (value: unknown) => types.some((type) => OF_TYPE[type]!(value));
    const expected = types.map(an).join(" or ");
    checks.push(keyword("type", accepts, (value) => ({ value: typed(value), expected })));
  }
  const value = (name: Keyword, accepts: (value: unknown) => boolean, expected: () => string) =>
    checks.push(keyword(name, accepts, () => ({ expected: expected() })));
  if (schema.const !== undefined) value("const", isAmong([schema.const]), () => constantText(schema.const!));
  if (schema.enum !== undefined) value("enum", isAmong(schema.enum), () => schema.enum!.map(constantText).join(" or "));
  if (schema.oneOf !== undefined) value("oneOf", isExactlyOneOf(schema.oneOf), () => alternatives(schema.oneOf!));
  if (schema.anyOf !== undefined) {
    const options = schema.anyOf.map(compiled);
    const accepts = (value: unknown) => options.some((option) => option(value, null));
    value("anyOf", accepts, () => alternatives(schema.anyOf!));
  }
  return checks;
}

/** A form that a text must have: the keyword, and the end of the sentence about a text that has another. */
interface Form {
  readonly keyword: keyof typeof KEYWORD_FORM;
  readonly accepts: (text: string) => boolean;
  readonly values: (text: string) => Values;
}

function textForms({ minLength, maxLength, pattern, title, examples }: Schema): Form[] {
  const forms: Form[] = [];
  const length = (limit: number) => (text: string) => ({ size: characters(text), limit });
  if (minLength !== undefined) {
    const accepts = (text: string) => characters(text) >= minLength;
    forms.push({ keyword: "minLength", accepts, values: length(minLength) });
  }
  if (maxLength !== undefined) {
    const accepts = (text: string) => text.length <= maxLength || characters(text) <= maxLength;
    forms.push({ keyword: "maxLength", accepts, values: length(maxLength) });
  }
  if (pattern !== undefined) {
    const expression = new RegExp(pattern, "u");
    const accepts = (text: string) => expression.test(text);
    forms.push({
      keyword: "pattern",
      accepts,
      values: () => ({ type: title ?? "", example: examples?.[0] ?? "" }),
    });
  }
  return forms;
}

function textCheck({ keyword: name, accepts, values }: Form): Check {
  return keyword(
    name,
    (value) => typeof value !== "string" || accepts(value),
    (value) => ({ form: keywordForm(name, values(value as string)) }),
  );
}

function numberChecks({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): Check[] {
  const checks: Check[] = [];
  const bound = (name: Keyword, limit: number | undefined, refuses: (value: number | bigint) => boolean) => {
    if (limit === undefined) return;
    checks.push(
      keyword(
        name,
        (value) => !(isNumber(value) && refuses(value)),
        () => ({ limit }),
      ),
    );
  };
  bound("minimum", minimum, (value) => value < minimum!);
  bound("maximum", maximum, (value) => value > maximum!);
  bound("exclusiveMinimum", exclusiveMinimum, (value) => value <= exclusiveMinimum!);
  bound("exclusiveMaximum", exclusiveMaximum, (value) => value >= exclusiveMaximum!);
  return checks;
}

/** The checks of a count between two bounds: items of an array, or members of an object. */
function countChecks(
  [minName, min]: readonly [Keyword, number | undefined],
  [maxName, max]: readonly [Keyword, number | undefined],
  count: (value: unknown) => number | undefined,
): Check[] {
  const checks: Check[] = [];
  const values = (limit: number) => (value: JsonValue) => ({ size: count(value)!, limit });
  if (min !== undefined) checks.push(keyword(minName, (value) => !(count(value)! < min), values(min)));
  if (max !== undefined) checks.push(keyword(maxName, (value) => !(count(value)! > max), values(max)));
  return checks;
}

function arrayChecks({ minItems, maxItems, uniqueItems, items }: Schema): Check[] {
  const length = (value: unknown) => (Array.isArray(value) ? value.length : undefined);
  const checks = countChecks(["minItems", minItems], ["maxItems", maxItems], length);
  if (uniqueItems === true) {
    const accepts = (value: unknown) => !Array.isArray(value) || new Set(value.map(identity)).size === value.length;
    checks.push(keyword("uniqueItems", accepts));
  }
  if (items !== undefined) {
    const item = compiled(items);
    checks.push((value, faults) => {
      if (!Array.isArray(value)) return true;
      if (faults === null) return value.every((each) => item(each, null));
      const count = lookedAt(value.length, maxItems);
      let valid = true;
      for (let index = 0; index < count; index++) {
        faults.path.push(index);
        if (!item(value[index], faults)) valid = false;
        faults.path.pop();
      }
      return valid;
    });
  }
  return checks;
}

function objectChecks(schema: Schema): Check[] {
  const { required, properties, propertyNames, additionalProperties, minProperties, maxProperties } = schema;
  const size = (value: unknown) => (isObject(value) ? sizeOf(value) : undefined);
  const checks = countChecks(["minProperties", minProperties], ["maxProperties", maxProperties], size);
  const isOpen = propertyNames === undefined && (additionalProperties ?? true) === true;
  if (isOpen && properties === undefined && required === undefined) return checks;
  const members = knownMembers(schema);
  const other = isOpen ? undefined : otherMembers(schema);
  checks.push((value, faults) => {
    if (!isObject(value)) return true;
    let valid = true;
    let known = 0;
    for (let index = 0; index < members.length; index++) {
      const { name, check, isRequired } = members[index]!;
      const given = memberOf(value, name);
      if (given === undefined) {
        if (!isRequired) continue;
        faults?.add("required", () => ({ member: name }));
        valid = false;
      } else {
        known++;
        faults?.path.push(name);
        if (!check(given, faults)) valid = false;
        faults?.path.pop();
      }
      if (faults === null && !valid) return false;
    }
    const isKnown = propertyNames === undefined && known === sizeOf(value);
    return (isKnown || other === undefined || other(value, faults)) && valid;
  });
  return checks;
}

interface KnownMember {
  readonly name: string;
  readonly check: Check;
  readonly isRequired: boolean;
}

/** The members that a schema names, the required ones first and in its order, which is that of the findings. */
function knownMembers({ required = [], properties = {} }: Schema): readonly KnownMember[] {
  const names = new Set([...required, ...Object.keys(properties)]);
  return Array.from(names, (name) => {
    const check = compiled(Object.hasOwn(properties, name) ? properties[name]! : {});
    return { name, check, isRequired: required.includes(name) };
  });
}

/** The check of the members that a schema does not name, and of the names of members. */
function otherMembers({ properties = {}, propertyNames, additionalProperties, maxProperties }: Schema): Check {
  const forms = propertyNames === undefined ? [] : textForms(resolved(propertyNames));
  const check = typeof additionalProperties === "object" ? compiled(additionalProperties) : undefined;

  function isValid(name: string, value: unknown, faults: Faults | null): boolean {
    let valid = true;
    for (const { keyword: form, accepts, values } of forms) {
      if (accepts(name)) continue;
      faults?.add("propertyNames", () => ({ member: shown(name), form: keywordForm(form, values(name)) }));
      valid = false;
    }
    if (Object.hasOwn(properties, name)) return valid;
    if (additionalProperties === false) {
      faults?.add("additionalProperties", () => ({ member: shown(name) }));
      return false;
    }
    if (check === undefined || (isObject(value) && characters(name) > MAX_CHECKED_NAME)) return valid;
    return check(value, faults) && valid;
  }

  return (value, faults) => {
    const object = value as JsonObject;
    let valid = true;
    let left = faults === null ? Number.POSITIVE_INFINITY : lookedAt(sizeOf(object), maxProperties);
    for (const name of namesOf(object)) {
      const given = memberOf(object, name);
      if (given === undefined) continue;
      if (left-- === 0) break;
      faults?.path.push(name);
      if (!isValid(name, given, faults)) valid = false;
      faults?.path.pop();
      if (faults === null && !valid) return false;
    }
    return valid;
  };
}

function conditional(condition: Schema, yes: Schema | undefined, no: Schema | undefined): Check {
  const applies = compiled(condition);
  const [then, otherwise] = [yes, no].map((branch) => (branch === undefined ? undefined : compiled(branch)));
  return (value, faults) => {
    const branch = applies(value, null) ? then : otherwise;
    return branch === undefined || branch(value, faults);
  };
}

function resolved(schema: Schema): Schema {
  return schema.$ref === undefined ? schema : definition(schema.$ref);
}

/** Whether a value is an integer: a whole double is one. */
export function isWhole(value: unknown): value is number | bigint {
  return typeof value === "bigint" || Number.isInteger(value);
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === "bigint" || (typeof value === "number" && Number.isFinite(value));
}

const OF_TYPE: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  integer: isWhole,
  number: isNumber,
  array: Array.isArray,
  object: isObject,
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
};

function lookedAt(size: number, most = Number.POSITIVE_INFINITY): number {
  return size <= most ? size : Math.min(size, Math.max(MAX_CHECKED_ITEMS, most + 1));
}

/** A text that two values share exactly if they are equal JSON: `1` and `1.0` are, and members have no order. */
function identity(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (isWhole(value)) return String(BigInt(value));
  if (Array.isArray(value)) return `[${value.map(identity).join(",")}]`;
  if (!isObject(value)) return String(value);
  const names = [...namesOf(value)].sort(compareText);
  return `{${names.map((name) => `${JSON.stringify(name)}:${identity(memberOf(value, name))}`).join(",")}}`;
}

/** Whether a value is one of the constants of a schema: numbers by their value, all of them within 2^53. */
function isAmong(constants: readonly Constant[]): (value: unknown) => boolean {
  const known = new Set<unknown>(constants);
  return (value) => known.has(typeof value === "bigint" ? Number(value) : value);
}

function isExactlyOneOf(options: readonly Schema[]): (value: unknown) => boolean {
  const constants = new Set(options.map((option) => option.const));
  if (constants.size === options.length && !constants.has(undefined)) return isAmong([...constants] as Constant[]);
  const checks = options.map(compiled);
  return (value) => checks.filter((check) => check(value, null)).length === 1;
}

/** A constant of a schema, as a message quotes it. */
function constantText(constant: Constant): string {
  return shown(typeof constant === "number" && Number.isInteger(constant) ? BigInt(constant) : constant);
}

function alternatives(options: readonly Schema[]): string {
  return options
    .map(({ const: fixed, $ref, type }) => (fixed === undefined ? ($ref ?? an(String(type))) : constantText(fixed)))
    .join(" or ");
}

function nameOf(path: Path): string {
  const name = path.length === 0 ? "the document" : redacted(String(path[path.length - 1]));
  return characters(name) <= MAX_SHOWN ? name : `${firstCharacters(name, MAX_SHOWN - 3)}...`;
}

/** A value with its type, as a message about another type names it. */
export function typed(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return `the ${typeof value === "bigint" ? "integer" : typeof value} ${shown(value)}`;
}

function an(word: string): string {
  return word === "null" ? word : `${"aio".includes(word.charAt(0)) ? "an" : "a"} ${word}`;
}
