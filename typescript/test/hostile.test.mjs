// Hostile input: memory and time that grow with the length of a text, and places that are right whatever the names.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as rr from "../dist/index.js";

const worked = (name) =>
  JSON.parse(readFileSync(new URL(`../../conformance/vectors/worked/${name}.json`, import.meta.url)));
const receipt = worked("receipt");
const contract = worked("contract_as_authored");
const places = (found) => found.map(({ code, pointer, line, column }) => [code, pointer, line, column]);

/** A JSON array or object of about `size` characters. */
function filled(size, item, [open, close] = "[]") {
  const parts = [];
  for (let at = 0, length = 2; length < size; at++) {
    parts.push(item(at));
    length += parts.at(-1).length + 1;
  }
  return `${open}${parts.join(",")}${close}`;
}

const members = (value, extra) => `${JSON.stringify(value).slice(0, -1)},${extra}}`;
const SHAPES = {
  "an unknown member full of objects": (size) => members(receipt, `"x":${filled(size, () => "{}")}`),
  "unknown members full of arrays": (size) =>
    members(receipt, filled(size, (at) => `"n${at}":${"[".repeat(40)}${"]".repeat(40)}`).slice(1, -1)),
  "unknown members": (size) => members(receipt, filled(size, (at) => `"n${at}":{}`).slice(1, -1)),
  "ill-formed names": (size) => {
    const { reward_components, ...rest } = receipt;
    return members(rest, `"reward_components":${filled(size, (at) => `"-${at}":{"a":[1]}`, "{}")}`);
  },
  "numbers for identity keys": (size) => {
    const oracle = JSON.stringify({ ...contract.oracle, identity_keys: "HERE" }).replace(
      '"HERE"',
      filled(size, (at) => String(at % 7)),
    );
    return members({ ...contract, oracle: undefined }, `"oracle":${oracle}`);
  },
  "an array below a long name": (size) =>
    members(receipt, `"${"n".repeat(17_000)}":${filled(size - 17_000, () => "1")}`),
};

test("any text of 1 MiB is checked in 200 MiB and 5 CPU seconds, growing linearly", () => {
  const script = `
    import { readFileSync } from "node:fs";
    import * as rr from ${JSON.stringify(new URL("../dist/index.js", import.meta.url).href)};
    const text = readFileSync(0);
    const before = process.cpuUsage();
    const { ok } = rr.readDocument(text);
    const { user, system } = process.cpuUsage(before);
    console.log(JSON.stringify([ok, (user + system) / 1e6, process.resourceUsage().maxRSS / 1024]));`;
  for (const [name, shape] of Object.entries(SHAPES)) {
    const [, half] = judgedApart(script, shape(2 ** 19 - 20_000));
    const [ok, seconds, mebibytes] = judgedApart(script, shape(2 ** 20 - 20_000));
    assert.equal(ok, false, name);
    assert.ok(mebibytes <= 200, `${name}: ${mebibytes} MiB`);
    assert.ok(seconds <= 5, `${name}: ${seconds} s`);
    assert.ok(seconds <= Math.max(1, 4 * half), `${name}: ${half} s, then ${seconds} s for twice the text`);
  }
});

function judgedApart(script, input) {
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    input,
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

test("a document gets its first 1,000 findings, in the order of a report", () => {
  const names = Array.from({ length: 3000 }, (_, at) => `n${String(2999 - at).padStart(4, "0")}`);
  const { findings } = rr.validate({
    ...receipt,
    certified: true,
    oracle_tier: 0,
    ...Object.fromEntries(names.map((name) => [name, 1])),
  });
  assert.equal(findings.length, 1000);
  assert.deepEqual(
    findings.map(({ pointer }) => pointer),
    names
      .sort()
      .slice(0, 1000)
      .map((name) => `/${name}`),
  );
  const rules = rr.validate({ ...receipt, certified: true, oracle_tier: 0 }).findings;
  assert.deepEqual(
    rules.map(({ code }) => code),
    ["receipt.development-only", "receipt.certified-tier"],
  );
});

test("items are equal by value: 1 and 1.0, members in any order", () => {
  const keys = (text) =>
    rr.readDocument(
      JSON.stringify({ ...contract, oracle: { ...contract.oracle, identity_keys: "HERE" } }).replace('"HERE"', text),
    ).findings;
  const refused = (text) => keys(text).some(({ code }) => code === "schema.uniqueItems");
  for (const text of [
    '["a","a"]',
    "[1,1.0]",
    '[{"a":1,"b":[]},{"b":[],"a":1e0}]',
    "[0,-0.0]",
    "[9007199254740993,9007199254740993]",
  ]) {
    assert.ok(refused(text), text);
  }
  for (const text of [
    '[1,"1"]',
    "[1,true]",
    '[null,"null"]',
    '[[1],"[1]"]',
    "[9007199254740992,9007199254740993]",
    '["a,b",["a","b"]]',
  ]) {
    assert.ok(!refused(text), text);
  }
});

test("a pointer has the steps of the value's own types, and its place is that of the value", () => {
  assert.deepEqual(
    places(rr.readDocument('{\n "0": 1,\n "": 2,\n "a/b~c": 3}', "receipt").findings).filter(
      ([code]) => code !== "schema.required",
    ),
    [
      ["schema.additionalProperties", "/", 3, 2],
      ["schema.additionalProperties", "/0", 2, 2],
      ["schema.additionalProperties", "/a~1b~0c", 4, 2],
    ],
  );
  const { findings } = rr.readDocument(
    members({ ...contract, components: undefined }, '"components": {"0": {"name": 1}}'),
    "contract",
  );
  assert.deepEqual(
    findings.map(({ code, path }) => [code, path]),
    [["schema.type", ["components"]]],
  );
  const inside = rr.readDocument(
    members({ ...contract, components: undefined }, '\n"components": [\n{"0": 1, "": 2, "name": "a", "weight": 1}]'),
    "contract",
  );
  assert.deepEqual(
    inside.findings.map(({ path, line, column }) => [path, line, column]),
    [
      [["components", 0, ""], 3, 10],
      [["components", 0, "0"], 3, 2],
    ],
  );
});

test("a refusal's message has no control characters and no workflow commands", () => {
  const name = "a\u001b[2J\n::error::b\u202e\u0085 ##[error]c";
  const { ok, findings } = rr.readDocument(JSON.stringify({ ...receipt, [name]: 1 }), "receipt");
  assert.ok(!ok);
  assert.equal(findings[0].pointer, `/${name}`);
  const message = rr.findingText(findings[0]);
  assert.ok(message.includes("/a\\x1b[2J\\n::error::b\\u202e\\x85 \\x23#[error]c schema.additionalProperties "));
  assert.doesNotMatch(message, /\p{Cc}|\u202e|##\[/u);
});
