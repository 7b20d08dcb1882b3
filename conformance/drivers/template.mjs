// A driver for `reward-receipts conformance run`: it holds your implementation to the corpus.
//
// Fill in functions and claim their layers at LAYERS. Documents come as Buffers. A function returns the answer, or a
// text that says why it skips the case. What it throws is reported as an error, which is neither right nor a refusal.

import { createInterface } from "node:readline";

const ABOUT = { protocol: 1, name: "my-implementation", version: "0.0.1", language: "JavaScript" };

// {valid: true} or {valid: false, codes: ["json.duplicate"]}; codes may be left out.
async function read({ text }) {}

// The same. The kind is contract, certificate or receipt, or null: then the document has to say it.
async function validate({ document, kind }) {}

// {canonical: base64 of the canonical bytes of any JSON value}
async function canonical({ text }) {}

// {digest: "sha256:...", canonical: base64 of the canonical bytes of the completed document}
async function digest({ document, kind }) {}

// {verdict: "valid", "invalid", "signer-unknown" or "error"}; the keyring is JSON: key ids to base64 keys.
async function verify({ document, kind, keyring }) {}

// {scalar: "1.0" or null, certified (synthetic), development_only, refusals: codes}, {error: "value"}
// The arguments come from JSON.parse, which cannot tell 2 from 2.0.
async function score({ contract, certificate, outcome, tier, policy_update }) {}

// {state: "current"} or {error: "value"}
async function state({ certificate, policy_update }) {}

// {unmet: codes in order}
async function unmet({ certificate, contract }) {}

// {refusals: codes in order}
async function refusals({ receipt, contract, certificate }) {}

// {verdict: "holds", "fails" or "undecided", findings: codes in order, unchecked: codes in order}
async function audit({ receipt, contract, certificate, keyring, at_update }) {}

// {digest, resolved_digest, ceiling, steps} as the README says, or {valid: false, codes: ["spec.clip-ordered"]}
async function compose({ spec, components, steps, episode_steps }) {}

// What you claim: take away the mark of a layer once all its functions are filled in.
const LAYERS = {
  // json: [read],
  // schema: [validate],
  // rules: [validate],
  // digest: [canonical, digest],
  // signature: [verify],
  // score: [score],
  // certificate: [state, unmet],
  // audit: [refusals, audit],
  // compose: [compose],
};

console.log = console.info = console.error; // What your implementation prints is not an answer.
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const functions = Object.fromEntries(Object.values(LAYERS).flat().map((each) => [each.name, each]));
say({ hello: { ...ABOUT, layers: Object.keys(LAYERS), operations: Object.keys(functions) } });
for await (const line of createInterface({ input: process.stdin })) {
  const { id, operation, kind, input, arguments: given } = JSON.parse(line);
  const documents = {};
  for (const [name, data] of Object.entries(input)) documents[name] = data === null ? null : Buffer.from(data, "base64");
  try {
    const answer = await functions[operation]({ ...documents, ...given, kind });
    say(typeof answer === "string" ? { id, skip: answer } : { id, answer: answer ?? null });
  } catch (error) {
    say({ id, error: String(error) });
  }
}
