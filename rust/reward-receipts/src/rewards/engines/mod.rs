//! What a spec makes of a step.

pub(crate) mod plain;
