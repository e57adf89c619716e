//! Logos from PNG files of every kind, whole and hostile, against naive twins.

#![allow(clippy::unwrap_used, reason = "tests unwrap")]

mod colours;
mod files;
mod hostile;
mod kinds;
mod sizes;
mod support;
