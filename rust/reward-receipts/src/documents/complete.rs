//! A checked value as the text of the completed document: defaults filled in, members sorted, numbers typed, in
//! canonical form. What is completed here and how, the schema says.

use std::fmt::Write as _;

use crate::core::canonical::{sorted, write_double, write_integer, write_text};
use crate::core::value::{Json, Member, Value};
use crate::validation::schemas::{ANY, Default, Order, Others, Property, Schema, Type};

/// The canonical text of the completed document.
pub(crate) fn canonical_text(schema: &Schema, value: &Json<'_>) -> String {
    let mut out = String::with_capacity(2048);
    write(&mut out, schema, value);
    out
}

fn write(out: &mut String, schema: &Schema, value: &Json<'_>) {
    let schema = schema.any_of.first().map_or(schema, |form| form.schema);
    match &value.value {
        Value::Object(members) if !schema.properties.is_empty() => write_object(out, schema, members),
        Value::Object(members) => {
            out.push('{');
            for (place, (name, member)) in sorted(members).into_iter().enumerate() {
                separate(out, place > 0);
                write_text(out, name);
                out.push(':');
                match schema.others {
                    Others::Are(others) => write(out, others, member),
                    Others::Any | Others::Refused => write(out, &ANY_JSON, member),
                }
            }
            out.push('}');
        }
        Value::Array(items) => write_items(out, schema, items.iter()),
        Value::Integer(integer) => {
            if schema.types == [Type::Number] {
                write_double(out, integer.nearest_double());
            } else {
                write_integer(out, integer);
            }
        }
        Value::Double(double) => {
            if schema.types == [Type::Integer] {
                let _ = write!(out, "{:.0}", double + 0.0); // a whole double is that integer, -0.0 too
            } else {
                write_double(out, *double);
            }
        }
        Value::Text(text) => write_text(out, text),
        Value::Boolean(true) => out.push_str("true"),
        Value::Boolean(false) => out.push_str("false"),
        Value::Null => out.push_str("null"),
    }
}

/// Any JSON, in which every number is a double.
static ANY_JSON: Schema = Schema { types: &[Type::Number], items: Some(&ANY_JSON), ..ANY };

/// Properties are sorted by name, so that the canonical order is theirs.
fn write_object(out: &mut String, schema: &Schema, members: &[Member<'_>]) {
    out.push('{');
    let mut any = false;
    for property in schema.properties {
        let given = members.iter().find(|(name, _)| name == property.name).map(|(_, value)| value);
        if given.is_none() && property.default.is_none() {
            continue; // it has no default, and stays left out
        }
        separate(out, any);
        any = true;
        out.push('"');
        out.push_str(property.name);
        out.push_str("\":");
        match (given, property.default) {
            (Some(value), _) => write_member(out, property, value),
            (None, Some(default)) => write_default(out, property.schema, default),
            (None, None) => {}
        }
    }
    out.push('}');
}

fn write_member(out: &mut String, property: &Property, value: &Json<'_>) {
    match (&value.value, property.order) {
        (Value::Array(items), Order::Sorted | Order::SortedBy(_)) => {
            write_items(out, property.schema, in_order(items, property.order).into_iter());
        }
        _ => write(out, property.schema, value),
    }
}

fn write_items<'a, 't: 'a>(out: &mut String, schema: &Schema, items: impl Iterator<Item = &'a Json<'t>>) {
    out.push('[');
    for (place, item) in items.enumerate() {
        separate(out, place > 0);
        if let Some(inner) = schema.items {
            write(out, inner, item);
        }
    }
    out.push(']');
}

/// Items in the order of the completed document.
pub(crate) fn in_order<'a, 't>(items: &'a [Json<'t>], order: Order) -> Vec<&'a Json<'t>> {
    let mut ordered: Vec<&Json<'t>> = items.iter().collect();
    match order {
        Order::Kept => {}
        Order::Sorted => ordered.sort_by_key(|item| item.as_str()),
        Order::SortedBy(name) => ordered.sort_by_key(|item| item.get(name).and_then(Json::as_str)),
    }
    ordered
}

pub(crate) fn write_default(out: &mut String, schema: &Schema, default: Default) {
    match default {
        Default::Null => out.push_str("null"),
        Default::Number(number) => write_double(out, number),
        Default::Text(text) => write_text(out, text),
        Default::Object => write_object(out, schema, &[]),
        Default::Array => out.push_str("[]"),
    }
}

fn separate(out: &mut String, after_another: bool) {
    if after_another {
        out.push(',');
    }
}
