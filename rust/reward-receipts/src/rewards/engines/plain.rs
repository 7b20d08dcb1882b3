//! The plain engine: what a spec makes of a step, term by term.

use crate::core::codes::{Code, CodedSentence, Given};
use crate::core::findings::InvalidDocument;
use crate::generated::documents::RewardSpec;
use crate::rewards::components::component::{Cadence, Registry, quoted};
use crate::rewards::spec::resolved::{ResolvedSpec, ResolvedTerm};

/// Why a component gave no number.
///
/// ```
/// let fault = reward_receipts::rewards::RawFault::NotANumber("null".to_owned());
/// assert_ne!(fault, reward_receipts::rewards::RawFault::Failed("null".to_owned()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RawFault {
    /// It failed; what it said.
    Failed(String),
    /// It gave something that is not a number; what that is.
    NotANumber(String),
    /// It gave a number that no double holds; what that is.
    NotFinite(String),
}

/// What a step was, beside its raw values.
///
/// ```
/// let step = reward_receipts::rewards::Step { number: 3, ..Default::default() };
/// assert!(!step.terminated);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Step {
    /// The number of the step, for messages.
    pub number: u64,
    /// Whether it brought the episode to an end of its own.
    pub terminated: bool,
    /// Whether the episode was cut off after it.
    pub truncated: bool,
}

/// A step has no reward: a component gave no finite number, the sum is none, or the episode is over. Nothing is in
/// for it.
///
/// ```
/// use reward_receipts::rewards::{CompositionEngine, Step, samples};
///
/// let mut engine = CompositionEngine::new(&samples::spec(), &samples::registry())?;
/// let error = engine.compute_step(|_| Ok(f64::NAN), Step::default()).unwrap_err();
/// assert_eq!(error.message.code.id(), "compose.not-finite");
/// assert_eq!(error.component.as_deref(), Some("upright"));
/// # Ok::<(), reward_receipts::InvalidDocument>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct CompositionError {
    /// What is wrong, with its code.
    pub message: CodedSentence,
    /// The name of the term; `None` if no term is at fault (`compose.episode-over`).
    pub component: Option<String>,
    /// The step, as the caller numbers it.
    pub step: u64,
}

/// What a spec made of one step.
///
/// ```
/// use reward_receipts::rewards::{CompositionEngine, Step, samples};
///
/// let mut engine = CompositionEngine::new(&samples::spec(), &samples::registry())?;
/// let result = engine.compute_step(|name| Ok(if name == "upright" { 0.9 } else { -0.25 }), Step::default()).unwrap();
/// assert_eq!(result.contributions().collect::<Vec<_>>(), [("upright", 0.9), ("effort", -0.05)]);
/// # Ok::<(), reward_receipts::InvalidDocument>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct RewardResult<'e> {
    total: f64,
    terms: &'e [ResolvedTerm],
    contributions: Vec<Option<f64>>,
}

impl RewardResult<'_> {
    /// The sum of the contributions, from left to right in the spec's order, from 0.0. Always finite.
    ///
    /// ```
    /// # use reward_receipts::rewards::{CompositionEngine, Step, samples};
    /// # let mut engine = CompositionEngine::new(&samples::spec(), &samples::registry())?;
    /// assert_eq!(engine.compute_step(|_| Ok(0.0), Step::default()).unwrap().total(), 0.0);
    /// # Ok::<(), reward_receipts::InvalidDocument>(())
    /// ```
    #[must_use]
    pub fn total(&self) -> f64 {
        self.total
    }

    /// The contribution of each term that was due, in the spec's order. Never -0.0.
    ///
    /// ```
    /// # use reward_receipts::rewards::{CompositionEngine, Step, samples};
    /// # let mut engine = CompositionEngine::new(&samples::spec(), &samples::registry())?;
    /// assert_eq!(engine.compute_step(|_| Ok(0.0), Step::default()).unwrap().contributions().count(), 2);
    /// # Ok::<(), reward_receipts::InvalidDocument>(())
    /// ```
    pub fn contributions(&self) -> impl Iterator<Item = (&str, f64)> {
        let due = self.terms.iter().zip(&self.contributions);
        due.filter_map(|(term, contribution)| contribution.map(|contribution| (term.name(), contribution)))
    }
}

/// Runs a spec on the raw values of one environment.
///
/// ```
/// use reward_receipts::rewards::{CompositionEngine, Step, samples};
///
/// let mut engine = CompositionEngine::new(&samples::spec(), &samples::registry())?;
/// let end = Step { terminated: true, ..Step::default() };
/// assert!(engine.compute_step(|_| Ok(0.5), end).is_ok());
/// assert!(engine.compute_step(|_| Ok(0.5), end).is_err()); // the episode is over
/// engine.reset();
/// assert!(engine.compute_step(|_| Ok(0.5), end).is_ok());
/// # Ok::<(), reward_receipts::InvalidDocument>(())
/// ```
#[derive(Debug, Clone)]
pub struct CompositionEngine {
    resolved: ResolvedSpec,
    ended: bool,
}

impl CompositionEngine {
    /// An engine for a spec.
    ///
    /// ```
    /// use reward_receipts::rewards::{CompositionEngine, Registry, samples};
    ///
    /// assert!(CompositionEngine::new(&samples::spec(), &Registry::default()).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// As [`RewardSpec::resolve`].
    pub fn new(spec: &RewardSpec, registry: &Registry) -> Result<Self, InvalidDocument> {
        Ok(Self { resolved: spec.resolve(registry)?, ended: false })
    }

    /// The spec as it is run.
    ///
    /// ```
    /// use reward_receipts::rewards::{CompositionEngine, samples};
    ///
    /// let engine = CompositionEngine::new(&samples::spec(), &samples::registry())?;
    /// assert_eq!(engine.resolved().terms().len(), 2);
    /// # Ok::<(), reward_receipts::InvalidDocument>(())
    /// ```
    #[must_use]
    pub fn resolved(&self) -> &ResolvedSpec {
        &self.resolved
    }

    /// The reward of one step. `raw` is asked for the value of each due term, in the spec's order.
    ///
    /// ```
    /// use reward_receipts::rewards::{CompositionEngine, Step, samples};
    ///
    /// let mut engine = CompositionEngine::new(&samples::spec(), &samples::registry())?;
    /// let raw = |name: &str| Ok(if name == "upright" { 0.9 } else { -0.25 });
    /// assert_eq!(engine.compute_step(raw, Step::default()).unwrap().total(), 0.85);
    /// # Ok::<(), reward_receipts::InvalidDocument>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A component that fails or gives no finite number, a contribution or total that is not finite, a step after the
    /// end of the episode. The step then does not count as the episode's end.
    pub fn compute_step(
        &mut self,
        mut raw: impl FnMut(&str) -> Result<f64, RawFault>,
        step: Step,
    ) -> Result<RewardResult<'_>, CompositionError> {
        let number = step.number;
        if self.ended {
            let message = Code::ComposeEpisodeOver.with(&[("step", Given::Number(number))]);
            return Err(CompositionError { message, component: None, step: number });
        }
        let ends = step.terminated || step.truncated;
        let terms = self.resolved.terms();
        let mut contributions = Vec::with_capacity(terms.len());
        for term in terms {
            let is_due = ends || term.cadence() == Cadence::Step;
            contributions.push(if is_due { Some(finite(term, raw(term.name()), number)?) } else { None });
        }
        for (term, value) in terms.iter().zip(&mut contributions) {
            if let Some(value) = value {
                *value = contribution(term, *value, number)?;
            }
        }
        for (place, need) in self.resolved.gates() {
            let is_open = contributions[*need].is_some_and(|needed| needed > 0.0);
            if let (false, Some(value)) = (is_open, &mut contributions[*place]) {
                *value = 0.0;
            }
        }
        let mut total = 0.0;
        for (term, value) in terms.iter().zip(&contributions) {
            total += value.unwrap_or(0.0);
            if !total.is_finite() {
                return Err(refusal(Code::ComposeTotalOverflows, term, number, &[]));
            }
        }
        self.ended = ends;
        Ok(RewardResult { total, terms: self.resolved.terms(), contributions })
    }

    /// Begins a new episode.
    ///
    /// ```
    /// use reward_receipts::rewards::{CompositionEngine, samples};
    ///
    /// CompositionEngine::new(&samples::spec(), &samples::registry())?.reset();
    /// # Ok::<(), reward_receipts::InvalidDocument>(())
    /// ```
    pub fn reset(&mut self) {
        self.ended = false;
    }
}

fn finite(term: &ResolvedTerm, raw: Result<f64, RawFault>, step: u64) -> Result<f64, CompositionError> {
    let (code, found) = match raw {
        Ok(value) if value.is_finite() => return Ok(value),
        Ok(value) => (
            Code::ComposeNotFinite,
            if value.is_nan() {
                "nan"
            } else if value > 0.0 {
                "inf"
            } else {
                "-inf"
            }
            .to_owned(),
        ),
        Err(RawFault::Failed(found)) => (Code::ComposeComponentFailed, found),
        Err(RawFault::NotFinite(found)) => (Code::ComposeNotFinite, found),
        Err(RawFault::NotANumber(found)) => (Code::ComposeNotANumber, found),
    };
    Err(refusal(code, term, step, &[("found", Given::Text(&found))]))
}

fn contribution(term: &ResolvedTerm, raw: f64, step: u64) -> Result<f64, CompositionError> {
    let [low, high] = term.clip().unwrap_or_default();
    let value = match (low, high) {
        (Some(low), _) if raw < low => low,
        (_, Some(high)) if raw > high => high,
        _ => raw,
    };
    let contribution = term.weight() * value + 0.0; // 0.0 is added, so that -0.0 becomes 0.0
    if contribution.is_finite() {
        return Ok(contribution);
    }
    let values = [("value", Given::Double(value)), ("weight", Given::Double(term.weight()))];
    Err(refusal(Code::ComposeContributionOverflows, term, step, &values))
}

fn refusal(code: Code, term: &ResolvedTerm, step: u64, values: &[(&str, Given<'_>)]) -> CompositionError {
    let name = quoted(term.name());
    let mut all = vec![("name", Given::Text(&name)), ("step", Given::Number(step))];
    all.extend_from_slice(values);
    CompositionError { message: code.with(&all), component: Some(term.name().to_owned()), step }
}
