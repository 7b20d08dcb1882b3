// The package's driver for the conformance runner, protocol 1. It claims every layer.
//
//   reward-receipts conformance run -- node driver.mjs

import { readFileSync } from "node:fs";
import * as rr from "reward-receipts";

type JsonObject = ReadonlyMap<string, rr.JsonValue>;

/** A request: its bytes by name, null for those that are not given, and its arguments. */
interface Request {
  readonly input: Readonly<Record<string, Buffer | null>>;
  readonly asked: JsonObject;
  readonly kind: rr.Kind | undefined;
}

/** What is answered, as JSON. */
type Answer = Readonly<Record<string, unknown>>;

// A request has documents in base64, some of them longer than a text may be.
const LONGEST_REQUEST = 2 ** 28;
const LAYERS = ["json", "schema", "rules", "digest", "signature", "score", "certificate", "audit", "compose"];

const OPERATIONS: Readonly<Record<string, (request: Request) => Answer>> = {
  read: ({ input }) => verdict(rr.readJson(bytes(input, "text"))),
  validate: ({ input, kind }) => verdict(rr.readDocument(bytes(input, "document"), kind)),
  canonical: ({ input }) => ({ canonical: base64(rr.canonicalBytes(bytes(input, "text"))) }),
  digest({ input, kind }) {
    const document = read(bytes(input, "document"), kind);
    return { digest: rr.digest(document), canonical: base64(rr.canonicalBytes(document)) };
  },
  verify({ input, kind }) {
    const document = read(bytes(input, "document"), kind as rr.SignedKind);
    try {
      return { verdict: rr.verify(document, rr.Keyring.fromText(bytes(input, "keyring"))) };
    } catch (error) {
      if (error instanceof rr.KeyFormatError) return { verdict: "error" };
      throw error;
    }
  },
  score: ({ input, asked }) =>
    orValueError(() => {
      const score = rr.score(
        asked.get("outcome") as rr.RewardOutcomeV1,
        integer(asked.get("tier")) as rr.OracleTier,
        given(input, "certificate"),
        integer(asked.get("policy_update")),
        { contract: required(input, "contract") },
      );
      return {
        scalar: score.scalar === null ? null : Buffer.from(rr.canonicalJsonBytes(score.scalar)).toString(),
        certified: score.certified,
        development_only: score.developmentOnly,
        refusals: codes(score.certificationRefusals),
      };
    }),
  state: ({ input, asked }) =>
    orValueError(() => ({
      state: rr.certificateState(given(input, "certificate"), integer(asked.get("policy_update"))),
    })),
  unmet: ({ input }) => ({ unmet: codes(rr.unmet(required(input, "certificate"), required(input, "contract"))) }),
  refusals({ input }) {
    const [receipt, contract] = [required(input, "receipt"), required(input, "contract")];
    return { refusals: codes(rr.certificationRefusals(receipt, contract, given(input, "certificate"))) };
  },
  audit({ input, asked }) {
    const receipt = required(input, "receipt");
    const [contract, certificate] = [given(input, "contract"), given(input, "certificate")];
    return orValueError(() => {
      const { verdict, findings, unchecked } = rr.audit(receipt, {
        contract,
        certificate,
        keyring: input["keyring"] ? rr.Keyring.fromText(input["keyring"]) : null,
        atUpdate: asked.has("at_update") ? integer(asked.get("at_update")) : null,
      });
      return { verdict, findings: codes(findings), unchecked: codes(unchecked) };
    });
  },
  compose({ input, asked }) {
    const result = rr.readRewardSpec(bytes(input, "spec"));
    if (!result.ok) return verdict(result);
    let engine: rr.CompositionEngine;
    try {
      engine = new rr.CompositionEngine(result.spec, components(asked.get("components") as JsonObject));
    } catch (error) {
      if (error instanceof rr.InvalidDocumentError) return verdict({ ok: false, findings: error.findings });
      throw error;
    }
    const { specDigest, digest } = engine.resolved;
    const { perStep, atEnd, perEpisode, unbounded } = rr.ceiling(engine.resolved);
    const per_episode = perEpisode(integer(asked.get("episode_steps")));
    return {
      digest: specDigest,
      resolved_digest: digest,
      ceiling: { per_step: perStep, at_end: atEnd, per_episode, unbounded },
      steps: steps(engine, asked.get("steps") as readonly JsonObject[]),
    };
  },
};

/** The answer to one line of the protocol. */
function answer(line: Uint8Array): Answer {
  // The package's own reader: JSON.parse would make 2.0, which is not a tier, into 2, which is one.
  const parsed = rr.readJson(line, LONGEST_REQUEST);
  if (!parsed.ok) return { id: null, error: parsed.findings.map(rr.findingText).join("; ") };
  const request = parsed.value as JsonObject;
  const id = request.get("id");
  try {
    const encoded = [...(request.get("input") as ReadonlyMap<string, string | null>)];
    const decoded = encoded.map(([name, data]) => [name, data === null ? null : Buffer.from(data, "base64")] as const);
    const operation = OPERATIONS[request.get("operation") as string]!;
    const asked = (request.get("arguments") ?? new Map()) as JsonObject;
    const kind = (request.get("kind") ?? undefined) as rr.Kind | undefined;
    return { id, answer: operation({ input: Object.fromEntries(decoded), asked, kind }) };
  } catch (error) {
    const { name, message } = error as Error;
    return { id, error: `${name}: ${message}` };
  }
}

function verdict(result: { readonly ok: true } | rr.Refused): Answer {
  return result.ok ? { valid: true } : { valid: false, codes: codes(result.findings) };
}

/** An answer, or the one for an argument out of range and a malformed key. */
function orValueError(ask: () => Answer): Answer {
  try {
    return ask();
  } catch (error) {
    if (error instanceof RangeError || error instanceof rr.KeyFormatError) return { error: "value" };
    throw error;
  }
}

/** Components as a case declares them. */
function components(declared: JsonObject): rr.RewardComponents {
  const entries = [...(declared as ReadonlyMap<string, JsonObject>)].map(([type, own]) => {
    const clip = own.get("clip") as readonly rr.JsonValue[] | null;
    const component = {
      cadence: own.get("cadence") as rr.Cadence,
      clip: clip === null ? null : (clip.map(Number) as [number, number]),
      defaultWeight: Number(own.get("default_weight")),
      params: params(own.get("params") as ReadonlyMap<string, JsonObject> | undefined),
    };
    return [type, component] as const;
  });
  return Object.fromEntries(entries);
}

/** Parameters as a case declares them. */
function params(declared: ReadonlyMap<string, JsonObject> = new Map()): Readonly<Record<string, rr.RewardParam>> {
  const param = (own: JsonObject): rr.RewardParam => ({
    type: own.get("type") as rr.RewardParamType,
    default: own.has("default")
      ? (JSON.parse(new TextDecoder().decode(rr.canonicalJsonBytes(own.get("default")!))) as rr.PlainJson)
      : undefined,
    minimum: own.has("minimum") ? Number(own.get("minimum")) : undefined,
    maximum: own.has("maximum") ? Number(own.get("maximum")) : undefined,
  });
  return Object.fromEntries([...declared].map(([name, own]) => [name, param(own)]));
}

/** What an engine makes of the steps of a case, in which {"reset": true} starts a new episode. */
function steps(engine: rr.CompositionEngine, asked: readonly JsonObject[]): Answer[] {
  const answers: Answer[] = [];
  let number = 0;
  for (const step of asked) {
    if (step.has("reset")) {
      engine.reset();
      number = 0;
      continue;
    }
    const values = [...(step.get("raw") as JsonObject)].map(([type, value]) => [type, rawValue(value)] as const);
    const [terminated, truncated] = [step.get("terminated") as boolean, step.get("truncated") as boolean];
    try {
      const { total, contributions } = engine.computeStep(Object.fromEntries(values), {
        terminated,
        truncated,
        step: number++,
      });
      answers.push({ total, contributions });
    } catch (error) {
      if (!(error instanceof rr.CompositionError)) throw error;
      answers.push({ refused: error.code, ...(error.component === null ? {} : { component: error.component }) });
    }
  }
  return answers;
}

const NOT_FINITE = new Map<unknown, number>([
  ["nan", Number.NaN],
  ["infinity", Number.POSITIVE_INFINITY],
  ["-infinity", Number.NEGATIVE_INFINITY],
]);

/** A raw value from its JSON form; a component that fails is a function that throws. */
function rawValue(value: rr.JsonValue): rr.RawValue {
  if (!(value instanceof Map)) return value as rr.RawValue;
  if (!value.has("fails")) return NOT_FINITE.get(value.get("double"))!;
  return () => {
    throw new Error("the case requires it");
  };
}

/** The bytes that are given under a name, as the operation needs them. */
function bytes(input: Request["input"], name: string): Buffer {
  return input[name] as Buffer;
}

function read<K extends rr.Kind = rr.Kind>(data: Buffer, kind?: K): rr.Documents[K] {
  const result = rr.readDocument(data, kind);
  if (!result.ok) throw new rr.InvalidDocumentError(result.findings);
  return result.document;
}

/** The document that is given under the name of its kind; null if none is. */
function given<K extends rr.Kind>(input: Request["input"], kind: K): rr.Documents[K] | null {
  return input[kind] ? read(input[kind], kind) : null;
}

/** The same of a document that the operation needs. */
function required<K extends rr.Kind>(input: Request["input"], kind: K): rr.Documents[K] {
  return given(input, kind) as rr.Documents[K];
}

/** An integer token as a number. Anything else stays what it is, or NaN, for the package to refuse. */
function integer(value: rr.JsonValue | undefined): number {
  if (typeof value === "bigint") return Number(value);
  return typeof value === "number" ? Number.NaN : (value as unknown as number);
}

function codes(found: readonly { readonly code: string }[]): readonly string[] {
  return found.map(({ code }) => code);
}

function base64(data: Uint8Array): string {
  return Buffer.from(data).toString("base64");
}

function write(message: Answer): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};
write({
  hello: {
    protocol: 1,
    name: "reward-receipts",
    version,
    language: "TypeScript",
    layers: LAYERS,
    operations: Object.keys(OPERATIONS),
  },
});
let rest: Buffer[] = [];
for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
  let from = 0;
  for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, from)) {
    write(answer(Buffer.concat([...rest, chunk.subarray(from, end)])));
    rest = [];
    from = end + 1;
  }
  if (from < chunk.length) rest.push(chunk.subarray(from));
}
