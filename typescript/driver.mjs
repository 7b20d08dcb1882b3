// This package's driver for the conformance runner, protocol 1. It claims every layer.
//
//   reward-receipts conformance run -- node driver.mjs

import { readFileSync } from "node:fs";
import * as rr from "./dist/index.js";

const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
// A request holds documents in base64, some of them longer than a text may be.
const LONGEST_REQUEST = 2 ** 28;

const OPERATIONS = {
  read: ({ input }) => told(rr.readJson(input.text)),
  validate: ({ input, kind }) => told(rr.readDocument(input.document, kind)),
  canonical: ({ input }) => ({ canonical: base64(rr.canonicalBytes(input.text)) }),
  digest({ input, kind }) {
    const document = read(input.document, kind);
    return { digest: rr.digest(document), canonical: base64(rr.canonicalBytes(document)) };
  },
  verify({ input, kind }) {
    const document = read(input.document, kind);
    try {
      return { verdict: rr.verify(document, rr.Keyring.fromText(input.keyring)) };
    } catch (error) {
      if (error instanceof rr.KeyFormatError) return { verdict: "error" };
      throw error;
    }
  },
  score: ({ input, asked }) =>
    valued(() => {
      const contract = given(input, "contract");
      const certificate = given(input, "certificate");
      const tier = integer(asked.get("tier"));
      const update = integer(asked.get("policy_update"));
      const score = rr.score(asked.get("outcome"), tier, certificate, update, { contract });
      return {
        scalar: score.scalar === null ? null : Buffer.from(rr.canonicalJsonBytes(score.scalar)).toString(),
        certified: score.certified,
        development_only: score.developmentOnly,
        refusals: codes(score.certificationRefusals),
      };
    }),
  state: ({ input, asked }) =>
    valued(() => ({ state: rr.certificateState(given(input, "certificate"), integer(asked.get("policy_update"))) })),
  unmet: ({ input }) => ({ unmet: codes(rr.unmet(given(input, "certificate"), given(input, "contract"))) }),
  refusals: ({ input }) => ({
    refusals: codes(
      rr.certificationRefusals(given(input, "receipt"), given(input, "contract"), given(input, "certificate")),
    ),
  }),
  audit({ input, asked }) {
    const [receipt, contract, certificate] = ["receipt", "contract", "certificate"].map((kind) => given(input, kind));
    return valued(() => {
      const { verdict, findings, unchecked } = rr.audit(receipt, {
        contract,
        certificate,
        keyring: input.keyring ? rr.Keyring.fromText(input.keyring) : null,
        atUpdate: asked.has("at_update") ? integer(asked.get("at_update")) : null,
      });
      return { verdict, findings: codes(findings), unchecked: codes(unchecked) };
    });
  },
  compose({ input, asked }) {
    const result = rr.readRewardSpec(input.spec);
    if (!result.ok) return told(result);
    let engine;
    try {
      engine = new rr.CompositionEngine(result.spec, components(asked.get("components")));
    } catch (error) {
      if (error instanceof rr.InvalidDocumentError) return told({ ok: false, findings: error.findings });
      throw error;
    }
    const { specDigest, digest } = engine.resolved;
    const { perStep, atEnd, perEpisode, unbounded } = rr.ceiling(engine.resolved);
    return {
      digest: specDigest,
      resolved_digest: digest,
      ceiling: {
        per_step: perStep,
        at_end: atEnd,
        per_episode: perEpisode(integer(asked.get("episode_steps"))),
        unbounded,
      },
      steps: composed(engine, asked.get("steps")),
    };
  },
};

const LAYERS = ["json", "schema", "rules", "digest", "signature", "score", "certificate", "audit", "compose"];

function answer(line) {
  // The package's own reader: JSON.parse would make 2.0, which is no tier, into 2, which is one.
  const read = rr.readJson(line, LONGEST_REQUEST);
  if (!read.ok) return { id: null, error: read.findings.map(rr.findingText).join("; ") };
  const request = read.value;
  const id = request.get("id");
  try {
    const input = Object.fromEntries(
      [...request.get("input")].map(([name, data]) => [name, data === null ? null : Buffer.from(data, "base64")]),
    );
    const asked = request.get("arguments") ?? new Map();
    return {
      id,
      answer: OPERATIONS[request.get("operation")]({ input, asked, kind: request.get("kind") ?? undefined }),
    };
  } catch (error) {
    return { id, error: `${error.name}: ${error.message}` };
  }
}

function told(result) {
  return result.ok ? { valid: true } : { valid: false, codes: codes(result.findings) };
}

function valued(ask) {
  try {
    return ask();
  } catch (error) {
    if (error instanceof RangeError || error instanceof rr.KeyFormatError) return { error: "value" };
    throw error;
  }
}

/** Components as a case declares them. */
function components(declared) {
  return Object.fromEntries(
    [...declared].map(([type, own]) => [
      type,
      {
        cadence: own.get("cadence"),
        clip: own.get("clip") === null ? null : own.get("clip").map(Number),
        defaultWeight: Number(own.get("default_weight")),
      },
    ]),
  );
}

/** What an engine makes of the steps of a case, in which {"reset": true} begins an episode anew. */
function composed(engine, steps) {
  const answers = [];
  let step = 0;
  for (const asked of steps) {
    if (asked.has("reset")) {
      engine.reset();
      step = 0;
      continue;
    }
    const raw = Object.fromEntries([...asked.get("raw")].map(([type, given]) => [type, rawValue(given)]));
    const flags = { terminated: asked.get("terminated"), truncated: asked.get("truncated"), step: step++ };
    try {
      answers.push(engine.computeStep(raw, flags));
    } catch (error) {
      if (!(error instanceof rr.CompositionError)) throw error;
      answers.push({ refused: error.code, ...(error.component === null ? {} : { component: error.component }) });
    }
  }
  return answers;
}

const NOT_FINITE = { nan: Number.NaN, infinity: Number.POSITIVE_INFINITY, "-infinity": Number.NEGATIVE_INFINITY };

/** A raw value from its JSON form; a component that fails is a function that throws. */
function rawValue(given) {
  if (!(given instanceof Map)) return given;
  if (!given.has("fails")) return NOT_FINITE[given.get("double")];
  return () => {
    throw new Error("the case says so");
  };
}

function read(data, kind) {
  const result = rr.readDocument(data, kind);
  if (!result.ok) throw new rr.InvalidDocumentError(result.findings);
  return result.document;
}

/** The document that was given under the name of its kind; null where none was. */
function given(input, kind) {
  return input[kind] ? read(input[kind], kind) : null;
}

/** An integer token as a number. What is none goes on as what it is not: a number that is no integer, or no number. */
function integer(value) {
  if (typeof value === "bigint") return Number(value);
  return typeof value === "number" ? Number.NaN : value;
}

const codes = (found) => found.map(({ code }) => code);
const base64 = (bytes) => Buffer.from(bytes).toString("base64");
const write = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

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
let rest = [];
for await (const chunk of process.stdin) {
  let from = 0;
  for (let end; (end = chunk.indexOf(0x0a, from)) >= 0; from = end + 1) {
    write(answer(Buffer.concat([...rest, chunk.subarray(from, end)])));
    rest = [];
  }
  if (from < chunk.length) rest.push(chunk.subarray(from));
}
