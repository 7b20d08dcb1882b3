//! Rules of a reward spec that JSON Schema cannot say. Each looks only where the shape is right.
//!
//! A rule gives its first findings, a sentence lists its first names, and `... (N more)` in place of the next.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap, HashSet};

use crate::core::codes::{Code, Given};
use crate::core::findings::{Finding, Path, shown, shown_text};
use crate::core::value::{Json, Value};
use crate::generated::schemas::REWARD_SPEC;
use crate::generated::tables::{MAX_LISTED_NAMES, MAX_SPEC_FINDINGS};
use crate::validation::check::repeated;

const COMPONENTS: Path<'static> = Path::Name(&Path::Root, "components");
const GATES: Path<'static> = Path::Name(&Path::Root, "gates");

type Part<'s, 't> = (usize, &'s Json<'t>);

/// Every rule that a value breaks as a reward spec, in the order of the codes.
pub(crate) fn findings(spec: &Json<'_>, found: &mut Vec<Finding>) {
    let components = objects(spec, "components");
    let gates = objects(spec, "gates");
    names_unique(&components, found);
    clips_ordered(&components, found);
    gate_names_known(&components, &gates, found);
    gates_acyclic(&gates, found);
}

/// Names as a sentence lists them: the first of them, and how many more there are.
pub(crate) fn listed<'n>(names: impl ExactSizeIterator<Item = &'n str>, between: &str) -> String {
    let more = names.len().saturating_sub(MAX_LISTED_NAMES);
    let mut words: Vec<String> = names.take(MAX_LISTED_NAMES).map(shown_text).collect();
    if more > 0 {
        words.push(format!("... ({more} more)"));
    }
    words.join(between)
}

fn objects<'s, 't>(spec: &'s Json<'t>, name: &str) -> Vec<Part<'s, 't>> {
    let items = spec.get(name).and_then(Json::items).unwrap_or_default();
    let parts = items.iter().take(most_parts()).enumerate();
    parts.filter(|(_, item)| item.as_object().is_some()).collect()
}

/// How many components, and how many gates, are checked: one more than a spec can have gates.
fn most_parts() -> usize {
    let gates = REWARD_SPEC.properties.iter().find(|property| property.name == "gates");
    1 + gates.and_then(|property| property.schema.max_items).unwrap_or(0)
}

fn named<'s>(part: &'s Json<'_>, member: &str) -> Option<&'s str> {
    part.get(member).and_then(Json::as_str)
}

/// The name of a term: its `name`, or its `type` if it has none; `None` for what is not a text.
fn term_name<'s>(component: &'s Json<'_>) -> Option<&'s str> {
    component.get("name").or_else(|| component.get("type")).and_then(Json::as_str)
}

fn place(part: &Json<'_>, member: &str) -> u32 {
    part.get(member).map_or(part.at, |value| value.at)
}

fn names_unique(components: &[Part<'_, '_>], found: &mut Vec<Finding>) {
    let code = Code::SpecComponentTypesUnique;
    let names = components.iter().filter_map(|(index, component)| term_name(component).map(|name| (*index, name)));
    for (first, index, name) in repeated(names).take(MAX_SPEC_FINDINGS) {
        let shown = shown_text(name);
        let sentence = code.broken(&[("name", Given::Text(&shown)), ("first", Given::Number(first as u64))]);
        let part = Path::Index(&COMPONENTS, index);
        let component = components.iter().find(|(each, _)| *each == index).map(|(_, component)| component);
        let member = if component.is_some_and(|each| each.get("name").is_some()) { "name" } else { "type" };
        let at = component.map_or(0, |each| place(each, member));
        found.push(Finding::new(code, sentence, &Path::Name(&part, member), at));
    }
}

fn clips_ordered(components: &[Part<'_, '_>], found: &mut Vec<Finding>) {
    let code = Code::SpecClipOrdered;
    let crossed = components.iter().filter_map(|(index, component)| {
        let clip = component.get("clip")?;
        match clip.items()? {
            [low, high] if compare(low, high)?.is_gt() => Some((*index, clip, low, high)),
            _ => None,
        }
    });
    for (index, clip, low, high) in crossed.take(MAX_SPEC_FINDINGS) {
        let (first, second) = (shown(low), shown(high));
        let sentence = code.broken(&[("first", Given::Text(&first)), ("second", Given::Text(&second))]);
        let part = Path::Index(&COMPONENTS, index);
        found.push(Finding::new(code, sentence, &Path::Name(&part, "clip"), clip.at));
    }
}

/// How two numbers compare, exactly; `None` for what is not a number.
fn compare(one: &Json<'_>, other: &Json<'_>) -> Option<Ordering> {
    match (&one.value, &other.value) {
        (Value::Double(one), Value::Double(other)) => one.partial_cmp(other),
        (Value::Integer(one), Value::Integer(other)) => Some(one.compare_integer(other)),
        (Value::Integer(one), Value::Double(other)) => Some(one.compare(*other)),
        (Value::Double(one), Value::Integer(other)) => Some(other.compare(*one).reverse()),
        _ => None,
    }
}

fn gate_names_known(components: &[Part<'_, '_>], gates: &[Part<'_, '_>], found: &mut Vec<Finding>) {
    let code = Code::SpecGateNamesKnown;
    let names: Vec<&str> = components.iter().filter_map(|(_, component)| term_name(component)).collect();
    let known: HashSet<&str> = names.iter().copied().collect();
    let unknown = gates.iter().flat_map(|(index, gate)| {
        let ends = ["component", "requires"].into_iter();
        ends.filter_map(|end| named(gate, end).map(|name| (*index, *gate, end, name)))
    });
    for (index, gate, end, name) in unknown.filter(|(.., name)| !known.contains(name)).take(MAX_SPEC_FINDINGS) {
        let (shown, known) = (shown_text(name), listed(names.iter().copied(), ", "));
        let sentence = code.broken(&[("name", Given::Text(&shown)), ("known", Given::Text(&known))]);
        let part = Path::Index(&GATES, index);
        found.push(Finding::new(code, sentence, &Path::Name(&part, end), place(gate, end)));
    }
}

/// Each gate that closes a cycle with those before it.
fn gates_acyclic(gates: &[Part<'_, '_>], found: &mut Vec<Finding>) {
    let code = Code::SpecGatesAcyclic;
    let mut needs: HashMap<&str, BTreeSet<&str>> = HashMap::new();
    let mut count = 0;
    for (index, gate) in gates {
        let (Some(term), Some(need)) = (named(gate, "component"), named(gate, "requires")) else { continue };
        let Some(way) = way(&needs, need, term) else {
            needs.entry(term).or_default().insert(need);
            continue;
        };
        let names: Vec<&str> = std::iter::once(term).chain(way).collect();
        let cycle = listed(names.into_iter(), " requires ");
        let sentence = code.broken(&[("cycle", Given::Text(&cycle))]);
        found.push(Finding::new(code, sentence, &Path::Index(&GATES, *index), gate.at));
        count += 1;
        if count == MAX_SPEC_FINDINGS {
            return;
        }
    }
}

/// A way along gates from one term to another, both included.
fn way<'n>(needs: &HashMap<&'n str, BTreeSet<&'n str>>, start: &'n str, end: &str) -> Option<Vec<&'n str>> {
    let mut came_from: HashMap<&str, Option<&'n str>> = HashMap::from([(start, None)]);
    let mut open = vec![start];
    while let Some(name) = open.pop() {
        if name == end {
            let mut way = vec![name];
            while let Some(Some(before)) = way.last().and_then(|each| came_from.get(each)) {
                way.push(before);
            }
            way.reverse();
            return Some(way);
        }
        // Sorted, so that of several ways the same one is named whatever the order of the gates.
        for following in needs.get(name).into_iter().flatten() {
            if !came_from.contains_key(following) {
                came_from.insert(following, Some(name));
                open.push(following);
            }
        }
    }
    None
}

/// The terms so that each comes after all that its gates require, else in the given order.
pub(crate) fn gate_order(needs: &[Vec<usize>]) -> Vec<usize> {
    let mut waiting: Vec<usize> = (0..needs.len()).collect();
    let mut order = Vec::with_capacity(needs.len());
    while let Some(place) = waiting.iter().position(|each| !needs[*each].iter().any(|need| waiting.contains(need))) {
        order.push(waiting.remove(place));
    }
    order
}
