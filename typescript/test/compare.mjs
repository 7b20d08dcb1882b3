// What the package makes of texts and numbers, for the tests in Python that compare it with theirs: a line of JSON for
// each line of stdin.
//
//   {"text": BASE64, "kind": KIND or null}          read as a document: findings, or digest and canonical bytes
//   {"json": BASE64}                                read as plain JSON: findings, or canonical bytes
//   {"value": JSON, "kind": KIND or null}           validated as a JavaScript value
//   {"contract": BASE64, "certificate": BASE64 or null, "receipt": BASE64, "keys": OBJECT, "calls": [[OUTCOME, TIER, UPDATE], ...]}
//   {"receipt": BASE64, "verify": OBJECT}             its signature under these keys
//   {"doubles": [HEX of 8 bytes, big end first, ...]}  their canonical texts

import * as rr from "../dist/index.js";

const bytes = (text) => Buffer.from(text, "base64");
const base64 = (data) => Buffer.from(data).toString("base64");
const findings = (found) => found.map(({ code, pointer, sentence, line, column }) => [code, pointer, sentence, line, column]);
const coded = (found) => found.map(({ code, sentence }) => [code, sentence]);
const field = (found) => found.map(({ code, sentence, pointer }) => [code, sentence, pointer]);

function document(text, kind) {
  const result = rr.readDocument(bytes(text), kind ?? undefined);
  if (!result.ok) throw new rr.InvalidDocumentError(result.findings);
  return result.document;
}

function answer(asked) {
  if ("text" in asked) {
    const result = rr.readDocument(bytes(asked.text), asked.kind ?? undefined);
    if (!result.ok) return { findings: findings(result.findings) };
    return { kind: result.kind, digest: rr.digest(result.document), canonical: base64(rr.canonicalBytes(result.document)) };
  }
  if ("json" in asked) {
    const result = rr.readJson(bytes(asked.json));
    if (!result.ok) return { findings: findings(result.findings) };
    return { canonical: base64(rr.canonicalJsonBytes(result.value)) };
  }
  if ("value" in asked) return { findings: findings(rr.validate(asked.value, asked.kind ?? undefined).findings) };
  if ("doubles" in asked) {
    return asked.doubles.map((hex) => {
      const double = new DataView(Uint8Array.from(Buffer.from(hex, "hex")).buffer).getFloat64(0);
      return Buffer.from(rr.canonicalJsonBytes(double)).toString();
    });
  }
  if ("verify" in asked) return rr.verify(document(asked.receipt, "receipt"), asked.verify);
  const contract = document(asked.contract, "contract");
  const certificate = asked.certificate === null ? null : document(asked.certificate, "certificate");
  const receipt = document(asked.receipt, "receipt");
  const report = rr.audit(receipt, { contract, certificate, keyring: asked.keys, atUpdate: asked.at_update });
  return {
    scores: asked.calls.map(([outcome, tier, update]) => {
      const score = rr.score(outcome, tier, certificate, update, { contract });
      const scalar = score.scalar === null ? null : Buffer.from(rr.canonicalJsonBytes(score.scalar)).toString();
      return [scalar, score.certified, score.developmentOnly, coded(score.certificationRefusals)];
    }),
    states: asked.calls.map(([, , update]) => rr.certificateState(certificate, update)),
    unmet: certificate === null ? null : coded(rr.unmet(certificate, contract)),
    refusals: coded(rr.certificationRefusals(receipt, contract, certificate)),
    verdict: asked.keys === null ? null : rr.verify(receipt, asked.keys),
    audit: [report.verdict, field(report.findings), report.checked, field(report.unchecked)],
  };
}

let rest = "";
process.stdin.setEncoding("utf8");
for await (const chunk of process.stdin) {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  process.stdout.write(lines.map((line) => `${JSON.stringify(answer(JSON.parse(line)))}\n`).join(""));
}
