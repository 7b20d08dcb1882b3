//! What a schema is here: a static table, which generated/rust/schemas.rs fills from schemas/.

use crate::core::codes::Code;

/// A schema. What a keyword does not say is `None`, `false` or empty, as in [`ANY`].
pub(crate) struct Schema {
    /// The types that are accepted; empty for any. Sorted by name.
    pub(crate) types: &'static [Type],
    pub(crate) constant: Option<Scalar>,
    /// The values of `enum`.
    pub(crate) options: &'static [Scalar],
    /// The constants of `oneOf`, each with its own description.
    pub(crate) one_of: &'static [Scalar],
    pub(crate) any_of: &'static [Alternative],
    pub(crate) form: Option<&'static Form>,
    /// In characters.
    pub(crate) min_length: Option<usize>,
    pub(crate) max_length: Option<usize>,
    pub(crate) minimum: Option<f64>,
    pub(crate) maximum: Option<f64>,
    pub(crate) exclusive_minimum: Option<f64>,
    pub(crate) exclusive_maximum: Option<f64>,
    pub(crate) items: Option<&'static Schema>,
    pub(crate) min_items: Option<usize>,
    pub(crate) max_items: Option<usize>,
    pub(crate) unique_items: bool,
    /// Sorted by name.
    pub(crate) properties: &'static [Property],
    pub(crate) required: &'static [&'static str],
    /// What members that are not properties are.
    pub(crate) others: Others,
    pub(crate) property_names: Option<&'static Schema>,
    pub(crate) min_properties: Option<usize>,
    pub(crate) max_properties: Option<usize>,
    pub(crate) rules: &'static [Rule],
}

/// Accepts anything.
pub(crate) const ANY: Schema = Schema {
    types: &[],
    constant: None,
    options: &[],
    one_of: &[],
    any_of: &[],
    form: None,
    min_length: None,
    max_length: None,
    minimum: None,
    maximum: None,
    exclusive_minimum: None,
    exclusive_maximum: None,
    items: None,
    min_items: None,
    max_items: None,
    unique_items: false,
    properties: &[],
    required: &[],
    others: Others::Any,
    property_names: None,
    min_properties: None,
    max_properties: None,
    rules: &[],
};

/// Accepts null.
pub(crate) static NULL: Schema = Schema { types: &[Type::Null], ..ANY };

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Type {
    Array,
    Boolean,
    Integer,
    Null,
    Number,
    Object,
    String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scalar {
    Boolean(bool),
    Integer(i64),
    Text(&'static str),
}

pub(crate) enum Others {
    Any,
    Refused,
    Are(&'static Schema),
}

/// One of the forms that a value may have, and what a message calls it.
pub(crate) struct Alternative {
    pub(crate) name: &'static str,
    pub(crate) schema: &'static Schema,
}

/// The form of a text.
pub(crate) struct Form {
    pub(crate) states: &'static States,
    pub(crate) title: &'static str,
    pub(crate) example: &'static str,
}

/// A pattern as a machine over bytes. State 0 refuses whatever follows.
pub(crate) struct States {
    /// The class of each byte.
    pub(crate) classes: &'static [u8; 256],
    /// The number of classes.
    pub(crate) width: usize,
    pub(crate) start: u8,
    /// This state accepts, and all after it.
    pub(crate) first_accepting: u8,
    /// The next state, by state and class.
    pub(crate) next: &'static [u8],
}

impl States {
    /// Whether the whole of a text has the form.
    pub(crate) fn accept(&self, text: &str) -> bool {
        let mut state = self.start;
        for byte in text.bytes() {
            state = self.next[usize::from(state) * self.width + usize::from(self.classes[usize::from(byte)])];
            if state == 0 {
                return false;
            }
        }
        state >= self.first_accepting
    }
}

pub(crate) struct Property {
    pub(crate) name: &'static str,
    pub(crate) schema: &'static Schema,
    pub(crate) default: Option<Default>,
    pub(crate) order: Order,
}

/// What a member is that was left out.
#[derive(Clone, Copy)]
pub(crate) enum Default {
    Null,
    Number(f64),
    Text(&'static str),
    /// An empty object, completed in its turn.
    Object,
    Array,
}

/// The order of an array in the completed document.
#[derive(Clone, Copy)]
pub(crate) enum Order {
    Kept,
    /// Of texts, by code point.
    Sorted,
    /// Of objects, by the text of a member.
    SortedBy(&'static str),
}

/// A rule: the first case that has the value of a member decides what is demanded of others.
pub(crate) struct Rule {
    pub(crate) code: Code,
    pub(crate) member: &'static str,
    pub(crate) cases: &'static [Case],
}

pub(crate) struct Case {
    pub(crate) values: &'static [Scalar],
    pub(crate) then: &'static Schema,
}
