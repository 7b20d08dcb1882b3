//! The parameters that a component declares, and what a term's params are under that declaration.

use crate::core::codes::{Code, Given};
use crate::core::findings::{Finding, Path, shown, shown_text};
use crate::core::value::{Json, JsonKind, Member, NOWHERE};
use crate::rewards::components::component::Component;
use crate::validation::spec_rules::listed;

/// What a parameter is.
///
/// ```
/// assert_eq!(reward_receipts::rewards::ParamType::Json.as_str(), "json");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ParamType {
    /// A finite double.
    Number,
    /// A whole number within 2^53.
    Integer,
    /// True or false.
    Boolean,
    /// A text.
    Text,
    /// Any JSON.
    Json,
}

impl ParamType {
    /// The word for it in messages and in the corpus.
    ///
    /// ```
    /// assert_eq!(reward_receipts::rewards::ParamType::Text.as_str(), "text");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Integer => "integer",
            Self::Boolean => "boolean",
            Self::Text => "text",
            Self::Json => "json",
        }
    }

    fn has(self, value: &Json<'_>) -> bool {
        match self {
            Self::Number => value.as_f64().is_some(),
            Self::Integer => value.as_f64().is_some_and(|number| number.fract() == 0.0 && number.abs() <= EXACT),
            Self::Boolean => value.kind() == JsonKind::Boolean,
            Self::Text => value.kind() == JsonKind::Text,
            Self::Json => true,
        }
    }
}

/// The greatest integer that a double and all below it keep exactly.
const EXACT: f64 = 9_007_199_254_740_991.0;

/// One parameter of a component.
///
/// ```
/// use reward_receipts::rewards::{Param, ParamType};
///
/// let scale = Param::new(ParamType::Number).with_minimum(0.0).with_maximum(1.0);
/// assert_ne!(scale, Param::new(ParamType::Number));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Param {
    kind: ParamType,
    default: Option<Json<'static>>,
    minimum: Option<f64>,
    maximum: Option<f64>,
}

impl Param {
    /// A parameter that each term has to give.
    ///
    /// ```
    /// use reward_receipts::rewards::{Param, ParamType};
    ///
    /// let target = Param::new(ParamType::Number);
    /// # let _ = target;
    /// ```
    #[must_use]
    pub const fn new(kind: ParamType) -> Self {
        Self { kind, default: None, minimum: None, maximum: None }
    }

    /// The same with a value for terms that do not give one. Its numbers count as doubles.
    ///
    /// ```
    /// use reward_receipts::rewards::{Param, ParamType};
    ///
    /// let scale = Param::new(ParamType::Boolean).with_default(true.into());
    /// # let _ = scale;
    /// ```
    #[must_use]
    pub fn with_default(mut self, value: Json<'static>) -> Self {
        self.default = Some(value.with_doubles());
        self
    }

    /// The same with the least value of a number or integer, inclusive.
    ///
    /// ```
    /// use reward_receipts::rewards::{Param, ParamType};
    ///
    /// let scale = Param::new(ParamType::Number).with_minimum(0.0);
    /// # let _ = scale;
    /// ```
    #[must_use]
    pub const fn with_minimum(mut self, least: f64) -> Self {
        self.minimum = Some(least);
        self
    }

    /// The same with the greatest value of a number or integer, inclusive.
    ///
    /// ```
    /// use reward_receipts::rewards::{Param, ParamType};
    ///
    /// let scale = Param::new(ParamType::Integer).with_maximum(10.0);
    /// # let _ = scale;
    /// ```
    #[must_use]
    pub const fn with_maximum(mut self, most: f64) -> Self {
        self.maximum = Some(most);
        self
    }

    /// The code of what is wrong with a value, and what was expected.
    fn wrong(&self, value: &Json<'_>) -> Option<(Code, String)> {
        if !self.kind.has(value) {
            return Some((Code::ComposeParamType, self.kind.as_str().to_owned()));
        }
        let number = value.as_f64()?;
        let (low, high) = (self.minimum.unwrap_or(f64::NEG_INFINITY), self.maximum.unwrap_or(f64::INFINITY));
        if (low..=high).contains(&number) {
            return None;
        }
        let text = |bound: f64| Json::double(bound).map_or_else(String::new, |bound| shown(&bound));
        let expected = match (self.minimum, self.maximum) {
            (Some(low), Some(high)) => format!("{} to {}", text(low), text(high)),
            (Some(low), None) => format!("at least {}", text(low)),
            _ => format!("at most {}", text(high)),
        };
        Some((Code::ComposeParamRange, expected))
    }
}

/// What is wrong with the params of the term at a place, whose component declares others or none.
pub(crate) fn param_findings(
    type_: &str,
    component: &Component,
    given: Option<&Json<'static>>,
    place: usize,
) -> Vec<Finding> {
    let components = Path::Name(&Path::Root, "components");
    let term = Path::Index(&components, place);
    let params = Path::Name(&term, "params");
    let quoted = shown_text(type_);
    let mut findings = Vec::new();
    for (name, value) in members(given) {
        let shown_name = shown_text(name);
        let about = [("type", Given::Text(&quoted)), ("name", Given::Text(&shown_name))];
        let path = Path::Name(&params, name);
        let Some(param) = component.param(name) else {
            let known = listed(component.params().map(|(name, _)| name), ", ");
            let known = if known.is_empty() { "none" } else { &known };
            let code = Code::ComposeParamUnknown;
            let sentence = code.sentence_with(&[about[0], about[1], ("known", Given::Text(known))]);
            findings.push(Finding::new(code, sentence, &path, NOWHERE));
            continue;
        };
        if let Some((code, expected)) = param.wrong(value) {
            let found = shown(value);
            let values = [about[0], about[1], ("found", Given::Text(&found)), ("expected", Given::Text(&expected))];
            findings.push(Finding::new(code, code.sentence_with(&values), &path, NOWHERE));
        }
    }
    for (name, param) in component.params() {
        if param.default.is_none() && !members(given).iter().any(|(each, _)| each == name) {
            let shown_name = shown_text(name);
            let code = Code::ComposeParamMissing;
            let sentence = code.sentence_with(&[("type", Given::Text(&quoted)), ("name", Given::Text(&shown_name))]);
            findings.push(Finding::new(code, sentence, &term, NOWHERE));
        }
    }
    findings
}

/// All parameters of a component, sorted by name: those that a term gives, and the defaults of the others.
pub(crate) fn resolved_params(component: &Component, given: Option<&Json<'static>>) -> Vec<(Box<str>, Json<'static>)> {
    let value = |name: &str, param: &Param| {
        let own = members(given).iter().find(|(each, _)| each == name).map(|(_, value)| value.clone());
        own.or_else(|| param.default.clone())
    };
    component.params().filter_map(|(name, param)| Some((name.into(), value(name, param)?))).collect()
}

fn members<'j>(given: Option<&'j Json<'static>>) -> &'j [Member<'static>] {
    given.and_then(Json::as_object).unwrap_or_default()
}
