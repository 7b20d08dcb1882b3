// What a caller hands over is read once, what the package hands out cannot change, and no message has bytes of a key.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import * as browser from "../dist/browser.js";
import * as rr from "../dist/index.js";

const vector = (path) => readFileSync(new URL(`../../conformance/vectors/${path}`, import.meta.url));
const worked = (name) => JSON.parse(vector(`worked/${name}.json`));
const receipt = worked("receipt");
const contract = worked("contract_as_authored");
const certificate = worked("certificate");
const signed = JSON.parse(vector("openadapt/receipts.json"))[0];
const publicKey = vector("openadapt/public_key.txt").toString().trim();
const codes = (found) => found.map(({ code }) => code);

function isDeeplyFrozen(value) {
  if (typeof value !== "object" || value === null) return true;
  assert.ok(!(value instanceof Map || value instanceof Set), "freezing a Map or a Set keeps nobody from changing it");
  return Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen);
}

test("exported tables and constants cannot change", () => {
  for (const module of [rr, browser]) {
    for (const [name, value] of Object.entries(module)) assert.ok(isDeeplyFrozen(value), name);
  }
  for (const { Keyring, SigningKey } of [rr, browser]) {
    for (const held of [Keyring, Keyring.prototype, SigningKey, SigningKey.prototype]) assert.ok(Object.isFrozen(held));
  }
});

test("a visual oracle does not certify, whatever somebody writes into the table of tiers", () => {
  assert.throws(() => void (rr.TIER_OF_CHANNEL.visual = 3), TypeError);
  const visual = { ...contract, oracle: { ...contract.oracle, channel: "visual" } };
  const { certified, developmentOnly } = rr.score(
    "verified",
    3,
    { ...certificate, reward_contract_digest: rr.digest(visual) },
    120,
    { contract: visual },
  );
  assert.deepEqual([certified, developmentOnly], [false, true]);
});

test("a getter is read once, and what was checked is what is kept", () => {
  let reads = 0;
  const shifty = {
    ...receipt,
    get scalar_reward() {
      return reads++ === 0 ? receipt.scalar_reward : 999;
    },
  };
  const { document } = rr.complete(shifty, "receipt");
  assert.deepEqual([document.scalar_reward, reads], [receipt.scalar_reward, 1]);
  reads = 0;
  assert.equal(rr.validate(shifty).valid, true);
  assert.equal(reads, 1);
  reads = 0;
  assert.equal(rr.digest(shifty), rr.digest(receipt));
  let terms = 0;
  const spec = {
    name: "a",
    get components() {
      return terms++ === 0 ? [{ type: "b" }] : [{ type: "c" }];
    },
  };
  assert.deepEqual(rr.completeRewardSpec(spec).spec.components, [{ type: "b" }]);
});

test("a proxy is read once", () => {
  const reads = new Map();
  const proxy = new Proxy(receipt, {
    get(target, name) {
      reads.set(name, (reads.get(name) ?? 0) + 1);
      return name === "nonce" && reads.get(name) > 1 ? "nonce.of.another" : target[name];
    },
  });
  assert.equal(rr.complete(proxy).document.nonce, receipt.nonce);
  assert.deepEqual([...new Set(reads.values())], [1]);
  const components = new Proxy(contract.components, {});
  assert.equal(rr.digest({ ...contract, components }), rr.digest(contract));
});

test("what cannot be read is refused", () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const throwing = {
    ...receipt,
    get nonce() {
      throw new Error("not\nnow");
    },
  };
  for (const value of [proxy, throwing])
    assert.deepEqual(codes(rr.validate(value, "receipt").findings), ["schema.type"]);
  assert.match(rr.validate(throwing).findings[0].sentence, /^The value cannot be read: Error: not now\.$/);
  assert.throws(() => rr.digest(throwing), rr.InvalidDocumentError);
});

test("inherited members are not members", () => {
  const { certified, ...rest } = receipt;
  const base = Object.assign(Object.create(null), { certified });
  const heir = Object.assign(Object.create(base), rest);
  assert.deepEqual(codes(rr.validate(heir).findings), ["schema.required"]);
  Object.prototype.certified = true;
  try {
    assert.deepEqual(codes(rr.validate(rest).findings), ["schema.required"]);
    assert.deepEqual(codes(rr.readDocument(JSON.stringify(rest)).findings), ["schema.required"]);
    assert.equal(rr.validate(receipt).valid, true);
    assert.equal(rr.complete(receipt).document.certified, certified);
  } finally {
    delete Object.prototype.certified;
  }
});

test("an object that refers to one many times is refused before it is a document without end", () => {
  let laughs = [];
  for (let depth = 0; depth < 40; depth++) laughs = [laughs, laughs];
  assert.deepEqual(codes(rr.validate({ ...receipt, reward_components: laughs }).findings), ["json.size"]);
  assert.deepEqual(codes(rr.validate({ ...receipt, reward_components: new Array(2 ** 32 - 1) }).findings), [
    "json.size",
  ]);
  const deep = {};
  deep.deeper = deep;
  assert.deepEqual(codes(rr.validate({ ...receipt, reward_components: deep }).findings), ["json.depth"]);
});

test("arrays, maps and bytes of another realm are as good as this one's", () => {
  const elsewhere = (expression, given) => runInNewContext(expression, { given });
  const foreign = elsewhere("JSON.parse(given)", JSON.stringify(contract));
  assert.equal(rr.digest(foreign), rr.digest(contract));
  const map = elsewhere("new Map(Object.entries(JSON.parse(given)))", JSON.stringify(receipt));
  assert.equal(rr.validate(map).valid, true);
  assert.equal(Buffer.from(rr.canonicalJsonBytes(elsewhere("new Map([['a', [1n, 1]]])"))).toString(), '{"a":[1,1.0]}');
  const key = [...Buffer.from(publicKey, "base64")];
  for (const expression of ["Uint8Array.from(given)", "new Uint8Array([0, ...given]).subarray(1)"]) {
    const bytes = elsewhere(expression, key);
    assert.equal(rr.verify(signed, bytes), "valid");
    assert.equal(rr.audit(signed, { keyring: bytes }).checked.includes("signature-invalid"), true);
    assert.equal(rr.verify(signed, rr.Keyring.of([[signed.issuer_key_id, bytes]])), "valid");
  }
  const text = JSON.stringify(receipt);
  const buffers = [
    "Uint8Array.from(given)",
    "Uint8Array.from(given).buffer",
    "new DataView(Uint8Array.from(given).buffer)",
  ];
  for (const expression of buffers) {
    const bytes = elsewhere(expression, [...Buffer.from(text)]);
    assert.equal(rr.readDocument(bytes).ok, true);
    assert.deepEqual(rr.canonicalBytes(bytes), rr.canonicalBytes(text));
  }
});

test("the keyrings of reward-receipts and of reward-receipts/browser are both taken by both", () => {
  const entries = [[signed.issuer_key_id, publicKey]];
  assert.equal(rr.verify(signed, browser.Keyring.of(entries)), "valid");
  assert.equal(browser.verify(signed, rr.Keyring.of(entries)), "valid");
  const fake = { [Symbol.for("reward-receipts.keyring.entries")]: () => [["short", publicKey]] };
  assert.throws(() => rr.verify(signed, fake), rr.KeyFormatError);
});

test("two different keys under one id are refused; the same key twice is one", () => {
  const other = Buffer.alloc(32, 7).toString("base64");
  assert.throws(
    () =>
      rr.Keyring.of([
        ["key.good.one", publicKey],
        ["key.good.one", other],
      ]),
    rr.KeyFormatError,
  );
  const bytes = Buffer.from(publicKey, "base64");
  assert.equal(
    rr.Keyring.of([
      ["key.good.one", publicKey],
      ["key.good.one", bytes],
    ]).size,
    1,
  );
  bytes.fill(0); // the keyring has a copy
  assert.equal(rr.Keyring.of([["key.good.one", publicKey]]).get("key.good.one").length, 32);
});

test("no message has a byte of what could be a key, wherever it was given", () => {
  const seed = Uint8Array.from({ length: 32 }, (_, at) => 0x51 + 3 * at);
  const base64 = Buffer.from(seed).toString("base64");
  const spellings = [
    base64,
    Buffer.from(seed).toString("base64url"),
    Buffer.from(seed).toString("hex"),
    Buffer.from(seed).toString("hex").toUpperCase(),
  ];
  spellings.push(
    ...spellings.map((key) => ` ${key}\n`),
    Buffer.from([...seed, ...seed]).toString("base64"),
    base64.repeat(4000),
  );
  spellings.push(
    ...[1, 2].flatMap((at) => [`key:${spellings[at]}`, `${spellings[at]}.pub`]),
    spellings[1].slice(0, 42),
  );
  const attempts = [
    (key) => rr.Keyring.fromText(key),
    (key) => rr.Keyring.fromText(JSON.stringify(key)),
    (key) => rr.Keyring.fromText(JSON.stringify({ [key]: "key.good.one" })),
    (key) => rr.Keyring.fromText(JSON.stringify({ [key]: publicKey, "key.good.one": "AAAA" })),
    (key) => rr.Keyring.fromText(`{"key.good.one": ${JSON.stringify(key)}, }`),
    (key) => rr.Keyring.fromText(`{${JSON.stringify(key)}: 1, ${JSON.stringify(key)}: 1}`),
    (key) => rr.Keyring.fromMapping({ [key]: "AAAA" }),
    (key) => rr.Keyring.fromMapping({ "key.good.one": `${key}!` }),
    (key) =>
      rr.Keyring.of([
        [key, publicKey],
        [key, Buffer.alloc(32, 7)],
      ]),
    (key) => rr.verify(signed, `${key}!`),
    (key) => rr.verify(signed, { [key]: "AAAA" }),
    (key) => rr.verify(signed, publicKey, key),
    (key) => rr.score(key, 2, null, 1, { contract }),
    (key) => rr.score("verified", key, null, 1, { contract }),
    (key) => rr.score("verified", 2, null, key, { contract }),
    (key) => rr.readDocument(JSON.stringify(receipt), key),
    (key) => rr.tierOf(key),
    (key) => new rr.SigningKey(key, seed),
    (key) => new rr.SigningKey("key.good.one", Buffer.from(key)),
    (key) => rr.SigningKey.fromText(key),
    (key) => rr.SigningKey.fromText(JSON.stringify({ issuer_key_id: key, private_key: "key.good.one" })),
    (key) => rr.SigningKey.fromText(JSON.stringify({ issuer_key_id: "key.good.one", private_key: `${key}!` })),
  ];
  for (const attempt of attempts) {
    for (const key of spellings) {
      let message = "";
      try {
        attempt(key);
      } catch (error) {
        message = `${error.name}: ${error.message}`;
      }
      for (let at = 0; at + 6 <= Math.min(key.length, 100); at++) {
        assert.ok(!message.includes(key.slice(at, at + 6)), `${attempt}: ${message}`);
      }
    }
  }
});
