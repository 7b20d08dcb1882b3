//! Many documents at once: the lines of JSON Lines, on several threads, in constant memory beside 64 bytes a line.
//!
//! What is here only accepts. A line that it leaves, [`read_document`](crate::read_document) and
//! [`audit`](crate::audit()) have to look at, and they say what is wrong.

mod auditor;
mod lines;

pub use auditor::Auditor;
pub use lines::{CheckedLine, CheckedLines, check_lines};
