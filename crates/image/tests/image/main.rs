//! Pictures: every pixel against naive twins and decoders, sizes and recorded hashes.

#![allow(clippy::unwrap_used, reason = "tests unwrap")]

mod placement;
mod png;
mod png_logo;
mod snapshot;
#[path = "../support/mod.rs"]
mod support;
mod svg;
