//! What GS1 says about the values of a Digital Link.

mod characters;
mod link;
mod table;

pub(crate) use characters::{check_digit, is_cset_82};
pub use link::{LinkFaults, faults_of, is_link};
