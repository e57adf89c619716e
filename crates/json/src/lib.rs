//! Reads JSON (RFC 8259) as tokens: strictly, without recursion, and without copying.
//!
//! [`Reader`] knows the grammar alone. [`Cursor`] also knows the JSON Pointer of what it has read, and notices duplicate
//! members and strings that are no text.
#![forbid(unsafe_code)]

mod cursor;
mod error;
mod flaw;
mod reader;
mod text;

pub use cursor::{Cursor, Origin, Scratch};
pub use error::JsonError;
pub use flaw::{Flaw, FlawKind, Flaws, ValuePlace};
pub use reader::{Reader, Token};
pub use text::Text;

#[cfg(test)]
mod tests;
