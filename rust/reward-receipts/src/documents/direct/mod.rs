//! The short way in: a text is decoded in one pass, straight into the members of its document.
//!
//! It only accepts. Whatever it is not sure of (an escape in a string, a number in an unusual form, anything invalid)
//! it leaves to the general reader and the checks, which alone say what is wrong. What it expects is worked out from the
//! tables of the schemas, so that a schema that changes, changes it too; a keyword that it does not know turns it off.

pub(crate) mod decode;
pub(crate) mod members;
pub(crate) mod plan;
pub(crate) mod write;
