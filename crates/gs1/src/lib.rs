//! The rules of GS1 for links and their values: what is wrong with a GS1 Digital Link that others made, and the check digits,
//! characters and dates of values.
#![forbid(unsafe_code)]

mod characters;
mod link;
mod table;

pub use characters::{check_digit, is_cset_82, is_date};
pub use link::{LinkFaults, faults_of, is_link};
