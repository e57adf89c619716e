//! Turns bytes into a QR symbol (ISO/IEC 18004:2015, Model 2): version, masks, modules. No dependencies.
#![deny(unsafe_code)]
#![allow(
    clippy::needless_range_loop,
    reason = "loops over words and lanes by number are what becomes vector code"
)]
#![allow(clippy::inline_always, reason = "what is not inlined is not compiled for the caller's CPU level")]

mod along;
mod bits;
mod capacity;
mod classes;
mod codewords;
mod cpu;
mod draw;
mod encoder;
mod error;
mod finder_like;
mod fold;
mod format;
mod layout;
mod level;
mod lines;
mod mask;
mod mode;
mod penalty;
mod placement;
mod plan;
mod reed_solomon;
mod segment;
mod segmentation;
mod symbol;
mod vector;
mod version;

pub use cpu::{AvailablePath, CpuPath, Work};
pub use encoder::Encoder;
pub use error::DataTooLong;
pub use level::ErrorCorrectionLevel;
pub use mode::Mode;
pub use segment::DataSegment;
pub use segmentation::smallest_version;
pub use symbol::{Mask, ROW_WORDS, Symbol};
pub use version::Version;
