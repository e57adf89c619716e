//! The parts that tests of all crates share. Only tests, fuzz targets and benches use this crate.
//!
//! | To | Use |
//! |---|---|
//! | open the bundled fonts | [`fonts_folder`]; with the feature `fonts`, [`fonts()`] opens them once per program |
//! | draw pseudo-random numbers | [`Random`], the same numbers on every run and machine |
//! | compare with a golden file | [`assert_recorded`] with [`fnv1a`] of what is compared; `QRPRESS_BLESS=1` rewrites the files |
//! | hold an example on a page against the code | [`assert_on_page`] |
//! | check items by the contract's limits | [`item_limits!`] |
//! | write files | [`TempDir`], a folder that is deleted with it |
//! | run tests once for each CPU level | [`LevelTests`], so that a level which the machine lacks is counted as skipped |
//!
//! A crate takes it as a dev-dependency: `qrpress-testkit.workspace = true`, or `{ workspace = true, features = ["fonts"] }`.
//! Unit tests of `text` itself open the fonts from [`fonts_folder`], since they are compiled against another copy of that
//! crate than the one [`fonts()`] uses.
#![forbid(unsafe_code)]
#![allow(clippy::missing_panics_doc, reason = "tests fail by panicking")]

mod fonts;
mod golden;
mod level_tests;
mod limits;
mod random;
mod temp_dir;

#[cfg(feature = "fonts")]
pub use fonts::fonts;
pub use fonts::fonts_folder;
pub use golden::{assert_on_page, assert_recorded, fnv1a, recorded};
pub use level_tests::LevelTests;
pub use random::Random;
pub use temp_dir::TempDir;
