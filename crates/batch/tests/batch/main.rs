//! Jobs from their bodies to archives: checks, warnings, names, pictures, and what is read back.

#![allow(clippy::unwrap_used, reason = "tests unwrap")]

mod envelope;
mod inspect;
mod manifest;
mod read_back;
mod render;
mod spool;
mod versions;
mod warnings;
