// What the package makes of texts and numbers, for the tests in Python that compare it with theirs: a line of JSON for
// each line of stdin.
//
//   {"text": BASE64, "kind": KIND or null}          read as a document: findings, or digest and canonical bytes
//   {"json": BASE64}                                read as plain JSON: findings, or canonical bytes
//   {"value": JSON, "kind": KIND or null}           validated as a JavaScript value
//   {"contract": BASE64, "certificate": BASE64 or null, "receipt": BASE64, "keys": OBJECT, "calls": [[OUTCOME, TIER, UPDATE], ...]}
//   {"receipt": BASE64, "verify": OBJECT}             its signature under these keys
//   {"issue": OBJECT, "contract": BASE64, "certificate": BASE64 or null, "key": [ID, BASE64 of the seed]}
//                                                     a receipt issued: its canonical bytes, or why there is none
//   {"sign": BASE64, "kind": KIND, "key": [ID, BASE64 of the seed]}
//                                                     a document signed: its canonical bytes and the public key
//   {"spec": BASE64}                                  read as a reward spec: findings, or digest and canonical bytes
//   {"spec_value": JSON}                              the same of a JavaScript value: findings
//   {"run": BASE64, "components": OBJECT, "episodes": [STEPS, ...], "steps": [{"raw", "flags", "reset"}, ...]}
//                                                     a reward spec, resolved and run: doubles by their canonical texts
//   {"doubles": [HEX of 8 bytes, big end first, ...]}  their canonical texts

// With --browser it is the build for browsers that answers.

const rr = await import(process.argv[2] === "--browser" ? "../dist/browser.js" : "../dist/index.js");

const bytes = (text) => Buffer.from(text, "base64");
const base64 = (data) => Buffer.from(data).toString("base64");
const findings = (found) =>
  found.map(({ code, pointer, sentence, line, column }) => [code, pointer, sentence, line, column]);
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
    return {
      kind: result.kind,
      digest: rr.digest(result.document),
      canonical: base64(rr.canonicalBytes(result.document)),
    };
  }
  if ("json" in asked) {
    const result = rr.readJson(bytes(asked.json));
    if (!result.ok) return { findings: findings(result.findings) };
    return { canonical: base64(rr.canonicalJsonBytes(result.value)) };
  }
  if ("value" in asked) return { findings: findings(rr.validate(asked.value, asked.kind ?? undefined).findings) };
  if ("spec" in asked) {
    const result = rr.readRewardSpec(bytes(asked.spec));
    if (!result.ok) return { findings: findings(result.findings) };
    return { digest: rr.rewardSpecDigest(result.spec), canonical: base64(rr.rewardSpecBytes(result.spec)) };
  }
  if ("spec_value" in asked) return { findings: findings(rr.completeRewardSpec(asked.spec_value).findings ?? []) };
  if ("run" in asked) return ran(asked);
  if ("doubles" in asked) {
    return asked.doubles.map((hex) => {
      const double = new DataView(Uint8Array.from(Buffer.from(hex, "hex")).buffer).getFloat64(0);
      return Buffer.from(rr.canonicalJsonBytes(double)).toString();
    });
  }
  if ("issue" in asked) return issued(asked);
  if ("sign" in asked) {
    const key = new rr.SigningKey(asked.key[0], bytes(asked.key[1]));
    const signed = rr.sign(JSON.parse(bytes(asked.sign).toString()), key, asked.kind);
    return {
      canonical: base64(rr.canonicalBytes(signed)),
      publicKey: key.publicKey,
      verdict: rr.verify(signed, key.keyring),
    };
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

function issued({ issue, contract, certificate, key }) {
  try {
    const receipt = rr.issueReceipt({
      ...issue,
      contract: document(contract, "contract"),
      certificate: certificate === null ? null : document(certificate, "certificate"),
      signingKey: new rr.SigningKey(key[0], bytes(key[1])),
    });
    return { canonical: base64(rr.canonicalBytes(receipt)) };
  } catch (error) {
    if (error instanceof rr.InvalidDocumentError)
      return { findings: error.findings.map(({ code, pointer }) => [code, pointer]) };
    if (error instanceof RangeError) return { refused: error.message };
    throw error;
  }
}

const doubleText = (value) => (value === null ? null : Buffer.from(rr.canonicalJsonBytes(value)).toString());

function ran({ run, components, episodes, steps }) {
  const { spec } = rr.readRewardSpec(bytes(run));
  let engine;
  try {
    engine = new rr.CompositionEngine(spec, components);
  } catch (error) {
    return { findings: findings(error.findings) };
  }
  const { perStep, atEnd, bounds, unbounded, perEpisode } = rr.ceiling(engine.resolved);
  return {
    digests: [engine.resolved.specDigest, engine.resolved.digest],
    ceiling: [perStep, atEnd, ...bounds.map(({ bound }) => bound), ...episodes.map(perEpisode)].map(doubleText),
    unbounded,
    steps: steps.map(({ raw, flags, reset }) => {
      if (reset) engine.reset();
      try {
        const values = Object.fromEntries(Object.entries(raw).map(([type, given]) => [type, rawValue(given)]));
        const { total, contributions } = engine.computeStep(values, flags);
        const texts = Object.entries(contributions).map(([type, value]) => [type, doubleText(value)]);
        return [doubleText(total), Object.fromEntries(texts)];
      } catch (error) {
        if (!(error instanceof rr.CompositionError)) throw error;
        return [error.code, error.component, error.step, error.message];
      }
    }),
  };
}

/** A raw value from its JSON form: {"integer": TEXT}, {"double": TEXT}, {"object": {}} and {"fails": true} are not themselves. */
function rawValue(given) {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return given;
  if ("integer" in given) return BigInt(given.integer);
  if ("double" in given) return Number(given.double);
  if ("object" in given) return given.object;
  return () => {
    throw new Error("it failed");
  };
}

let rest = "";
process.stdin.setEncoding("utf8");
for await (const chunk of process.stdin) {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  process.stdout.write(lines.map((line) => `${JSON.stringify(answer(JSON.parse(line)))}\n`).join(""));
}
