//! The targets of the fuzzers in `fuzz/`: one function for each reader of hostile bytes, which panics where the reader breaks a
//! law. The seeds and what fuzzers once found are replayed by this crate's tests.
#![forbid(unsafe_code)]

mod body;
mod caption;
mod logo;
mod names;
mod pictures;
mod readback;
mod segment_index;
mod spool;
mod spreadsheet;
mod style;
mod symbol;

pub use body::{json_body, ndjson_body};
pub use caption::caption;
pub use logo::logo;
pub use names::names;
pub use readback::{modules, picture};
pub use segment_index::segment_index;
pub use spool::spool;
pub use spreadsheet::{spreadsheet, workbook};
pub use style::style;
pub use symbol::symbol;

/// A target: its name, which is that of its folder of seeds, and what it runs.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: [Target; 13] = [
    ("json_body", json_body),
    ("ndjson_body", ndjson_body),
    ("names", names),
    ("logo", logo),
    ("caption", caption),
    ("spreadsheet", spreadsheet),
    ("workbook", workbook),
    ("symbol", symbol),
    ("modules", modules),
    ("picture", picture),
    ("style", style),
    ("spool", spool),
    ("segment_index", segment_index),
];
