//! What the crate makes of texts and numbers, for the tests in Python that compare it with theirs: a line of JSON for
//! each line of standard input. The questions are those of typescript/test/compare.mjs.

use std::error::Error;
use std::io::{self, BufRead as _, Write as _};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reward_receipts::rewards::{Cadence, Component, CompositionEngine, RawFault, Registry, RewardSpec, Step};
use reward_receipts::{
    Audit, AuditFinding, CodedSentence, Episode, Finding, InvalidDocument, IssueError, Json, JsonKind, Keyring, Kind,
    OracleTier, RewardCertificateV1, RewardContractV1, RewardEvidenceReceiptV1, RewardOutcomeV1, SigningKey,
    canonical_bytes, certificate_state, certification_refusals, read, read_document, read_within, score, sign, unmet,
    verify,
};

mod declared;

type Answer = Result<Json<'static>, Box<dyn Error>>;

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().split(b'\n') {
        let line = line?;
        let asked = read_within(&line, 1 << 28)?;
        out.write_all(&canonical_bytes(&answer(&asked)?))?;
        out.write_all(b"\n")?;
    }
    Ok(out.flush()?)
}

fn answer(asked: &Json<'_>) -> Answer {
    let kind = asked.get("kind").and_then(Json::as_str).map(str::parse::<Kind>).transpose()?;
    if let Some(text) = optional(asked, "text")? {
        return match read_document(&text, kind) {
            Ok(document) => object([
                ("kind", owned(document.kind().as_str())),
                ("digest", owned(document.digest())),
                ("canonical", base64(document.canonical_text().as_bytes())),
            ]),
            Err(refused) => findings(&refused),
        };
    }
    if let Some(text) = optional(asked, "json")? {
        return match read(&text) {
            Ok(value) => object([("canonical", base64(&canonical_bytes(&value)))]),
            Err(refused) => findings(&refused),
        };
    }
    if let Some(text) = optional(asked, "spec")? {
        return match RewardSpec::read(&text) {
            Ok(spec) => {
                object([("digest", owned(spec.digest())), ("canonical", base64(spec.canonical_text().as_bytes()))])
            }
            Err(refused) => findings(&refused),
        };
    }
    if let Some(value) = asked.get("value") {
        let refused = match kind {
            Some(Kind::Contract) => RewardContractV1::from_json(value).err(),
            Some(Kind::Certificate) => RewardCertificateV1::from_json(value).err(),
            _ => RewardEvidenceReceiptV1::from_json(value).err(),
        };
        let found = refused.as_ref().map(InvalidDocument::findings).unwrap_or_default();
        return object([("findings", array(found.iter().map(finding)))]);
    }
    if let Some(doubles) = asked.get("doubles").and_then(Json::items) {
        let texts = doubles.iter().map(|each| {
            let bits = u64::from_str_radix(each.as_str().unwrap_or_default(), 16).unwrap_or_default();
            double_text(Some(f64::from_bits(bits)))
        });
        return Ok(array(texts));
    }
    if asked.get("run").is_some() {
        return ran(asked);
    }
    if asked.get("issue").is_some() {
        return issued(asked);
    }
    if asked.get("sign").is_some() {
        return signed(asked);
    }
    if let Some(keys) = asked.get("verify") {
        let receipt = RewardEvidenceReceiptV1::read(&given(asked, "receipt")?)?;
        return Ok(owned(&verify(&receipt, &Keyring::read(&canonical_bytes(keys))?).to_string()));
    }
    audited(asked)
}

// Answers

fn object<const N: usize>(members: [(&'static str, Json<'static>); N]) -> Answer {
    Ok(Json::object(members)?)
}

fn array(items: impl IntoIterator<Item = Json<'static>>) -> Json<'static> {
    Json::array(items).unwrap_or(Json::null())
}

fn owned(text: &str) -> Json<'static> {
    Json::from(text.to_owned())
}

fn base64(data: &[u8]) -> Json<'static> {
    Json::from(STANDARD.encode(data))
}

fn finding(finding: &Finding) -> Json<'static> {
    let number = |number: Option<u32>| number.map_or(Json::null(), |number| Json::from(u64::from(number)));
    let texts = [finding.code.id(), &finding.pointer, &finding.sentence].map(owned);
    array(texts.into_iter().chain([number(finding.line), number(finding.column)]))
}

fn findings(refused: &InvalidDocument) -> Answer {
    object([("findings", array(refused.findings().iter().map(finding)))])
}

fn coded(found: &[CodedSentence]) -> Json<'static> {
    array(found.iter().map(|each| array([owned(each.code.id()), owned(&each.sentence)])))
}

fn fields(found: &[AuditFinding]) -> Json<'static> {
    array(found.iter().map(|each| array([each.code.id(), &each.sentence, &each.pointer()].map(owned))))
}

fn double_text(value: Option<f64>) -> Json<'static> {
    let text = value.and_then(Json::double).map(|value| canonical_bytes(&value));
    text.map_or(Json::null(), |text| Json::from(String::from_utf8_lossy(&text).into_owned()))
}

// Questions

fn optional(asked: &Json<'_>, name: &str) -> Result<Option<Vec<u8>>, Box<dyn Error>> {
    Ok(asked.get(name).and_then(Json::as_str).map(|text| STANDARD.decode(text)).transpose()?)
}

fn given(asked: &Json<'_>, name: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    optional(asked, name)?.ok_or_else(|| format!("no {name}").into())
}

fn certificate_of(asked: &Json<'_>) -> Result<Option<RewardCertificateV1>, Box<dyn Error>> {
    Ok(optional(asked, "certificate")?.map(|text| RewardCertificateV1::read(&text)).transpose()?)
}

fn key_of(asked: &Json<'_>) -> Result<SigningKey, Box<dyn Error>> {
    let key = asked.get("key").and_then(Json::items).ok_or("no key")?;
    let (id, seed) = (key[0].as_str().unwrap_or_default(), STANDARD.decode(key[1].as_str().unwrap_or_default())?);
    Ok(SigningKey::from_seed(id, seed.as_slice().try_into()?)?)
}

fn signed(asked: &Json<'_>) -> Answer {
    let key = key_of(asked)?;
    let text = given(asked, "sign")?;
    let mut value = read(&text)?;
    if value.get("signature").is_none() {
        let placeholder = ("signature", Json::from(format!("{}==", "A".repeat(86))));
        let members: Vec<(&str, Json<'_>)> =
            value.members().into_iter().flatten().map(|(name, member)| (name, member.clone())).collect();
        value = Json::object(
            members
                .into_iter()
                .map(|(name, member)| (name.to_owned(), member))
                .chain([(placeholder.0.to_owned(), placeholder.1)]),
        )?;
    }
    let (canonical, verdict) = if asked.get("kind").and_then(Json::as_str) == Some("certificate") {
        let document = sign(&RewardCertificateV1::from_json(&value)?, &key)?;
        (document.canonical_text().to_owned(), verify(&document, &key.keyring()))
    } else {
        let document = sign(&RewardEvidenceReceiptV1::from_json(&value)?, &key)?;
        (document.canonical_text().to_owned(), verify(&document, &key.keyring()))
    };
    object([
        ("canonical", base64(canonical.as_bytes())),
        ("publicKey", base64(&key.public_key())),
        ("verdict", owned(&verdict.to_string())),
    ])
}

fn issued(asked: &Json<'_>) -> Answer {
    let contract = RewardContractV1::read(&given(asked, "contract")?)?;
    let certificate = certificate_of(asked)?;
    let own = asked.get("issue").ok_or("nothing to issue")?;
    let text = |name: &str| own.get(name).and_then(Json::as_str);
    let required = |name: &str| text(name).ok_or_else(|| format!("no {name}"));
    let keyring = own.get("certificateKeyring").map(|keys| Keyring::read(&canonical_bytes(keys))).transpose()?;
    let components: Vec<(&str, f64)> = own
        .get("rewardComponents")
        .and_then(Json::members)
        .map_or_else(Vec::new, |each| each.map(|(name, value)| (name, value.as_f64().unwrap_or(f64::NAN))).collect());
    let tier = u8::try_from(own.get("tier").and_then(Json::as_u64).ok_or("no tier")?)?;
    let update = own.get("policyUpdate").and_then(Json::as_u64).ok_or("no policyUpdate")?;
    let episode = Episode {
        certificate: certificate.as_ref(),
        certificate_keyring: keyring.as_ref(),
        reward_components: &components,
        uncertainty: required("uncertainty")?.parse()?,
        receipt_id: text("receiptId"),
        nonce: text("nonce"),
        issued_at: text("issuedAt"),
        ..Episode::new(
            &contract,
            required("outcome")?.parse()?,
            OracleTier::try_from(tier)?,
            update,
            required("policyCheckpointId")?,
            required("episodeId")?,
            required("evidenceDigest")?,
        )
    };
    match reward_receipts::issue(&episode, &key_of(asked)?) {
        Ok(receipt) => object([("canonical", base64(receipt.canonical_text().as_bytes()))]),
        Err(IssueError::Invalid(refused)) => {
            let codes = refused.findings().iter().map(|each| array([owned(each.code.id()), owned(&each.pointer)]));
            object([("findings", array(codes))])
        }
        Err(IssueError::Certificate(refusal)) => {
            object([("findings", array([array([owned(refusal.code.id()), owned("")])]))])
        }
        Err(error) => object([("refused", owned(&error.to_string()))]),
    }
}

fn audited(asked: &Json<'_>) -> Answer {
    let contract = RewardContractV1::read(&given(asked, "contract")?)?;
    let certificate = certificate_of(asked)?;
    let receipt = RewardEvidenceReceiptV1::read(&given(asked, "receipt")?)?;
    let keys = asked.get("keys").filter(|keys| !keys.is_null());
    let keyring = keys.map(|keys| Keyring::read(&canonical_bytes(keys))).transpose()?;
    let at_update = asked.get("at_update").and_then(Json::as_u64);
    let against =
        Audit { contract: Some(&contract), certificate: certificate.as_ref(), keyring: keyring.as_ref(), at_update };
    let report = against.of(&receipt)?;
    let calls = asked.get("calls").and_then(Json::items).unwrap_or_default();
    let (mut scores, mut states) = (Vec::new(), Vec::new());
    for call in calls {
        let [outcome, tier, update] = call.items().unwrap_or_default() else {
            return Err("a call has three parts".into());
        };
        let outcome: RewardOutcomeV1 = outcome.as_str().unwrap_or_default().parse()?;
        let tier = OracleTier::try_from(u8::try_from(tier.as_u64().unwrap_or(9))?)?;
        let update = update.as_u64().unwrap_or(u64::MAX);
        let found = score(outcome, tier, certificate.as_ref(), update, &contract)?;
        let flags = [found.certified, found.development_only].map(Json::from);
        let refusals = coded(&found.certification_refusals);
        scores.push(array([double_text(found.scalar)].into_iter().chain(flags).chain([refusals])));
        states.push(owned(certificate_state(certificate.as_ref(), update)?.as_str()));
    }
    let shortfalls = certificate.as_ref().map(|certificate| unmet(certificate, contract.certificate_policy()));
    let verdict = keyring.as_ref().map(|keyring| verify(&receipt, keyring).to_string());
    object([
        ("scores", array(scores)),
        ("states", array(states)),
        ("unmet", shortfalls.map_or(Json::null(), |found| coded(&found))),
        ("refusals", coded(&certification_refusals(&receipt, &contract, certificate.as_ref()))),
        ("verdict", verdict.map_or(Json::null(), |verdict| owned(&verdict))),
        (
            "audit",
            array([
                owned(&report.verdict.to_string()),
                fields(&report.findings),
                array(report.checked.iter().map(|code| owned(code.id()))),
                fields(&report.unchecked),
            ]),
        ),
    ])
}

fn ran(asked: &Json<'_>) -> Answer {
    let spec = RewardSpec::read(&given(asked, "run")?)?;
    let declared = asked.get("components").and_then(Json::members).ok_or("no components")?;
    let registry: Registry = declared
        .map(|(name, own)| {
            let at_end = own.get("cadence").and_then(Json::as_str) == Some("episode_end");
            let cadence = if at_end { Cadence::EpisodeEnd } else { Cadence::Step };
            let clip = own.get("clip").and_then(Json::items);
            let clip = clip.map(|bounds| [0, 1].map(|place| bounds.get(place).and_then(Json::as_f64)));
            let weight = own.get("defaultWeight").and_then(Json::as_f64).unwrap_or(1.0);
            Ok((name, declared::with_params(Component::new(cadence, clip, weight)?, own)?))
        })
        .collect::<Result<_, Box<dyn Error>>>()?;
    let mut engine = match CompositionEngine::new(&spec, &registry) {
        Ok(engine) => engine,
        Err(refused) => return findings(&refused),
    };
    let ceiling = engine.resolved().ceiling();
    let episodes = asked.get("episodes").and_then(Json::items).unwrap_or_default();
    let bounds = [ceiling.per_step(), ceiling.at_end()]
        .into_iter()
        .chain(ceiling.bounds().iter().map(|term| term.bound))
        .chain(episodes.iter().map(|steps| ceiling.per_episode(steps.as_u64().unwrap_or_default())));
    let bounds = array(bounds.map(double_text));
    let digests = array([engine.resolved().spec_digest(), engine.resolved().digest()].map(owned));
    let mut steps = Vec::new();
    for step in asked.get("steps").and_then(Json::items).unwrap_or_default() {
        if step.get("reset").and_then(Json::as_bool) == Some(true) {
            engine.reset();
        }
        steps.push(taken(&mut engine, step)?);
    }
    let unbounded = array(ceiling.unbounded().map(owned));
    object([("digests", digests), ("ceiling", bounds), ("unbounded", unbounded), ("steps", array(steps))])
}

fn taken(engine: &mut CompositionEngine, step: &Json<'_>) -> Answer {
    let flags = step.get("flags").ok_or("no flags")?;
    let flag = |name: &str| flags.get(name).and_then(Json::as_bool).unwrap_or_default();
    let number = flags.get("step").and_then(Json::as_u64).unwrap_or_default();
    let taken = Step { number, terminated: flag("terminated"), truncated: flag("truncated") };
    match engine.compute_step(|name| raw_value(step.get("raw").and_then(|raw| raw.get(name))), taken) {
        Ok(result) => {
            let contributions = result.contributions().map(|(name, value)| (name.to_owned(), double_text(Some(value))));
            Ok(array([double_text(Some(result.total())), Json::object(contributions)?]))
        }
        Err(error) => {
            let component = error.component.map_or(Json::null(), Json::from);
            let (code, words) = (owned(error.message.code.id()), owned(&error.message.sentence));
            Ok(array([code, component, Json::from(error.step), words]))
        }
    }
}

/// A raw value from its JSON form.
fn raw_value(given: Option<&Json<'_>>) -> Result<f64, RawFault> {
    let Some(given) = given else { return Err(RawFault::Failed("there is none".to_owned())) };
    let text = |name: &str| given.get(name).and_then(Json::as_str);
    match given.kind() {
        JsonKind::Integer | JsonKind::Double => Ok(given.as_f64().unwrap_or(f64::NAN)),
        JsonKind::Object if text("integer").is_some() => {
            let double = text("integer").and_then(|digits| digits.parse().ok()).unwrap_or(f64::NAN);
            if double.is_finite() {
                Ok(double)
            } else {
                Err(RawFault::NotFinite("a number beyond any double".to_owned()))
            }
        }
        JsonKind::Object if text("double").is_some() => Ok(match text("double") {
            Some("Infinity") => f64::INFINITY,
            Some("-Infinity") => f64::NEG_INFINITY,
            _ => f64::NAN,
        }),
        JsonKind::Object if given.get("object").is_some() => Err(RawFault::NotANumber("dict".to_owned())),
        JsonKind::Object => Err(RawFault::Failed("it failed".to_owned())),
        other => Err(RawFault::NotANumber(format!("{other:?}"))),
    }
}
