//! The engine as a Node addon: exports, conversions, and codes of errors, and nothing else.
//!
//! Every call is synchronous and does file work: it belongs on a worker thread. What a client can get wrong is in a
//! call's report; what a call throws is the machine's fault, and has a stable `code`.
#![allow(clippy::needless_pass_by_value, reason = "arguments are made for the call, which owns them")]
#![cfg_attr(test, allow(dead_code, reason = "a test build has no exports"))]

mod check;
mod chunk_range;
mod confinement;
mod describe;
mod error;
mod file_lock;
mod fonts;
mod kinds;
mod labels;
mod layouts;
mod lines;
mod manifest;
mod number;
mod read_back;
mod render;
mod small_job;
mod spreadsheet;
mod symbol;
