//! The documents: how they are read, completed, held and given out.

pub(crate) mod certificate;
pub(crate) mod complete;
pub(crate) mod contract;
pub(crate) mod direct;
pub(crate) mod kind;
#[macro_use]
pub(crate) mod model;
pub(crate) mod read;
#[cfg(feature = "serde")]
mod serde;
pub(crate) mod vocabulary;
