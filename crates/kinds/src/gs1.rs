//! The rules of GS1 for the values of a Digital Link.

mod characters;
mod link;
mod table;

pub(crate) use characters::{check_digit, is_cset_82};
pub use link::{LinkFaults, faults_of, is_link};
