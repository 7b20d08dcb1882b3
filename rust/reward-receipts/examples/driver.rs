//! This crate's driver for the conformance runner, protocol 1. It claims every layer.
//!
//!     reward-receipts conformance run -- cargo run -q --example driver

use std::error::Error;
use std::io::{self, BufRead as _, Write as _};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reward_receipts::rewards::{
    Cadence, Component, CompositionEngine, CompositionError, RawFault, Registry, RewardSpec, Step,
};
use reward_receipts::{
    Audit, Code, InvalidDocument, Json, JsonKind, Keyring, Kind, OracleTier, PolicyUpdateOutOfRange,
    RewardCertificateV1, RewardContractV1, RewardDocument, RewardEvidenceReceiptV1, audit, canonical_bytes,
    certificate_state, certification_refusals, read, read_document, read_within, score, unmet, verify,
};

mod declared;

type Answer = Result<Json<'static>, Box<dyn Error>>;

/// An operation, and its layers.
type Operation = (&'static str, fn(&Request<'_>) -> Answer);

const LAYERS: [&str; 9] =
    ["json", "schema", "rules", "digest", "signature", "score", "certificate", "audit", "compose"];

const OPERATIONS: [Operation; 11] = [
    ("read", |request| told(read(&request.given("text")?))),
    ("validate", |request| told(read_document(&request.given("document")?, request.kind()?))),
    ("canonical", |request| object([("canonical", base64(&canonical_bytes(&read(&request.given("text")?)?)))])),
    ("digest", digest),
    ("verify", verified),
    ("score", scored),
    ("state", state),
    ("unmet", |request| {
        let found = unmet(&request.certificate()?.ok_or("no certificate")?, request.contract()?.certificate_policy());
        object([("unmet", codes(found.iter().map(|each| each.code)))])
    }),
    ("refusals", |request| {
        let certificate = request.certificate()?;
        let found = certification_refusals(&request.receipt()?, &request.contract()?, certificate.as_ref());
        object([("refusals", codes(found.iter().map(|each| each.code)))])
    }),
    ("audit", audited),
    ("compose", composed),
];

fn main() -> io::Result<()> {
    let about = object([(
        "hello",
        object([
            ("protocol", Json::from(1)),
            ("name", Json::from("reward-receipts")),
            ("version", Json::from(env!("CARGO_PKG_VERSION"))),
            ("language", Json::from("Rust")),
            ("layers", array(LAYERS.map(Json::from))),
            ("operations", array(OPERATIONS.map(|(name, _)| Json::from(name)))),
        ])
        .map_err(|error| io::Error::other(error.to_string()))?,
    )]);
    say(&about.map_err(|error| io::Error::other(error.to_string()))?)?;
    for line in io::stdin().lock().split(b'\n') {
        say(&answered(&line?))?;
    }
    Ok(())
}

fn say(message: &Json<'_>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(&canonical_bytes(message))?;
    out.write_all(b"\n")?;
    out.flush()
}

/// The line that answers a request: its id, and an answer, or the error that kept it from one.
fn answered(line: &[u8]) -> Json<'static> {
    const LONGEST: usize = 1 << 28; // a request holds documents in base64, some of them longer than a text may be
    let request = match read_within(line, LONGEST) {
        Ok(members) => Request { members },
        Err(error) => return failed("", &error),
    };
    let id = request.members.get("id").and_then(Json::as_str).unwrap_or_default();
    let name = request.members.get("operation").and_then(Json::as_str);
    let operation = OPERATIONS.iter().find(|(each, _)| Some(*each) == name);
    let answer = operation.ok_or_else(|| "no such operation".into()).and_then(|(_, operation)| operation(&request));
    match answer.and_then(|answer| object([("id", Json::from(id.to_owned())), ("answer", answer)])) {
        Ok(line) => line,
        Err(error) => failed(id, &*error),
    }
}

fn failed(id: &str, error: &(impl Error + ?Sized)) -> Json<'static> {
    object([("id", Json::from(id.to_owned())), ("error", Json::from(error.to_string()))]).unwrap_or(Json::null())
}

struct Request<'r> {
    members: Json<'r>,
}

impl Request<'_> {
    /// The bytes of an input that a case has.
    fn given(&self, name: &str) -> Result<Vec<u8>, Box<dyn Error>> {
        self.input(name)?.ok_or_else(|| format!("no {name}").into())
    }

    fn input(&self, name: &str) -> Result<Option<Vec<u8>>, Box<dyn Error>> {
        let text = self.members.get("input").and_then(|input| input.get(name)).and_then(Json::as_str);
        Ok(text.map(|text| STANDARD.decode(text)).transpose()?)
    }

    fn kind(&self) -> Result<Option<Kind>, Box<dyn Error>> {
        Ok(self.members.get("kind").and_then(Json::as_str).map(str::parse).transpose()?)
    }

    fn argument(&self, name: &str) -> Option<&Json<'_>> {
        self.members.get("arguments")?.get(name)
    }

    fn contract(&self) -> Result<RewardContractV1, Box<dyn Error>> {
        Ok(RewardContractV1::read(&self.given("contract")?)?)
    }

    fn receipt(&self) -> Result<RewardEvidenceReceiptV1, Box<dyn Error>> {
        Ok(RewardEvidenceReceiptV1::read(&self.given("receipt")?)?)
    }

    fn certificate(&self) -> Result<Option<RewardCertificateV1>, Box<dyn Error>> {
        Ok(self.input("certificate")?.map(|text| RewardCertificateV1::read(&text)).transpose()?)
    }
}

fn object<const N: usize>(members: [(&'static str, Json<'static>); N]) -> Answer {
    Ok(Json::object(members)?)
}

fn array(items: impl IntoIterator<Item = Json<'static>>) -> Json<'static> {
    Json::array(items).unwrap_or(Json::null())
}

fn codes(found: impl IntoIterator<Item = Code>) -> Json<'static> {
    array(found.into_iter().map(|code| Json::from(code.id())))
}

fn base64(data: &[u8]) -> Json<'static> {
    Json::from(STANDARD.encode(data))
}

fn value_error() -> Answer {
    object([("error", Json::from("value"))])
}

/// Whether a text was accepted; if not, what refuses it.
fn told<T>(result: Result<T, InvalidDocument>) -> Answer {
    match result {
        Ok(_) => object([("valid", Json::from(true))]),
        Err(refused) => refused_with(&refused),
    }
}

fn refused_with(refused: &InvalidDocument) -> Answer {
    let found = codes(refused.findings().iter().map(|finding| finding.code));
    object([("valid", Json::from(false)), ("codes", found)])
}

fn digest(request: &Request<'_>) -> Answer {
    let document = read_document(&request.given("document")?, request.kind()?)?;
    let canonical = base64(document.canonical_text().as_bytes());
    object([("digest", Json::from(document.digest().to_owned())), ("canonical", canonical)])
}

fn verified(request: &Request<'_>) -> Answer {
    let document = read_document(&request.given("document")?, request.kind()?)?;
    let Ok(keyring) = Keyring::read(&request.given("keyring")?) else {
        return object([("verdict", Json::from("error"))]);
    };
    let verdict = match &document {
        RewardDocument::Receipt(receipt) => verify(&**receipt, &keyring),
        RewardDocument::Certificate(certificate) => verify(&**certificate, &keyring),
        RewardDocument::Contract(_) => return Err("a contract is not signed".into()),
    };
    object([("verdict", Json::from(verdict.to_string()))])
}

fn scored(request: &Request<'_>) -> Answer {
    let (contract, certificate) = (request.contract()?, request.certificate()?);
    let outcome = request.argument("outcome").and_then(Json::as_str).and_then(|word| word.parse().ok());
    let tier = request.argument("tier").and_then(Json::as_u64).and_then(|tier| u8::try_from(tier).ok());
    let tier = tier.and_then(|tier| OracleTier::try_from(tier).ok());
    let update = request.argument("policy_update").and_then(Json::as_u64);
    let (Some(outcome), Some(tier), Some(update)) = (outcome, tier, update) else { return value_error() };
    let Ok(score) = score(outcome, tier, certificate.as_ref(), update, &contract) else { return value_error() };
    let scalar = score.scalar.and_then(Json::double).map(|scalar| canonical_bytes(&scalar));
    object([
        ("scalar", scalar.map_or(Json::null(), |text| Json::from(String::from_utf8_lossy(&text).into_owned()))),
        ("certified", Json::from(score.certified)),
        ("development_only", Json::from(score.development_only)),
        ("refusals", codes(score.certification_refusals.iter().map(|each| each.code))),
    ])
}

fn state(request: &Request<'_>) -> Answer {
    let certificate = request.certificate()?;
    let update = request.argument("policy_update").and_then(Json::as_u64);
    match update.map(|update| certificate_state(certificate.as_ref(), update)) {
        Some(Ok(state)) => object([("state", Json::from(state.as_str()))]),
        Some(Err(PolicyUpdateOutOfRange { .. })) | None => value_error(),
    }
}

fn audited(request: &Request<'_>) -> Answer {
    let receipt = request.receipt()?;
    let contract = request.input("contract")?.map(|text| RewardContractV1::read(&text)).transpose()?;
    let certificate = request.certificate()?;
    let Ok(keyring) = request.input("keyring")?.map(|text| Keyring::read(&text)).transpose() else {
        return value_error();
    };
    let asked = request.argument("at_update").filter(|update| !update.is_null());
    let at_update = asked.and_then(Json::as_u64);
    if asked.is_some() && at_update.is_none() {
        return value_error();
    }
    let against =
        Audit { contract: contract.as_ref(), certificate: certificate.as_ref(), keyring: keyring.as_ref(), at_update };
    let Ok(report) = audit(&receipt, &against) else { return value_error() };
    object([
        ("verdict", Json::from(report.verdict.to_string())),
        ("findings", codes(report.findings.iter().map(|each| each.code))),
        ("unchecked", codes(report.unchecked.iter().map(|each| each.code))),
    ])
}

fn composed(request: &Request<'_>) -> Answer {
    let spec = match RewardSpec::read(&request.given("spec")?) {
        Ok(spec) => spec,
        Err(refused) => return refused_with(&refused),
    };
    let declared = request.argument("components").and_then(Json::members).ok_or("no components")?;
    let registry: Registry =
        declared.map(|(name, own)| Ok((name, component(own)?))).collect::<Result<_, Box<dyn Error>>>()?;
    let mut engine = match CompositionEngine::new(&spec, &registry) {
        Ok(engine) => engine,
        Err(refused) => return refused_with(&refused),
    };
    let ceiling = engine.resolved().ceiling();
    let steps = request.argument("episode_steps").and_then(Json::as_u64).ok_or("no episode_steps")?;
    let bound = |bound: Option<f64>| bound.and_then(Json::double).unwrap_or(Json::null());
    let ceiling = object([
        ("per_step", bound(ceiling.per_step())),
        ("at_end", bound(ceiling.at_end())),
        ("per_episode", bound(ceiling.per_episode(steps))),
        ("unbounded", array(ceiling.unbounded().map(|name| Json::from(name.to_owned())))),
    ])?;
    let digests = [engine.resolved().spec_digest(), engine.resolved().digest()].map(|each| Json::from(each.to_owned()));
    let [spec_digest, digest] = digests;
    let mut answers = Vec::new();
    let mut number = 0;
    for step in request.argument("steps").and_then(Json::items).unwrap_or_default() {
        if step.get("reset").is_some() {
            engine.reset();
            number = 0;
            continue;
        }
        answers.push(taken(&mut engine, step, number)?);
        number += 1;
    }
    let steps = array(answers);
    object([("digest", spec_digest), ("resolved_digest", digest), ("ceiling", ceiling), ("steps", steps)])
}

fn component(own: &Json<'_>) -> Result<Component, Box<dyn Error>> {
    let cadence = match own.get("cadence").and_then(Json::as_str) {
        Some("episode_end") => Cadence::EpisodeEnd,
        _ => Cadence::Step,
    };
    let clip = own.get("clip").and_then(Json::items);
    let clip = clip.map(|bounds| [0, 1].map(|place| bounds.get(place).and_then(Json::as_f64)));
    let weight = own.get("default_weight").and_then(Json::as_f64).ok_or("no default_weight")?;
    declared::with_params(Component::new(cadence, clip, weight)?, own)
}

/// What an engine makes of a step.
fn taken(engine: &mut CompositionEngine, step: &Json<'_>, number: u64) -> Answer {
    let flag = |name: &str| step.get(name).and_then(Json::as_bool).unwrap_or_default();
    let flags = Step { number, terminated: flag("terminated"), truncated: flag("truncated") };
    let raw = |name: &str| raw_value(step.get("raw").and_then(|raw| raw.get(name)));
    match engine.compute_step(raw, flags) {
        Ok(result) => {
            let contributions = result
                .contributions()
                .map(|(name, value)| (name.to_owned(), Json::double(value).unwrap_or(Json::null())));
            let total = Json::double(result.total()).unwrap_or(Json::null());
            object([("contributions", Json::object(contributions)?), ("total", total)])
        }
        Err(CompositionError { message, component: Some(component), .. }) => {
            object([("refused", Json::from(message.code.id())), ("component", Json::from(component))])
        }
        Err(CompositionError { message, .. }) => object([("refused", Json::from(message.code.id()))]),
    }
}

/// A raw value from its JSON form.
fn raw_value(given: Option<&Json<'_>>) -> Result<f64, RawFault> {
    let Some(given) = given else { return Err(RawFault::Failed("the case has no value".to_owned())) };
    match given.kind() {
        JsonKind::Integer | JsonKind::Double => Ok(given.as_f64().unwrap_or(f64::NAN)),
        JsonKind::Object if given.get("fails").is_some() => Err(RawFault::Failed("the case requires it".to_owned())),
        JsonKind::Object => match given.get("double").and_then(Json::as_str) {
            Some("infinity") => Ok(f64::INFINITY),
            Some("-infinity") => Ok(f64::NEG_INFINITY),
            _ => Ok(f64::NAN),
        },
        other => Err(RawFault::NotANumber(format!("{other:?}"))),
    }
}
