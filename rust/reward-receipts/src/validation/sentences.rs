//! What is wrong with a value, in words: what is there, and what is expected.

use std::borrow::Cow;

use crate::core::canonical::write_double;
use crate::core::codes::{Code, Given, text_with};
use crate::core::findings::{name_of, shown, shown_text};
use crate::core::value::{Json, Value};
use crate::generated::codes::{form, found};
use crate::validation::check::{Broken, Fault, What};
use crate::validation::schemas::{Scalar, Type};

/// The sentence of a fault.
pub(crate) fn of_fault(fault: &Fault<'_, '_>) -> String {
    let place = name_of(fault.path);
    let refused = |template: &str, values: &[(&str, &str)]| {
        let place = [("place", Given::Text(&place))];
        let values: Vec<_> = values.iter().map(|(name, value)| (*name, Given::Text(value))).chain(place).collect();
        text_with(template, &values)
    };
    let expected = |template: &str, value: &str, wanted: &[Cow<'_, str>]| {
        refused(template, &[("value", value), ("expected", &wanted.join(" or "))])
    };
    match &fault.what {
        What::Type(value, types) => {
            let wanted: Vec<Cow<'_, str>> = types.iter().map(|each| Cow::Borrowed(an(*each))).collect();
            expected(found::TYPE, &typed(value), &wanted)
        }
        What::Constant(value, constant) => expected(found::CONST, &shown(value), &[shown_scalar(*constant)]),
        What::Options(value, options) => {
            let wanted: Vec<Cow<'_, str>> = options.iter().map(|each| shown_scalar(*each)).collect();
            expected(if fault.code == Code::SchemaOneOf { found::ONE_OF } else { found::ENUM }, &shown(value), &wanted)
        }
        What::Alternatives(value, schema) => {
            let wanted: Vec<Cow<'_, str>> = schema.any_of.iter().map(|each| Cow::Borrowed(each.name)).collect();
            expected(found::ANY_OF, &shown(value), &wanted)
        }
        What::Form(text, broken) => {
            let template = match broken {
                Broken::Least(..) => found::MIN_LENGTH,
                Broken::Most(..) => found::MAX_LENGTH,
                Broken::Pattern(..) => found::PATTERN,
            };
            refused(template, &[("value", &shown_text(text)), ("form", &of_broken(*broken))])
        }
        What::Name(text, broken) => {
            refused(found::PROPERTY_NAMES, &[("member", &shown_text(text)), ("form", &of_broken(*broken))])
        }
        What::Bound(value, template, bound) => {
            refused(template, &[("value", &shown(value)), ("limit", &shown_bound(*bound))])
        }
        What::Size(size, template, limit) => {
            refused(template, &[("size", &size.to_string()), ("limit", &limit.to_string())])
        }
        What::Repeated(value) => refused(found::UNIQUE_ITEMS, &[("value", &shown(value))]),
        What::Missing(member) => refused(found::REQUIRED, &[("member", member)]),
        What::Unknown(member) => refused(found::ADDITIONAL_PROPERTIES, &[("member", &shown_text(member))]),
    }
}

/// A value with its type, as a message names it if another type is expected.
pub(crate) fn typed(value: &Json<'_>) -> String {
    let kind = match value.value {
        Value::Null => return "null".to_owned(),
        Value::Array(_) => return "an array".to_owned(),
        Value::Object(_) => return "an object".to_owned(),
        Value::Boolean(_) => "boolean",
        Value::Integer(_) => "integer",
        Value::Double(_) => "number",
        Value::Text(_) => "string",
    };
    format!("the {kind} {}", shown(value))
}

fn of_broken(broken: Broken) -> String {
    let number = |number: usize| Given::Number(number as u64);
    match broken {
        Broken::Least(size, limit) => text_with(form::MIN_LENGTH, &[("size", number(size)), ("limit", number(limit))]),
        Broken::Most(size, limit) => text_with(form::MAX_LENGTH, &[("size", number(size)), ("limit", number(limit))]),
        Broken::Pattern(title, example) => {
            text_with(form::PATTERN, &[("type", Given::Text(title)), ("example", Given::Text(example))])
        }
    }
}

fn shown_scalar(scalar: Scalar) -> Cow<'static, str> {
    match scalar {
        Scalar::Boolean(value) => Cow::Borrowed(if value { "true" } else { "false" }),
        Scalar::Integer(value) => Cow::Owned(value.to_string()),
        Scalar::Text(text) => Cow::Owned(shown_text(text)),
    }
}

fn shown_bound(bound: f64) -> String {
    let mut out = String::new();
    if bound.trunc() == bound {
        return format!("{bound:.0}"); // as the schemas write it
    }
    write_double(&mut out, bound);
    out
}

fn an(wanted: Type) -> &'static str {
    match wanted {
        Type::Array => "an array",
        Type::Boolean => "a boolean",
        Type::Integer => "an integer",
        Type::Null => "null",
        Type::Number => "a number",
        Type::Object => "an object",
        Type::String => "a string",
    }
}
