//! The ceiling: the most that a spec can give, from the resolved spec alone.

use crate::rewards::components::component::Cadence;
use crate::rewards::spec::resolved::{ResolvedSpec, ResolvedTerm};

/// The most that a reward can come to. A sum with an unbounded term in it is unbounded: `None`.
///
/// ```
/// let ceiling = reward_receipts::rewards::samples::resolved().ceiling();
/// assert_eq!(ceiling.per_step(), Some(1.0));
/// assert_eq!(ceiling.per_episode(10), Some(10.0));
/// assert_eq!(ceiling.unbounded().count(), 0);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Ceiling {
    per_step: Option<f64>,
    at_end: Option<f64>,
    bounds: Vec<TermBound>,
}

/// The most that one term can contribute when it is due.
///
/// ```
/// let ceiling = reward_receipts::rewards::samples::resolved().ceiling();
/// assert_eq!(ceiling.bounds()[1].bound, Some(0.0)); // effort is a cost
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TermBound {
    /// The name of the term.
    pub name: Box<str>,
    /// When it is due.
    pub cadence: Cadence,
    /// `None` where nothing bounds it.
    pub bound: Option<f64>,
}

impl Ceiling {
    /// What one step can give: the sum of the bounds of the terms that are due at each.
    ///
    /// ```
    /// assert_eq!(reward_receipts::rewards::samples::resolved().ceiling().per_step(), Some(1.0));
    /// ```
    #[must_use]
    pub fn per_step(&self) -> Option<f64> {
        self.per_step
    }

    /// What the end of an episode can give on top.
    ///
    /// ```
    /// assert_eq!(reward_receipts::rewards::samples::resolved().ceiling().at_end(), Some(0.0));
    /// ```
    #[must_use]
    pub fn at_end(&self) -> Option<f64> {
        self.at_end
    }

    /// The bound of each term, in the spec's order.
    ///
    /// ```
    /// assert_eq!(reward_receipts::rewards::samples::resolved().ceiling().bounds().len(), 2);
    /// ```
    #[must_use]
    pub fn bounds(&self) -> &[TermBound] {
        &self.bounds
    }

    /// The names of the terms that nothing bounds.
    ///
    /// ```
    /// assert!(reward_receipts::rewards::samples::resolved().ceiling().unbounded().next().is_none());
    /// ```
    pub fn unbounded(&self) -> impl Iterator<Item = &str> {
        self.bounds.iter().filter(|term| term.bound.is_none()).map(|term| &*term.name)
    }

    /// What an episode of some steps can give at most, up to the rounding of its sum.
    ///
    /// ```
    /// assert_eq!(reward_receipts::rewards::samples::resolved().ceiling().per_episode(0), Some(0.0));
    /// ```
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // rounded to nearest, as each operation is
    pub fn per_episode(&self, steps: u64) -> Option<f64> {
        finite(steps as f64 * self.per_step? + self.at_end?)
    }
}

impl ResolvedSpec {
    /// The ceiling, which looks at no step.
    ///
    /// ```
    /// assert_eq!(reward_receipts::rewards::samples::resolved().ceiling().per_episode(2), Some(2.0));
    /// ```
    #[must_use]
    pub fn ceiling(&self) -> Ceiling {
        let bounds: Vec<TermBound> = self
            .terms()
            .iter()
            .map(|term| TermBound { name: term.name.clone(), cadence: term.cadence, bound: bound(term) })
            .collect();
        Ceiling { per_step: sum(&bounds, Cadence::Step), at_end: sum(&bounds, Cadence::EpisodeEnd), bounds }
    }
}

fn bound(term: &ResolvedTerm) -> Option<f64> {
    let [low, high] = term.clip?;
    if term.weight == 0.0 && (low.is_none() || high.is_none()) {
        return None; // unbounded, as it is without a clip
    }
    let ends = [low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY)].map(|end| term.weight * end);
    let most = greater(ends[0], ends[1]) + 0.0; // -0.0 becomes 0.0
    // A gate can make it 0, and 0 can be the most.
    finite(if term.requires.is_empty() { most } else { greater(most, 0.0) })
}

fn greater(one: f64, other: f64) -> f64 {
    if other > one { other } else { one }
}

fn sum(bounds: &[TermBound], due: Cadence) -> Option<f64> {
    let mut total = 0.0;
    for term in bounds.iter().filter(|term| term.cadence == due) {
        total += term.bound?;
    }
    finite(total)
}

/// What overflows a double, nothing bounds.
fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}
