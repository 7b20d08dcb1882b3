/*
 * Every rule and code.
 *
 * Generated from schemas/. Do not edit: change the schemas, then run
 *
 *     python scripts/generate
 */

/** Where a rule or code is decided. */
export type Layer = "rules" | "text" | "schema" | "warnings" | "certification" | "audit" | "compose" | "trace" | "admission";

/** What is known of a rule or code. */
export interface CodeEntry {
  /** Where it is decided. */
  readonly layer: Layer;
  /** What it says; `{name}` stands for a value that the message names. */
  readonly sentence: string;
  /** What the reader of the message can do; empty where the sentence says it. */
  readonly fix: string;
  /** The file under schemas/ that states it. */
  readonly source: string;
  /** The member of the receipt that an audit's finding with this code points to; empty where no audit has it. */
  readonly field: string;
}

/** Every rule and code by its id; the rules in the order in which findings are reported. Frozen, entries too. */
export const CODES = frozen({
  "receipt.development-only": {
    layer: "rules",
    sentence: "development_only is true exactly at tier 0 or 1.",
    fix: "",
    source: "reward-evidence-receipt.schema.json",
    field: "",
  },
  "receipt.certified-tier": {
    layer: "rules",
    sentence: "A certified (synthetic) reward needs tier 2 or 3.",
    fix: "",
    source: "reward-evidence-receipt.schema.json",
    field: "",
  },
  "receipt.certified-current": {
    layer: "rules",
    sentence: "A certified (synthetic) reward needs certificate_state current.",
    fix: "",
    source: "reward-evidence-receipt.schema.json",
    field: "",
  },
  "receipt.absent-has-no-reference": {
    layer: "rules",
    sentence: "With certificate_state absent, certificate_id, certificate_digest, calibration_corpus_digest and calibration_scope are all null.",
    fix: "",
    source: "reward-evidence-receipt.schema.json",
    field: "",
  },
  "receipt.reference-complete": {
    layer: "rules",
    sentence: "With any certificate_state but absent, certificate_id, certificate_digest, calibration_corpus_digest and calibration_scope are all given.",
    fix: "",
    source: "reward-evidence-receipt.schema.json",
    field: "",
  },
  "receipt.unscored-no-scalar": {
    layer: "rules",
    sentence: "An unscored episode (reconciliation_required, failed_platform) carries no scalar, never 0.0.",
    fix: "",
    source: "reward-evidence-receipt.schema.json",
    field: "",
  },
  "receipt.unscored-no-components": {
    layer: "rules",
    sentence: "An unscored episode (reconciliation_required, failed_platform) carries no reward components.",
    fix: "",
    source: "reward-evidence-receipt.schema.json",
    field: "",
  },
  "receipt.scored-needs-scalar": {
    layer: "rules",
    sentence: "A scored episode carries a scalar.",
    fix: "",
    source: "reward-evidence-receipt.schema.json",
    field: "",
  },
  "receipt.scored-needs-components": {
    layer: "rules",
    sentence: "A scored episode carries at least one reward component.",
    fix: "",
    source: "reward-evidence-receipt.schema.json",
    field: "",
  },
  "receipt.verified-positive": {
    layer: "rules",
    sentence: "A verified episode scores above 0.",
    fix: "",
    source: "reward-evidence-receipt.schema.json",
    field: "",
  },
  "receipt.penalty-not-positive": {
    layer: "rules",
    sentence: "An episode that halted, was refused, was rejected or had a wrong effect scores 0 or below.",
    fix: "",
    source: "reward-evidence-receipt.schema.json",
    field: "",
  },
  "receipt.verified-certain": {
    layer: "rules",
    sentence: "A verified episode carries no uncertainty.",
    fix: "",
    source: "reward-evidence-receipt.schema.json",
    field: "",
  },
  "receipt.reconciliation-uncertain": {
    layer: "rules",
    sentence: "An episode that needs reconciliation names what is uncertain.",
    fix: "",
    source: "reward-evidence-receipt.schema.json",
    field: "",
  },
  "json.size": {
    layer: "text",
    sentence: "The text is longer than {limit} bytes.",
    fix: "Split the text; one document is at most 1 MiB.",
    source: "codes.json",
    field: "",
  },
  "json.utf8": {
    layer: "text",
    sentence: "The text is not UTF-8: {found}.",
    fix: "Save the text as UTF-8.",
    source: "codes.json",
    field: "",
  },
  "json.bom": {
    layer: "text",
    sentence: "The text starts with a byte order mark (BOM).",
    fix: "Save the text without a BOM.",
    source: "codes.json",
    field: "",
  },
  "json.syntax": {
    layer: "text",
    sentence: "The text is not JSON: expected {expected}, found {found}.",
    fix: "Correct the JSON text at this place.",
    source: "codes.json",
    field: "",
  },
  "json.trailing": {
    layer: "text",
    sentence: "Something follows the value: {found}.",
    fix: "Leave one JSON value in the text; JSON Lines hold one on each line.",
    source: "codes.json",
    field: "",
  },
  "json.duplicate": {
    layer: "text",
    sentence: "The object has the member {name} twice.",
    fix: "Keep one of the two members; which one was signed, nobody can tell.",
    source: "codes.json",
    field: "",
  },
  "json.surrogate": {
    layer: "text",
    sentence: "The string holds the unpaired surrogate {found}.",
    fix: "Write the whole surrogate pair, or the character itself.",
    source: "codes.json",
    field: "",
  },
  "json.number": {
    layer: "text",
    sentence: "The number {found} is not a finite double.",
    fix: "Write a number whose nearest double is finite.",
    source: "codes.json",
    field: "",
  },
  "json.depth": {
    layer: "text",
    sentence: "More than {limit} containers are open.",
    fix: "Nest the value less deeply.",
    source: "codes.json",
    field: "",
  },
  "yaml.syntax": {
    layer: "text",
    sentence: "The text is not YAML 1.2: {found}.",
    fix: "Correct the YAML text at this place.",
    source: "codes.json",
    field: "",
  },
  "yaml.duplicate": {
    layer: "text",
    sentence: "The mapping has the key {name} twice, first at {first}.",
    fix: "Keep one of the two.",
    source: "codes.json",
    field: "",
  },
  "yaml.alias": {
    layer: "text",
    sentence: "The text has the anchor or alias {found}.",
    fix: "Write the value out at each place.",
    source: "codes.json",
    field: "",
  },
  "yaml.merge": {
    layer: "text",
    sentence: "The text has a merge key.",
    fix: "Write the merged members out.",
    source: "codes.json",
    field: "",
  },
  "yaml.tag": {
    layer: "text",
    sentence: "The text has the tag {found}.",
    fix: "Leave the tag out; types follow from the text.",
    source: "codes.json",
    field: "",
  },
  "yaml.documents": {
    layer: "text",
    sentence: "The text has {found} documents; expected one.",
    fix: "Leave one document in the text.",
    source: "codes.json",
    field: "",
  },
  "yaml.key": {
    layer: "text",
    sentence: "The key {found} is not a text.",
    fix: "Write a text as the key; quote it where it reads as another type.",
    source: "codes.json",
    field: "",
  },
  "yaml.number": {
    layer: "text",
    sentence: "The number {found} is not a finite double.",
    fix: "Write a number whose nearest double is finite.",
    source: "codes.json",
    field: "",
  },
  "schema.type": {
    layer: "schema",
    sentence: "The value has a type that the schema does not allow.",
    fix: "Give a value of the type that the message names.",
    source: "codes.json",
    field: "",
  },
  "schema.required": {
    layer: "schema",
    sentence: "A member that must be given is missing.",
    fix: "Add the member.",
    source: "codes.json",
    field: "",
  },
  "schema.additionalProperties": {
    layer: "schema",
    sentence: "The object has a member that the schema does not know.",
    fix: "Remove the member, or correct its name.",
    source: "codes.json",
    field: "",
  },
  "schema.propertyNames": {
    layer: "schema",
    sentence: "A member has a name of a form that the schema does not allow.",
    fix: "Rename the member.",
    source: "codes.json",
    field: "",
  },
  "schema.maxProperties": {
    layer: "schema",
    sentence: "The object has more members than the schema allows.",
    fix: "Remove members.",
    source: "codes.json",
    field: "",
  },
  "schema.const": {
    layer: "schema",
    sentence: "The value is not the one that the schema fixes.",
    fix: "Give the value that the message names.",
    source: "codes.json",
    field: "",
  },
  "schema.enum": {
    layer: "schema",
    sentence: "The value is none of those that the schema lists.",
    fix: "Give one of the values that the message names.",
    source: "codes.json",
    field: "",
  },
  "schema.oneOf": {
    layer: "schema",
    sentence: "The value is none of those that the schema lists.",
    fix: "Give one of the values that the message names.",
    source: "codes.json",
    field: "",
  },
  "schema.anyOf": {
    layer: "schema",
    sentence: "The value has none of the forms that the schema allows.",
    fix: "Give a value of one of the forms that the message names.",
    source: "codes.json",
    field: "",
  },
  "schema.pattern": {
    layer: "schema",
    sentence: "The text does not have the form that the schema asks for.",
    fix: "Correct the text.",
    source: "codes.json",
    field: "",
  },
  "schema.minLength": {
    layer: "schema",
    sentence: "The text is shorter than the schema allows.",
    fix: "Lengthen the text.",
    source: "codes.json",
    field: "",
  },
  "schema.maxLength": {
    layer: "schema",
    sentence: "The text is longer than the schema allows.",
    fix: "Shorten the text.",
    source: "codes.json",
    field: "",
  },
  "schema.minimum": {
    layer: "schema",
    sentence: "The number is below the least that the schema allows.",
    fix: "Give a number within the bounds.",
    source: "codes.json",
    field: "",
  },
  "schema.maximum": {
    layer: "schema",
    sentence: "The number is above the greatest that the schema allows.",
    fix: "Give a number within the bounds.",
    source: "codes.json",
    field: "",
  },
  "schema.exclusiveMinimum": {
    layer: "schema",
    sentence: "The number is not above the bound of the schema.",
    fix: "Give a number within the bounds.",
    source: "codes.json",
    field: "",
  },
  "schema.exclusiveMaximum": {
    layer: "schema",
    sentence: "The number is not below the bound of the schema.",
    fix: "Give a number within the bounds.",
    source: "codes.json",
    field: "",
  },
  "schema.minItems": {
    layer: "schema",
    sentence: "The array is shorter than the schema allows.",
    fix: "Add items.",
    source: "codes.json",
    field: "",
  },
  "schema.maxItems": {
    layer: "schema",
    sentence: "The array is longer than the schema allows.",
    fix: "Remove items.",
    source: "codes.json",
    field: "",
  },
  "schema.uniqueItems": {
    layer: "schema",
    sentence: "The array holds an item twice.",
    fix: "Remove the repeated item.",
    source: "codes.json",
    field: "",
  },
  "contract.component-names-unique": {
    layer: "rules",
    sentence: "No component is named twice.",
    fix: "Rename or remove one of the two components.",
    source: "codes.json",
    field: "",
  },
  "certificate.expiry-fits": {
    layer: "rules",
    sentence: "issued_at_policy_update + expiry_policy_updates is at most 9007199254740991.",
    fix: "Issue the certificate for fewer policy updates.",
    source: "codes.json",
    field: "",
  },
  "spec.component-types-unique": {
    layer: "rules",
    sentence: "No component type is given twice.",
    fix: "Remove one of the two terms, or register the component under a second name.",
    source: "codes.json",
    field: "",
  },
  "spec.clip-ordered": {
    layer: "rules",
    sentence: "The first bound of a clip is at most the second.",
    fix: "Swap the bounds.",
    source: "codes.json",
    field: "",
  },
  "spec.gate-names-known": {
    layer: "rules",
    sentence: "A gate names types of this spec.",
    fix: "Correct the name, or add the component.",
    source: "codes.json",
    field: "",
  },
  "spec.gates-acyclic": {
    layer: "rules",
    sentence: "No term requires itself, directly or through other gates.",
    fix: "Remove one of the gates of the cycle.",
    source: "codes.json",
    field: "",
  },
  "spec.component-misspelt": {
    layer: "warnings",
    sentence: "No component is registered as {name}; the nearest name is {nearest}.",
    fix: "Correct the type, or register the component before the spec is run.",
    source: "codes.json",
    field: "",
  },
  "spec.cost-pays": {
    layer: "warnings",
    sentence: "Term {name} is a cost, but its weight of {weight} makes it pay.",
    fix: "Change the sign of the weight, or the clip, unless the term is meant to pay.",
    source: "codes.json",
    field: "",
  },
  "spec.gate-never-opens": {
    layer: "warnings",
    sentence: "Term {name} never counts: it requires {requires}, which is never above 0.",
    fix: "Remove the gate, or let it require a term that can be above 0.",
    source: "codes.json",
    field: "",
  },
  "spec.only-zero": {
    layer: "warnings",
    sentence: "The reward of this spec is always 0.",
    fix: "Give a term a weight and a clip that let it contribute.",
    source: "codes.json",
    field: "",
  },
  "tier-development-only": {
    layer: "certification",
    sentence: "Tier {tier} is for development only; a certified (synthetic) reward needs tier {minimum} or above.",
    fix: "Read the terminal effect through the system of record or the counterparty.",
    source: "codes.json",
    field: "",
  },
  "certificate-absent": {
    layer: "certification",
    sentence: "No certificate was presented.",
    fix: "Give the certificate of the checker.",
    source: "codes.json",
    field: "",
  },
  "certificate-not-yet-valid": {
    layer: "certification",
    sentence: "The certificate holds from policy update {first}; this is update {policy_update}.",
    fix: "Use a certificate that was issued at this policy update or before.",
    source: "codes.json",
    field: "",
  },
  "certificate-expired": {
    layer: "certification",
    sentence: "The certificate expired at policy update {expires}; this is update {policy_update}.",
    fix: "Calibrate the checker again; a certificate ends after its policy updates.",
    source: "codes.json",
    field: "",
  },
  "certificate-names-another-contract": {
    layer: "certification",
    sentence: "The certificate was issued for contract {certificate}; this contract is {contract}.",
    fix: "Give the certificate that was issued for this contract.",
    source: "codes.json",
    field: "",
  },
  "epsilon-exceeds-policy": {
    layer: "certification",
    sentence: "The certificate's epsilon {certificate} exceeds the contract's {policy}.",
    fix: "Calibrate on more trials, or improve the checker.",
    source: "codes.json",
    field: "",
  },
  "delta-exceeds-policy": {
    layer: "certification",
    sentence: "The certificate's delta {certificate} exceeds the contract's {policy}.",
    fix: "Compute the bound at the contract's confidence.",
    source: "codes.json",
    field: "",
  },
  "threshold-differs": {
    layer: "certification",
    sentence: "The certificate's threshold {certificate} is not the contract's {policy}.",
    fix: "Calibrate the checker at the contract's threshold.",
    source: "codes.json",
    field: "",
  },
  "calibration-corpus-differs": {
    layer: "certification",
    sentence: "The certificate's calibration corpus {certificate} is not the contract's {policy}.",
    fix: "Calibrate the checker on the contract's corpus.",
    source: "codes.json",
    field: "",
  },
  "expiry-exceeds-policy": {
    layer: "certification",
    sentence: "The certificate's expiry, {certificate} policy updates, exceeds the contract's {policy}.",
    fix: "Issue the certificate for fewer policy updates.",
    source: "codes.json",
    field: "",
  },
  "receipt-names-another-contract": {
    layer: "certification",
    sentence: "The receipt names contract {receipt}; the one given is {contract}.",
    fix: "Give the contract that the receipt names.",
    source: "codes.json",
    field: "reward_contract_digest",
  },
  "receipt-certificate-not-given": {
    layer: "certification",
    sentence: "The receipt names certificate {receipt}, which was not given.",
    fix: "Give the certificate that the receipt names.",
    source: "codes.json",
    field: "",
  },
  "receipt-names-another-certificate": {
    layer: "certification",
    sentence: "The receipt names certificate {receipt}; the one given is {certificate}.",
    fix: "Give the certificate that the receipt names.",
    source: "codes.json",
    field: "certificate_digest",
  },
  "tier-exceeds-channel": {
    layer: "audit",
    sentence: "The receipt says tier {receipt}; the contract's channel {channel} gives tier {contract} at most.",
    fix: "Do not trust the receipt: its tier is stronger than its oracle.",
    source: "codes.json",
    field: "oracle_tier",
  },
  "scalar-differs-from-contract": {
    layer: "audit",
    sentence: "The receipt's scalar is {receipt}; the contract gives {contract} for {outcome}.",
    fix: "Do not trust the receipt: score the episode again under the contract.",
    source: "codes.json",
    field: "scalar_reward",
  },
  "component-not-in-contract": {
    layer: "audit",
    sentence: "The receipt names component {receipt}; the contract has {contract}.",
    fix: "Do not trust the receipt: its components are not the contract's.",
    source: "codes.json",
    field: "reward_components",
  },
  "certificate-id-differs": {
    layer: "audit",
    sentence: "The receipt names certificate id {receipt}; the certificate's is {certificate}.",
    fix: "Do not trust the receipt: its reference contradicts itself.",
    source: "codes.json",
    field: "certificate_id",
  },
  "corpus-differs-from-certificate": {
    layer: "audit",
    sentence: "The receipt names calibration corpus {receipt}; the certificate's is {certificate}.",
    fix: "Do not trust the receipt: its reference contradicts itself.",
    source: "codes.json",
    field: "calibration_corpus_digest",
  },
  "scope-differs-from-certificate": {
    layer: "audit",
    sentence: "The receipt names calibration scope {receipt}; the certificate's is {certificate}.",
    fix: "Do not trust the receipt: its reference contradicts itself.",
    source: "codes.json",
    field: "calibration_scope",
  },
  "certificate-state-differs": {
    layer: "audit",
    sentence: "The receipt says that the certificate is {receipt}; at policy update {policy_update} it is {certificate}.",
    fix: "Do not trust the receipt: its state contradicts the certificate.",
    source: "codes.json",
    field: "certificate_state",
  },
  "certified-unsupported": {
    layer: "audit",
    sentence: "The receipt says certified (synthetic), and it is not: {refusals}",
    fix: "Do not count the reward as certified (synthetic).",
    source: "codes.json",
    field: "certified",
  },
  "certified-understated": {
    layer: "audit",
    sentence: "The receipt says not certified (synthetic), and nothing speaks against it.",
    fix: "Issue the receipt again; its flag does not follow from its documents.",
    source: "codes.json",
    field: "certified",
  },
  "signature-invalid": {
    layer: "audit",
    sentence: "The signature is not one of key {key_id} over this document.",
    fix: "Do not trust the document: it was altered, or somebody else signed it.",
    source: "codes.json",
    field: "signature",
  },
  "certificate-signature-invalid": {
    layer: "audit",
    sentence: "The certificate's signature is not one of key {key_id} over it.",
    fix: "Do not trust the certificate: it was altered, or somebody else signed it.",
    source: "codes.json",
    field: "certificate_digest",
  },
  "certificate-expired-at-update": {
    layer: "audit",
    sentence: "The certificate expired at policy update {expires}; the trainer is at {at_update}.",
    fix: "Calibrate the checker again before training on this reward.",
    source: "codes.json",
    field: "certificate_digest",
  },
  "policy-update-ahead": {
    layer: "audit",
    sentence: "The receipt is of policy update {receipt}; the trainer is at {at_update}.",
    fix: "Do not trust the receipt: it comes from an update that has not happened.",
    source: "codes.json",
    field: "policy_update",
  },
  "signer-unknown": {
    layer: "audit",
    sentence: "No key is held for the receipt's issuer_key_id {key_id}.",
    fix: "Add the issuer's public key to the keyring.",
    source: "codes.json",
    field: "issuer_key_id",
  },
  "certificate-signer-unknown": {
    layer: "audit",
    sentence: "No key is held for the certificate's issuer_key_id {key_id}.",
    fix: "Add the issuer's public key to the keyring.",
    source: "codes.json",
    field: "certificate_digest",
  },
  "compose.component-unknown": {
    layer: "compose",
    sentence: "No component is registered as {name}; known are {known}.",
    fix: "Correct the type, or register the component before the spec is run.",
    source: "codes.json",
    field: "",
  },
  "compose.component-failed": {
    layer: "compose",
    sentence: "Component {name} failed at step {step}: {found}.",
    fix: "Correct the component, or give the step what it reads.",
    source: "codes.json",
    field: "",
  },
  "compose.episode-over": {
    layer: "compose",
    sentence: "Step {step} was taken after the end of the episode.",
    fix: "Reset the environment, and with it the engine, before the next step.",
    source: "codes.json",
    field: "",
  },
  "compose.not-a-number": {
    layer: "compose",
    sentence: "Component {name} gave {found} at step {step}, which is not a number.",
    fix: "Return a number from compute(), by self._signal(value).",
    source: "codes.json",
    field: "",
  },
  "compose.not-finite": {
    layer: "compose",
    sentence: "Component {name} gave {found} at step {step}, which is not finite.",
    fix: "Return a finite number; a clip or a weight of 0 does not repair the value.",
    source: "codes.json",
    field: "",
  },
  "compose.contribution-overflows": {
    layer: "compose",
    sentence: "The contribution of {name} at step {step}, {value} times the weight {weight}, is not finite.",
    fix: "Clip the value, or lower the weight.",
    source: "codes.json",
    field: "",
  },
  "compose.total-overflows": {
    layer: "compose",
    sentence: "The total at step {step} is not finite after the term {name}.",
    fix: "Clip the values, or lower the weights.",
    source: "codes.json",
    field: "",
  },
  "trace.spec-differs": {
    layer: "trace",
    sentence: "The row is of the spec {row}; the trace is read as one of {spec}.",
    fix: "Give the manifest or the spec that the trace was written with; summarise the runs of different specs apart.",
    source: "codes.json",
    field: "",
  },
  "trace.component-unknown": {
    layer: "trace",
    sentence: "The row has a contribution of {name}; the spec's terms are {known}.",
    fix: "Do not trust the row: its contributions are not those of its spec.",
    source: "codes.json",
    field: "",
  },
  "trace.file-differs": {
    layer: "trace",
    sentence: "The trace has the digest {found}; its manifest says {manifest}.",
    fix: "Do not trust the trace: it was changed after its manifest was written.",
    source: "codes.json",
    field: "",
  },
  "trace.reward-differs": {
    layer: "trace",
    sentence: "The reward is {reward}; the contributions of its spec add up to {total}.",
    fix: "Do not trust the row; where a wrapper changed the reward, or its precision (float32), trace inside of it.",
    source: "codes.json",
    field: "",
  },
  "trace.contribution-exceeds-ceiling": {
    layer: "trace",
    sentence: "{name} contributed {contribution}; its weight and clip allow {ceiling} at most.",
    fix: "Do not trust the row: no run of its spec gives it.",
    source: "codes.json",
    field: "",
  },
  "trace.row-repeated": {
    layer: "trace",
    sentence: "Environment {environment} has step {step} of episode {episode} after step {last} of episode {before}.",
    fix: "Count each row once, in the order it was written; summarise each run by itself.",
    source: "codes.json",
    field: "",
  },
  "documents-not-held": {
    layer: "admission",
    sentence: "{unheld}.",
    fix: "Give the documents that the receipt names; without them the receipt is undecided.",
    source: "codes.json",
    field: "",
  },
  "duplicate": {
    layer: "admission",
    sentence: "{name} {found} was seen before, at {first}.",
    fix: "Count the receipt once.",
    source: "codes.json",
    field: "",
  },
} as const satisfies Readonly<Record<string, CodeEntry>>);

/** The id of a rule or code. */
export type Code = keyof typeof CODES;

/** The ids that are decided in a layer. */
export type CodeOf<L extends Layer> = { [C in Code]: (typeof CODES)[C]["layer"] extends L ? C : never }[Code];

/** The id of a rule. */
export type RuleId = CodeOf<"rules">;

function frozen<T extends Readonly<Record<string, CodeEntry>>>(table: T): T {
  for (const entry of Object.values(table)) Object.freeze(entry);
  return Object.freeze(table);
}

/** What a message says after the sentence of a rule beyond the schemas. */
export const RULE_FOUND = {
  "contract.component-names-unique": "{name} is the name at /components/{first} and again here.",
  "certificate.expiry-fits": "{issued} + {updates} is {sum}.",
  "spec.component-types-unique": "{name} is the type at /components/{first} and again here.",
  "spec.clip-ordered": "Found {first}, then {second}.",
  "spec.gate-names-known": "{name} is not one of {known}.",
  "spec.gates-acyclic": "{cycle}.",
} as const;

/** What a message says of a value that a keyword refuses. */
export const KEYWORD_FOUND = {
  "type": "{place} is {value}; it must be {expected}.",
  "required": "{member} is missing; it must be given.",
  "additionalProperties": "{member} is not a member of this object; correct its name, or remove it.",
  "propertyNames": "The member name {member} {form}.",
  "minProperties": "{place} has {size} members; it must have at least {limit}.",
  "maxProperties": "{place} has {size} members; it must have at most {limit}.",
  "const": "{place} is {value}; it must be {expected}.",
  "enum": "{place} is {value}; it must be {expected}.",
  "oneOf": "{place} is {value}; it must be {expected}.",
  "anyOf": "{place} is {value}; it must be {expected}.",
  "pattern": "{place} is {value}, which {form}.",
  "minLength": "{place} is {value}, which {form}.",
  "maxLength": "{place} is {value}, which {form}.",
  "minimum": "{place} is {value}; it must be at least {limit}.",
  "maximum": "{place} is {value}; it must be at most {limit}.",
  "exclusiveMinimum": "{place} is {value}; it must be above {limit}.",
  "exclusiveMaximum": "{place} is {value}; it must be below {limit}.",
  "minItems": "{place} has {size} items; it must have at least {limit}.",
  "maxItems": "{place} has {size} items; it must have at most {limit}.",
  "uniqueItems": "{place} is {value}; its items must be unique.",
} as const;

/** The part of it that also goes with the name of a member. */
export const KEYWORD_FORM = {
  "pattern": "is not a valid {type}; a valid one is \"{example}\"",
  "minLength": "has {size} characters; it must have at least {limit}",
  "maxLength": "has {size} characters; it must have at most {limit}",
} as const;

/** Sentences that belong to no code. */
export const NOTES = {
  "more-findings": "Findings that are not listed: {count}.",
  "kinds": "The kinds are {versions}.",
  "document-inside": "Its member {member} is a document; take it out of its envelope.",
  "private-key-file": "This looks like a private key file, which is not a document.",
  "repeat-of-undecided": "That receipt is undecided, so nobody can tell whether this one repeats it.",
  "size-of-line": "Write the documents of an array one on each line, in a .jsonl file: then the limit is that of a line.",
  "not-given": "No {input} was given.",
  "not-given-option": "no {input} was given ({options})",
} as const;

/** The inputs that checks of an audit need, and the options of the command that give them. */
export const AUDIT_INPUTS = {
  "contract": "--contract",
  "certificate": "--certificate",
  "key": "--keyring or --public-key",
} as const;

/** The checks of an audit, in their order. */
export const AUDIT_CHECKS = [
  { code: "receipt-names-another-contract", applies_with: [], needs: ["contract"], signer_unknown: null },
  { code: "tier-exceeds-channel", applies_with: [], needs: ["contract"], signer_unknown: null },
  { code: "scalar-differs-from-contract", applies_with: [], needs: ["contract"], signer_unknown: null },
  { code: "component-not-in-contract", applies_with: [], needs: ["contract"], signer_unknown: null },
  { code: "receipt-names-another-certificate", applies_with: ["certificate"], needs: ["certificate"], signer_unknown: null },
  { code: "certificate-id-differs", applies_with: ["certificate"], needs: ["certificate"], signer_unknown: null },
  { code: "corpus-differs-from-certificate", applies_with: ["certificate"], needs: ["certificate"], signer_unknown: null },
  { code: "scope-differs-from-certificate", applies_with: ["certificate"], needs: ["certificate"], signer_unknown: null },
  { code: "certificate-state-differs", applies_with: ["certificate"], needs: ["certificate"], signer_unknown: null },
  { code: "certified-unsupported", applies_with: ["certificate"], needs: ["contract", "certificate"], signer_unknown: null },
  { code: "certified-understated", applies_with: ["certificate"], needs: ["contract", "certificate"], signer_unknown: null },
  { code: "signature-invalid", applies_with: [], needs: ["key"], signer_unknown: "signer-unknown" },
  { code: "certificate-signature-invalid", applies_with: ["certificate"], needs: ["certificate", "key"], signer_unknown: "certificate-signer-unknown" },
  { code: "certificate-expired-at-update", applies_with: ["certificate", "update"], needs: ["certificate"], signer_unknown: null },
  { code: "policy-update-ahead", applies_with: ["update"], needs: [], signer_unknown: null },
] as const;
