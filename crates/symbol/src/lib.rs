//! Turns bytes into a QR symbol (ISO/IEC 18004:2015, Model 2): version, masks, modules. No dependencies.

mod level;
mod symbol;
mod version;

pub use level::ErrorCorrectionLevel;
pub use symbol::{Mask, ROW_WORDS, Symbol};
pub use version::Version;
