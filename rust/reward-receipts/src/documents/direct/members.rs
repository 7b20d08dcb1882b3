//! A decoded document for those who build something else of it: the Python extension of this workspace.

use crate::documents::direct::decode::{Decoded, Slot, decode, inside};
use crate::documents::direct::plan::{self, Object, Plan};
use crate::documents::kind::Kind;
use crate::validation::schemas::Scalar;

/// A document that was accepted.
pub struct Direct<'t>(Decoded<'t>);

/// A member.
pub enum Member<'d> {
    /// It was left out.
    Absent,
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// An integer.
    Integer(u64),
    /// A number.
    Double(f64),
    /// A text.
    Text(&'d str),
    /// One of the constants of [`Field::choices`], by its place.
    Choice(usize),
    /// An object of [`Field::fields`].
    Object(Box<dyn Iterator<Item = Member<'d>> + 'd>),
    /// An object of any names, sorted.
    Map(Box<dyn ExactSizeIterator<Item = (&'d str, f64)> + 'd>),
    /// An array, in the order of the completed document.
    Array(Box<dyn ExactSizeIterator<Item = Member<'d>> + 'd>),
}

/// What a member may be, as far as one who builds something of it has to know.
#[derive(Clone, Copy)]
pub struct Field(&'static str, &'static Plan);

impl<'t> Direct<'t> {
    /// The document in a text; `None` where the general reader has to look.
    #[must_use]
    pub fn decode(text: &'t [u8], kind: Option<Kind>) -> Option<Self> {
        decode(text, kind).map(Self)
    }

    /// The kind of the document.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.0.kind
    }

    /// The canonical text of the completed document.
    #[must_use]
    pub fn canonical_text(&self) -> String {
        self.0.canonical_text()
    }

    /// The members, in the order of [`fields`].
    pub fn members(&self) -> impl Iterator<Item = Member<'_>> {
        self.members_at(self.0.object, 0)
    }

    /// A member by its place among [`fields`].
    #[must_use]
    pub fn member(&self, place: usize) -> Member<'_> {
        match (self.0.slots.get(place), self.0.object.fields.get(place)) {
            (Some(slot), Some(field)) => self.member_of(*slot, &field.plan),
            _ => Member::Absent,
        }
    }

    fn members_at(&self, object: &'static Object, base: usize) -> impl Iterator<Item = Member<'_>> {
        object.fields.iter().zip(&self.0.slots[base..]).map(|(field, slot)| self.member_of(*slot, &field.plan))
    }

    #[allow(clippy::only_used_in_recursion)]
    fn member_of(&self, slot: Slot<'t>, plan: &'static Plan) -> Member<'_> {
        match (slot, plan) {
            (Slot::Absent, _) => Member::Absent,
            (Slot::Null, _) => Member::Null,
            (_, Plan::Nullable(inner)) => self.member_of(slot, inner),
            (Slot::Boolean(value), _) => Member::Boolean(value),
            (Slot::Integer(value, _), _) => Member::Integer(value),
            (Slot::Double(value, _), _) => Member::Double(value),
            (Slot::Text(quoted), _) => Member::Text(inside(quoted)),
            (Slot::Choice(place), _) => Member::Choice(usize::from(place)),
            (Slot::Object(base), Plan::Object(object)) => {
                Member::Object(Box::new(self.members_at(object, base as usize)))
            }
            (Slot::Map(place), _) => Member::Map(Box::new(self.0.maps[place as usize].iter().map(|(name, value)| {
                match value {
                    Slot::Double(value, _) => (*name, *value),
                    _ => (*name, 0.0), // the plan has numbers only
                }
            }))),
            (Slot::Array(place), Plan::Array { item, .. }) => {
                let items = self.0.arrays[place as usize].iter();
                Member::Array(Box::new(items.map(|slot| self.member_of(*slot, item))))
            }
            (Slot::Object(_) | Slot::Array(_), _) => Member::Absent, // no plan has read one as another
        }
    }
}

/// The members of a kind, sorted by name; empty if there is no short way for it.
pub fn fields(kind: Kind) -> impl Iterator<Item = Field> {
    plan::of(kind).into_iter().flat_map(fields_of)
}

fn fields_of(object: &'static Object) -> impl Iterator<Item = Field> {
    object.fields.iter().map(|field| Field(field.name, &field.plan))
}

impl Field {
    /// The name of the member.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.0
    }

    /// The constants that it may be: a text or an integer each. Empty for anything else.
    pub fn choices(&self) -> impl Iterator<Item = Result<&'static str, i64>> {
        let choices = match self.inner() {
            Plan::Choice(choices) => choices.as_slice(),
            _ => &[],
        };
        choices.iter().filter_map(|choice| match choice.value {
            Scalar::Text(text) => Some(Ok(text)),
            Scalar::Integer(number) => Some(Err(number)),
            Scalar::Boolean(_) => None,
        })
    }

    /// The members of the object that it is, or of the objects in the array that it is; empty for anything else.
    pub fn fields(&self) -> impl Iterator<Item = Field> {
        let object = match self.inner() {
            Plan::Object(object) => Some(object),
            Plan::Array { item, .. } => match &**item {
                Plan::Object(object) => Some(object),
                _ => None,
            },
            _ => None,
        };
        object.into_iter().flat_map(fields_of)
    }

    fn inner(&self) -> &'static Plan {
        match self.1 {
            Plan::Nullable(inner) => inner,
            plan => plan,
        }
    }
}
