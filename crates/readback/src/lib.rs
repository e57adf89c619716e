//! Reads the code of a finished PNG or SVG file module by module, and says how much of its error correction is left.
//!
//! Nothing here knows how the file was made. A picture's size and the style that a job declares give the places of the
//! modules; everything else is taken from the file's own pixels: colours, version, level, mask and data. The decoder follows
//! ISO/IEC 18004, clause 12, and shares no code with the encoder.
//!
//! ```text
//! Reader                     a file to its data (`reader`)
//!   png, svg                 a file to the light of its modules, over white and over black
//!   Light                    light to dark and light modules, by the finder patterns (`light`)
//!   SymbolDecoder            modules to data (`symbol`)
//!     format, layout         level and mask; the order of the codewords' modules
//!     correction, segments   errors corrected in each block; codewords to bytes
//! ```
#![forbid(unsafe_code)]

mod blocks;
mod correction;
mod error;
mod field;
mod format;
mod geometry;
mod layout;
mod light;
mod modules;
mod opaque;
mod png;
mod reader;
mod segments;
mod svg;
mod symbol;

pub use error::ReadError;
pub use geometry::Geometry;
pub use modules::Modules;
pub use opaque::{beside_modules, opaque_pictures};
pub use reader::{FileFormat, Reader, Reading};
