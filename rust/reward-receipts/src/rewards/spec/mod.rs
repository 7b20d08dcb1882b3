//! A reward as data.

pub(crate) mod ceiling;
pub(crate) mod resolved;
