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
mod encoder;
mod error;
mod function_patterns;
mod interleave;
mod penalty;
mod placement;
mod reed_solomon;
mod segment;
mod segmentation;
mod symbol;
mod tables;

pub use capacity::Blocks;
pub use encoder::Encoder;
pub use error::DataTooLong;
pub use function_patterns::data_modules;
pub use qrpress_simd::SimdLevel;
pub use segment::{DataSegment, Eci, Mode};
pub use segmentation::{byte_capacity, segments, smallest_version};
pub use symbol::{ErrorCorrectionLevel, Mask, ROW_WORDS, Symbol, Version};
