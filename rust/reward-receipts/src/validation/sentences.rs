//! What is wrong with a value, in words: what is there, and what is expected.

use std::borrow::Cow;

use crate::core::canonical::write_double;
use crate::core::codes::Code;
use crate::core::findings::{name_of, shown, shown_text};
use crate::core::value::{Json, Value};
use crate::validation::check::{Broken, Fault, What};
use crate::validation::schemas::{Scalar, Schema, Type};

/// The sentence of a fault.
pub(crate) fn of_fault(fault: &Fault<'_, '_>) -> String {
    let name = || name_of(fault.path);
    match &fault.what {
        What::Type(value, types) => {
            let wanted: Vec<&str> = types.iter().map(|each| an(*each)).collect();
            format!("{} is {}; it must be {}.", name(), typed(value), wanted.join(" or "))
        }
        What::Constant(value, constant) => {
            format!("{} is {}; it must be {}.", name(), shown(value), shown_scalar(*constant))
        }
        What::Options(value, options) => {
            let wanted: Vec<Cow<'_, str>> = options.iter().map(|each| shown_scalar(*each)).collect();
            format!("{} is {}; it must be {}.", name(), shown(value), wanted.join(" or "))
        }
        What::Alternatives(value, schema) => {
            format!("{} is {}; it must be {}.", name(), shown(value), alternatives(schema))
        }
        What::Form(text, broken) => format!("{} is {}, which {}.", name(), shown_text(text), of_broken(*broken)),
        What::Name(text, broken) => format!("The member name {} {}.", shown_text(text), of_broken(*broken)),
        What::Bound(value, word, bound) => {
            format!("{} is {}; it must be {word} {}.", name(), shown(value), shown_bound(*bound))
        }
        What::Size(size, what, word, bound) => {
            format!("{} has {size} {what}; it must have {word} {bound}.", name())
        }
        What::Repeated(value) => format!("{} is {}; its items must be unique.", name(), shown(value)),
        What::Missing(member) => format!("{member} is missing; it must be given."),
        What::Unknown(member) => {
            format!("{} is not a member of this object; correct its name, or remove it.", shown_text(member))
        }
    }
}

/// A rule's own sentence, and what was found.
pub(crate) fn of_rule(code: Code, found: &str) -> String {
    format!("{} {found}", code.sentence())
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
    match broken {
        Broken::Least(length, least) => format!("has {length} characters; it must have at least {least}"),
        Broken::Most(length, most) => format!("has {length} characters; it must have at most {most}"),
        Broken::Pattern(title, example) => format!("is not a valid {title}; a valid one is \"{example}\""),
    }
}

fn alternatives(schema: &Schema) -> String {
    let names: Vec<&str> = schema.any_of.iter().map(|each| each.name).collect();
    names.join(" or ")
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
