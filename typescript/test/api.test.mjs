// What callers can rely on beyond the documents themselves: node --test test/

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import * as rr from "../dist/index.js";

const worked = (name) =>
  JSON.parse(readFileSync(new URL(`../../conformance/vectors/worked/${name}.json`, import.meta.url)));
const contract = worked("contract_as_authored");
const certificate = worked("certificate");
const receipt = worked("receipt");
const codes = (found) => found.map(({ code }) => code);

test("text is refused by id, line and column; a string and bytes alike", () => {
  const refused = {
    '{"a":1,\n"\\u0061":2}': ["json.duplicate", 2, 1],
    "[1,]": ["json.syntax", 1, 4],
    "[NaN]": ["json.syntax", 1, 2],
    "\ufeff{}": ["json.bom", 1, 1],
    "{} {}": ["json.trailing", 1, 4],
    '["\\ud800"]': ["json.surrogate", 1, 3],
    "[1e309]": ["json.number", 1, 2],
    [`[${"9".repeat(309)}]`]: ["json.number", 1, 2],
    ["[".repeat(65) + "]".repeat(65)]: ["json.depth", 1, 65],
    [`"${"x".repeat(rr.MAX_TEXT_BYTES)}"`]: ["json.size", 1, 1],
    '"\ud834\udd1e" x': ["json.trailing", 1, 5],
    "": ["json.syntax", 1, 1],
  };
  for (const [text, expected] of Object.entries(refused)) {
    for (const data of [text, Buffer.from(text)]) {
      const { ok, findings } = rr.readJson(data);
      assert.deepEqual([ok, findings.length], [false, 1], text.slice(0, 40));
      const [{ code, line, column }] = findings;
      assert.deepEqual([code, line, column], expected, text.slice(0, 40));
    }
  }
  assert.equal(rr.readJson("[".repeat(64) + "]".repeat(64)).ok, true);
  assert.equal(rr.readJson(`"${"x".repeat(rr.MAX_TEXT_BYTES - 2)}"`).ok, true);
  assert.deepEqual(codes(rr.readJson('"\ud800"').findings), ["json.surrogate"]);
  assert.deepEqual(codes(rr.readJson(Uint8Array.of(0x22, 0xff, 0x22)).findings), ["json.utf8"]);
});

test("bytes come as a Buffer, a view with an offset, an ArrayBuffer; nothing else is text", () => {
  const bytes = Uint8Array.from([0x20, 0x31, 0x20]);
  for (const data of [bytes, bytes.subarray(1), new DataView(bytes.buffer, 1), bytes.buffer, Buffer.from(bytes)]) {
    assert.deepEqual(rr.readJson(data), { ok: true, value: 1n });
  }
  for (const data of [null, undefined, 1, {}, [0x31], Promise.resolve("1")]) {
    assert.throws(() => rr.readJson(data), TypeError);
    assert.throws(() => rr.readDocument(data), TypeError);
  }
});

test("plain JSON keeps integers exact and doubles apart from them", () => {
  assert.equal(Buffer.from(rr.canonicalBytes('{"b":[1,1.0,1e16]} ')).toString(), '{"b":[1,1.0,1e+16]}');
  assert.equal(
    Buffer.from(rr.canonicalBytes("[12345678901234567890,-0,-0.0]")).toString(),
    "[12345678901234567890,0,-0.0]",
  );
  assert.equal(
    Buffer.from(rr.canonicalBytes('{"\u{1d51e}":1,"\uffff":2,"\x7f":3}')).toString(),
    '{"\\u007f":3,"\\uffff":2,"\\ud835\\udd1e":1}',
  );
  assert.throws(() => rr.canonicalJsonBytes({ a: 1 }), TypeError);
  assert.throws(() => rr.canonicalJsonBytes([undefined]), TypeError);
  assert.throws(() => rr.canonicalJsonBytes(Number.NaN), RangeError);
  const loop = [];
  loop.push(loop);
  assert.throws(() => rr.canonicalJsonBytes(loop), RangeError);
});

test("a document is completed, sorted and frozen all the way down, and the input stays as it was", () => {
  const given = { ...contract, components: [...contract.components].reverse() };
  delete given.scoring;
  delete given.schema_version;
  const before = structuredClone(given);
  const { document } = rr.complete(given, "contract");
  assert.deepEqual(given, before);
  assert.deepEqual({ ...document.scoring }, { ...rr.DEFAULT_REWARD_SCORING });
  assert.deepEqual(
    document.components.map(({ name }) => name),
    contract.components.map(({ name }) => name).sort(),
  );
  for (const part of [
    document,
    document.scoring,
    document.oracle,
    document.oracle.identity_keys,
    document.components[0],
  ]) {
    assert.ok(Object.isFrozen(part));
  }
  assert.throws(() => void (document.task_id = "another.task"), TypeError);
});

test("what is not a document is refused with a code, and never with a bare exception", () => {
  const loop = { ...receipt };
  loop.reward_components = loop;
  const cases = [
    [undefined, ["schema.type"]],
    [null, ["schema.type"]],
    [[receipt], ["schema.type"]],
    ["text", ["schema.type"]],
    [{}, ["schema.required"]],
    [{ ...receipt, schema_version: "v0" }, ["schema.enum"]],
    [{ ...receipt, scalar_reward: Number.NaN }, ["json.number"]],
    [{ ...receipt, policy_update: Number.POSITIVE_INFINITY }, ["json.number"]],
    [{ ...receipt, receipt_id: "\ud800aaaaaaa" }, ["json.surrogate"]],
    [{ ...receipt, issued_at: new Date() }, ["schema.type"]],
    [{ ...receipt, reward_components: () => 1 }, ["schema.type"]],
    [{ ...receipt, reward_components: loop }, ["json.depth"]],
    [{ ...receipt, certified: new Boolean(true) }, ["schema.type"]],
    [{ ...receipt, execution_id: "x" }, ["schema.additionalProperties"]],
    [JSON.parse(JSON.stringify(receipt).replace("{", '{"__proto__":1,')), ["schema.additionalProperties"]],
  ];
  for (const [value, expected] of cases) {
    const verdict = rr.validate(value);
    assert.equal(verdict.valid, false);
    assert.deepEqual(codes(verdict.findings), expected);
    assert.deepEqual(rr.complete(value).ok, false);
  }
  assert.throws(() => rr.validate(receipt, "receipts"), TypeError);
});

test("an object of another realm and one without a prototype are as good, an instance of a class is none", () => {
  const foreign = runInNewContext(`JSON.parse(${JSON.stringify(JSON.stringify(receipt))})`);
  assert.equal(rr.validate(foreign).valid, true);
  assert.equal(rr.validate(Object.assign(Object.create(null), receipt)).valid, true);
  assert.equal(rr.validate(rr.readJson(JSON.stringify(receipt)).value).valid, true);
  class Receipt {}
  assert.deepEqual(codes(rr.validate(Object.assign(new Receipt(), receipt), "receipt").findings), ["schema.type"]);
  assert.equal(
    rr.validate({ ...receipt, reward_components: new Map(Object.entries(receipt.reward_components)) }).valid,
    true,
  );
  assert.equal(rr.validate({ ...receipt, extra: undefined }).valid, true);
});

test("score refuses what is not an outcome, no tier, no policy update, with an error", () => {
  const ask = (outcome, tier, update) => rr.score(outcome, tier, certificate, update, { contract });
  assert.equal(ask("verified", 2, 120).scalar, 1);
  assert.equal(ask("failed_platform", 2, 120).scalar, null);
  for (const outcome of ["VERIFIED", "", null, undefined, 0, "constructor", ["verified"]]) {
    assert.throws(() => ask(outcome, 2, 120), RangeError);
  }
  for (const tier of [-1, 4, 1.5, Number.NaN, true, "2", null, undefined, 2n]) {
    assert.throws(() => ask("verified", tier, 120), RangeError);
  }
  for (const update of [-1, 1.5, Number.NaN, 2 ** 53, true, "120", null, undefined, 120n]) {
    assert.throws(() => ask("verified", 2, update), RangeError);
    assert.throws(() => rr.certificateState(null, update), RangeError);
    if (update != null) assert.throws(() => rr.audit(receipt, { atUpdate: update }), RangeError);
  }
  assert.throws(() => rr.score("verified", 2, certificate, 120, { contract: receipt }), rr.InvalidDocumentError);
  assert.throws(() => rr.score("verified", 2, contract, 120, { contract }), rr.InvalidDocumentError);
  assert.equal(rr.certificateState(null, 0), "absent");
});

test("a malformed key is an error and no verdict", () => {
  const good = Buffer.alloc(32, 1).toString("base64");
  const malformed = [
    ...["", "AAAA", good.slice(0, -1), `${good}\n`, ` ${good}`, good.replace("=", "\u0661"), `${good.slice(0, 42)}F=`],
    ...[new Uint8Array(31), new Uint8Array(33), null, undefined, 1, [], new Map()],
    ...[{ "key.good.one": 1 }, { short: good }, { "key.good.one": "AAAA" }],
  ];
  for (const key of malformed) assert.throws(() => rr.verify(receipt, key), rr.KeyFormatError, String(key));
  for (const text of ["[]", "{", '{"key.good.one":1}', '{"short":"AAAA"}', `{"a":1,"a":1}`]) {
    assert.throws(() => rr.Keyring.fromText(text), rr.KeyFormatError);
  }
  const keyring = rr.Keyring.fromText(JSON.stringify({ [receipt.issuer_key_id]: good }));
  assert.equal(rr.verify(receipt, keyring), "invalid");
  keyring.get(receipt.issuer_key_id).fill(9); // a copy
  assert.deepEqual(Buffer.from(keyring.get(receipt.issuer_key_id)).toString("base64"), good);
  assert.throws(() => rr.verify(contract, good), rr.InvalidDocumentError);
});

test("a certificate is checked with the keys of whoever may issue certificates", () => {
  const issuer = rr.SigningKey.generate("key.issuer.0001");
  const other = rr.SigningKey.generate("key.other.0001");
  const members = { ...certificate, reward_contract_digest: rr.digest(contract), issuer_key_id: issuer.keyId };
  const good = rr.sign(members, issuer, "certificate");
  const forged = { ...rr.sign({ ...members, epsilon: 0.4 }, issuer, "certificate"), epsilon: 0.0001 };
  const ask = (held, certificateKeyring) => rr.score("verified", 2, held, 120, { contract, certificateKeyring });
  const refused =
    (code) =>
    ({ findings: [found] }) =>
      found.code === code;

  assert.equal(ask(forged).certified, true); // nobody checked it
  for (const keys of [issuer.keyring, { [issuer.keyId]: issuer.publicKey }, issuer.publicKey]) {
    assert.deepEqual(ask(good, keys), ask(good));
    assert.throws(() => ask(forged, keys), refused("certificate-signature-invalid"));
    assert.equal(ask(null, keys).certified, false);
  }
  assert.throws(() => ask(good, other.keyring), refused("certificate-signer-unknown"));
  assert.throws(
    () => ask({ ...forged, issuer_key_id: other.keyId }, issuer.keyring),
    refused("certificate-signer-unknown"),
  );
  for (const held of [good, null]) assert.throws(() => ask(held, "x"), rr.KeyFormatError);

  const issue = (held, certificateKeyring) =>
    rr.issueReceipt({
      contract,
      certificate: held,
      outcome: "verified",
      tier: 2,
      policyUpdate: 120,
      policyCheckpointId: "checkpoint.0120",
      episodeId: "episode.0001",
      evidenceDigest: `sha256:${"e".repeat(64)}`,
      rewardComponents: { terminal_effect: 1 },
      signingKey: other,
      certificateKeyring,
    });
  assert.equal(issue(good, issuer.keyring).certified, true);
  assert.throws(() => issue(forged, issuer.keyring), refused("certificate-signature-invalid"));
});

test("a key belongs to one algorithm, and has one spelling", () => {
  const key = rr.SigningKey.generate("key.of.a.test");
  assert.equal(key.algorithm, "ed25519");
  assert.throws(() => rr.Keyring.fromMapping({ [key.keyId]: `ed25519:${key.publicKey}` }), /is not base64/);
  assert.throws(() => rr.Keyring.fromMapping({ [key.keyId]: `rot13:${key.publicKey}` }), /is not base64/);
  assert.throws(() => rr.SigningKey.generate(key.keyId, "rot13"), /there is no signature algorithm "rot13"; known are/);
});
