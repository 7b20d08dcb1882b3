//! What a schema expects, in the form in which a decoder can use it at once. Worked out once, from the static tables.

use std::sync::OnceLock;

use crate::documents::complete::write_default;
use crate::documents::direct::decode::Slot;
use crate::documents::kind::Kind;
use crate::validation::check::Checked;
use crate::validation::schemas::{ANY, Default, Form, Order, Others, Rule, Scalar, Schema, States, Type};

/// The plan of a kind's documents; `None` if its schema says more than a plan can.
pub(crate) fn of(kind: Kind) -> Option<&'static Object> {
    static CONTRACT: OnceLock<Option<Object>> = OnceLock::new();
    static CERTIFICATE: OnceLock<Option<Object>> = OnceLock::new();
    static RECEIPT: OnceLock<Option<Object>> = OnceLock::new();
    let plan = match kind {
        Kind::Contract => &CONTRACT,
        Kind::Certificate => &CERTIFICATE,
        Kind::Receipt => &RECEIPT,
    };
    plan.get_or_init(|| object(Checked::Document(kind).schema())).as_ref()
}

/// What a value is expected to be.
pub(crate) enum Plan {
    Text(Matcher),
    /// One of some constants, all of them texts or all of them integers.
    Choice(Vec<Choice>),
    Boolean,
    Integer {
        least: u64,
        most: u64,
    },
    Number(Bounds),
    /// Null, or something else.
    Nullable(Box<Plan>),
    Object(Object),
    /// An object of any names of a form.
    Map {
        name: Matcher,
        value: Bounds,
        most: usize,
    },
    Array {
        item: Box<Plan>,
        least: usize,
        most: usize,
        unique: bool,
        order: Sorting,
    },
}

impl Plan {
    /// The constant that a slot of this plan stands for.
    pub(crate) fn choice(&self, slot: Slot<'_>) -> Option<Scalar> {
        match (self, slot) {
            (Self::Nullable(inner), _) => inner.choice(slot),
            (Self::Choice(choices), Slot::Choice(place)) => choices.get(usize::from(place)).map(|choice| choice.value),
            _ => None,
        }
    }
}

/// The order of an array in the completed document.
#[derive(Clone, Copy)]
pub(crate) enum Sorting {
    Kept,
    /// Of texts.
    Texts,
    /// Of objects, by the text of the member at a place.
    By(usize),
}

/// A constant: a text or an integer.
pub(crate) struct Choice {
    pub(crate) value: Scalar,
    pub(crate) canonical: String,
}

#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    least: f64,
    most: f64,
    above: f64,
    below: f64,
}

impl Bounds {
    fn of(schema: &Schema) -> Self {
        Self {
            least: schema.minimum.unwrap_or(f64::NEG_INFINITY),
            most: schema.maximum.unwrap_or(f64::INFINITY),
            above: schema.exclusive_minimum.unwrap_or(f64::NEG_INFINITY),
            below: schema.exclusive_maximum.unwrap_or(f64::INFINITY),
        }
    }

    pub(crate) fn admit(&self, value: f64) -> bool {
        self.least <= value && value <= self.most && self.above < value && value < self.below
    }
}

/// An object whose members the schema names.
pub(crate) struct Object {
    /// Sorted by name.
    pub(crate) fields: Vec<Field>,
    names: Names,
    /// The fields that have to be there, a bit each.
    pub(crate) required: u64,
    pub(crate) rules: Vec<PlannedRule>,
}

pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) plan: Plan,
    /// `"name":`, with a comma before it after the first.
    pub(crate) key: String,
    /// The canonical text of what a left-out member is.
    pub(crate) default: String,
}

impl Object {
    /// The place of the field whose name is the text at an offset up to a quote, and the offset after that.
    pub(crate) fn field_at(&self, bytes: &[u8], at: usize) -> Option<(usize, usize)> {
        let rest = bytes.get(at..)?;
        let place = self.names.find(rest)?;
        let name = self.fields.get(place)?.name.as_bytes();
        let end = at + name.len();
        (begins_with(rest, name) && bytes.get(end) == Some(&b'"')).then_some((place, end + 1))
    }

    pub(crate) fn place(&self, name: &str) -> Option<usize> {
        self.fields.binary_search_by(|each| each.name.cmp(name)).ok()
    }
}

/// Finds a name by its first eight bytes and its length.
struct Names {
    seed: u64,
    /// Places of fields by hash; 255 for none.
    places: [u8; 128],
}

impl Names {
    fn of(names: &[&str]) -> Option<Self> {
        'seeds: for seed in (1_u64..4096).map(|each| each.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1) {
            let mut places = [u8::MAX; 128];
            for (place, name) in names.iter().enumerate() {
                let hash = hash(seed, beginning(name.as_bytes()), name.len());
                if places[hash] != u8::MAX {
                    continue 'seeds;
                }
                places[hash] = u8::try_from(place).ok()?;
            }
            return Some(Self { seed, places });
        }
        None
    }

    fn find(&self, rest: &[u8]) -> Option<usize> {
        let length = quote_in(rest)?;
        let place = self.places[hash(self.seed, beginning(&rest[..length]), length)];
        (place != u8::MAX).then_some(usize::from(place))
    }
}

fn hash(seed: u64, beginning: u64, length: usize) -> usize {
    ((beginning ^ length as u64).wrapping_mul(seed) >> 57) as usize
}

/// The first eight bytes as a number, zeros for those that are not there.
fn beginning(bytes: &[u8]) -> u64 {
    match bytes.first_chunk::<8>() {
        Some(eight) => u64::from_le_bytes(*eight),
        None => bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    }
}

/// Whether bytes begin with a name. Names are short: a call of the library's comparison costs more than this.
#[inline]
pub(crate) fn begins_with(bytes: &[u8], name: &[u8]) -> bool {
    let Some(bytes) = bytes.get(..name.len()) else { return false };
    let (Some(last), Some(last_of_name)) = (bytes.last_chunk::<8>(), name.last_chunk::<8>()) else {
        return bytes.iter().zip(name).all(|(one, other)| one == other);
    };
    let word = |chunk: &[u8]| chunk.first_chunk::<8>().map(|eight| u64::from_le_bytes(*eight));
    let whole = bytes.chunks_exact(8).zip(name.chunks_exact(8));
    whole.fold(last == last_of_name, |same, (one, other)| same & (word(one) == word(other)))
}

/// Where the first quote is.
fn quote_in(bytes: &[u8]) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const QUOTE: u64 = 0x22;
    let mut at = 0;
    while let Some(eight) = bytes[at..].first_chunk::<8>() {
        let word = u64::from_le_bytes(*eight) ^ (ONES * QUOTE);
        let zeros = word.wrapping_sub(ONES) & !word & ONES << 7;
        if zeros != 0 {
            return Some(at + (zeros.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    bytes[at..].iter().position(|byte| *byte == b'"').map(|place| at + place)
}

/// The form of a text, of which no character needs an escape.
pub(crate) enum Matcher {
    /// One class of bytes after the other.
    Runs {
        prefix: Vec<u8>,
        runs: Vec<Run>,
    },
    States {
        states: &'static States,
        least: usize,
        most: usize,
    },
}

pub(crate) struct Run {
    class: Box<[bool; 256]>,
    /// The same as ranges, each a first byte and how many follow; `None` if there are too many.
    ranges: Option<[(u8, u8); 4]>,
    count: usize,
    /// Whether all of its bytes have to be there.
    whole: bool,
}

impl Run {
    fn new(class: [bool; 256], whole: bool) -> Self {
        let mut ranges = [(0, 0); 4];
        let mut found = 0;
        let mut byte = 0;
        while let Some(start) = (byte..256).find(|byte| class[*byte]) {
            let end = (start..256).find(|byte| !class[*byte]).unwrap_or(256);
            if found < ranges.len() {
                #[allow(clippy::cast_possible_truncation)]
                let range = (start as u8, (end - 1 - start) as u8);
                ranges[found..].fill(range); // what is left over repeats the last
            }
            found += 1;
            byte = end;
        }
        Self { class: Box::new(class), ranges: (found <= ranges.len()).then_some(ranges), count: 1, whole }
    }

    /// Whether all bytes are of the class.
    fn admits(&self, bytes: &[u8]) -> bool {
        let Some(ranges) = self.ranges else { return bytes.iter().all(|byte| self.class[usize::from(*byte)]) };
        // Without a way out in between, many bytes are compared in one instruction.
        let admits =
            |byte: u8| ranges.iter().fold(false, |any, (start, length)| any | (byte.wrapping_sub(*start) <= *length));
        bytes.iter().fold(true, |all, byte| all & admits(*byte))
    }
}

impl Matcher {
    fn of(schema: &Schema, form: &'static Form) -> Option<Self> {
        if (0..=u8::MAX).any(|byte| form.states.classes[usize::from(byte)] != 0 && !is_plain(byte)) {
            return None;
        }
        let general = || Self::States {
            states: form.states,
            least: schema.min_length.unwrap_or(0),
            most: schema.max_length.unwrap_or(usize::MAX),
        };
        Some(Self::runs(schema, form.states).unwrap_or_else(general))
    }

    /// The form as runs of classes, if each state of its machine has one way on.
    fn runs(schema: &Schema, states: &'static States) -> Option<Self> {
        let count = states.next.len() / states.width;
        let (mut state, mut steps, mut least) = (states.start, Vec::new(), None);
        while steps.len() <= count {
            if state >= states.first_accepting {
                least = least.or(Some(steps.len()));
            } else if least.is_some() {
                return None;
            }
            let ways = &states.next[usize::from(state) * states.width..][..states.width];
            let Some(next) = ways.iter().copied().find(|next| *next != 0) else { break };
            if ways.iter().any(|each| *each != 0 && *each != next) {
                return None;
            }
            let class: [bool; 256] = std::array::from_fn(|byte| ways[usize::from(states.classes[byte])] != 0);
            steps.push(class);
            state = next;
        }
        if steps.len() > count {
            return None; // it goes round
        }
        let least = least?.max(schema.min_length.unwrap_or(0));
        let most = steps.len().min(schema.max_length.unwrap_or(usize::MAX));
        steps.truncate(most);
        let single = |class: &[bool; 256]| class.iter().filter(|each| **each).count() == 1;
        let fixed = steps.iter().take(least).take_while(|class| single(class)).count();
        let prefix = steps[..fixed].iter().filter_map(|class| class.iter().position(|each| *each));
        let prefix = prefix.map(|byte| u8::try_from(byte).unwrap_or_default()).collect();
        let mut runs: Vec<Run> = Vec::new();
        for (place, class) in steps.iter().enumerate().skip(fixed) {
            let whole = place < least;
            match runs.last_mut() {
                Some(run) if *run.class == *class && run.whole == whole => run.count += 1,
                _ => runs.push(Run::new(*class, whole)),
            }
        }
        Some(Self::Runs { prefix, runs })
    }

    /// Where the text at an offset ends, if it has the form up to there.
    #[inline]
    pub(crate) fn end(&self, bytes: &[u8], start: usize) -> Option<usize> {
        match self {
            Self::Runs { prefix, runs } => {
                if !begins_with(bytes.get(start..)?, prefix) {
                    return None;
                }
                let mut at = start + prefix.len();
                for run in runs {
                    if run.whole {
                        if !run.admits(bytes.get(at..at + run.count)?) {
                            return None;
                        }
                        at += run.count;
                        continue;
                    }
                    let rest = bytes.get(at..)?;
                    let most = &rest[..rest.len().min(run.count)];
                    let found = most.iter().position(|byte| !run.class[usize::from(*byte)]).unwrap_or(most.len());
                    at += found;
                    if found < run.count {
                        break;
                    }
                }
                Some(at)
            }
            Self::States { states, least, most } => {
                let length = quote_in(bytes.get(start..)?)?;
                let text = std::str::from_utf8(&bytes[start..start + length]).ok()?;
                let is_long = (*least..=*most).contains(&length); // of a text in ASCII, as all of its forms are
                (is_long && states.accept(text)).then_some(start + length)
            }
        }
    }
}

/// A rule: for some values of one member, what others have to be.
pub(crate) struct PlannedRule {
    pub(crate) place: usize,
    /// The first case that has the value decides.
    pub(crate) cases: Vec<PlannedCase>,
}

pub(crate) struct PlannedCase {
    /// The choices of the member, a bit each.
    pub(crate) values: u64,
    pub(crate) demands: Vec<Demand>,
}

/// What a rule demands of a member.
pub(crate) struct Demand {
    pub(crate) place: usize,
    pub(crate) required: bool,
    /// The choices that it may have, a bit each; all of them if it is not a choice.
    pub(crate) choices: u64,
    pub(crate) types: &'static [Type],
    pub(crate) bounds: Bounds,
    pub(crate) least: usize,
    pub(crate) most: usize,
}

/// The keywords of a schema, a bit each. A new one does not compile before it has its bit.
fn keywords(schema: &Schema) -> u32 {
    let Schema {
        types: _, // each plan looks at them itself
        constant,
        options,
        one_of,
        any_of,
        form,
        min_length,
        max_length,
        minimum,
        maximum,
        exclusive_minimum,
        exclusive_maximum,
        items,
        min_items,
        max_items,
        unique_items,
        properties,
        required,
        others,
        property_names,
        min_properties,
        max_properties,
        rules,
    } = schema;
    let used = [
        (CONSTANT, constant.is_some()),
        (OPTIONS, !options.is_empty()),
        (ONE_OF, !one_of.is_empty()),
        (ANY_OF, !any_of.is_empty()),
        (FORM, form.is_some()),
        (LENGTH, min_length.is_some() || max_length.is_some()),
        (BOUNDS, [minimum, maximum, exclusive_minimum, exclusive_maximum].iter().any(|bound| bound.is_some())),
        (ITEMS, items.is_some() || min_items.is_some() || max_items.is_some() || *unique_items),
        (MEMBERS, !properties.is_empty() || !required.is_empty()),
        (OTHERS, !matches!(others, Others::Any)),
        (NAMES, property_names.is_some()),
        (SIZE, min_properties.is_some() || max_properties.is_some()),
        (RULES, !rules.is_empty()),
    ];
    used.iter().filter(|(_, is_used)| *is_used).fold(0, |all, (keyword, _)| all | keyword)
}

const CONSTANT: u32 = 1;
const OPTIONS: u32 = 1 << 1;
const ONE_OF: u32 = 1 << 2;
const ANY_OF: u32 = 1 << 3;
const FORM: u32 = 1 << 4;
const LENGTH: u32 = 1 << 5;
const BOUNDS: u32 = 1 << 6;
const ITEMS: u32 = 1 << 7;
const MEMBERS: u32 = 1 << 8;
const OTHERS: u32 = 1 << 9;
const NAMES: u32 = 1 << 10;
const SIZE: u32 = 1 << 11;
const RULES: u32 = 1 << 12;

fn plan(schema: &'static Schema, order: Order) -> Option<Plan> {
    let used = keywords(schema);
    let only = |allowed: u32| (used & !allowed == 0).then_some(());
    if used & ANY_OF != 0 {
        only(ANY_OF)?;
        let [form, null] = schema.any_of else { return None };
        if !schema.types.is_empty() || null.schema.types != [Type::Null] || keywords(null.schema) != 0 {
            return None;
        }
        return Some(Plan::Nullable(Box::new(plan(form.schema, Order::Kept)?)));
    }
    match schema.types {
        [Type::String] if used & FORM != 0 => {
            only(FORM | LENGTH)?;
            Some(Plan::Text(Matcher::of(schema, schema.form?)?))
        }
        [Type::String | Type::Integer] if used & (CONSTANT | OPTIONS | ONE_OF) != 0 => {
            only(CONSTANT | OPTIONS | ONE_OF)?;
            choices(schema)
        }
        [Type::Boolean] => {
            only(0)?;
            Some(Plan::Boolean)
        }
        [Type::Integer] => {
            only(BOUNDS)?;
            // A bound that is not a whole number of 53 bits, or that is exclusive, no document has.
            let whole = |bound: f64| (bound.trunc() == bound && (0.0..9.1e15).contains(&bound)).then_some(bound);
            if schema.exclusive_minimum.is_some() || schema.exclusive_maximum.is_some() {
                return None;
            }
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            Some(Plan::Integer { least: whole(schema.minimum?)? as u64, most: whole(schema.maximum?)? as u64 })
        }
        [Type::Number] => {
            only(BOUNDS)?;
            Some(Plan::Number(Bounds::of(schema)))
        }
        [Type::Object] if used & MEMBERS != 0 => object(schema).map(Plan::Object),
        [Type::Object] => {
            only(OTHERS | NAMES | SIZE)?;
            let (Others::Are(value), Some(name), None) = (&schema.others, schema.property_names, schema.min_properties)
            else {
                return None;
            };
            let (Plan::Text(name), Plan::Number(value)) = (plan(name, Order::Kept)?, plan(value, Order::Kept)?) else {
                return None;
            };
            Some(Plan::Map { name, value, most: schema.max_properties? })
        }
        [Type::Array] => {
            only(ITEMS)?;
            let item = plan(schema.items?, Order::Kept)?;
            let order = match (order, &item) {
                (Order::Kept, _) => Sorting::Kept,
                (Order::Sorted, Plan::Text(_)) => Sorting::Texts,
                (Order::SortedBy(name), Plan::Object(object)) => Sorting::By(object.place(name)?),
                _ => return None,
            };
            if schema.unique_items && !matches!(order, Sorting::Texts) {
                return None; // repeats are looked for among neighbours
            }
            let (least, most) = (schema.min_items.unwrap_or(0), schema.max_items?);
            Some(Plan::Array { item: Box::new(item), least, most, unique: schema.unique_items, order })
        }
        _ => None,
    }
}

fn choices(schema: &'static Schema) -> Option<Plan> {
    let constant = schema.constant.as_slice();
    let lists = [constant, schema.options, schema.one_of];
    let mut given = lists.iter().filter(|list| !list.is_empty());
    let (Some(list), None) = (given.next(), given.next()) else { return None };
    let choices: Option<Vec<Choice>> = list
        .iter()
        .map(|each| match (each, schema.types) {
            (Scalar::Text(text), [Type::String]) if text.bytes().all(is_plain) => {
                Some(Choice { value: *each, canonical: format!("\"{text}\"") })
            }
            (Scalar::Integer(number @ 0..), [Type::Integer]) => {
                Some(Choice { value: *each, canonical: number.to_string() })
            }
            _ => None,
        })
        .collect();
    choices.filter(|choices| choices.len() <= 64).map(Plan::Choice)
}

/// Whether a byte stands for itself in a canonical text.
pub(crate) fn is_plain(byte: u8) -> bool {
    matches!(byte, b' ' | b'!' | b'#'..=b'[' | b']'..=b'~')
}

fn object(schema: &'static Schema) -> Option<Object> {
    if keywords(schema) & !(MEMBERS | OTHERS | RULES) != 0
        || !matches!(schema.others, Others::Refused)
        || schema.types != [Type::Object]
        || schema.properties.len() > 64
    {
        return None;
    }
    let mut fields = Vec::with_capacity(schema.properties.len());
    for (place, property) in schema.properties.iter().enumerate() {
        let default = match (property.default, schema.required.contains(&property.name)) {
            (_, true) => String::new(),
            (Some(default), false) => default_text(property.schema, default),
            (None, false) => return None, // it stays left out
        };
        let comma = if place > 0 { "," } else { "" };
        let key = format!("{comma}\"{}\":", property.name);
        fields.push(Field { name: property.name, plan: plan(property.schema, property.order)?, key, default });
    }
    let names = Names::of(&fields.iter().map(|field| field.name).collect::<Vec<_>>())?;
    let mut object = Object { fields, names, required: 0, rules: Vec::new() };
    for name in schema.required {
        object.required |= 1 << object.place(name)?;
    }
    object.rules = schema.rules.iter().map(|rule| planned_rule(&object, rule)).collect::<Option<_>>()?;
    Some(object)
}

fn default_text(schema: &Schema, default: Default) -> String {
    let mut text = String::new();
    write_default(&mut text, schema, default);
    text
}

fn planned_rule(object: &Object, rule: &'static Rule) -> Option<PlannedRule> {
    let place = object.place(rule.member)?;
    let asked = &object.fields[place].plan;
    let cases = rule.cases.iter().map(|case| {
        let values = choices_among(asked, case.values)?;
        if keywords(case.then) & !MEMBERS != 0 || !case.then.types.is_empty() {
            return None;
        }
        let named = case.then.properties.iter();
        let demands = named.map(|property| {
            let required = case.then.required.contains(&property.name);
            demand(object, property.name, property.schema, required)
        });
        let is_property = |name: &&str| case.then.properties.iter().any(|property| property.name == *name);
        let others = case.then.required.iter().filter(|name| !is_property(name));
        let others = others.map(|name| demand(object, name, &ANY, true));
        Some(PlannedCase { values, demands: demands.chain(others).collect::<Option<_>>()? })
    });
    Some(PlannedRule { place, cases: cases.collect::<Option<_>>()? })
}

fn demand(object: &Object, name: &str, schema: &'static Schema, required: bool) -> Option<Demand> {
    let place = object.place(name)?;
    if keywords(schema) & !(OPTIONS | BOUNDS | SIZE) != 0 {
        return None;
    }
    let choices = match schema.options {
        [] => u64::MAX,
        options => choices_among(&object.fields[place].plan, options)?,
    };
    Some(Demand {
        place,
        required,
        choices,
        types: schema.types,
        bounds: Bounds::of(schema),
        least: schema.min_properties.unwrap_or(0),
        most: schema.max_properties.unwrap_or(usize::MAX),
    })
}

/// Which of the choices of a member are among some constants, a bit each. A constant that it never has says nothing.
fn choices_among(plan: &Plan, constants: &[Scalar]) -> Option<u64> {
    let bits = |values: &mut dyn Iterator<Item = Scalar>| {
        values.enumerate().fold(0, |all, (place, value)| all | (u64::from(constants.contains(&value)) << place))
    };
    match plan {
        Plan::Choice(choices) => Some(bits(&mut choices.iter().map(|choice| choice.value))),
        Plan::Boolean => Some(bits(&mut [false, true].into_iter().map(Scalar::Boolean))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_plan() {
        for kind in Kind::ALL {
            assert!(of(*kind).is_some(), "{kind}");
        }
    }
}
