// The documents from the field and the worked ones: node --test test/

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as rr from "../dist/index.js";

const vector = (path) => readFileSync(new URL(`../../conformance/vectors/${path}`, import.meta.url));
const document = (path, kind) => {
  const result = rr.readDocument(vector(path), kind);
  assert.deepEqual(result.findings, undefined);
  return result.document;
};
const key = vector("openadapt/public_key.txt").toString().trim();
const receipts = JSON.parse(vector("openadapt/receipts.json"));
const contract = document("openadapt/contract.json", "contract");
const certificate = document("openadapt/certificate.json", "certificate");

test("the signed documents from the field verify, and no altered one does", () => {
  assert.equal(rr.verify(certificate, key), "valid");
  assert.equal(receipts.length, 42);
  for (const receipt of receipts) {
    assert.equal(rr.verify(receipt, key, "receipt"), "valid");
    assert.equal(rr.verify({ ...receipt, nonce: `${receipt.nonce}.` }, key, "receipt"), "invalid");
    assert.equal(rr.verify(receipt, { "key.of.another": key }, "receipt"), "signer-unknown");
  }
});

test("their audits hold with everything in hand, and are undecided with nothing", () => {
  for (const receipt of receipts) {
    assert.equal(rr.audit(receipt, { contract, certificate, keyring: key }).verdict, "holds");
    assert.equal(rr.audit(receipt).verdict, "undecided");
    assert.equal(
      rr.audit({ ...receipt, episode_id: "another.episode" }, { contract, certificate, keyring: key }).verdict,
      "fails",
    );
  }
});

test("the worked documents have the pinned digests, in any order of the components", () => {
  const expected = JSON.parse(vector("worked/EXPECTED.json"));
  const authored = document("worked/contract_as_authored.json");
  assert.equal(rr.digest(authored), expected.contract_digest);
  assert.equal(rr.digest(document("worked/certificate.json")), expected.certificate_digest);
  assert.equal(rr.digest(document("worked/receipt.json")), expected.receipt_digest);
  const turned = { ...authored, components: [...authored.components].reverse() };
  assert.equal(rr.digest(turned), expected.contract_digest);
  // Completed text is canonical as plain JSON too: its numbers are written with their types.
  assert.deepEqual(rr.canonicalBytes(turned), rr.canonicalBytes(vector("worked/contract_canonical.json")));
});

test("1 in a number field digests as 1.0", () => {
  const text = vector("worked/contract_as_authored.json").toString();
  const whole = text.replace(/("weight":\s*)1\.0/g, "$11").replace(/("verified_reward":\s*)1\.0/g, "$11");
  assert.notEqual(whole, text);
  assert.equal(
    rr.digest(rr.readDocument(whole, "contract").document),
    rr.digest(document("worked/contract_as_authored.json")),
  );
});
