//! Puts the data of a code together from values: by a pattern (RFC 6570), or as a kind that readers know, such as a contact,
//! a payment or a GS1 Digital Link. What the kind's document forbids is a fault with the name of the field.
//!
//! `src/client/kinds` holds the same functions in TypeScript; `test/kinds/cases.json` holds both to the same answers.
#![forbid(unsafe_code)]

mod contact;
mod digital_link;
mod event;
mod geo;
pub mod gs1;
mod kind;
mod mail;
mod pattern;
mod payment;
mod percent;
mod phone;
mod time;
mod values;
mod wifi;

pub use kind::Kind;
pub use pattern::{Pattern, PatternError};
pub use values::{Fault, Field};
