//! What the generated documents are made with.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::core::canonical::sha256_digest;
use crate::core::findings::InvalidDocument;
use crate::core::value::{Json, Member};
use crate::documents::complete::{canonical_text, in_order};
use crate::documents::direct::decode::{Decoded, Slot, inside};
use crate::documents::direct::plan::{Object, Plan};
use crate::validation::check::{Checked, check};
use crate::validation::schemas::{Default, Order, Property, Scalar, Schema};

/// A class of the schemas, made of the members of a checked object.
pub(crate) trait Complete {
    fn complete(members: &Members<'_, '_>) -> Self;
}

/// An object inside a document.
pub(crate) trait Part: Complete {
    const SCHEMA: &'static Schema;
}

/// A document, and what it is checked against.
pub(crate) trait Document: Complete {
    const CHECKED: Checked;

    fn of_checked(value: &Json<'_>) -> Self
    where
        Self: Sized,
    {
        Self::complete(&Members { schema: Self::CHECKED.schema(), from: Origin::Json(value) })
    }

    fn of_decoded(decoded: &Decoded<'_>) -> Self
    where
        Self: Sized,
    {
        let from = Origin::Decoded(decoded, decoded.object, 0);
        Self::complete(&Members { schema: Self::CHECKED.schema(), from })
    }

    fn of_value(value: &Json<'_>) -> Result<Self, InvalidDocument>
    where
        Self: Sized,
    {
        let findings = check(Self::CHECKED, value);
        if findings.is_empty() { Ok(Self::of_checked(value)) } else { Err(InvalidDocument::new(findings)) }
    }
}

/// A word of an enum, of a value that its schema accepts.
pub(crate) trait Word: Sized + Copy + 'static {
    /// The first member.
    const FIRST: Self;

    fn of_checked(value: &Given<'_, '_>) -> Option<Self>;
}

/// What is known of a completed document beside its members.
#[derive(Debug, Clone)]
pub(crate) struct Facts {
    pub(crate) canonical: Box<str>,
    digest: OnceLock<Box<str>>,
}

impl Facts {
    pub(crate) fn digest(&self) -> &str {
        self.digest.get_or_init(|| sha256_digest(self.canonical.as_bytes()).into())
    }
}

/// The members of an object that its schema accepts. What was left out is its default.
pub(crate) struct Members<'m, 't> {
    schema: &'static Schema,
    from: Origin<'m, 't>,
}

/// What the members are taken from.
#[derive(Clone, Copy)]
enum Origin<'m, 't> {
    /// The object was left out.
    Nothing,
    Json(&'m Json<'t>),
    /// The slots of an object start at a place.
    Decoded(&'m Decoded<'t>, &'static Object, usize),
}

/// A member that is there.
#[derive(Clone, Copy)]
pub(crate) enum Given<'m, 't> {
    Json(&'m Json<'t>),
    Slot(Slot<'t>, &'static Plan),
}

impl Given<'_, '_> {
    pub(crate) fn is_null(&self) -> bool {
        match self {
            Self::Json(value) => value.is_null(),
            Self::Slot(slot, _) => matches!(slot, Slot::Null),
        }
    }

    pub(crate) fn as_str(&self) -> Option<&str> {
        match self {
            Self::Json(value) => value.as_str(),
            Self::Slot(Slot::Text(quoted), _) => Some(inside(quoted)),
            Self::Slot(slot, plan) => match plan.choice(*slot)? {
                Scalar::Text(text) => Some(text),
                _ => None,
            },
        }
    }

    pub(crate) fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Json(value) => value.as_f64(),
            Self::Slot(Slot::Double(value, _), _) => Some(*value),
            #[allow(clippy::cast_precision_loss)] // within 53 bits
            Self::Slot(slot, plan) => match plan.choice(*slot)? {
                Scalar::Integer(number) => Some(number as f64),
                _ => None,
            },
        }
    }

    fn as_u64(&self) -> Option<u64> {
        match self {
            Self::Json(value) => value.as_u64(),
            Self::Slot(Slot::Integer(value, _), _) => Some(*value),
            Self::Slot(..) => None,
        }
    }

    fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Json(value) => value.as_bool(),
            Self::Slot(Slot::Boolean(value), _) => Some(*value),
            Self::Slot(..) => None,
        }
    }
}

impl<'m, 't> Members<'m, 't> {
    pub(crate) fn facts(&self) -> Facts {
        let canonical = match self.from {
            Origin::Nothing => String::new(),
            Origin::Json(value) => canonical_text(self.schema, value),
            Origin::Decoded(decoded, ..) => decoded.canonical_text(),
        };
        Facts { canonical: canonical.into(), digest: OnceLock::new() }
    }

    fn get(&self, name: &str) -> Option<Given<'m, 't>> {
        match self.from {
            Origin::Nothing => None,
            Origin::Json(value) => {
                let members: &[Member<'t>] = value.as_object()?;
                members.iter().find(|(each, _)| each == name).map(|(_, value)| Given::Json(value))
            }
            Origin::Decoded(decoded, object, base) => {
                let place = object.place(name)?;
                let slot = *decoded.slots.get(base + place)?;
                (!matches!(slot, Slot::Absent)).then(|| Given::Slot(slot, &object.fields[place].plan))
            }
        }
    }

    fn property(&self, name: &str) -> Option<&'static Property> {
        let place = self.schema.properties.binary_search_by(|each| each.name.cmp(name)).ok()?;
        self.schema.properties.get(place)
    }

    fn not_null(&self, name: &str) -> Option<Given<'m, 't>> {
        self.get(name).filter(|value| !value.is_null())
    }

    pub(crate) fn text(&self, name: &str) -> Box<str> {
        self.optional_text(name).unwrap_or_default()
    }

    pub(crate) fn optional_text(&self, name: &str) -> Option<Box<str>> {
        self.get(name)?.as_str().map(Into::into)
    }

    /// Any JSON, in which every number is a double.
    pub(crate) fn optional_json(&self, name: &str) -> Option<Json<'static>> {
        match self.get(name)? {
            Given::Json(value) => Some(value.clone().into_owned().with_doubles()),
            Given::Slot(..) => None, // a document with such a member is never decoded in one pass
        }
    }

    pub(crate) fn texts(&self, name: &str) -> Vec<Box<str>> {
        self.items(name).iter().filter_map(Given::as_str).map(Into::into).collect()
    }

    pub(crate) fn double(&self, name: &str) -> f64 {
        match (self.get(name), self.property(name).and_then(|property| property.default)) {
            (Some(value), _) => value.as_f64().unwrap_or_default(),
            (None, Some(Default::Number(number))) => number,
            (None, _) => 0.0,
        }
    }

    pub(crate) fn optional_double(&self, name: &str) -> Option<f64> {
        self.get(name)?.as_f64()
    }

    pub(crate) fn doubles(&self, name: &str) -> BTreeMap<Box<str>, f64> {
        match (self.get(name), self.from) {
            (Some(Given::Json(value)), _) => {
                let members = value.members().into_iter().flatten();
                members.filter_map(|(name, value)| Some((name.into(), value.as_f64()?))).collect()
            }
            (Some(Given::Slot(Slot::Map(place), _)), Origin::Decoded(decoded, ..)) => {
                let members = decoded.maps[place as usize].iter();
                let doubles = members.filter_map(|(name, value)| match value {
                    Slot::Double(value, _) => Some(((*name).into(), *value)),
                    _ => None,
                });
                doubles.collect()
            }
            _ => BTreeMap::new(),
        }
    }

    pub(crate) fn integer(&self, name: &str) -> u64 {
        let Some(value) = self.get(name) else { return 0 };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // its schema bounds a whole double
        value.as_u64().unwrap_or_else(|| value.as_f64().unwrap_or_default() as u64)
    }

    pub(crate) fn boolean(&self, name: &str) -> bool {
        self.get(name).and_then(|value| value.as_bool()).unwrap_or_default()
    }

    pub(crate) fn optional_word<W: Word>(&self, name: &str) -> Option<W> {
        W::of_checked(&self.not_null(name)?)
    }

    /// The word of a member that is required: the schema that was checked has one for it.
    pub(crate) fn word<W: Word>(&self, name: &str) -> W {
        self.optional_word(name).unwrap_or(W::FIRST)
    }

    pub(crate) fn part<P: Part>(&self, name: &str) -> P {
        self.part_of(self.get(name))
    }

    pub(crate) fn parts<P: Part>(&self, name: &str) -> Vec<P> {
        self.items(name).into_iter().map(|item| self.part_of(Some(item))).collect()
    }

    fn part_of<P: Part>(&self, value: Option<Given<'m, 't>>) -> P {
        let from = match (value, self.from) {
            (Some(Given::Json(value)), _) => Origin::Json(value),
            (Some(Given::Slot(Slot::Object(base), Plan::Object(object))), Origin::Decoded(decoded, ..)) => {
                Origin::Decoded(decoded, object, base as usize)
            }
            _ => Origin::Nothing,
        };
        P::complete(&Members { schema: P::SCHEMA, from })
    }

    /// Two bounds, each of which may be null; `None` where the member is left out, `Some(None)` where it is null.
    #[allow(clippy::option_option)] // left out and null are two things
    pub(crate) fn maybe_null_bounds(&self, name: &str) -> Option<Option<[Option<f64>; 2]>> {
        let Given::Json(value) = self.get(name)? else { return None };
        let bounds = value.items().map(|items| [0, 1].map(|place| items.get(place).and_then(Json::as_f64)));
        Some(bounds)
    }

    fn items(&self, name: &str) -> Vec<Given<'m, 't>> {
        match (self.get(name), self.from) {
            (Some(Given::Json(value)), _) => {
                let items = value.items().unwrap_or_default();
                let order = self.property(name).map_or(Order::Kept, |property| property.order);
                in_order(items, order).into_iter().map(Given::Json).collect()
            }
            (Some(Given::Slot(Slot::Array(place), Plan::Array { item, .. })), Origin::Decoded(decoded, ..)) => {
                decoded.arrays[place as usize].iter().map(|slot| Given::Slot(*slot, item)).collect()
            }
            _ => Vec::new(),
        }
    }
}

macro_rules! part {
    ($name:ident, $schema:expr) => {
        impl $crate::documents::model::Part for $name {
            const SCHEMA: &'static $crate::validation::schemas::Schema = &$schema;
        }
    };
}

macro_rules! document {
    ($name:ident, $path:literal, $checked:expr) => {
        impl $crate::documents::model::Document for $name {
            const CHECKED: Checked = $checked;
        }

        impl $name {
            /// The document in a strict JSON text, with its schema and every rule enforced.
            ///
            /// ```
            #[doc = concat!("assert!(", $path, "::read(b\"{}\").is_err());")]
            /// ```
            ///
            /// # Errors
            ///
            /// What is wrong, with line and column.
            pub fn read(text: &[u8]) -> Result<Self, $crate::InvalidDocument> {
                $crate::documents::read::read_as(text)
            }

            /// A JSON value as a document. Numbers have the type that the schema gives them.
            ///
            /// ```
            /// use reward_receipts::Json;
            ///
            #[doc = concat!("assert!(", $path, "::from_json(&Json::null()).is_err());")]
            /// ```
            ///
            /// # Errors
            ///
            /// What is wrong.
            pub fn from_json(value: &$crate::Json<'_>) -> Result<Self, $crate::InvalidDocument> {
                <Self as $crate::documents::model::Document>::of_value(value)
            }

            /// The canonical text of the completed document: the bytes that its digest covers.
            ///
            /// ```
            #[doc = concat!("fn of(document: &", $path, ") -> &str {")]
            ///     document.canonical_text()
            /// }
            /// ```
            #[must_use]
            pub fn canonical_text(&self) -> &str {
                &self.facts.canonical
            }

            /// `sha256:` and the hex of the SHA-256 over the canonical text. Worked out once.
            ///
            /// ```
            #[doc = concat!("fn of(document: &", $path, ") -> String {")]
            ///     reward_receipts::sha256_digest(document.canonical_text().as_bytes())
            /// }
            #[doc = concat!("fn holds(document: &", $path, ") -> bool {")]
            ///     document.digest() == of(document)
            /// }
            /// ```
            #[must_use]
            pub fn digest(&self) -> &str {
                self.facts.digest()
            }
        }

        /// Documents are equal if their completed forms are.
        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                self.facts.canonical == other.facts.canonical
            }
        }

        impl Eq for $name {}

        impl std::hash::Hash for $name {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                self.facts.canonical.hash(state);
            }
        }
    };
}

pub(crate) use {document, part};
