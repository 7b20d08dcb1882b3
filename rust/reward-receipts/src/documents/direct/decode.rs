//! One pass over a text: each value is read as what the plan expects, checked, and put in its member's place.

use crate::documents::direct::plan::{self, Bounds, Choice, Demand, Matcher, Object, Plan, Sorting, begins_with};
use crate::documents::kind::Kind;
use crate::generated::tables::{MAX_POLICY_UPDATE, MAX_TEXT_BYTES};
use crate::validation::schemas::{Scalar, Type};

/// A member as it was read.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Slot<'t> {
    /// It was left out.
    Absent,
    Null,
    Boolean(bool),
    Integer(u64, &'t str),
    Double(f64, &'t str),
    /// With the quotes around it.
    Text(&'t str),
    /// One of the choices of the plan, by its place.
    Choice(u8),
    /// The slots of the object's fields start here.
    Object(u32),
    /// A place in `maps`.
    Map(u32),
    /// A place in `arrays`.
    Array(u32),
}

/// A document that was accepted.
pub(crate) struct Decoded<'t> {
    pub(crate) kind: Kind,
    pub(crate) object: &'static Object,
    /// The document's own members first, in the order of the plan.
    pub(crate) slots: Vec<Slot<'t>>,
    /// Sorted by name.
    pub(crate) maps: Vec<Vec<(&'t str, Slot<'t>)>>,
    /// In the order of the completed document.
    pub(crate) arrays: Vec<Vec<Slot<'t>>>,
}

/// The document in a text; `None` where the general reader has to look.
pub(crate) fn decode(text: &[u8], kind: Option<Kind>) -> Option<Decoded<'_>> {
    if text.len() > MAX_TEXT_BYTES {
        return None;
    }
    let text = std::str::from_utf8(text).ok()?;
    let named = match kind {
        Some(kind) => kind,
        None => named_kind(text)?,
    };
    let object = plan::of(named)?;
    let mut decoder = Decoder {
        text,
        bytes: text.as_bytes(),
        at: 0,
        slots: Vec::with_capacity(64),
        maps: Vec::new(),
        arrays: Vec::new(),
    };
    decoder.skip_white();
    decoder.object(object)?;
    decoder.skip_white();
    if decoder.at != text.len() {
        return None;
    }
    let Decoder { slots, maps, arrays, .. } = decoder;
    let document = Decoded { kind: named, object, slots, maps, arrays };
    // A document that does not name its kind is one only for who says which it is.
    let is_named = || !matches!(document.get("schema_version"), Slot::Absent);
    (rules_hold(&document) && (kind.is_some() || is_named())).then_some(document)
}

/// The kind that the first `schema_version` in a text names. If that is not the document's own, its plan will not fit.
fn named_kind(text: &str) -> Option<Kind> {
    const NAME: &str = "\"schema_version\"";
    let (_, after) = text.split_at(memchr::memmem::find(text.as_bytes(), NAME.as_bytes())? + NAME.len());
    let white = [' ', '\t', '\n', '\r'];
    let after = after.trim_start_matches(white).strip_prefix(':')?.trim_start_matches(white).strip_prefix('"')?;
    Kind::of_schema_version(after.split_once('"')?.0)
}

impl<'t> Decoded<'t> {
    pub(crate) fn get(&self, name: &str) -> Slot<'t> {
        self.object.place(name).map_or(Slot::Absent, |place| self.slots[place])
    }
}

struct Decoder<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    slots: Vec<Slot<'t>>,
    maps: Vec<Vec<(&'t str, Slot<'t>)>>,
    arrays: Vec<Vec<Slot<'t>>>,
}

impl<'t> Decoder<'t> {
    fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    #[inline]
    fn skip_white(&mut self) {
        while matches!(self.peek(), b' ' | b'\t' | b'\n' | b'\r') {
            self.at += 1;
        }
    }

    #[inline]
    fn expect(&mut self, byte: u8) -> Option<()> {
        (self.peek() == byte).then(|| self.at += 1)
    }

    /// After an item or a member: whether there is another.
    #[inline]
    fn goes_on(&mut self, closing: u8) -> Option<bool> {
        self.skip_white();
        let goes_on = self.peek() == b',';
        if !goes_on && self.peek() != closing {
            return None;
        }
        self.at += 1;
        self.skip_white();
        Some(goes_on)
    }

    fn object(&mut self, object: &'static Object) -> Option<u32> {
        let base = self.slots.len();
        self.slots.resize(base + object.fields.len(), Slot::Absent);
        self.expect(b'{')?;
        self.skip_white();
        let mut given = 0_u64;
        if self.peek() == b'}' {
            self.at += 1;
        } else {
            loop {
                self.expect(b'"')?;
                let (place, end) = object.field_at(self.bytes, self.at)?;
                if given >> place & 1 == 1 {
                    return None; // named twice
                }
                given |= 1 << place;
                self.at = end;
                self.skip_white();
                self.expect(b':')?;
                self.skip_white();
                self.value(&object.fields[place].plan, base + place)?;
                if !self.goes_on(b'}')? {
                    break;
                }
            }
        }
        if given & object.required != object.required {
            return None;
        }
        u32::try_from(base).ok()
    }

    /// Reads a value into a slot. What is returned through memory would be waited for.
    #[inline]
    fn value(&mut self, plan: &'static Plan, into: usize) -> Option<()> {
        let slot = match plan {
            Plan::Nullable(_) if self.peek() == b'n' => {
                self.literal("null")?;
                Slot::Null
            }
            Plan::Nullable(inner) => return self.value(inner, into),
            Plan::Text(form) => {
                let start = self.at;
                self.text(form)?;
                Slot::Text(self.text.get(start..self.at)?)
            }
            Plan::Choice(choices) => Slot::Choice(self.choice(choices)?),
            Plan::Boolean => {
                let value = self.peek() == b't';
                self.literal(if value { "true" } else { "false" })?;
                Slot::Boolean(value)
            }
            Plan::Integer { least, most } => {
                let start = self.at;
                let value = self.integer()?;
                if !(*least..=*most).contains(&value) {
                    return None;
                }
                Slot::Integer(value, &self.text[start..self.at])
            }
            Plan::Number(bounds) => self.number(*bounds)?,
            Plan::Object(object) => Slot::Object(self.object(object)?),
            Plan::Map { name, value, most } => Slot::Map(self.map(name, *value, *most)?),
            Plan::Array { item, least, most, unique, order } => {
                Slot::Array(self.array(item, (*least, *most), *unique, *order)?)
            }
        };
        self.slots[into] = slot;
        Some(())
    }

    fn literal(&mut self, word: &str) -> Option<()> {
        begins_with(&self.bytes[self.at..], word.as_bytes()).then(|| self.at += word.len())
    }

    #[inline]
    fn text(&mut self, form: &Matcher) -> Option<()> {
        self.expect(b'"')?;
        self.at = form.end(self.bytes, self.at)?;
        self.expect(b'"')
    }

    fn choice(&mut self, choices: &[Choice]) -> Option<u8> {
        let place = if self.peek() == b'"' {
            let rest = &self.bytes[self.at + 1..];
            let place = choices.iter().position(|choice| {
                let Scalar::Text(text) = choice.value else { return false };
                rest.get(text.len()) == Some(&b'"') && begins_with(rest, text.as_bytes())
            })?;
            self.at += choices[place].canonical.len();
            place
        } else {
            let value = self.integer()?;
            choices.iter().position(
                |choice| matches!(choice.value, Scalar::Integer(number) if u64::try_from(number) == Ok(value)),
            )?
        };
        u8::try_from(place).ok()
    }

    /// An integer without a sign.
    fn integer(&mut self) -> Option<u64> {
        let start = self.at;
        let mut value = 0_u64;
        while let digit @ b'0'..=b'9' = self.peek() {
            value = value * 10 + u64::from(digit - b'0');
            self.at += 1;
            if self.at - start > 18 {
                return None;
            }
        }
        let length = self.at - start;
        // Of a fraction or an exponent the general reader says whether it is whole.
        let is_integer = length == 1 || (length > 1 && self.bytes[start] != b'0');
        (is_integer && !matches!(self.peek(), b'.' | b'e' | b'E')).then_some(value)
    }

    fn number(&mut self, bounds: Bounds) -> Option<Slot<'t>> {
        let start = self.at;
        while matches!(self.peek(), b'0'..=b'9' | b'.' | b'-' | b'+' | b'e' | b'E') {
            self.at += 1;
        }
        let token = self.text.get(start..self.at)?;
        if !is_number(token.as_bytes()) {
            return None;
        }
        let value: f64 = token.parse().ok()?;
        // The token -0 is the integer 0.
        (value.is_finite() && token != "-0" && bounds.admit(value)).then_some(Slot::Double(value, token))
    }

    fn map(&mut self, name: &Matcher, value: Bounds, most: usize) -> Option<u32> {
        self.expect(b'{')?;
        self.skip_white();
        let mut members: Vec<(&'t str, Slot<'t>)> = Vec::new();
        if self.peek() == b'}' {
            self.at += 1;
        } else {
            loop {
                let start = self.at;
                self.text(name)?;
                let name = self.text.get(start + 1..self.at - 1)?;
                self.skip_white();
                self.expect(b':')?;
                self.skip_white();
                let value = self.number(value)?;
                if members.len() == most {
                    return None;
                }
                members.push((name, value));
                if !self.goes_on(b'}')? {
                    break;
                }
            }
        }
        members.sort_unstable_by_key(|(name, _)| *name);
        if members.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return None;
        }
        self.maps.push(members);
        u32::try_from(self.maps.len() - 1).ok()
    }

    fn array(
        &mut self,
        item: &'static Plan,
        (least, most): (usize, usize),
        unique: bool,
        order: Sorting,
    ) -> Option<u32> {
        self.expect(b'[')?;
        self.skip_white();
        let mut items = Vec::new();
        if self.peek() == b']' {
            self.at += 1;
        } else {
            loop {
                if items.len() == most {
                    return None;
                }
                let into = self.slots.len();
                self.slots.push(Slot::Absent);
                self.value(item, into)?;
                items.push(self.slots[into]);
                if !self.goes_on(b']')? {
                    break;
                }
            }
        }
        if items.len() < least {
            return None;
        }
        if !matches!(order, Sorting::Kept) {
            let slots = &self.slots;
            let key = |item: &Slot<'t>| match (order, *item) {
                (Sorting::Texts, Slot::Text(quoted)) => inside(quoted),
                (Sorting::By(place), Slot::Object(base)) => match slots.get(base as usize + place) {
                    Some(Slot::Text(quoted)) => inside(quoted),
                    _ => "",
                },
                _ => "",
            };
            items.sort_by_key(key);
            // No array of objects that is sorted by their names has one twice: contract.component-names-unique.
            if (unique || matches!(order, Sorting::By(_)))
                && items.windows(2).any(|pair| key(&pair[0]) == key(&pair[1]))
            {
                return None;
            }
        }
        self.arrays.push(items);
        u32::try_from(self.arrays.len() - 1).ok()
    }
}

/// A text without the quotes around it.
pub(crate) fn inside(quoted: &str) -> &str {
    quoted.get(1..quoted.len() - 1).unwrap_or_default()
}

/// Whether a token is a number of JSON.
fn is_number(token: &[u8]) -> bool {
    let token = token.strip_prefix(b"-").unwrap_or(token);
    let digits = |bytes: &[u8]| bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let whole = digits(token);
    if whole == 0 || (whole > 1 && token[0] == b'0') {
        return false;
    }
    let mut rest = &token[whole..];
    if let [b'.', fraction @ ..] = rest {
        let length = digits(fraction);
        if length == 0 {
            return false;
        }
        rest = &fraction[length..];
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let exponent = match exponent {
            [b'+' | b'-', rest @ ..] => rest,
            all => all,
        };
        let length = digits(exponent);
        if length == 0 {
            return false;
        }
        rest = &exponent[length..];
    }
    rest.is_empty()
}

/// Whether the rules of the schema, and those beyond it, hold.
fn rules_hold(decoded: &Decoded<'_>) -> bool {
    let slots = &decoded.slots;
    let in_schema = decoded.object.rules.iter().all(|rule| {
        let Some(choice) = choice(slots[rule.place]) else { return true };
        let case = rule.cases.iter().find(|case| case.values >> choice & 1 == 1);
        case.is_none_or(|case| case.demands.iter().all(|demand| meets(decoded, demand)))
    });
    in_schema
        && match decoded.kind {
            Kind::Certificate => {
                let whole = |name| match decoded.get(name) {
                    Slot::Integer(value, _) => value,
                    _ => u64::MAX / 2,
                };
                whole("issued_at_policy_update").saturating_add(whole("expiry_policy_updates")) <= MAX_POLICY_UPDATE
            }
            // That names of components are unique, their array has seen to.
            Kind::Contract | Kind::Receipt => true,
        }
}

fn choice(slot: Slot<'_>) -> Option<u8> {
    match slot {
        Slot::Choice(place) => Some(place),
        Slot::Boolean(value) => Some(u8::from(value)),
        _ => None,
    }
}

fn meets(decoded: &Decoded<'_>, demand: &Demand) -> bool {
    let slot = decoded.slots[demand.place];
    let of_type =
        |wanted: &'static [Type]| demand.types.is_empty() || demand.types.iter().any(|each| wanted.contains(each));
    match slot {
        Slot::Absent => !demand.required,
        Slot::Null => of_type(&[Type::Null]) && demand.choices == u64::MAX,
        Slot::Boolean(value) => of_type(&[Type::Boolean]) && demand.choices >> u8::from(value) & 1 == 1,
        #[allow(clippy::cast_precision_loss)] // within 53 bits
        Slot::Integer(value, _) => {
            of_type(&[Type::Integer, Type::Number]) && demand.bounds.admit(value as f64) && demand.choices == u64::MAX
        }
        Slot::Double(value, _) => of_type(&[Type::Number]) && demand.bounds.admit(value) && demand.choices == u64::MAX,
        Slot::Text(_) => of_type(&[Type::String]) && demand.choices == u64::MAX,
        Slot::Choice(place) => {
            // Whether it is a text or an integer, the plan knows.
            let plan = match &decoded.object.fields[demand.place].plan {
                Plan::Nullable(inner) => inner,
                plan => plan,
            };
            let is_text = matches!(plan, Plan::Choice(choices) if choices.iter().any(|choice| matches!(choice.value, Scalar::Text(_))));
            let wanted: &'static [Type] = if is_text { &[Type::String] } else { &[Type::Integer, Type::Number] };
            of_type(wanted) && demand.choices >> place & 1 == 1
        }
        Slot::Map(place) => {
            let size = decoded.maps[place as usize].len();
            of_type(&[Type::Object]) && demand.least <= size && size <= demand.most && demand.choices == u64::MAX
        }
        Slot::Object(_) | Slot::Array(_) => false, // no rule is about one: the general check will say
    }
}
