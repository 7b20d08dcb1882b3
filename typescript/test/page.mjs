// Verifies the signed documents of the field in a page, and writes what it found into it.

import * as rr from "./browser.js";

const bytes = async (name) => new Uint8Array(await (await fetch(name)).arrayBuffer());
const text = async (name) => (await fetch(name)).text();
const read = async (name, kind) => rr.readDocument(await bytes(name), kind).document;

async function answer() {
  const key = (await text("public_key.txt")).trim();
  const contract = await read("contract.json", "contract");
  const certificate = await read("certificate.json", "certificate");
  const receipts = JSON.parse(await text("receipts.json"));
  const count = (found, verdict) => found.filter((each) => each === verdict).length;
  const verdicts = receipts.map((receipt) => rr.verify(receipt, key, "receipt"));
  const altered = receipts.map((receipt) => rr.verify({ ...receipt, nonce: `${receipt.nonce}.` }, key, "receipt"));
  const audits = receipts.map((receipt) => rr.audit(receipt, { contract, certificate, keyring: key }).verdict);
  return {
    contract: rr.digest(contract),
    certificate: rr.verify(certificate, key),
    receipts: receipts.length,
    valid: count(verdicts, "valid"),
    altered: count(altered, "invalid"),
    holds: count(audits, "holds"),
  };
}

const place = document.getElementById("answer");
try {
  place.textContent = JSON.stringify(await answer());
} catch (error) {
  place.textContent = String(error);
}
