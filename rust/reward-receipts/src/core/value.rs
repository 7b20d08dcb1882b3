//! A JSON value, exactly as a text has it: integers are exact, and each value knows where it is.

use std::borrow::Cow;
use std::cmp::Ordering;

use crate::core::codes::{Code, Given};
use crate::core::findings::{Finding, InvalidDocument, Path};
use crate::generated::tables::MAX_TEXT_DEPTH;

/// A JSON value.
///
/// An integer token is an exact integer, any other number its nearest double; the members of an object keep their
/// order, and no name is there twice. At most 64 arrays and objects are nested.
///
/// ```
/// use reward_receipts::{Json, read};
///
/// let value = read(br#"{"update": 7, "reward": 1.0}"#)?;
/// assert_eq!(value.get("update").and_then(Json::as_u64), Some(7));
/// assert_eq!(value.get("reward").and_then(Json::as_f64), Some(1.0));
/// # Ok::<(), reward_receipts::InvalidDocument>(())
/// ```
///
/// Two are equal if they are the same text but for white space and escapes: the integer 1 is not the double 1.0.
#[derive(Debug, Clone)]
pub struct Json<'t> {
    pub(crate) value: Value<'t>,
    /// The offset in the text, of the member's name if the value has one; [`NOWHERE`] if there is no text.
    pub(crate) at: u32,
}

/// The offset of a value that came from no text.
pub(crate) const NOWHERE: u32 = u32::MAX;

impl PartialEq for Json<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value<'t> {
    Null,
    Boolean(bool),
    Integer(Integer<'t>),
    Double(f64),
    Text(Cow<'t, str>),
    Array(Box<[Json<'t>]>),
    Object(Box<[Member<'t>]>),
}

/// A member of an object: its name and its value.
pub(crate) type Member<'t> = (Cow<'t, str>, Json<'t>);

/// An exact integer. Its nearest double is finite.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Integer<'t> {
    Small(i64),
    /// The digits, with a sign if it is negative; beyond an i64.
    Large(Cow<'t, str>),
}

/// What kind of value a [`Json`] is.
///
/// ```
/// use reward_receipts::{JsonKind, read};
///
/// assert_eq!(read(b"[]")?.kind(), JsonKind::Array);
/// # Ok::<(), reward_receipts::InvalidDocument>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JsonKind {
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean,
    /// A number without `.`, `e` and `E`.
    Integer,
    /// Any other number.
    Double,
    /// A string.
    Text,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl<'t> Json<'t> {
    pub(crate) const fn new(value: Value<'t>) -> Self {
        Self { value, at: NOWHERE }
    }

    /// `null`.
    ///
    /// ```
    /// assert_eq!(reward_receipts::canonical_bytes(&reward_receipts::Json::null()), b"null");
    /// ```
    #[must_use]
    pub const fn null() -> Self {
        Self::new(Value::Null)
    }

    /// A double; `None` for NaN and the infinities, which JSON does not have.
    ///
    /// ```
    /// use reward_receipts::{Json, canonical_bytes};
    ///
    /// assert_eq!(Json::double(1.0).map(|one| canonical_bytes(&one)), Some(b"1.0".to_vec()));
    /// assert!(Json::double(f64::NAN).is_none());
    /// ```
    #[must_use]
    pub fn double(value: f64) -> Option<Self> {
        value.is_finite().then(|| Self::new(Value::Double(value)))
    }

    /// An array.
    ///
    /// ```
    /// use reward_receipts::{Json, canonical_bytes};
    ///
    /// let array = Json::array([Json::from(1), Json::from("a")])?;
    /// assert_eq!(canonical_bytes(&array), br#"[1,"a"]"#);
    /// # Ok::<(), reward_receipts::InvalidDocument>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `json.depth` where more than 64 arrays and objects would be nested.
    pub fn array(items: impl IntoIterator<Item = Json<'t>>) -> Result<Self, InvalidDocument> {
        let array = Self::new(Value::Array(items.into_iter().collect()));
        array.bounded()
    }

    /// An object.
    ///
    /// ```
    /// use reward_receipts::{Json, canonical_bytes};
    ///
    /// let object = Json::object([("b", Json::from(true)), ("a", Json::null())])?;
    /// assert_eq!(canonical_bytes(&object), br#"{"a":null,"b":true}"#);
    /// # Ok::<(), reward_receipts::InvalidDocument>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `json.duplicate` for a member that is named twice, `json.depth` as for [`Json::array`].
    pub fn object<N: Into<Cow<'t, str>>>(
        members: impl IntoIterator<Item = (N, Json<'t>)>,
    ) -> Result<Self, InvalidDocument> {
        let members: Box<[Member<'t>]> = members.into_iter().map(|(name, value)| (name.into(), value)).collect();
        let mut names: Vec<&str> = members.iter().map(|(name, _)| &**name).collect();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            let name = crate::core::findings::shown_text(pair[0]);
            let sentence = Code::JsonDuplicate.sentence_with(&[("name", Given::Text(&name))]);
            return Err(Finding::new(Code::JsonDuplicate, sentence, &Path::Root, NOWHERE).into());
        }
        Self::new(Value::Object(members)).bounded()
    }

    fn bounded(self) -> Result<Self, InvalidDocument> {
        if self.depth() <= MAX_TEXT_DEPTH {
            return Ok(self);
        }
        let limit = Given::Number(MAX_TEXT_DEPTH as u64);
        let sentence = Code::JsonDepth.sentence_with(&[("limit", limit)]);
        Err(Finding::new(Code::JsonDepth, sentence, &Path::Root, NOWHERE).into())
    }

    /// How many containers are nested here, this one included. What is inside was bounded when it was made.
    fn depth(&self) -> usize {
        match &self.value {
            Value::Array(items) => 1 + items.iter().map(Json::depth).max().unwrap_or(0),
            Value::Object(members) => 1 + members.iter().map(|(_, member)| member.depth()).max().unwrap_or(0),
            _ => 0,
        }
    }

    /// What kind of value it is.
    ///
    /// ```
    /// use reward_receipts::{Json, JsonKind};
    ///
    /// assert_eq!(Json::from("a").kind(), JsonKind::Text);
    /// ```
    #[must_use]
    pub const fn kind(&self) -> JsonKind {
        match self.value {
            Value::Null => JsonKind::Null,
            Value::Boolean(_) => JsonKind::Boolean,
            Value::Integer(_) => JsonKind::Integer,
            Value::Double(_) => JsonKind::Double,
            Value::Text(_) => JsonKind::Text,
            Value::Array(_) => JsonKind::Array,
            Value::Object(_) => JsonKind::Object,
        }
    }

    /// Whether it is `null`.
    ///
    /// ```
    /// assert!(reward_receipts::Json::null().is_null());
    /// ```
    #[must_use]
    pub const fn is_null(&self) -> bool {
        matches!(self.value, Value::Null)
    }

    /// The boolean, if it is one.
    ///
    /// ```
    /// assert_eq!(reward_receipts::Json::from(true).as_bool(), Some(true));
    /// ```
    #[must_use]
    pub const fn as_bool(&self) -> Option<bool> {
        match self.value {
            Value::Boolean(value) => Some(value),
            _ => None,
        }
    }

    /// The nearest double of a number, of an integer too.
    ///
    /// ```
    /// assert_eq!(reward_receipts::Json::from(3).as_f64(), Some(3.0));
    /// ```
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        match &self.value {
            Value::Double(value) => Some(*value),
            Value::Integer(value) => Some(value.nearest_double()),
            _ => None,
        }
    }

    /// The integer of an integer token, if it fits. `2.0` is none here; in a document a schema may make it one.
    ///
    /// ```
    /// assert_eq!(reward_receipts::read(b"2")?.as_u64(), Some(2));
    /// assert_eq!(reward_receipts::read(b"2.0")?.as_u64(), None);
    /// # Ok::<(), reward_receipts::InvalidDocument>(())
    /// ```
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        match &self.value {
            Value::Integer(Integer::Small(value)) => u64::try_from(*value).ok(),
            Value::Integer(Integer::Large(digits)) => digits.parse().ok(),
            _ => None,
        }
    }

    /// The text of a string.
    ///
    /// ```
    /// assert_eq!(reward_receipts::Json::from("a").as_str(), Some("a"));
    /// ```
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The items of an array.
    ///
    /// ```
    /// assert_eq!(reward_receipts::read(b"[1, 2]")?.items().map(<[_]>::len), Some(2));
    /// # Ok::<(), reward_receipts::InvalidDocument>(())
    /// ```
    #[must_use]
    pub fn items(&self) -> Option<&[Json<'t>]> {
        match &self.value {
            Value::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The members of an object, in their order.
    ///
    /// ```
    /// let value = reward_receipts::read(br#"{"b": 1, "a": 2}"#)?;
    /// let names: Vec<&str> = value.members().into_iter().flatten().map(|(name, _)| name).collect();
    /// assert_eq!(names, ["b", "a"]);
    /// # Ok::<(), reward_receipts::InvalidDocument>(())
    /// ```
    #[must_use]
    pub fn members(&self) -> Option<impl ExactSizeIterator<Item = (&str, &Json<'t>)>> {
        self.as_object().map(|members| members.iter().map(|(name, value)| (&**name, value)))
    }

    /// The member of an object under a name.
    ///
    /// ```
    /// let value = reward_receipts::read(br#"{"a": "b"}"#)?;
    /// assert_eq!(value.get("a").and_then(|a| a.as_str()), Some("b"));
    /// assert!(value.get("b").is_none());
    /// # Ok::<(), reward_receipts::InvalidDocument>(())
    /// ```
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Json<'t>> {
        self.as_object()?.iter().find(|(each, _)| each == name).map(|(_, value)| value)
    }

    /// An object with another value for one of its members.
    pub(crate) fn with_member(mut self, name: &str, value: Json<'t>) -> Self {
        if let Value::Object(members) = &mut self.value
            && let Some((_, member)) = members.iter_mut().find(|(each, _)| each == name)
        {
            *member = value;
        }
        self
    }

    pub(crate) fn as_object(&self) -> Option<&[Member<'t>]> {
        match &self.value {
            Value::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The same value with every number as its nearest double, however deep, and members sorted by name.
    pub(crate) fn with_doubles(self) -> Self {
        let value = match self.value {
            Value::Integer(integer) => Value::Double(integer.nearest_double()),
            Value::Array(items) => Value::Array(items.into_iter().map(Json::with_doubles).collect()),
            Value::Object(members) => {
                let mut members: Vec<_> =
                    members.into_iter().map(|(name, value)| (name, value.with_doubles())).collect();
                members.sort_by(|(one, _), (other, _)| one.cmp(other));
                Value::Object(members.into())
            }
            other => other,
        };
        Self { value, at: self.at }
    }

    /// The same value, of its own: it no longer borrows from a text.
    ///
    /// ```
    /// use reward_receipts::{Json, read};
    ///
    /// fn kept(text: &[u8]) -> Result<Json<'static>, reward_receipts::InvalidDocument> {
    ///     Ok(read(text)?.into_owned())
    /// }
    /// assert_eq!(kept(b"[true]")?.items().map(<[_]>::len), Some(1));
    /// # Ok::<(), reward_receipts::InvalidDocument>(())
    /// ```
    #[must_use]
    pub fn into_owned(self) -> Json<'static> {
        let value = match self.value {
            Value::Null => Value::Null,
            Value::Boolean(value) => Value::Boolean(value),
            Value::Integer(Integer::Small(value)) => Value::Integer(Integer::Small(value)),
            Value::Integer(Integer::Large(digits)) => Value::Integer(Integer::Large(Cow::Owned(digits.into_owned()))),
            Value::Double(value) => Value::Double(value),
            Value::Text(text) => Value::Text(Cow::Owned(text.into_owned())),
            Value::Array(items) => Value::Array(items.into_iter().map(Json::into_owned).collect()),
            Value::Object(members) => Value::Object(
                members.into_iter().map(|(name, value)| (Cow::Owned(name.into_owned()), value.into_owned())).collect(),
            ),
        };
        Json { value, at: self.at }
    }
}

impl From<bool> for Json<'_> {
    fn from(value: bool) -> Self {
        Self::new(Value::Boolean(value))
    }
}

impl From<i32> for Json<'_> {
    fn from(value: i32) -> Self {
        Self::from(i64::from(value))
    }
}

impl From<i64> for Json<'_> {
    fn from(value: i64) -> Self {
        Self::new(Value::Integer(Integer::Small(value)))
    }
}

impl From<u64> for Json<'_> {
    fn from(value: u64) -> Self {
        Self::new(Value::Integer(match i64::try_from(value) {
            Ok(small) => Integer::Small(small),
            Err(_) => Integer::Large(Cow::Owned(value.to_string())),
        }))
    }
}

impl<'t> From<&'t str> for Json<'t> {
    fn from(value: &'t str) -> Self {
        Self::new(Value::Text(Cow::Borrowed(value)))
    }
}

impl From<String> for Json<'_> {
    fn from(value: String) -> Self {
        Self::new(Value::Text(Cow::Owned(value)))
    }
}

impl Integer<'_> {
    /// The nearest double, which is finite.
    pub(crate) fn nearest_double(&self) -> f64 {
        match self {
            #[allow(clippy::cast_precision_loss)] // rounded to nearest, as the specification wants it
            Self::Small(value) => *value as f64,
            Self::Large(digits) => digits.parse().unwrap_or(f64::INFINITY),
        }
    }

    /// How it compares with a double, exactly.
    pub(crate) fn compare(&self, other: f64) -> Ordering {
        const EXACT: f64 = 9_007_199_254_740_992.0; // beyond it not every integer is a double
        match self {
            #[allow(clippy::cast_possible_truncation)] // a whole double that fits
            Self::Small(value) if other.trunc() == other && other.abs() <= EXACT => value.cmp(&(other as i64)),
            _ => {
                // The whole part of a double in digits is exact; a fraction decides only between equal whole parts.
                let whole = format!("{:.0}", other.trunc() + 0.0);
                let fraction = || 0.0_f64.partial_cmp(&other.fract()).unwrap_or(Ordering::Equal);
                compare_digits(&self.digits(), &whole).then_with(fraction)
            }
        }
    }

    /// How two compare.
    pub(crate) fn compare_integer(&self, other: &Integer<'_>) -> Ordering {
        match (self, other) {
            (Self::Small(one), Integer::Small(other)) => one.cmp(other),
            _ => compare_digits(&self.digits(), &other.digits()),
        }
    }

    fn digits(&self) -> Cow<'_, str> {
        match self {
            Self::Small(number) => Cow::Owned(number.to_string()),
            Self::Large(digits) => Cow::Borrowed(digits),
        }
    }
}

fn compare_digits(one: &str, other: &str) -> Ordering {
    match (one.strip_prefix('-'), other.strip_prefix('-')) {
        (None, None) => (one.len(), one).cmp(&(other.len(), other)),
        (Some(one), Some(other)) => (other.len(), other).cmp(&(one.len(), one)),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_compare_exactly() {
        let large = |digits: &'static str| Integer::Large(Cow::Borrowed(digits));
        assert_eq!(Integer::Small(1).compare(0.5), Ordering::Greater);
        assert_eq!(Integer::Small(-1).compare(-0.5), Ordering::Less);
        assert_eq!(Integer::Small(0).compare(-0.0), Ordering::Equal);
        assert_eq!(Integer::Small(9_007_199_254_740_993).compare(9_007_199_254_740_992.0), Ordering::Greater);
        assert_eq!(Integer::Small(i64::MAX).compare(9_223_372_036_854_775_808.0), Ordering::Less);
        assert_eq!(large("-100000000000000000000").compare(0.0), Ordering::Less);
        assert_eq!(large("100000000000000000001").compare(1e20), Ordering::Greater);
        assert_eq!(large("100000000000000000000").compare_integer(&Integer::Small(5)), Ordering::Greater);
    }
}
