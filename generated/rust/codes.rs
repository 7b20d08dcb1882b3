// Every rule and code: what it says, and what to do about it.
//
// Generated from schemas/. Do not edit: change the schemas, then run
//
//     python scripts/generate

/// Where a rule or code is decided.
///
/// ```
/// use reward_receipts::{Code, Layer};
///
/// assert_eq!(Code::JsonSyntax.layer(), Layer::Text);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Layer {
    /// `rules`.
    Rules,
    /// `text`.
    Text,
    /// `schema`.
    Schema,
    /// `warnings`.
    Warnings,
    /// `certification`.
    Certification,
    /// `audit`.
    Audit,
    /// `compose`.
    Compose,
    /// `trace`.
    Trace,
    /// `experiment`.
    Experiment,
    /// `admission`.
    Admission,
    /// `calibration`.
    Calibration,
}

/// A rule or code that a message can carry. Its id never changes.
///
/// ```
/// use reward_receipts::Code;
///
/// assert_eq!(Code::from_id("json.duplicate"), Some(Code::JsonDuplicate));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Code {
    /// receipt.development-only: development_only is true exactly at tier 0 or 1.
    ReceiptDevelopmentOnly,
    /// receipt.certified-tier: A certified (synthetic) reward needs tier 2 or 3.
    ReceiptCertifiedTier,
    /// receipt.certified-current: A certified (synthetic) reward needs certificate_state current.
    ReceiptCertifiedCurrent,
    /// receipt.absent-has-no-reference: With certificate_state absent, certificate_id, certificate_digest, calibration_corpus_digest and calibration_scope are all null.
    ReceiptAbsentHasNoReference,
    /// receipt.reference-complete: With any certificate_state but absent, certificate_id, certificate_digest, calibration_corpus_digest and calibration_scope are all given.
    ReceiptReferenceComplete,
    /// receipt.unscored-no-scalar: An unscored episode (reconciliation_required, failed_platform) carries no scalar, never 0.0.
    ReceiptUnscoredNoScalar,
    /// receipt.unscored-no-components: An unscored episode (reconciliation_required, failed_platform) carries no reward components.
    ReceiptUnscoredNoComponents,
    /// receipt.scored-needs-scalar: A scored episode carries a scalar.
    ReceiptScoredNeedsScalar,
    /// receipt.scored-needs-components: A scored episode carries at least one reward component.
    ReceiptScoredNeedsComponents,
    /// receipt.verified-positive: A verified episode scores above 0.
    ReceiptVerifiedPositive,
    /// receipt.penalty-not-positive: An episode that halted, was refused, was rejected or had a wrong effect scores 0 or below.
    ReceiptPenaltyNotPositive,
    /// receipt.verified-certain: A verified episode carries no uncertainty.
    ReceiptVerifiedCertain,
    /// receipt.reconciliation-uncertain: An episode that needs reconciliation names what is uncertain.
    ReceiptReconciliationUncertain,
    /// json.size: The text is longer than {limit} bytes.
    JsonSize,
    /// json.utf8: The text is not UTF-8: {found}.
    JsonUtf8,
    /// json.bom: The text starts with a byte order mark (BOM).
    JsonBom,
    /// json.syntax: Invalid JSON: expected {expected}, found {found}.
    JsonSyntax,
    /// json.trailing: Something follows the value: {found}.
    JsonTrailing,
    /// json.duplicate: The object has the member {name} twice.
    JsonDuplicate,
    /// json.surrogate: The string contains the unpaired surrogate {found}.
    JsonSurrogate,
    /// json.number: The number {found} is not a finite double.
    JsonNumber,
    /// json.depth: More than {limit} containers are open.
    JsonDepth,
    /// text.damaged: The file is incomplete: {found}.
    TextDamaged,
    /// yaml.syntax: Invalid YAML 1.2: {found}.
    YamlSyntax,
    /// yaml.duplicate: The mapping has the key {name} twice, first at {first}.
    YamlDuplicate,
    /// yaml.alias: The text has the anchor or alias {found}.
    YamlAlias,
    /// yaml.merge: The text has a merge key.
    YamlMerge,
    /// yaml.tag: The text has the tag {found}.
    YamlTag,
    /// yaml.documents: The text has {found} documents; expected one.
    YamlDocuments,
    /// yaml.key: The key {found} is not a text.
    YamlKey,
    /// yaml.number: The number {found} is not a finite double.
    YamlNumber,
    /// schema.type: The value has a type that the schema does not allow.
    SchemaType,
    /// schema.required: A member that must be given is missing.
    SchemaRequired,
    /// schema.additionalProperties: The object has a member that the schema does not know.
    SchemaAdditionalProperties,
    /// schema.propertyNames: A member has a name of a form that the schema does not allow.
    SchemaPropertyNames,
    /// schema.maxProperties: The object has more members than the schema allows.
    SchemaMaxProperties,
    /// schema.const: The value is not the one that the schema fixes.
    SchemaConst,
    /// schema.enum: The value is not one of those that the schema lists.
    SchemaEnum,
    /// schema.oneOf: The value is not one of those that the schema lists.
    SchemaOneOf,
    /// schema.anyOf: The value does not have any of the forms that the schema allows.
    SchemaAnyOf,
    /// schema.pattern: The text does not have the form that the schema asks for.
    SchemaPattern,
    /// schema.minLength: The text is shorter than the schema allows.
    SchemaMinLength,
    /// schema.maxLength: The text is longer than the schema allows.
    SchemaMaxLength,
    /// schema.minimum: The number is below the least that the schema allows.
    SchemaMinimum,
    /// schema.maximum: The number is above the greatest that the schema allows.
    SchemaMaximum,
    /// schema.exclusiveMinimum: The number is not above the bound of the schema.
    SchemaExclusiveMinimum,
    /// schema.exclusiveMaximum: The number is not below the bound of the schema.
    SchemaExclusiveMaximum,
    /// schema.minItems: The array is shorter than the schema allows.
    SchemaMinItems,
    /// schema.maxItems: The array is longer than the schema allows.
    SchemaMaxItems,
    /// schema.uniqueItems: The array contains an item twice.
    SchemaUniqueItems,
    /// contract.component-names-unique: No component is named twice.
    ContractComponentNamesUnique,
    /// certificate.expiry-fits: issued_at_policy_update + expiry_policy_updates is at most 9007199254740991.
    CertificateExpiryFits,
    /// spec.component-types-unique: Each term has a name of its own; a term without a name is called by its type.
    SpecComponentTypesUnique,
    /// spec.clip-ordered: The first bound of a clip is at most the second.
    SpecClipOrdered,
    /// spec.gate-names-known: A gate names terms of this spec.
    SpecGateNamesKnown,
    /// spec.gates-acyclic: No term requires itself, directly or through other gates.
    SpecGatesAcyclic,
    /// spec.component-misspelt: No component is registered as {name}; the nearest name is {nearest}.
    SpecComponentMisspelt,
    /// spec.cost-pays: Term {name} is a cost, but its weight of {weight} makes it pay.
    SpecCostPays,
    /// spec.gate-never-opens: Term {name} never counts: it requires {requires}, which is never above 0.
    SpecGateNeverOpens,
    /// spec.only-zero: The reward of this spec is always 0.
    SpecOnlyZero,
    /// tier-development-only: Tier {tier} is for development only; a certified (synthetic) reward needs tier {minimum} or above.
    TierDevelopmentOnly,
    /// certificate-absent: No certificate was presented.
    CertificateAbsent,
    /// certificate-not-yet-valid: The certificate is valid from policy update {first}; this is update {policy_update}.
    CertificateNotYetValid,
    /// certificate-expired: The certificate expired at policy update {expires}; this is update {policy_update}.
    CertificateExpired,
    /// certificate-names-another-contract: The certificate was issued for contract {certificate}; this contract is {contract}.
    CertificateNamesAnotherContract,
    /// epsilon-exceeds-policy: The certificate's epsilon {certificate} exceeds the contract's {policy}.
    EpsilonExceedsPolicy,
    /// delta-exceeds-policy: The certificate's delta {certificate} exceeds the contract's {policy}.
    DeltaExceedsPolicy,
    /// threshold-differs: The certificate's threshold {certificate} is not the contract's {policy}.
    ThresholdDiffers,
    /// calibration-corpus-differs: The certificate's calibration corpus {certificate} is not the contract's {policy}.
    CalibrationCorpusDiffers,
    /// expiry-exceeds-policy: The certificate's expiry, {certificate} policy updates, exceeds the contract's {policy}.
    ExpiryExceedsPolicy,
    /// receipt-names-another-contract: The receipt names contract {receipt}; the one given is {contract}.
    ReceiptNamesAnotherContract,
    /// receipt-certificate-not-given: The receipt names certificate {receipt}, which was not given.
    ReceiptCertificateNotGiven,
    /// receipt-names-another-certificate: The receipt names certificate {receipt}; the one given is {certificate}.
    ReceiptNamesAnotherCertificate,
    /// tier-exceeds-channel: The receipt states tier {receipt}; the contract's channel {channel} supports at most tier {contract}.
    TierExceedsChannel,
    /// scalar-differs-from-contract: The receipt's scalar is {receipt}; the contract gives {contract} for {outcome}.
    ScalarDiffersFromContract,
    /// component-not-in-contract: The receipt names component {receipt}; the contract has {contract}.
    ComponentNotInContract,
    /// certificate-id-differs: The receipt names certificate id {receipt}; the certificate's is {certificate}.
    CertificateIdDiffers,
    /// corpus-differs-from-certificate: The receipt names calibration corpus {receipt}; the certificate's is {certificate}.
    CorpusDiffersFromCertificate,
    /// scope-differs-from-certificate: The receipt names calibration scope {receipt}; the certificate's is {certificate}.
    ScopeDiffersFromCertificate,
    /// certificate-state-differs: The receipt says that the certificate is {receipt}; at policy update {policy_update} it is {certificate}.
    CertificateStateDiffers,
    /// certified-unsupported: The receipt is marked certified (synthetic), but it does not qualify: {refusals}
    CertifiedUnsupported,
    /// certified-understated: The receipt is marked not certified (synthetic), but it meets every condition.
    CertifiedUnderstated,
    /// signature-invalid: The signature is not valid for key {key_id}.
    SignatureInvalid,
    /// certificate-signature-invalid: The certificate's signature is not valid for key {key_id}.
    CertificateSignatureInvalid,
    /// certificate-expired-at-update: The certificate expired at policy update {expires}; the trainer is at {at_update}.
    CertificateExpiredAtUpdate,
    /// policy-update-ahead: The receipt is of policy update {receipt}; the trainer is at {at_update}.
    PolicyUpdateAhead,
    /// signer-unknown: The keyring has no key for the receipt's issuer_key_id {key_id}.
    SignerUnknown,
    /// certificate-signer-unknown: The keyring has no key for the certificate's issuer_key_id {key_id}.
    CertificateSignerUnknown,
    /// compose.component-unknown: No component is registered as {name}; known are {known}.
    ComposeComponentUnknown,
    /// compose.param-unknown: The component {type} has no parameter {name}; it has {known}.
    ComposeParamUnknown,
    /// compose.param-missing: The component {type} needs the parameter {name}, and the term does not give it.
    ComposeParamMissing,
    /// compose.param-type: The parameter {name} of the component {type} must be of the type {expected}; found {found}.
    ComposeParamType,
    /// compose.param-range: The parameter {name} of the component {type} is {found}; expected {expected}.
    ComposeParamRange,
    /// compose.component-failed: Component {name} failed at step {step}: {found}.
    ComposeComponentFailed,
    /// compose.episode-over: Step {step} was taken after the end of the episode.
    ComposeEpisodeOver,
    /// compose.not-a-number: Component {name} gave {found} at step {step}, which is not a number.
    ComposeNotANumber,
    /// compose.not-finite: Component {name} gave {found} at step {step}, which is not finite.
    ComposeNotFinite,
    /// compose.contribution-overflows: The contribution of {name} at step {step}, {value} times the weight {weight}, is not finite.
    ComposeContributionOverflows,
    /// compose.total-overflows: The total at step {step} is not finite after the term {name}.
    ComposeTotalOverflows,
    /// trace.spec-differs: The row is of the spec {row}; the trace is read as one of {spec}.
    TraceSpecDiffers,
    /// trace.component-unknown: The row has a contribution of {name}; the spec's terms are {known}.
    TraceComponentUnknown,
    /// trace.file-differs: The trace has the digest {found}; its manifest says {manifest}.
    TraceFileDiffers,
    /// trace.reward-differs: The reward is {reward}; the contributions of its spec add up to {total}.
    TraceRewardDiffers,
    /// trace.contribution-exceeds-ceiling: {name} contributed {contribution}; its weight and clip allow {ceiling} at most.
    TraceContributionExceedsCeiling,
    /// trace.row-repeated: Environment {environment} has step {step} of episode {episode} after step {last} of episode {before}.
    TraceRowRepeated,
    /// experiment.environment-named: The environment has {found} of id and class; expected one of them.
    ExperimentEnvironmentNamed,
    /// experiment.reward-named: The reward has {found}; expected spec, or file and digest.
    ExperimentRewardNamed,
    /// experiment.reward-missing: Tier 2 is asked for, and there is no reward spec.
    ExperimentRewardMissing,
    /// experiment.reward-unused: Tier 1 is asked for, and there is a reward spec.
    ExperimentRewardUnused,
    /// experiment.reward-differs: The spec in {file} has the digest {found}; the experiment says {expected}.
    ExperimentRewardDiffers,
    /// experiment.sweep-refused: The sweep cannot be made: {found}.
    ExperimentSweepRefused,
    /// experiment.schedule-order: The regime {label} starts at {start}; expected {expected}.
    ExperimentScheduleOrder,
    /// experiment.schedule-late: The regime {label} starts at step {start}, and training ends at {end}.
    ExperimentScheduleLate,
    /// experiment.seed-twice: The seed {seed} is listed twice.
    ExperimentSeedTwice,
    /// admission.conflict: Receipt {found} ({digest}) has the {names} of receipt {first} ({first_digest}), which was admitted before, as row {row}.
    AdmissionConflict,
    /// admission.update-backwards: The policy update is {found}; a receipt of update {newest} of the same contract was admitted, and one may be at most {tolerance} updates behind it.
    AdmissionUpdateBackwards,
    /// admission.row-missing: Rows {first} to {last} are missing.
    AdmissionRowMissing,
    /// admission.row-edited: Row {row} was edited or moved: its link is {found}; the row before it and its receipt give {expected}.
    AdmissionRowEdited,
    /// admission.columns-edited: Row {row} was edited: these columns differ from its receipt: {names}.
    AdmissionColumnsEdited,
    /// admission.rows-cut: The ledger ends with row {found}; the head is row {row}.
    AdmissionRowsCut,
    /// admission.head-differs: Row {row} has the link {found}; the head has {expected}.
    AdmissionHeadDiffers,
    /// admission.head-signature-invalid: The signature of the head is not valid for key {key_id}.
    AdmissionHeadSignatureInvalid,
    /// admission.file-damaged: The database reports: {found}.
    AdmissionFileDamaged,
    /// calibration.trial-repeated: The trial {trial} is in the corpus twice, first at {first}.
    CalibrationTrialRepeated,
    /// calibration.label-missing: The trial has to be refused, and no fault_class says why.
    CalibrationLabelMissing,
    /// calibration.decision-missing: The trial has {found}; expected either accepted or score.
    CalibrationDecisionMissing,
    /// calibration.decisions-mixed: The trial has {found}; the trials before it have {expected}.
    CalibrationDecisionsMixed,
    /// calibration.score-not-finite: The score is {found}; expected a finite number.
    CalibrationScoreNotFinite,
    /// calibration.too-many-trials: There are more than {limit} trials.
    CalibrationTooManyTrials,
    /// calibration.nothing-to-refuse: None of the {trials} trials should have been refused, so nothing bounds the false accepts.
    CalibrationNothingToRefuse,
    /// calibration.controls-absent: None of the {trials} trials is a clean control, so a checker that refuses everything would pass.
    CalibrationControlsAbsent,
    /// calibration.controls-failed: The checker refused {failed} of {controls} clean controls; at most {allowed} may be refused.
    CalibrationControlsFailed,
    /// calibration.class-empty: The fault class {name} has no trial; the classes are {known}.
    CalibrationClassEmpty,
    /// calibration.repeats-without-group: {count} trials that should have been refused share the {what} {value}; repeats are not independent.
    CalibrationRepeatsWithoutGroup,
    /// calibration.groups-incomplete: {missing} of {trials} trials that should have been refused have no {member}, and trials are grouped by it.
    CalibrationGroupsIncomplete,
    /// calibration.all-accepted: The checker accepted all of the {trials} {unit} that should have been refused: the bound is 1.0, which bounds nothing.
    CalibrationAllAccepted,
    /// calibration.bound-vacuous: The bound {epsilon} is not below the vacuity limit {limit}, so it gives no assurance.
    CalibrationBoundVacuous,
    /// calibration.bound-exceeds-policy: The bound {epsilon} exceeds the contract's epsilon {policy} by {excess}. With {more} more {unit} that the checker refuses, it would be met.
    CalibrationBoundExceedsPolicy,
    /// calibration.delta-exceeds-policy: The bound was asked for at delta {delta}; the contract asks for {policy} at most.
    CalibrationDeltaExceedsPolicy,
    /// calibration.threshold-differs: The checker was measured at the threshold {threshold}; the contract's is {policy}.
    CalibrationThresholdDiffers,
    /// calibration.threshold-untested: The contract's threshold {policy} is not among those that passed the test: {passed}.
    CalibrationThresholdUntested,
    /// calibration.no-threshold-passed: None of the thresholds keeps P(false accept) to {epsilon} at delta {delta}; {threshold}, the first, has the p-value {p_value}.
    CalibrationNoThresholdPassed,
    /// calibration.other-corpus: The trials have the corpus digest {found}; the {document} names {expected}.
    CalibrationOtherCorpus,
    /// calibration.checker-differs: The checker's configuration has the digest {found}; the certificate names {expected}.
    CalibrationCheckerDiffers,
    /// calibration.epsilon-understated: The certificate says epsilon {certificate}; its trials give {found} at delta {delta}.
    CalibrationEpsilonUnderstated,
    /// documents-not-held: {unheld}.
    DocumentsNotHeld,
    /// duplicate: {name} {found} was seen before, at {first}.
    Duplicate,
    /// policy-signer-not-allowed: The trust policy does not let key {key_id} sign receipts for contract {contract}.
    PolicySignerNotAllowed,
    /// policy-certificate-signer-not-allowed: The trust policy does not let key {key_id} sign certificates for contract {contract}.
    PolicyCertificateSignerNotAllowed,
    /// policy-tier-too-low: The oracle tier that counts is {tier}; the trust policy asks for {least} or more.
    PolicyTierTooLow,
    /// policy-not-certified: The receipt is not certified (synthetic), and the trust policy asks for it.
    PolicyNotCertified,
}

/// What is known of a code.
pub(crate) struct Entry {
    pub(crate) id: &'static str,
    pub(crate) sentence: &'static str,
    pub(crate) fix: &'static str,
    pub(crate) field: &'static str,
    pub(crate) found: &'static str,
    pub(crate) layer: Layer,
    pub(crate) code: Code,
}

/// Every code, in the order of the enum; rules in the order in which findings are reported.
pub(crate) static CODES: [Entry; 151] = [
    Entry { id: "receipt.development-only", sentence: "development_only is true exactly at tier 0 or 1.", fix: "", field: "", found: "", layer: Layer::Rules, code: Code::ReceiptDevelopmentOnly },
    Entry { id: "receipt.certified-tier", sentence: "A certified (synthetic) reward needs tier 2 or 3.", fix: "", field: "", found: "", layer: Layer::Rules, code: Code::ReceiptCertifiedTier },
    Entry { id: "receipt.certified-current", sentence: "A certified (synthetic) reward needs certificate_state current.", fix: "", field: "", found: "", layer: Layer::Rules, code: Code::ReceiptCertifiedCurrent },
    Entry { id: "receipt.absent-has-no-reference", sentence: "With certificate_state absent, certificate_id, certificate_digest, calibration_corpus_digest and calibration_scope are all null.", fix: "", field: "", found: "", layer: Layer::Rules, code: Code::ReceiptAbsentHasNoReference },
    Entry { id: "receipt.reference-complete", sentence: "With any certificate_state but absent, certificate_id, certificate_digest, calibration_corpus_digest and calibration_scope are all given.", fix: "", field: "", found: "", layer: Layer::Rules, code: Code::ReceiptReferenceComplete },
    Entry { id: "receipt.unscored-no-scalar", sentence: "An unscored episode (reconciliation_required, failed_platform) carries no scalar, never 0.0.", fix: "", field: "", found: "", layer: Layer::Rules, code: Code::ReceiptUnscoredNoScalar },
    Entry { id: "receipt.unscored-no-components", sentence: "An unscored episode (reconciliation_required, failed_platform) carries no reward components.", fix: "", field: "", found: "", layer: Layer::Rules, code: Code::ReceiptUnscoredNoComponents },
    Entry { id: "receipt.scored-needs-scalar", sentence: "A scored episode carries a scalar.", fix: "", field: "", found: "", layer: Layer::Rules, code: Code::ReceiptScoredNeedsScalar },
    Entry { id: "receipt.scored-needs-components", sentence: "A scored episode carries at least one reward component.", fix: "", field: "", found: "", layer: Layer::Rules, code: Code::ReceiptScoredNeedsComponents },
    Entry { id: "receipt.verified-positive", sentence: "A verified episode scores above 0.", fix: "", field: "", found: "", layer: Layer::Rules, code: Code::ReceiptVerifiedPositive },
    Entry { id: "receipt.penalty-not-positive", sentence: "An episode that halted, was refused, was rejected or had a wrong effect scores 0 or below.", fix: "", field: "", found: "", layer: Layer::Rules, code: Code::ReceiptPenaltyNotPositive },
    Entry { id: "receipt.verified-certain", sentence: "A verified episode carries no uncertainty.", fix: "", field: "", found: "", layer: Layer::Rules, code: Code::ReceiptVerifiedCertain },
    Entry { id: "receipt.reconciliation-uncertain", sentence: "An episode that needs reconciliation names what is uncertain.", fix: "", field: "", found: "", layer: Layer::Rules, code: Code::ReceiptReconciliationUncertain },
    Entry { id: "json.size", sentence: "The text is longer than {limit} bytes.", fix: "Split the text; one document is at most 1 MiB.", field: "", found: "", layer: Layer::Text, code: Code::JsonSize },
    Entry { id: "json.utf8", sentence: "The text is not UTF-8: {found}.", fix: "Save the text as UTF-8.", field: "", found: "", layer: Layer::Text, code: Code::JsonUtf8 },
    Entry { id: "json.bom", sentence: "The text starts with a byte order mark (BOM).", fix: "Save the text without a BOM.", field: "", found: "", layer: Layer::Text, code: Code::JsonBom },
    Entry { id: "json.syntax", sentence: "Invalid JSON: expected {expected}, found {found}.", fix: "Correct the JSON text at this place.", field: "", found: "", layer: Layer::Text, code: Code::JsonSyntax },
    Entry { id: "json.trailing", sentence: "Something follows the value: {found}.", fix: "Leave one JSON value in the text; JSON Lines have one on each line.", field: "", found: "", layer: Layer::Text, code: Code::JsonTrailing },
    Entry { id: "json.duplicate", sentence: "The object has the member {name} twice.", fix: "Keep one of the two members; nobody can tell which one was signed.", field: "", found: "", layer: Layer::Text, code: Code::JsonDuplicate },
    Entry { id: "json.surrogate", sentence: "The string contains the unpaired surrogate {found}.", fix: "Write the whole surrogate pair, or the character itself.", field: "", found: "", layer: Layer::Text, code: Code::JsonSurrogate },
    Entry { id: "json.number", sentence: "The number {found} is not a finite double.", fix: "Write a number whose nearest double is finite.", field: "", found: "", layer: Layer::Text, code: Code::JsonNumber },
    Entry { id: "json.depth", sentence: "More than {limit} containers are open.", fix: "Nest the value less deeply.", field: "", found: "", layer: Layer::Text, code: Code::JsonDepth },
    Entry { id: "text.damaged", sentence: "The file is incomplete: {found}.", fix: "Get the file again, whole; the texts before this place were read.", field: "", found: "", layer: Layer::Text, code: Code::TextDamaged },
    Entry { id: "yaml.syntax", sentence: "Invalid YAML 1.2: {found}.", fix: "Correct the YAML text at this place.", field: "", found: "", layer: Layer::Text, code: Code::YamlSyntax },
    Entry { id: "yaml.duplicate", sentence: "The mapping has the key {name} twice, first at {first}.", fix: "Keep one of the two.", field: "", found: "", layer: Layer::Text, code: Code::YamlDuplicate },
    Entry { id: "yaml.alias", sentence: "The text has the anchor or alias {found}.", fix: "Write the value out at each place.", field: "", found: "", layer: Layer::Text, code: Code::YamlAlias },
    Entry { id: "yaml.merge", sentence: "The text has a merge key.", fix: "Write the merged members out.", field: "", found: "", layer: Layer::Text, code: Code::YamlMerge },
    Entry { id: "yaml.tag", sentence: "The text has the tag {found}.", fix: "Leave the tag out; types follow from the text.", field: "", found: "", layer: Layer::Text, code: Code::YamlTag },
    Entry { id: "yaml.documents", sentence: "The text has {found} documents; expected one.", fix: "Leave one document in the text.", field: "", found: "", layer: Layer::Text, code: Code::YamlDocuments },
    Entry { id: "yaml.key", sentence: "The key {found} is not a text.", fix: "Write a text as the key; quote it where it reads as another type.", field: "", found: "", layer: Layer::Text, code: Code::YamlKey },
    Entry { id: "yaml.number", sentence: "The number {found} is not a finite double.", fix: "Write a number whose nearest double is finite.", field: "", found: "", layer: Layer::Text, code: Code::YamlNumber },
    Entry { id: "schema.type", sentence: "The value has a type that the schema does not allow.", fix: "Give a value of the type that the message names.", field: "", found: "", layer: Layer::Schema, code: Code::SchemaType },
    Entry { id: "schema.required", sentence: "A member that must be given is missing.", fix: "Add the member.", field: "", found: "", layer: Layer::Schema, code: Code::SchemaRequired },
    Entry { id: "schema.additionalProperties", sentence: "The object has a member that the schema does not know.", fix: "Remove the member, or correct its name.", field: "", found: "", layer: Layer::Schema, code: Code::SchemaAdditionalProperties },
    Entry { id: "schema.propertyNames", sentence: "A member has a name of a form that the schema does not allow.", fix: "Rename the member.", field: "", found: "", layer: Layer::Schema, code: Code::SchemaPropertyNames },
    Entry { id: "schema.maxProperties", sentence: "The object has more members than the schema allows.", fix: "Remove members.", field: "", found: "", layer: Layer::Schema, code: Code::SchemaMaxProperties },
    Entry { id: "schema.const", sentence: "The value is not the one that the schema fixes.", fix: "Give the value that the message names.", field: "", found: "", layer: Layer::Schema, code: Code::SchemaConst },
    Entry { id: "schema.enum", sentence: "The value is not one of those that the schema lists.", fix: "Give one of the values that the message names.", field: "", found: "", layer: Layer::Schema, code: Code::SchemaEnum },
    Entry { id: "schema.oneOf", sentence: "The value is not one of those that the schema lists.", fix: "Give one of the values that the message names.", field: "", found: "", layer: Layer::Schema, code: Code::SchemaOneOf },
    Entry { id: "schema.anyOf", sentence: "The value does not have any of the forms that the schema allows.", fix: "Give a value of one of the forms that the message names.", field: "", found: "", layer: Layer::Schema, code: Code::SchemaAnyOf },
    Entry { id: "schema.pattern", sentence: "The text does not have the form that the schema asks for.", fix: "Correct the text.", field: "", found: "", layer: Layer::Schema, code: Code::SchemaPattern },
    Entry { id: "schema.minLength", sentence: "The text is shorter than the schema allows.", fix: "Lengthen the text.", field: "", found: "", layer: Layer::Schema, code: Code::SchemaMinLength },
    Entry { id: "schema.maxLength", sentence: "The text is longer than the schema allows.", fix: "Shorten the text.", field: "", found: "", layer: Layer::Schema, code: Code::SchemaMaxLength },
    Entry { id: "schema.minimum", sentence: "The number is below the least that the schema allows.", fix: "Give a number within the bounds.", field: "", found: "", layer: Layer::Schema, code: Code::SchemaMinimum },
    Entry { id: "schema.maximum", sentence: "The number is above the greatest that the schema allows.", fix: "Give a number within the bounds.", field: "", found: "", layer: Layer::Schema, code: Code::SchemaMaximum },
    Entry { id: "schema.exclusiveMinimum", sentence: "The number is not above the bound of the schema.", fix: "Give a number within the bounds.", field: "", found: "", layer: Layer::Schema, code: Code::SchemaExclusiveMinimum },
    Entry { id: "schema.exclusiveMaximum", sentence: "The number is not below the bound of the schema.", fix: "Give a number within the bounds.", field: "", found: "", layer: Layer::Schema, code: Code::SchemaExclusiveMaximum },
    Entry { id: "schema.minItems", sentence: "The array is shorter than the schema allows.", fix: "Add items.", field: "", found: "", layer: Layer::Schema, code: Code::SchemaMinItems },
    Entry { id: "schema.maxItems", sentence: "The array is longer than the schema allows.", fix: "Remove items.", field: "", found: "", layer: Layer::Schema, code: Code::SchemaMaxItems },
    Entry { id: "schema.uniqueItems", sentence: "The array contains an item twice.", fix: "Remove the repeated item.", field: "", found: "", layer: Layer::Schema, code: Code::SchemaUniqueItems },
    Entry { id: "contract.component-names-unique", sentence: "No component is named twice.", fix: "Rename or remove one of the two components.", field: "", found: "{name} is the name at /components/{first} and again here.", layer: Layer::Rules, code: Code::ContractComponentNamesUnique },
    Entry { id: "certificate.expiry-fits", sentence: "issued_at_policy_update + expiry_policy_updates is at most 9007199254740991.", fix: "Issue the certificate for fewer policy updates.", field: "", found: "{issued} + {updates} is {sum}.", layer: Layer::Rules, code: Code::CertificateExpiryFits },
    Entry { id: "spec.component-types-unique", sentence: "Each term has a name of its own; a term without a name is called by its type.", fix: "Give one of the two terms another name, or remove it.", field: "", found: "{name} is the name of the term at /components/{first} and of this one.", layer: Layer::Rules, code: Code::SpecComponentTypesUnique },
    Entry { id: "spec.clip-ordered", sentence: "The first bound of a clip is at most the second.", fix: "Swap the bounds.", field: "", found: "Found {first}, then {second}.", layer: Layer::Rules, code: Code::SpecClipOrdered },
    Entry { id: "spec.gate-names-known", sentence: "A gate names terms of this spec.", fix: "Correct the name, or add the term.", field: "", found: "{name} is not one of {known}.", layer: Layer::Rules, code: Code::SpecGateNamesKnown },
    Entry { id: "spec.gates-acyclic", sentence: "No term requires itself, directly or through other gates.", fix: "Remove one of the gates of the cycle.", field: "", found: "{cycle}.", layer: Layer::Rules, code: Code::SpecGatesAcyclic },
    Entry { id: "spec.component-misspelt", sentence: "No component is registered as {name}; the nearest name is {nearest}.", fix: "Correct the type, or register the component before the spec is run.", field: "", found: "", layer: Layer::Warnings, code: Code::SpecComponentMisspelt },
    Entry { id: "spec.cost-pays", sentence: "Term {name} is a cost, but its weight of {weight} makes it pay.", fix: "Change the sign of the weight, or the clip, unless the term is meant to pay.", field: "", found: "", layer: Layer::Warnings, code: Code::SpecCostPays },
    Entry { id: "spec.gate-never-opens", sentence: "Term {name} never counts: it requires {requires}, which is never above 0.", fix: "Remove the gate, or let it require a term that can be above 0.", field: "", found: "", layer: Layer::Warnings, code: Code::SpecGateNeverOpens },
    Entry { id: "spec.only-zero", sentence: "The reward of this spec is always 0.", fix: "Give a term a weight and a clip that let it contribute.", field: "", found: "", layer: Layer::Warnings, code: Code::SpecOnlyZero },
    Entry { id: "tier-development-only", sentence: "Tier {tier} is for development only; a certified (synthetic) reward needs tier {minimum} or above.", fix: "Read the terminal effect through the system of record or the counterparty.", field: "", found: "", layer: Layer::Certification, code: Code::TierDevelopmentOnly },
    Entry { id: "certificate-absent", sentence: "No certificate was presented.", fix: "Give the certificate of the checker.", field: "", found: "", layer: Layer::Certification, code: Code::CertificateAbsent },
    Entry { id: "certificate-not-yet-valid", sentence: "The certificate is valid from policy update {first}; this is update {policy_update}.", fix: "Use a certificate that was issued at this policy update or before.", field: "", found: "", layer: Layer::Certification, code: Code::CertificateNotYetValid },
    Entry { id: "certificate-expired", sentence: "The certificate expired at policy update {expires}; this is update {policy_update}.", fix: "Calibrate the checker again; a certificate ends after its policy updates.", field: "", found: "", layer: Layer::Certification, code: Code::CertificateExpired },
    Entry { id: "certificate-names-another-contract", sentence: "The certificate was issued for contract {certificate}; this contract is {contract}.", fix: "Give the certificate that was issued for this contract.", field: "", found: "", layer: Layer::Certification, code: Code::CertificateNamesAnotherContract },
    Entry { id: "epsilon-exceeds-policy", sentence: "The certificate's epsilon {certificate} exceeds the contract's {policy}.", fix: "Calibrate on more trials, or improve the checker.", field: "", found: "", layer: Layer::Certification, code: Code::EpsilonExceedsPolicy },
    Entry { id: "delta-exceeds-policy", sentence: "The certificate's delta {certificate} exceeds the contract's {policy}.", fix: "Compute the bound at the contract's confidence.", field: "", found: "", layer: Layer::Certification, code: Code::DeltaExceedsPolicy },
    Entry { id: "threshold-differs", sentence: "The certificate's threshold {certificate} is not the contract's {policy}.", fix: "Calibrate the checker at the contract's threshold.", field: "", found: "", layer: Layer::Certification, code: Code::ThresholdDiffers },
    Entry { id: "calibration-corpus-differs", sentence: "The certificate's calibration corpus {certificate} is not the contract's {policy}.", fix: "Calibrate the checker on the contract's corpus.", field: "", found: "", layer: Layer::Certification, code: Code::CalibrationCorpusDiffers },
    Entry { id: "expiry-exceeds-policy", sentence: "The certificate's expiry, {certificate} policy updates, exceeds the contract's {policy}.", fix: "Issue the certificate for fewer policy updates.", field: "", found: "", layer: Layer::Certification, code: Code::ExpiryExceedsPolicy },
    Entry { id: "receipt-names-another-contract", sentence: "The receipt names contract {receipt}; the one given is {contract}.", fix: "Give the contract that the receipt names.", field: "reward_contract_digest", found: "", layer: Layer::Certification, code: Code::ReceiptNamesAnotherContract },
    Entry { id: "receipt-certificate-not-given", sentence: "The receipt names certificate {receipt}, which was not given.", fix: "Give the certificate that the receipt names.", field: "", found: "", layer: Layer::Certification, code: Code::ReceiptCertificateNotGiven },
    Entry { id: "receipt-names-another-certificate", sentence: "The receipt names certificate {receipt}; the one given is {certificate}.", fix: "Give the certificate that the receipt names.", field: "certificate_digest", found: "", layer: Layer::Certification, code: Code::ReceiptNamesAnotherCertificate },
    Entry { id: "tier-exceeds-channel", sentence: "The receipt states tier {receipt}; the contract's channel {channel} supports at most tier {contract}.", fix: "Do not trust the receipt: its tier is stronger than its oracle.", field: "oracle_tier", found: "", layer: Layer::Audit, code: Code::TierExceedsChannel },
    Entry { id: "scalar-differs-from-contract", sentence: "The receipt's scalar is {receipt}; the contract gives {contract} for {outcome}.", fix: "Do not trust the receipt: score the episode again under the contract.", field: "scalar_reward", found: "", layer: Layer::Audit, code: Code::ScalarDiffersFromContract },
    Entry { id: "component-not-in-contract", sentence: "The receipt names component {receipt}; the contract has {contract}.", fix: "Do not trust the receipt: its components are not the contract's.", field: "reward_components", found: "", layer: Layer::Audit, code: Code::ComponentNotInContract },
    Entry { id: "certificate-id-differs", sentence: "The receipt names certificate id {receipt}; the certificate's is {certificate}.", fix: "Do not trust the receipt: its reference contradicts itself.", field: "certificate_id", found: "", layer: Layer::Audit, code: Code::CertificateIdDiffers },
    Entry { id: "corpus-differs-from-certificate", sentence: "The receipt names calibration corpus {receipt}; the certificate's is {certificate}.", fix: "Do not trust the receipt: its reference contradicts itself.", field: "calibration_corpus_digest", found: "", layer: Layer::Audit, code: Code::CorpusDiffersFromCertificate },
    Entry { id: "scope-differs-from-certificate", sentence: "The receipt names calibration scope {receipt}; the certificate's is {certificate}.", fix: "Do not trust the receipt: its reference contradicts itself.", field: "calibration_scope", found: "", layer: Layer::Audit, code: Code::ScopeDiffersFromCertificate },
    Entry { id: "certificate-state-differs", sentence: "The receipt says that the certificate is {receipt}; at policy update {policy_update} it is {certificate}.", fix: "Do not trust the receipt: its state contradicts the certificate.", field: "certificate_state", found: "", layer: Layer::Audit, code: Code::CertificateStateDiffers },
    Entry { id: "certified-unsupported", sentence: "The receipt is marked certified (synthetic), but it does not qualify: {refusals}", fix: "Do not count the reward as certified (synthetic).", field: "certified", found: "", layer: Layer::Audit, code: Code::CertifiedUnsupported },
    Entry { id: "certified-understated", sentence: "The receipt is marked not certified (synthetic), but it meets every condition.", fix: "Issue the receipt again; its flag does not follow from its documents.", field: "certified", found: "", layer: Layer::Audit, code: Code::CertifiedUnderstated },
    Entry { id: "signature-invalid", sentence: "The signature is not valid for key {key_id}.", fix: "Do not trust the document: it was altered, or somebody else signed it.", field: "signature", found: "", layer: Layer::Audit, code: Code::SignatureInvalid },
    Entry { id: "certificate-signature-invalid", sentence: "The certificate's signature is not valid for key {key_id}.", fix: "Do not trust the certificate: it was altered, or somebody else signed it.", field: "certificate_digest", found: "", layer: Layer::Audit, code: Code::CertificateSignatureInvalid },
    Entry { id: "certificate-expired-at-update", sentence: "The certificate expired at policy update {expires}; the trainer is at {at_update}.", fix: "Calibrate the checker again before training on this reward.", field: "certificate_digest", found: "", layer: Layer::Audit, code: Code::CertificateExpiredAtUpdate },
    Entry { id: "policy-update-ahead", sentence: "The receipt is of policy update {receipt}; the trainer is at {at_update}.", fix: "Do not trust the receipt: it comes from an update that has not happened.", field: "policy_update", found: "", layer: Layer::Audit, code: Code::PolicyUpdateAhead },
    Entry { id: "signer-unknown", sentence: "The keyring has no key for the receipt's issuer_key_id {key_id}.", fix: "Add the issuer's public key to the keyring.", field: "issuer_key_id", found: "", layer: Layer::Audit, code: Code::SignerUnknown },
    Entry { id: "certificate-signer-unknown", sentence: "The keyring has no key for the certificate's issuer_key_id {key_id}.", fix: "Add the issuer's public key to the keyring.", field: "certificate_digest", found: "", layer: Layer::Audit, code: Code::CertificateSignerUnknown },
    Entry { id: "compose.component-unknown", sentence: "No component is registered as {name}; known are {known}.", fix: "Correct the type, or register the component before the spec is run.", field: "", found: "", layer: Layer::Compose, code: Code::ComposeComponentUnknown },
    Entry { id: "compose.param-unknown", sentence: "The component {type} has no parameter {name}; it has {known}.", fix: "Correct the name, or remove the parameter.", field: "", found: "", layer: Layer::Compose, code: Code::ComposeParamUnknown },
    Entry { id: "compose.param-missing", sentence: "The component {type} needs the parameter {name}, and the term does not give it.", fix: "Add the parameter to the term's params.", field: "", found: "", layer: Layer::Compose, code: Code::ComposeParamMissing },
    Entry { id: "compose.param-type", sentence: "The parameter {name} of the component {type} must be of the type {expected}; found {found}.", fix: "Give a value of that type.", field: "", found: "", layer: Layer::Compose, code: Code::ComposeParamType },
    Entry { id: "compose.param-range", sentence: "The parameter {name} of the component {type} is {found}; expected {expected}.", fix: "Give a value within the range.", field: "", found: "", layer: Layer::Compose, code: Code::ComposeParamRange },
    Entry { id: "compose.component-failed", sentence: "Component {name} failed at step {step}: {found}.", fix: "Correct the component, or give the step what it reads.", field: "", found: "", layer: Layer::Compose, code: Code::ComposeComponentFailed },
    Entry { id: "compose.episode-over", sentence: "Step {step} was taken after the end of the episode.", fix: "Reset the environment, and with it the engine, before the next step.", field: "", found: "", layer: Layer::Compose, code: Code::ComposeEpisodeOver },
    Entry { id: "compose.not-a-number", sentence: "Component {name} gave {found} at step {step}, which is not a number.", fix: "Return a number from compute(), by self._signal(value).", field: "", found: "", layer: Layer::Compose, code: Code::ComposeNotANumber },
    Entry { id: "compose.not-finite", sentence: "Component {name} gave {found} at step {step}, which is not finite.", fix: "Return a finite number; a clip or a weight of 0 does not repair the value.", field: "", found: "", layer: Layer::Compose, code: Code::ComposeNotFinite },
    Entry { id: "compose.contribution-overflows", sentence: "The contribution of {name} at step {step}, {value} times the weight {weight}, is not finite.", fix: "Clip the value, or lower the weight.", field: "", found: "", layer: Layer::Compose, code: Code::ComposeContributionOverflows },
    Entry { id: "compose.total-overflows", sentence: "The total at step {step} is not finite after the term {name}.", fix: "Clip the values, or lower the weights.", field: "", found: "", layer: Layer::Compose, code: Code::ComposeTotalOverflows },
    Entry { id: "trace.spec-differs", sentence: "The row is of the spec {row}; the trace is read as one of {spec}.", fix: "Give the manifest or the spec that the trace was written with; summarise the runs of different specs apart.", field: "", found: "", layer: Layer::Trace, code: Code::TraceSpecDiffers },
    Entry { id: "trace.component-unknown", sentence: "The row has a contribution of {name}; the spec's terms are {known}.", fix: "Do not trust the row: its contributions are not those of its spec.", field: "", found: "", layer: Layer::Trace, code: Code::TraceComponentUnknown },
    Entry { id: "trace.file-differs", sentence: "The trace has the digest {found}; its manifest says {manifest}.", fix: "Do not trust the trace: it was changed after its manifest was written.", field: "", found: "", layer: Layer::Trace, code: Code::TraceFileDiffers },
    Entry { id: "trace.reward-differs", sentence: "The reward is {reward}; the contributions of its spec add up to {total}.", fix: "Do not trust the row; where a wrapper changed the reward, or its precision (float32), trace inside of it.", field: "", found: "", layer: Layer::Trace, code: Code::TraceRewardDiffers },
    Entry { id: "trace.contribution-exceeds-ceiling", sentence: "{name} contributed {contribution}; its weight and clip allow {ceiling} at most.", fix: "Do not trust the row: no run of its spec gives it.", field: "", found: "", layer: Layer::Trace, code: Code::TraceContributionExceedsCeiling },
    Entry { id: "trace.row-repeated", sentence: "Environment {environment} has step {step} of episode {episode} after step {last} of episode {before}.", fix: "Count each row once, in the order it was written; summarise each run by itself.", field: "", found: "", layer: Layer::Trace, code: Code::TraceRowRepeated },
    Entry { id: "experiment.environment-named", sentence: "The environment has {found} of id and class; expected one of them.", fix: "Give id for an environment of Gymnasium, or class: module:name.", field: "", found: "", layer: Layer::Experiment, code: Code::ExperimentEnvironmentNamed },
    Entry { id: "experiment.reward-named", sentence: "The reward has {found}; expected spec, or file and digest.", fix: "Write the spec into the experiment, or name its file with the digest that spec show prints.", field: "", found: "", layer: Layer::Experiment, code: Code::ExperimentRewardNamed },
    Entry { id: "experiment.reward-missing", sentence: "Tier 2 is asked for, and there is no reward spec.", fix: "Add reward: {spec: ...} or reward: {file: ..., digest: ...}; there is no default reward. Tier 1 keeps the environment's own.", field: "", found: "", layer: Layer::Experiment, code: Code::ExperimentRewardMissing },
    Entry { id: "experiment.reward-unused", sentence: "Tier 1 is asked for, and there is a reward spec.", fix: "Ask for tier 2, or leave the reward out.", field: "", found: "", layer: Layer::Experiment, code: Code::ExperimentRewardUnused },
    Entry { id: "experiment.reward-differs", sentence: "The spec in {file} has the digest {found}; the experiment says {expected}.", fix: "Give the file that was meant, or the digest of this one.", field: "", found: "", layer: Layer::Experiment, code: Code::ExperimentRewardDiffers },
    Entry { id: "experiment.sweep-refused", sentence: "The sweep cannot be made: {found}.", fix: "Correct the setting or its value, or give the experiment a reward spec.", field: "", found: "", layer: Layer::Experiment, code: Code::ExperimentSweepRefused },
    Entry { id: "experiment.schedule-order", sentence: "The regime {label} starts at {start}; expected {expected}.", fix: "Let the first regime start at 0 and each later one after the one before it.", field: "", found: "", layer: Layer::Experiment, code: Code::ExperimentScheduleOrder },
    Entry { id: "experiment.schedule-late", sentence: "The regime {label} starts at step {start}, and training ends at {end}.", fix: "Let it start earlier, or train longer.", field: "", found: "", layer: Layer::Experiment, code: Code::ExperimentScheduleLate },
    Entry { id: "experiment.seed-twice", sentence: "The seed {seed} is listed twice.", fix: "List each seed once.", field: "", found: "", layer: Layer::Experiment, code: Code::ExperimentSeedTwice },
    Entry { id: "admission.conflict", sentence: "Receipt {found} ({digest}) has the {names} of receipt {first} ({first_digest}), which was admitted before, as row {row}.", fix: "Do not use the later receipt; ask its issuer why there are two.", field: "", found: "", layer: Layer::Admission, code: Code::AdmissionConflict },
    Entry { id: "admission.update-backwards", sentence: "The policy update is {found}; a receipt of update {newest} of the same contract was admitted, and one may be at most {tolerance} updates behind it.", fix: "Admit receipts sooner, or allow a greater tolerance.", field: "", found: "", layer: Layer::Admission, code: Code::AdmissionUpdateBackwards },
    Entry { id: "admission.row-missing", sentence: "Rows {first} to {last} are missing.", fix: "Do not trust the ledger; compare it with a copy that was made before the rows were removed.", field: "", found: "", layer: Layer::Admission, code: Code::AdmissionRowMissing },
    Entry { id: "admission.row-edited", sentence: "Row {row} was edited or moved: its link is {found}; the row before it and its receipt give {expected}.", fix: "Do not trust the row; compare the ledger with a copy that was made before the change.", field: "", found: "", layer: Layer::Admission, code: Code::AdmissionRowEdited },
    Entry { id: "admission.columns-edited", sentence: "Row {row} was edited: these columns differ from its receipt: {names}.", fix: "Do not trust the columns; the receipt of the row is what was admitted.", field: "", found: "", layer: Layer::Admission, code: Code::AdmissionColumnsEdited },
    Entry { id: "admission.rows-cut", sentence: "The ledger ends with row {found}; the head is row {row}.", fix: "Do not trust the ledger: rows were removed from its end, or the head is of another ledger.", field: "", found: "", layer: Layer::Admission, code: Code::AdmissionRowsCut },
    Entry { id: "admission.head-differs", sentence: "Row {row} has the link {found}; the head has {expected}.", fix: "Do not trust the ledger: its rows were replaced, or the head is of another ledger.", field: "", found: "", layer: Layer::Admission, code: Code::AdmissionHeadDiffers },
    Entry { id: "admission.head-signature-invalid", sentence: "The signature of the head is not valid for key {key_id}.", fix: "Do not compare anything with this head; export it again with the key.", field: "", found: "", layer: Layer::Admission, code: Code::AdmissionHeadSignatureInvalid },
    Entry { id: "admission.file-damaged", sentence: "The database reports: {found}.", fix: "Restore the database from a copy; reward-receipts ledger export writes the rows that can be read.", field: "", found: "", layer: Layer::Admission, code: Code::AdmissionFileDamaged },
    Entry { id: "calibration.trial-repeated", sentence: "The trial {trial} is in the corpus twice, first at {first}.", fix: "Give each trial once; a copy of a trial is not another trial.", field: "", found: "", layer: Layer::Calibration, code: Code::CalibrationTrialRepeated },
    Entry { id: "calibration.label-missing", sentence: "The trial has to be refused, and no fault_class says why.", fix: "Name what is wrong with the trial in fault_class.", field: "", found: "", layer: Layer::Calibration, code: Code::CalibrationLabelMissing },
    Entry { id: "calibration.decision-missing", sentence: "The trial has {found}; expected either accepted or score.", fix: "Say what the checker decided, or what it scored.", field: "", found: "", layer: Layer::Calibration, code: Code::CalibrationDecisionMissing },
    Entry { id: "calibration.decisions-mixed", sentence: "The trial has {found}; the trials before it have {expected}.", fix: "Give all trials decisions, or all of them scores.", field: "", found: "", layer: Layer::Calibration, code: Code::CalibrationDecisionsMixed },
    Entry { id: "calibration.score-not-finite", sentence: "The score is {found}; expected a finite number.", fix: "Correct the checker: a trial that it could not score is not evidence of a refusal.", field: "", found: "", layer: Layer::Calibration, code: Code::CalibrationScoreNotFinite },
    Entry { id: "calibration.too-many-trials", sentence: "There are more than {limit} trials.", fix: "Calibrate on fewer trials.", field: "", found: "", layer: Layer::Calibration, code: Code::CalibrationTooManyTrials },
    Entry { id: "calibration.nothing-to-refuse", sentence: "None of the {trials} trials should have been refused, so nothing bounds the false accepts.", fix: "Add trials of each fault class, with should_accept false.", field: "", found: "", layer: Layer::Calibration, code: Code::CalibrationNothingToRefuse },
    Entry { id: "calibration.controls-absent", sentence: "None of the {trials} trials is a clean control, so a checker that refuses everything would pass.", fix: "Add trials that should have been accepted, with should_accept true.", field: "", found: "", layer: Layer::Calibration, code: Code::CalibrationControlsAbsent },
    Entry { id: "calibration.controls-failed", sentence: "The checker refused {failed} of {controls} clean controls; at most {allowed} may be refused.", fix: "Correct the checker, or the labels; a checker that refuses good work gets no certificate (synthetic).", field: "", found: "", layer: Layer::Calibration, code: Code::CalibrationControlsFailed },
    Entry { id: "calibration.class-empty", sentence: "The fault class {name} has no trial; the classes are {known}.", fix: "Add trials of that class, or do not ask for it.", field: "", found: "", layer: Layer::Calibration, code: Code::CalibrationClassEmpty },
    Entry { id: "calibration.repeats-without-group", sentence: "{count} trials that should have been refused share the {what} {value}; repeats are not independent.", fix: "Give all trials a group_id, or group by task_id; the bound is then over groups.", field: "", found: "", layer: Layer::Calibration, code: Code::CalibrationRepeatsWithoutGroup },
    Entry { id: "calibration.groups-incomplete", sentence: "{missing} of {trials} trials that should have been refused have no {member}, and trials are grouped by it.", fix: "Give each of them one, or none of them.", field: "", found: "", layer: Layer::Calibration, code: Code::CalibrationGroupsIncomplete },
    Entry { id: "calibration.all-accepted", sentence: "The checker accepted all of the {trials} {unit} that should have been refused: the bound is 1.0, which bounds nothing.", fix: "Correct the checker.", field: "", found: "", layer: Layer::Calibration, code: Code::CalibrationAllAccepted },
    Entry { id: "calibration.bound-vacuous", sentence: "The bound {epsilon} is not below the vacuity limit {limit}, so it gives no assurance.", fix: "Calibrate on more trials, or improve the checker.", field: "", found: "", layer: Layer::Calibration, code: Code::CalibrationBoundVacuous },
    Entry { id: "calibration.bound-exceeds-policy", sentence: "The bound {epsilon} exceeds the contract's epsilon {policy} by {excess}. With {more} more {unit} that the checker refuses, it would be met.", fix: "Improve the checker, or plan a larger corpus beforehand; drawing trials until the bound is met breaks it.", field: "", found: "", layer: Layer::Calibration, code: Code::CalibrationBoundExceedsPolicy },
    Entry { id: "calibration.delta-exceeds-policy", sentence: "The bound was asked for at delta {delta}; the contract asks for {policy} at most.", fix: "Ask for the contract's delta.", field: "", found: "", layer: Layer::Calibration, code: Code::CalibrationDeltaExceedsPolicy },
    Entry { id: "calibration.threshold-differs", sentence: "The checker was measured at the threshold {threshold}; the contract's is {policy}.", fix: "Measure the checker at the contract's threshold.", field: "", found: "", layer: Layer::Calibration, code: Code::CalibrationThresholdDiffers },
    Entry { id: "calibration.threshold-untested", sentence: "The contract's threshold {policy} is not among those that passed the test: {passed}.", fix: "Write a threshold that passed into the contract, never one that did not.", field: "", found: "", layer: Layer::Calibration, code: Code::CalibrationThresholdUntested },
    Entry { id: "calibration.no-threshold-passed", sentence: "None of the thresholds keeps P(false accept) to {epsilon} at delta {delta}; {threshold}, the first, has the p-value {p_value}.", fix: "Calibrate on more trials, or improve the checker. Another list for the same trials is not another test.", field: "", found: "", layer: Layer::Calibration, code: Code::CalibrationNoThresholdPassed },
    Entry { id: "calibration.other-corpus", sentence: "The trials have the corpus digest {found}; the {document} names {expected}.", fix: "Give the trials that it was made for, with the same labels; or write their digest into a new contract.", field: "", found: "", layer: Layer::Calibration, code: Code::CalibrationOtherCorpus },
    Entry { id: "calibration.checker-differs", sentence: "The checker's configuration has the digest {found}; the certificate names {expected}.", fix: "Give the configuration that was calibrated, or calibrate this one.", field: "", found: "", layer: Layer::Calibration, code: Code::CalibrationCheckerDiffers },
    Entry { id: "calibration.epsilon-understated", sentence: "The certificate says epsilon {certificate}; its trials give {found} at delta {delta}.", fix: "Do not trust the certificate: its bound is below what its trials support.", field: "", found: "", layer: Layer::Calibration, code: Code::CalibrationEpsilonUnderstated },
    Entry { id: "documents-not-held", sentence: "{unheld}.", fix: "Give the documents that the receipt names; without them the receipt is undecided.", field: "", found: "", layer: Layer::Admission, code: Code::DocumentsNotHeld },
    Entry { id: "duplicate", sentence: "{name} {found} was seen before, at {first}.", fix: "Count the receipt once.", field: "", found: "", layer: Layer::Admission, code: Code::Duplicate },
    Entry { id: "policy-signer-not-allowed", sentence: "The trust policy does not let key {key_id} sign receipts for contract {contract}.", fix: "Take receipts of the keys that the policy lists; or list the key, if it should sign them.", field: "", found: "", layer: Layer::Admission, code: Code::PolicySignerNotAllowed },
    Entry { id: "policy-certificate-signer-not-allowed", sentence: "The trust policy does not let key {key_id} sign certificates for contract {contract}.", fix: "Use a certificate (synthetic) of a key that the policy lists; or list the key, if it should sign them.", field: "", found: "", layer: Layer::Admission, code: Code::PolicyCertificateSignerNotAllowed },
    Entry { id: "policy-tier-too-low", sentence: "The oracle tier that counts is {tier}; the trust policy asks for {least} or more.", fix: "Use a reader of that tier, and a contract whose channel has it.", field: "", found: "", layer: Layer::Admission, code: Code::PolicyTierTooLow },
    Entry { id: "policy-not-certified", sentence: "The receipt is not certified (synthetic), and the trust policy asks for it.", fix: "Issue it under a current certificate (synthetic), or relax the policy.", field: "", found: "", layer: Layer::Admission, code: Code::PolicyNotCertified },
];

/// What a message says of a value that a keyword refuses.
pub mod found {
    pub const TYPE: &str = "{place} is {value}; it must be {expected}.";
    pub const REQUIRED: &str = "{member} is missing; it must be given.";
    pub const ADDITIONAL_PROPERTIES: &str = "{member} is not a member of this object; correct its name, or remove it.";
    pub const PROPERTY_NAMES: &str = "The member name {member} {form}.";
    pub const MIN_PROPERTIES: &str = "{place} has {size} members; it must have at least {limit}.";
    pub const MAX_PROPERTIES: &str = "{place} has {size} members; it must have at most {limit}.";
    pub const CONST: &str = "{place} is {value}; it must be {expected}.";
    pub const ENUM: &str = "{place} is {value}; it must be {expected}.";
    pub const ONE_OF: &str = "{place} is {value}; it must be {expected}.";
    pub const ANY_OF: &str = "{place} is {value}; it must be {expected}.";
    pub const PATTERN: &str = "{place} is {value}, which {form}.";
    pub const MIN_LENGTH: &str = "{place} is {value}, which {form}.";
    pub const MAX_LENGTH: &str = "{place} is {value}, which {form}.";
    pub const MINIMUM: &str = "{place} is {value}; it must be at least {limit}.";
    pub const MAXIMUM: &str = "{place} is {value}; it must be at most {limit}.";
    pub const EXCLUSIVE_MINIMUM: &str = "{place} is {value}; it must be above {limit}.";
    pub const EXCLUSIVE_MAXIMUM: &str = "{place} is {value}; it must be below {limit}.";
    pub const MIN_ITEMS: &str = "{place} has {size} items; it must have at least {limit}.";
    pub const MAX_ITEMS: &str = "{place} has {size} items; it must have at most {limit}.";
    pub const UNIQUE_ITEMS: &str = "{place} is {value}; its items must be unique.";
}

/// The part of it that also goes with the name of a member.
pub mod form {
    pub const PATTERN: &str = "is not a valid {type}; a valid one is \"{example}\"";
    pub const MIN_LENGTH: &str = "has {size} characters; it must have at least {limit}";
    pub const MAX_LENGTH: &str = "has {size} characters; it must have at most {limit}";
}

/// Sentences that belong to no code.
pub mod notes {
    pub const MORE_FINDINGS: &str = "Findings that are not listed: {count}.";
    pub const KINDS: &str = "The kinds are {versions}.";
    pub const DOCUMENT_INSIDE: &str = "Its member {member} is a document; take it out of its envelope.";
    pub const PRIVATE_KEY_FILE: &str = "This looks like a private key file, which is not a document.";
    pub const REPEAT_OF_UNDECIDED: &str = "That receipt is undecided, so nobody can tell whether this one repeats it.";
    pub const SIZE_OF_LINE: &str = "Write the documents of an array one on each line, in a .jsonl file: then the limit is that of a line.";
    pub const NOT_GIVEN: &str = "No {input} was given.";
    pub const NOT_GIVEN_OPTION: &str = "no {input} was given ({options})";
}
