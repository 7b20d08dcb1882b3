//! Running a schema: each keyword that refuses a value, its place and what is there.
//!
//! One walk serves for both questions. A [`Sink`] that stops at the first fault asks whether a value is valid; one that
//! collects asks what is wrong. Time and memory are linear in the value. A container that is too long is itself the
//! fault; of what it contains, [`MAX_CHECKED_ITEMS`] are checked, or one more than it may have.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::ops::ControlFlow;

use crate::core::canonical::{sorted, write_integer, write_text};
use crate::core::codes::{Code, Given, text_with};
use crate::core::findings::{Finding, Path, shown, shown_text};
use crate::core::value::{Integer, Json, Member, Value};
use crate::documents::kind::Kind;
use crate::generated::codes::{found, notes};
use crate::generated::schemas;
use crate::generated::tables::{MAX_CHECKED_ITEMS, MAX_CHECKED_NAME, MAX_FINDINGS};
use crate::validation::schemas::{Others, Rule, Scalar, Schema, Type};
use crate::validation::{document_rules, sentences, spec_rules};

/// What a document is checked against.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Checked {
    Document(Kind),
    Spec,
}

impl Checked {
    pub(crate) fn schema(self) -> &'static Schema {
        match self {
            Self::Document(Kind::Contract) => &schemas::REWARD_CONTRACT_V1,
            Self::Document(Kind::Certificate) => &schemas::REWARD_CERTIFICATE_V1,
            Self::Document(Kind::Receipt) => &schemas::REWARD_EVIDENCE_RECEIPT_V1,
            Self::Spec => &schemas::REWARD_SPEC,
        }
    }
}

/// Everything that is wrong with a value as a document: shape, then rules; nothing where it is one.
pub(crate) fn check(checked: Checked, value: &Json<'_>) -> Vec<Finding> {
    let schema = checked.schema();
    let mut found = if is_valid(schema, value) { Vec::new() } else { shape_findings(schema, value) };
    match checked {
        Checked::Document(Kind::Contract) => document_rules::component_names_unique(value, &mut found),
        Checked::Document(Kind::Certificate) => document_rules::expiry_fits(value, &mut found),
        Checked::Document(Kind::Receipt) => {}
        Checked::Spec => spec_rules::findings(value, &mut found),
    }
    found
}

/// A keyword that refuses a value. It borrows what a sentence is made of; sentences are made only if they are wanted.
pub(crate) struct Fault<'f, 't> {
    pub(crate) code: Code,
    pub(crate) path: &'f Path<'f>,
    pub(crate) at: u32,
    pub(crate) what: What<'f, 't>,
    /// How many more faults like this one, in the same object, it stands for.
    pub(crate) also: usize,
}

/// What is there, and what is expected.
pub(crate) enum What<'f, 't> {
    /// The value, and the schema that wants another type.
    Type(&'f Json<'t>, &'static [Type]),
    Constant(&'f Json<'t>, Scalar),
    Options(&'f Json<'t>, &'static [Scalar]),
    Alternatives(&'f Json<'t>, &'static Schema),
    /// A text of another length or form.
    Form(&'f str, Broken),
    /// The name of a member.
    Name(&'f str, Broken),
    /// A number, what is reported of it, and its bound.
    Bound(&'f Json<'t>, &'static str, f64),
    /// A number of things, what is reported of it, and its bound.
    Size(usize, &'static str, usize),
    Repeated(&'f Json<'t>),
    Missing(&'static str),
    Unknown(&'f str),
}

/// What a text breaks.
#[derive(Clone, Copy)]
pub(crate) enum Broken {
    /// It has so many characters; it must have at least so many.
    Least(usize, usize),
    Most(usize, usize),
    /// The title of its form, and an example of it.
    Pattern(&'static str, &'static str),
}

/// What becomes of faults.
trait Sink {
    /// Takes a fault. `Break` ends the walk.
    fn take(&mut self, fault: &Fault<'_, '_>) -> ControlFlow<()>;
}

/// Stops at the first fault.
struct First;

impl Sink for First {
    fn take(&mut self, _: &Fault<'_, '_>) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

/// Whether a schema and its rules accept a value.
fn is_valid(schema: &'static Schema, value: &Json<'_>) -> bool {
    accepts(schema, value)
        && schema.rules.iter().all(|rule| demanded(rule, value).is_none_or(|then| accepts(then, value)))
}

/// What a rule demands of a document; `None` where it does not apply.
fn demanded(rule: &'static Rule, value: &Json<'_>) -> Option<&'static Schema> {
    let asked = value.get(rule.member)?;
    let case = rule.cases.iter().find(|case| case.values.iter().any(|each| equals(asked, *each)))?;
    Some(case.then)
}

/// Whether a schema without its rules accepts a value.
fn accepts(schema: &'static Schema, value: &Json<'_>) -> bool {
    faults(schema, value, &Path::Root, &mut First).is_continue()
}

/// Keeps the first [`MAX_FINDINGS`] in their order, and counts the others.
struct Collected {
    rule: Option<&'static Rule>,
    found: Vec<(Key, Finding)>,
    total: usize,
}

/// Rules come after the shape, in the order of the codes; then the place decides, then the code.
type Key = (Option<Code>, String, &'static str);

impl Sink for Collected {
    fn take(&mut self, fault: &Fault<'_, '_>) -> ControlFlow<()> {
        self.total += 1 + fault.also;
        let found = sentences::of_fault(fault);
        let (code, sentence) = match self.rule {
            Some(rule) => (rule.code, format!("{} {found}", rule.code.sentence())),
            None => (fault.code, found),
        };
        let finding = Finding::new(code, sentence, fault.path, fault.at);
        self.found.push(((self.rule.map(|rule| rule.code), finding.pointer.clone(), code.id()), finding));
        if self.found.len() >= 4 * MAX_FINDINGS {
            self.shorten();
        }
        ControlFlow::Continue(())
    }
}

impl Collected {
    fn shorten(&mut self) {
        self.found.sort_by(|(one, _), (other, _)| one.cmp(other)); // stable: of equal ones the first stays first
        self.found.truncate(MAX_FINDINGS);
    }
}

fn shape_findings(schema: &'static Schema, value: &Json<'_>) -> Vec<Finding> {
    let mut collected = Collected { rule: None, found: Vec::new(), total: 0 };
    let _ = faults(schema, value, &Path::Root, &mut collected);
    for rule in schema.rules {
        collected.rule = Some(rule);
        if let Some(then) = demanded(rule, value) {
            let _ = faults(then, value, &Path::Root, &mut collected);
        }
    }
    collected.shorten();
    let more = collected.total - collected.found.len();
    let mut found: Vec<Finding> = collected.found.into_iter().map(|(_, finding)| finding).collect();
    if let (1.., Some(last)) = (more, found.last_mut()) {
        let more = text_with(notes::MORE_FINDINGS, &[("count", Given::Number(more as u64))]);
        last.sentence = format!("{} {more}", last.sentence);
    }
    found
}

/// Every keyword of a schema that refuses a value, the rules excepted.
fn faults<S: Sink>(schema: &'static Schema, value: &Json<'_>, path: &Path<'_>, sink: &mut S) -> ControlFlow<()> {
    let mut refuse = |code: Code, what: What<'_, '_>| sink.take(&Fault { code, path, at: value.at, what, also: 0 });
    if !schema.types.is_empty() && !schema.types.iter().any(|each| is_of_type(value, *each)) {
        refuse(Code::SchemaType, What::Type(value, schema.types))?;
    }
    if let Some(constant) = schema.constant
        && !equals(value, constant)
    {
        refuse(Code::SchemaConst, What::Constant(value, constant))?;
    }
    if !schema.options.is_empty() && !schema.options.iter().any(|each| equals(value, *each)) {
        refuse(Code::SchemaEnum, What::Options(value, schema.options))?;
    }
    if !schema.one_of.is_empty() && !schema.one_of.iter().any(|each| equals(value, *each)) {
        refuse(Code::SchemaOneOf, What::Options(value, schema.one_of))?;
    }
    if !schema.any_of.is_empty() && !schema.any_of.iter().any(|each| accepts(each.schema, value)) {
        refuse(Code::SchemaAnyOf, What::Alternatives(value, schema))?;
    }
    match &value.value {
        Value::Text(text) => broken(schema, text, |code, broken| refuse(code, What::Form(text, broken)))?,
        Value::Integer(integer) => bounds(
            schema,
            |bound| integer.compare(bound),
            |code, said, bound| refuse(code, What::Bound(value, said, bound)),
        )?,
        Value::Double(double) => bounds(
            schema,
            |bound| double.partial_cmp(&bound).unwrap_or(Ordering::Less),
            |code, said, bound| refuse(code, What::Bound(value, said, bound)),
        )?,
        Value::Array(items) => {
            size(
                items.len(),
                (schema.min_items, Code::SchemaMinItems, found::MIN_ITEMS),
                (schema.max_items, Code::SchemaMaxItems, found::MAX_ITEMS),
                |code, said, bound| refuse(code, What::Size(items.len(), said, bound)),
            )?;
            if schema.unique_items && has_repeated(items) {
                refuse(Code::SchemaUniqueItems, What::Repeated(value))?;
            }
            if let Some(inner) = schema.items {
                for (index, item) in items.iter().take(judged(items.len(), schema.max_items)).enumerate() {
                    faults(inner, item, &Path::Index(path, index), sink)?;
                }
            }
        }
        Value::Object(members) => {
            size(
                members.len(),
                // No schema but a rule's has the lower bound, and a rule has a code of its own.
                (schema.min_properties, Code::SchemaMaxProperties, found::MIN_PROPERTIES),
                (schema.max_properties, Code::SchemaMaxProperties, found::MAX_PROPERTIES),
                |code, said, bound| refuse(code, What::Size(members.len(), said, bound)),
            )?;
            of_members(schema, members, value.at, path, sink)?;
        }
        Value::Null | Value::Boolean(_) => {}
    }
    ControlFlow::Continue(())
}

/// The members of an object: which are missing, what each is, which must not be there.
fn of_members<S: Sink>(
    schema: &'static Schema,
    members: &[Member<'_>],
    at: u32,
    path: &Path<'_>,
    sink: &mut S,
) -> ControlFlow<()> {
    if matches!(schema.others, Others::Any) && schema.property_names.is_none() {
        return of_named(schema, members, at, path, sink);
    }
    let mut unknown: Vec<&Member<'_>> = Vec::new();
    let mut given = 0_u64; // the properties that are there, a bit each
    let judged = judged(members.len(), schema.max_properties);
    for (place, member) in members.iter().enumerate() {
        let (name, value) = member;
        let property = schema.properties.binary_search_by(|each| each.name.cmp(name));
        if let Ok(property) = property {
            given |= 1 << property;
        } else if matches!(schema.others, Others::Refused) {
            unknown.push(member);
        }
        if place >= judged {
            continue;
        }
        let inside = Path::Name(path, name);
        if let Some(form) = schema.property_names {
            broken(form, name, |_, broken| {
                let what = What::Name(name, broken);
                sink.take(&Fault { code: Code::SchemaPropertyNames, path: &inside, at: value.at, what, also: 0 })
            })?;
        }
        match (property, &schema.others) {
            (Ok(property), _) => faults(schema.properties[property].schema, value, &inside, sink)?,
            (Err(_), Others::Are(others)) => {
                let is_object = matches!(value.value, Value::Object(_));
                if !(is_object && name.len() > MAX_CHECKED_NAME && name.chars().count() > MAX_CHECKED_NAME) {
                    faults(others, value, &inside, sink)?;
                }
            }
            (Err(_), Others::Refused | Others::Any) => {}
        }
    }
    for name in schema.required {
        let is_given = match schema.properties.binary_search_by(|each| each.name.cmp(name)) {
            Ok(property) => given & 1 << property != 0,
            Err(_) => members.iter().any(|(each, _)| each == name),
        };
        if !is_given {
            sink.take(&Fault { code: Code::SchemaRequired, path, at, what: What::Missing(name), also: 0 })?;
        }
    }
    of_unknown(unknown, path, sink)
}

/// The same where only the members that the schema names count, as in a rule.
fn of_named<S: Sink>(
    schema: &'static Schema,
    members: &[Member<'_>],
    at: u32,
    path: &Path<'_>,
    sink: &mut S,
) -> ControlFlow<()> {
    let find = |name: &str| members.iter().find(|(each, _)| each == name);
    for property in schema.properties {
        if let Some((name, value)) = find(property.name) {
            faults(property.schema, value, &Path::Name(path, name), sink)?;
        }
    }
    for name in schema.required.iter().filter(|name| find(name).is_none()) {
        sink.take(&Fault { code: Code::SchemaRequired, path, at, what: What::Missing(name), also: 0 })?;
    }
    ControlFlow::Continue(())
}

/// The members that an object must not have: the first of them in the order of their pointers.
fn of_unknown<S: Sink>(mut unknown: Vec<&Member<'_>>, path: &Path<'_>, sink: &mut S) -> ControlFlow<()> {
    let more = unknown.len().saturating_sub(MAX_FINDINGS);
    if more > 0 {
        unknown.sort_by(|(one, _), (other, _)| escaped_step(one).cmp(&escaped_step(other)));
        unknown.truncate(MAX_FINDINGS);
    }
    for (place, (name, value)) in unknown.into_iter().enumerate() {
        let inside = Path::Name(path, name);
        let also = if place == 0 { more } else { 0 };
        let what = What::Unknown(name);
        sink.take(&Fault { code: Code::SchemaAdditionalProperties, path: &inside, at: value.at, what, also })?;
    }
    ControlFlow::Continue(())
}

/// A member name as a JSON pointer spells it.
fn escaped_step(name: &str) -> Cow<'_, str> {
    if name.contains(['~', '/']) {
        return Cow::Owned(name.replace('~', "~0").replace('/', "~1"));
    }
    Cow::Borrowed(name)
}

/// The keywords that refuse the form of a text.
fn broken(schema: &Schema, text: &str, mut refuse: impl FnMut(Code, Broken) -> ControlFlow<()>) -> ControlFlow<()> {
    if schema.min_length.is_some() || schema.max_length.is_some_and(|most| text.len() > most) {
        let length = text.chars().count();
        if let Some(least) = schema.min_length.filter(|least| length < *least) {
            refuse(Code::SchemaMinLength, Broken::Least(length, least))?;
        }
        if let Some(most) = schema.max_length.filter(|most| length > *most) {
            refuse(Code::SchemaMaxLength, Broken::Most(length, most))?;
        }
    }
    if let Some(form) = schema.form.filter(|form| !form.states.accept(text)) {
        refuse(Code::SchemaPattern, Broken::Pattern(form.title, form.example))?;
    }
    ControlFlow::Continue(())
}

/// The bounds that refuse a number, each with the word that a message has for it.
fn bounds(
    schema: &Schema,
    compare: impl Fn(f64) -> Ordering,
    mut refuse: impl FnMut(Code, &'static str, f64) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if let Some(bound) = schema.minimum.filter(|bound| compare(*bound).is_lt()) {
        refuse(Code::SchemaMinimum, found::MINIMUM, bound)?;
    }
    if let Some(bound) = schema.maximum.filter(|bound| compare(*bound).is_gt()) {
        refuse(Code::SchemaMaximum, found::MAXIMUM, bound)?;
    }
    if let Some(bound) = schema.exclusive_minimum.filter(|bound| compare(*bound).is_le()) {
        refuse(Code::SchemaExclusiveMinimum, found::EXCLUSIVE_MINIMUM, bound)?;
    }
    if let Some(bound) = schema.exclusive_maximum.filter(|bound| compare(*bound).is_ge()) {
        refuse(Code::SchemaExclusiveMaximum, found::EXCLUSIVE_MAXIMUM, bound)?;
    }
    ControlFlow::Continue(())
}

fn size(
    size: usize,
    (least, too_few, few): (Option<usize>, Code, &'static str),
    (most, too_many, many): (Option<usize>, Code, &'static str),
    mut refuse: impl FnMut(Code, &'static str, usize) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if let Some(least) = least.filter(|least| size < *least) {
        refuse(too_few, few, least)?;
    }
    if let Some(most) = most.filter(|most| size > *most) {
        refuse(too_many, many, most)?;
    }
    ControlFlow::Continue(())
}

fn judged(size: usize, most: Option<usize>) -> usize {
    match most {
        Some(most) if size > most => MAX_CHECKED_ITEMS.max(most + 1),
        _ => size,
    }
}

fn is_of_type(value: &Json<'_>, wanted: Type) -> bool {
    match &value.value {
        Value::Null => wanted == Type::Null,
        Value::Boolean(_) => wanted == Type::Boolean,
        Value::Integer(_) => matches!(wanted, Type::Integer | Type::Number),
        Value::Double(double) => wanted == Type::Number || (wanted == Type::Integer && is_whole(*double)),
        Value::Text(_) => wanted == Type::String,
        Value::Array(_) => wanted == Type::Array,
        Value::Object(_) => wanted == Type::Object,
    }
}

fn is_whole(double: f64) -> bool {
    double.trunc() == double
}

/// Equality with a constant; 1 and 1.0 are equal, 1 and true are not.
fn equals(value: &Json<'_>, constant: Scalar) -> bool {
    match (&value.value, constant) {
        (Value::Boolean(one), Scalar::Boolean(other)) => *one == other,
        (Value::Text(one), Scalar::Text(other)) => one == other,
        (Value::Integer(Integer::Small(one)), Scalar::Integer(other)) => *one == other,
        #[allow(clippy::cast_precision_loss)] // what a schema lists is within 53 bits
        (Value::Double(one), Scalar::Integer(other)) => *one == other as f64,
        _ => false,
    }
}

/// Whether two items are equal: numbers by value, objects without regard to order.
fn has_repeated(items: &[Json<'_>]) -> bool {
    let mut seen = HashSet::with_capacity(items.len());
    !items.iter().all(|item| {
        let mut key = String::new();
        write_key(&mut key, item);
        seen.insert(key)
    })
}

/// A text that equal JSON values share.
fn write_key(out: &mut String, value: &Json<'_>) {
    match &value.value {
        Value::Null => out.push('n'),
        Value::Boolean(value) => out.push(if *value { 't' } else { 'f' }),
        Value::Integer(integer) => write_integer(out, integer),
        Value::Double(double) if is_whole(*double) => {
            let _ = write!(out, "{:.0}", double + 0.0);
        }
        Value::Double(double) => {
            let _ = write!(out, "x{:x}", double.to_bits());
        }
        Value::Text(text) => write_text(out, text),
        Value::Array(items) => {
            out.push('[');
            for item in items {
                write_key(out, item);
                out.push(',');
            }
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            for (name, member) in sorted(members) {
                write_text(out, name);
                write_key(out, member);
                out.push(',');
            }
            out.push('}');
        }
    }
}

/// The names that are given twice, by the place of the first: for rules that want names to be unique.
pub(crate) fn repeated<'n>(
    names: impl Iterator<Item = (usize, &'n str)>,
) -> impl Iterator<Item = (usize, usize, &'n str)> {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    names.filter_map(move |(place, name)| {
        let first = *seen.entry(name).or_insert(place);
        (first != place).then_some((first, place, name))
    })
}

/// The kind that a value says it is, or what keeps it from saying so.
pub(crate) fn kind_of(value: &Json<'_>) -> Result<Kind, Finding> {
    const VERSION: &str = "schema_version";
    let versions: Vec<&str> = Kind::ALL.iter().map(|kind| kind.schema_version()).collect();
    let Some(members) = value.as_object() else {
        let place = ("place", Given::Text("the document"));
        let typed = sentences::typed(value);
        let values = [place, ("value", Given::Text(&typed)), ("expected", Given::Text("an object"))];
        return Err(Finding::new(Code::SchemaType, text_with(found::TYPE, &values), &Path::Root, value.at));
    };
    let Some(version) = value.get(VERSION) else {
        let missing = text_with(found::REQUIRED, &[("member", Given::Text(VERSION))]);
        let kinds = text_with(notes::KINDS, &[("versions", Given::Text(&versions.join(", ")))]);
        let sentence = format!("{missing} {kinds}{}", likely_mistake(members));
        return Err(Finding::new(Code::SchemaRequired, sentence, &Path::Root, value.at));
    };
    let named = version.as_str().and_then(Kind::of_schema_version);
    named.ok_or_else(|| {
        let known: Vec<String> = versions.iter().map(|version| shown_text(version)).collect();
        let (known, shown) = (known.join(" or "), shown(version));
        let values =
            [("place", Given::Text(VERSION)), ("value", Given::Text(&shown)), ("expected", Given::Text(&known))];
        let sentence = text_with(found::ENUM, &values);
        Finding::new(Code::SchemaEnum, sentence, &Path::Name(&Path::Root, VERSION), version.at)
    })
}

/// What an object without a kind may be instead of a document, as one more sentence; empty if there is no sign.
fn likely_mistake(members: &[Member<'_>]) -> String {
    for (name, member) in members {
        let version = member.get("schema_version").and_then(Json::as_str);
        if version.and_then(Kind::of_schema_version).is_some() {
            let shown = shown_text(name);
            return format!(" {}", text_with(notes::DOCUMENT_INSIDE, &[("member", Given::Text(&shown))]));
        }
    }
    let is_key = members.iter().any(|(name, _)| name == "private_key");
    if is_key { format!(" {}", notes::PRIVATE_KEY_FILE) } else { String::new() }
}
