//! What a component says of itself, which counts where a spec says nothing.

use std::collections::BTreeMap;

use crate::core::findings::shown_text;
use crate::rewards::components::params::Param;

/// When a component is due.
///
/// ```
/// assert_eq!(reward_receipts::rewards::Cadence::default(), reward_receipts::rewards::Cadence::Step);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Cadence {
    /// At every step.
    #[default]
    Step,
    /// Once, at the step that ends the episode, terminated or truncated.
    EpisodeEnd,
}

/// The least and the greatest raw value that count; `None` leaves that side unbounded.
pub type Clip = [Option<f64>; 2];

/// A component as a spec sees it. What it computes at a step, the caller of the engine says.
///
/// ```
/// use reward_receipts::rewards::{Cadence, Component};
///
/// let upright = Component::new(Cadence::Step, Some([Some(0.0), Some(1.0)]), 1.0)?;
/// assert_eq!(upright.default_weight(), 1.0);
/// assert!(Component::new(Cadence::Step, None, f64::NAN).is_err());
/// # Ok::<(), reward_receipts::rewards::ComponentError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Component {
    cadence: Cadence,
    clip: Option<Clip>,
    default_weight: f64,
    params: BTreeMap<String, Param>,
}

/// No spec could use a component.
///
/// ```
/// use reward_receipts::rewards::{Cadence, Component, ComponentError};
///
/// let crossed = Component::new(Cadence::Step, Some([Some(1.0), Some(0.0)]), 1.0);
/// assert_eq!(crossed, Err(ComponentError::Clip));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ComponentError {
    /// The default weight is NaN or infinite.
    #[error("the default weight is not finite")]
    Weight,
    /// A bound of the clip is NaN or infinite, or the first is above the second.
    #[error("a clip has two bounds, each a finite number or none, the first at most the second")]
    Clip,
}

impl Component {
    /// A component with its cadence, its clip if it has one, and its weight.
    ///
    /// ```
    /// use reward_receipts::rewards::{Cadence, Component};
    ///
    /// assert!(Component::new(Cadence::EpisodeEnd, None, 0.5).is_ok());
    /// ```
    ///
    /// # Errors
    ///
    /// A weight or bound that is not finite, bounds in the wrong order.
    pub fn new(cadence: Cadence, clip: Option<Clip>, default_weight: f64) -> Result<Self, ComponentError> {
        if !default_weight.is_finite() {
            return Err(ComponentError::Weight);
        }
        if let Some([low, high]) = clip {
            let is_finite = [low, high].into_iter().flatten().all(f64::is_finite);
            let is_crossed = matches!((low, high), (Some(low), Some(high)) if low > high);
            if !is_finite || is_crossed {
                return Err(ComponentError::Clip);
            }
        }
        Ok(Self { cadence, clip, default_weight, params: BTreeMap::new() })
    }

    /// The component with a parameter more, in place of one that has the name.
    ///
    /// ```
    /// use reward_receipts::rewards::{Component, Param, ParamType};
    ///
    /// let near = Component::default().with_param("target", Param::new(ParamType::Number));
    /// assert_eq!(near.params().count(), 1);
    /// ```
    #[must_use]
    pub fn with_param(mut self, name: impl Into<String>, param: Param) -> Self {
        self.params.insert(name.into(), param);
        self
    }

    /// The parameters that a term can give it, sorted by name.
    ///
    /// ```
    /// assert_eq!(reward_receipts::rewards::Component::default().params().count(), 0);
    /// ```
    pub fn params(&self) -> impl ExactSizeIterator<Item = (&str, &Param)> {
        self.params.iter().map(|(name, param)| (name.as_str(), param))
    }

    pub(crate) fn param(&self, name: &str) -> Option<&Param> {
        self.params.get(name)
    }

    /// When it is due.
    ///
    /// ```
    /// # use reward_receipts::rewards::{Cadence, Component};
    /// assert_eq!(Component::default().cadence(), Cadence::Step);
    /// ```
    #[must_use]
    pub const fn cadence(&self) -> Cadence {
        self.cadence
    }

    /// The bounds of its raw value.
    ///
    /// ```
    /// assert_eq!(reward_receipts::rewards::Component::default().clip(), None);
    /// ```
    #[must_use]
    pub const fn clip(&self) -> Option<Clip> {
        self.clip
    }

    /// Its weight where a spec has none.
    ///
    /// ```
    /// assert_eq!(reward_receipts::rewards::Component::default().default_weight(), 1.0);
    /// ```
    #[must_use]
    pub const fn default_weight(&self) -> f64 {
        self.default_weight
    }
}

/// Due at every step, without a clip, with a weight of 1.
impl Default for Component {
    fn default() -> Self {
        Self { cadence: Cadence::Step, clip: None, default_weight: 1.0, params: BTreeMap::new() }
    }
}

/// The components that a spec can name.
///
/// ```
/// use reward_receipts::rewards::{Component, Registry};
///
/// let registry: Registry = [("upright", Component::default())].into_iter().collect();
/// assert!(registry.get("upright").is_some());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Registry {
    components: BTreeMap<String, Component>,
    /// In the order in which they were registered, as messages list them.
    names: Vec<String>,
}

impl Registry {
    /// Registers a component under a name, in place of one that has it.
    ///
    /// ```
    /// use reward_receipts::rewards::{Component, Registry};
    ///
    /// let mut registry = Registry::default();
    /// registry.register("effort", Component::default());
    /// assert!(registry.get("effort").is_some());
    /// ```
    pub fn register(&mut self, name: impl Into<String>, component: Component) {
        let name = name.into();
        if self.components.insert(name.clone(), component).is_none() {
            self.names.push(name);
        }
    }

    /// The component under a name.
    ///
    /// ```
    /// assert!(reward_receipts::rewards::Registry::default().get("upright").is_none());
    /// ```
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Component> {
        self.components.get(name)
    }

    pub(crate) fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }
}

impl<N: Into<String>> FromIterator<(N, Component)> for Registry {
    fn from_iter<I: IntoIterator<Item = (N, Component)>>(components: I) -> Self {
        let mut registry = Self::default();
        for (name, component) in components {
            registry.register(name, component);
        }
        registry
    }
}

/// A name as a message quotes it.
pub(crate) fn quoted(name: &str) -> String {
    shown_text(name)
}
