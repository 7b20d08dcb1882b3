//! A spec for the examples of this documentation.

use super::{Cadence, Component, Registry, ResolvedSpec, RewardSpec};

/// A reward for staying upright at little effort.
pub fn spec() -> RewardSpec {
    let text = br#"{"name": "balance", "components": [{"type": "upright"}, {"type": "effort", "weight": 0.2}]}"#;
    RewardSpec::read(text).unwrap_or_else(|error| panic!("the sample is a spec: {error}"))
}

/// Its components.
pub fn registry() -> Registry {
    let clipped = |low, high| Component::new(Cadence::Step, Some([Some(low), Some(high)]), 1.0).unwrap_or_default();
    [("upright", clipped(0.0, 1.0)), ("effort", clipped(-1.0, 0.0))].into_iter().collect()
}

/// The spec as it is run.
pub fn resolved() -> ResolvedSpec {
    spec().resolve(&registry()).unwrap_or_else(|error| panic!("the sample resolves: {error}"))
}
