// Rewards as data, beyond what the corpus says of them: node --test test/

import assert from "node:assert/strict";
import { test } from "node:test";
import * as rr from "../dist/index.js";

const balance = {
  name: "balance",
  components: [
    { type: "upright", weight: 1, clip: [0, 1] },
    { type: "effort", weight: 0.2, clip: [-1, 0] },
  ],
};
const ends = { name: "ends", components: [{ type: "s" }, { type: "end" }] };
const components = { upright: {}, effort: {}, s: {}, end: { cadence: "episode_end" } };
const found = (result) => result.findings.map(({ code, pointer }) => [code, pointer]);
const refused = (code, component) => (error) =>
  error instanceof rr.CompositionError && error.code === code && error.component === component;

test("a spec is completed and frozen, and what it leaves to its components stays left out", () => {
  const { spec } = rr.completeRewardSpec({ ...ends, components: [{ type: "s", weight: undefined }, { type: "end" }] });
  assert.deepEqual(spec, {
    components: [{ type: "s" }, { type: "end" }],
    gates: [],
    name: "ends",
    schema_version: "reward-receipts.reward-spec/v1",
  });
  for (const part of [spec, spec.components, spec.components[0], spec.gates]) assert.ok(Object.isFrozen(part));
  assert.equal(rr.rewardSpecDigest(spec), "sha256:577751e6eb29b2d6cd275ca9368b0c16a90d5c23d1b5cf3e94134a243a337c0c");
  assert.equal(rr.rewardSpecDigest(ends), rr.rewardSpecDigest(spec));
  const unclipped = { ...ends, components: [{ type: "s", clip: null }, { type: "end" }] };
  assert.notEqual(rr.rewardSpecDigest(unclipped), rr.rewardSpecDigest(ends));
  assert.match(Buffer.from(rr.rewardSpecBytes(unclipped)).toString(), /^\{"components":\[\{"clip":null,"type":"s"\},/);
});

test("a spec in a text is refused by code, pointer, line and column", () => {
  const text =
    '{"name": "a",\n "components": [{"type": "b", "clip": [1, 0]}],\n "gates": [{"component": "b", "requires": "c"}]}';
  for (const data of [text, Buffer.from(text)]) {
    const places = rr
      .readRewardSpec(data)
      .findings.map(({ code, pointer, line, column }) => [code, pointer, line, column]);
    assert.deepEqual(places, [
      ["spec.clip-ordered", "/components/0/clip", 2, 31],
      ["spec.gate-names-known", "/gates/0/requires", 3, 31],
    ]);
  }
  assert.deepEqual(found(rr.readRewardSpec('{"name": "a", "name": "b"}')), [["json.duplicate", ""]]);
  assert.throws(() => rr.readRewardSpec(ends), TypeError);
});

test("integers of a text are compared exactly, their nearest doubles count", () => {
  const clipped = (clip) => rr.readRewardSpec(`{"name": "a", "components": [{"type": "b", "clip": ${clip}}]}`);
  assert.deepEqual(found(clipped("[9007199254740993, 9007199254740992]")), [
    ["spec.clip-ordered", "/components/0/clip"],
  ]);
  assert.deepEqual(clipped("[9007199254740992, 9007199254740993]").spec.components[0].clip, [2 ** 53, 2 ** 53]);
});

test("a value is not a spec because of what JSON does not have, too", () => {
  class Term {
    type = "a";
  }
  const cases = [
    [null, [["schema.type", ""]]],
    [
      { name: "", components: [] },
      [
        ["schema.minItems", "/components"],
        ["schema.minLength", "/name"],
      ],
    ],
    [{ name: "\ud800", components: [{ type: "a" }] }, [["json.surrogate", "/name"]]],
    [{ name: "a", components: [{ type: "\udc00" }] }, [["json.surrogate", "/components/0/type"]]],
    [{ name: "a", components: [{ type: "a", weight: Number.NaN }] }, [["json.number", "/components/0/weight"]]],
    [{ name: "a", components: [new Term()] }, [["schema.type", "/components/0"]]],
    [{ name: "a", components: [{ type: "a", weight: null }] }, [["schema.type", "/components/0/weight"]]],
    [{ name: "a", components: [{ type: "\u{1f600}".repeat(129) }] }, [["schema.maxLength", "/components/0/type"]]],
  ];
  for (const [value, expected] of cases) assert.deepEqual(found(rr.completeRewardSpec(value)), expected);
  assert.equal(rr.completeRewardSpec({ name: "a", components: [{ type: "\u{1f600}".repeat(128) }] }).ok, true);
  assert.equal(rr.completeRewardSpec(rr.readJson(JSON.stringify(balance)).value).ok, true);
});

test("there is no default reward", () => {
  for (const ask of [
    () => rr.resolve(undefined, components),
    () => new rr.CompositionEngine(null, components),
    () => rr.rewardSpecDigest(undefined),
    () => rr.resolve(ends),
  ]) {
    assert.throws(ask, TypeError);
  }
  assert.throws(() => rr.resolve(null, components), /no default reward; name one: readRewardSpec/);
  assert.throws(() => rr.resolve({ name: "a", components: [] }, components), rr.InvalidDocumentError);
});

test("a spec is resolved against the components that are there, and against no others", () => {
  const resolved = rr.resolve(ends, { s: { clip: [-1, 2], defaultWeight: -0.5 }, end: { cadence: "episode_end" } });
  assert.deepEqual(resolved.terms, [
    { name: "s", type: "s", params: {}, cadence: "step", weight: -0.5, clip: [-1, 2], requires: [] },
    { name: "end", type: "end", params: {}, cadence: "episode_end", weight: 1, clip: null, requires: [] },
  ]);
  for (const part of [resolved, resolved.terms, resolved.terms[0], resolved.terms[0].clip])
    assert.ok(Object.isFrozen(part));
  const written = {
    name: "ends",
    components: [
      { type: "s", weight: -0.5, clip: [-1, 2] },
      { type: "end", weight: 1, clip: null },
    ],
  };
  assert.deepEqual([resolved.specDigest, resolved.digest], [rr.rewardSpecDigest(ends), rr.rewardSpecDigest(written)]);

  const unknown = { name: "a", components: [{ type: "constructor" }, { type: "s" }, { type: "toString" }] };
  assert.throws(
    () => rr.resolve(unknown, components),
    (error) => {
      assert.deepEqual(found(error), [
        ["compose.component-unknown", "/components/0/type"],
        ["compose.component-unknown", "/components/2/type"],
      ]);
      return /as "constructor"; known are "effort", "end", "s", "upright"\./.test(error.message);
    },
  );
  for (const own of [
    { cadence: "often" },
    { defaultWeight: Number.POSITIVE_INFINITY },
    { defaultWeight: "1" },
    ...[[1, 0], [0], [0, 1, 2], [0, Number.NaN], "01"].map((clip) => ({ clip })),
  ]) {
    assert.throws(() => rr.resolve(ends, { ...components, end: own }), RangeError);
  }
});

test("the documented example", () => {
  const engine = new rr.CompositionEngine(balance, components);
  const { total, contributions } = engine.computeStep({ upright: 0.9, effort: -0.25 });
  assert.deepEqual([total, { ...contributions }], [0.9 + 0.2 * -0.25, { upright: 0.9, effort: -0.05 }]);
  assert.ok(Object.isFrozen(contributions));
  const silent = engine.computeStep({ upright: -3, effort: -0 });
  assert.deepEqual([silent.total, Object.values(silent.contributions)], [0, [0, 0]]); // strict: not -0
});

test("the end of an episode counts once, and a step that was refused changes nothing", () => {
  const engine = new rr.CompositionEngine(ends, components);
  const step = (raw, flags) => Object.entries(engine.computeStep(raw, flags).contributions).flat();
  assert.deepEqual(step({ s: 1, end: Number.NaN }), ["s", 1]);
  assert.throws(
    () => engine.computeStep({ s: 1, end: Number.NaN }, { terminated: true }),
    refused("compose.not-finite", "end"),
  );
  assert.throws(() => engine.computeStep({ s: 1 }, { truncated: true }), refused("compose.not-a-number", "end"));
  assert.deepEqual(step({ s: 1, end: 5 }, { truncated: true }), ["s", 1, "end", 5]);
  for (const raw of [{ s: 1, end: 5 }, { s: Number.NaN }, {}]) {
    assert.throws(() => engine.computeStep(raw, { terminated: true, step: 4 }), refused("compose.episode-over", null));
    assert.throws(
      () => engine.computeStep(raw, { step: 4 }),
      /^CompositionError: Step 4 was taken after the end of the episode\.$/,
    );
  }
  engine.reset();
  assert.deepEqual(step({ s: 1 }), ["s", 1]);
  assert.deepEqual(step({ s: 1, end: 5 }, { terminated: true }), ["s", 1, "end", 5]);
});

test("a function is asked for its value if its term is due, and named if it fails", () => {
  const engine = new rr.CompositionEngine(ends, components);
  const boom = new Error("out  of\n order");
  const fails = () => {
    throw boom;
  };
  assert.equal(engine.computeStep({ s: () => 2n, end: fails }).total, 2);
  assert.throws(
    () => engine.computeStep({ s: 1, end: fails }, { terminated: true, step: 7 }),
    (error) => {
      assert.deepEqual(
        [error.code, error.component, error.step, error.cause],
        ["compose.component-failed", "end", 7, boom],
      );
      return error.message === 'Component "end" failed at step 7: Error: out of order.';
    },
  );
  const wrong = [null, undefined, true, "1", [1], {}, Symbol("1"), () => () => 1, async () => 1, Object.create(null)];
  for (const s of wrong) assert.throws(() => engine.computeStep({ s }), refused("compose.not-a-number", "s"));
  for (const s of [Number.NaN, Number.NEGATIVE_INFINITY, 10n ** 400n]) {
    assert.throws(() => engine.computeStep({ s }), refused("compose.not-finite", "s"));
  }
  for (const thrown of [null, Object.create(null), "text"]) {
    const s = () => {
      throw thrown;
    };
    assert.throws(() => engine.computeStep({ s }), refused("compose.component-failed", "s"));
  }
});

test("what a caller gets wrong is an error", () => {
  const engine = new rr.CompositionEngine(ends, components);
  for (const raw of [null, undefined, 1]) assert.throws(() => engine.computeStep(raw), TypeError);
  for (const flag of ["false", 0, null])
    assert.throws(() => engine.computeStep({ s: 1 }, { terminated: flag }), TypeError);
  const { perEpisode } = rr.ceiling(engine.resolved);
  for (const steps of [-1, 1.5, Number.NaN, "3", 3n, null]) assert.throws(() => perEpisode(steps), RangeError);
});

test("types are names like any others", () => {
  const types = ["__proto__", "constructor", "10", "9"];
  const own = Object.fromEntries(types.map((type) => [type, {}]));
  const engine = new rr.CompositionEngine({ name: "names", components: types.map((type) => ({ type })) }, own);
  const { total, contributions } = engine.computeStep(
    Object.fromEntries(types.map((type, place) => [type, place + 1])),
  );
  assert.equal(total, 10);
  assert.deepEqual(Object.keys(contributions).sort(), types.toSorted());
  assert.throws(() => engine.computeStep({}), refused("compose.not-a-number", "__proto__"));
});

test("the ceiling is that of the resolved spec", () => {
  const most = rr.ceiling(rr.resolve(balance, components));
  assert.deepEqual(
    [most.perStep, most.atEnd, most.unbounded, most.perEpisode(0), most.perEpisode(200)],
    [1, 0, [], 0, 200],
  );
  const open = rr.ceiling(rr.resolve(ends, { s: { clip: [0, 1] }, end: { cadence: "episode_end" } }));
  assert.deepEqual([open.perStep, open.atEnd, open.unbounded, open.perEpisode(1)], [1, null, ["end"], null]);
  assert.deepEqual(open.bounds[0], { name: "s", type: "s", cadence: "step", bound: 1 });
});

test("two terms of a type go by their names, and their params are frozen and checked", () => {
  const near = { params: { target: { type: "number", minimum: 0 }, label: { type: "text", default: "x" } } };
  const spec = {
    name: "two",
    components: [
      { type: "near", params: { target: 1 } },
      { type: "near", name: "far", params: { target: 2.5, label: "y" }, weight: 2 },
    ],
  };
  const { terms } = rr.resolve(spec, { near });
  assert.deepEqual(
    terms.map(({ name, params }) => [name, params]),
    [
      ["near", { target: 1, label: "x" }],
      ["far", { target: 2.5, label: "y" }],
    ],
  );
  assert.ok(Object.isFrozen(terms[0].params));
  const step = new rr.CompositionEngine(spec, { near }).computeStep({ near: 1, far: 10 });
  assert.deepEqual(step.contributions, { near: 1, far: 20 });
  const below = { name: "one", components: [{ type: "near", params: { target: -1 } }] };
  assert.throws(
    () => rr.resolve(below, { near }),
    (error) => {
      assert.deepEqual(found(error), [["compose.param-range", "/components/0/params/target"]]);
      return /"target" of the component "near" is -1\.0; expected at least 0\.0\./.test(error.message);
    },
  );
  assert.throws(() => rr.resolve(below, { near: { params: { target: { type: "float" } } } }), RangeError);
});

test("members of params can have any names, and their numbers are doubles", () => {
  const text = '{"name":"n","components":[{"type":"t","params":{"10":1,"9":{"__proto__":[1,2.0]},"a":null}}]}';
  const result = rr.readRewardSpec(text);
  assert.ok(result.ok);
  const bytes = new TextDecoder().decode(rr.rewardSpecBytes(result.spec));
  assert.match(bytes, /"params":\{"10":1\.0,"9":\{"__proto__":\[1\.0,2\.0\]\},"a":null\}/);
  assert.equal(rr.rewardSpecDigest(JSON.parse(text)), rr.rewardSpecDigest(result.spec));
});
