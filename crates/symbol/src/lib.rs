#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![allow(
    clippy::needless_range_loop,
    reason = "loops over words and lanes by number are what becomes vector code"
)]
#![allow(
    clippy::inline_always,
    reason = "a function that is not inlined is not compiled for its caller's CPU level"
)]

mod bit_matrix;
mod bit_stream;
mod capacity;
mod damage;
mod encoder;
mod error;
mod format_information;
mod function_patterns;
mod interleave;
mod level;
mod mask;
mod mode;
mod penalty;
mod placement;
mod reed_solomon;
mod segment;
mod segmentation;
mod steps;
mod symbol;
mod tables;
mod version;

pub use damage::{BlockDamage, damage};
pub use encoder::Encoder;
pub use error::DataTooLong;
pub use level::ErrorCorrectionLevel;
pub use mask::Mask;
pub use mode::Mode;
pub use segment::DataSegment;
pub use segmentation::smallest_version;
pub use symbol::{ROW_WORDS, Symbol};
pub use version::Version;
