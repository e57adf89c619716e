//! Reads JSON (RFC 8259) as tokens: strictly, without recursion, and without copying.

mod cursor;
mod reader;
mod text;

pub(crate) use cursor::{Cursor, FEWER_MEMBERS, Place, Scratch};
pub(crate) use reader::{Reader, SyntaxError, Token};
pub(crate) use text::Text;

#[cfg(test)]
mod tests;
