//! Rewards as data: specs, the components that they name, and the engine that runs them.
//!
//! ```
//! use reward_receipts::rewards::{Cadence, Component, CompositionEngine, Registry, RewardSpec, Step};
//!
//! let spec = RewardSpec::read(br#"{"name": "balance", "components": [{"type": "upright"}, {"type": "effort"}]}"#)?;
//! let registry: Registry = [
//!     ("upright", Component::new(Cadence::Step, Some([Some(0.0), Some(1.0)]), 1.0)?),
//!     ("effort", Component::new(Cadence::Step, Some([Some(-1.0), Some(0.0)]), 0.2)?),
//! ]
//! .into_iter()
//! .collect();
//! let mut engine = CompositionEngine::new(&spec, &registry)?;
//! let result = engine.compute_step(|name| Ok(if name == "upright" { 0.9 } else { -0.25 }), Step::default())?;
//! assert_eq!(result.total(), 0.85);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod components;
mod engines;
#[doc(hidden)]
pub mod samples;
mod spec;

pub use crate::generated::documents::{RewardSpec, RewardSpecComponent, RewardSpecGate};
pub use components::component::{Cadence, Clip, Component, ComponentError, Registry};
pub use components::params::{Param, ParamType};
pub use engines::plain::{CompositionEngine, CompositionError, RawFault, RewardResult, Step};
pub use spec::ceiling::{Ceiling, TermBound};
pub use spec::resolved::{ResolvedSpec, ResolvedTerm};
