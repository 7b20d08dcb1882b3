//! What a spec can name.

pub(crate) mod component;
pub(crate) mod params;
