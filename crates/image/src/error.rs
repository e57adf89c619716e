//! The faults that a style can have.

use std::fmt;

/// The reason why a style or one of its members is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ImageError {
    /// Pixels per module outside 1 to 40.
    PixelsPerModuleOutOfRange {
        /// The value that was asked for.
        pixels: u32,
    },
    /// A quiet zone of more than 16 modules.
    QuietZoneTooWide {
        /// The value that was asked for.
        modules: u32,
    },
    /// A density outside 72 to 2,400 pixels per inch.
    DotsPerInchOutOfRange {
        /// The density that was asked for.
        dots: u32,
    },
    /// Foreground and background are both transparent: nothing would be seen.
    NothingVisible,
    /// A colour that is neither `#rrggbb` nor `transparent`.
    NotAColour {
        /// Bytes of the text that was given.
        length: usize,
    },
}

impl fmt::Display for ImageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PixelsPerModuleOutOfRange { pixels } => {
                write!(f, "{pixels} pixels per module: must be 1 to 40")
            }
            Self::QuietZoneTooWide { modules } => {
                write!(f, "a quiet zone of {modules} modules: must be 0 to 16")
            }
            Self::DotsPerInchOutOfRange { dots } => {
                write!(f, "{dots} pixels per inch: must be 72 to 2,400")
            }
            Self::NothingVisible => f.write_str("foreground and background are both transparent"),
            Self::NotAColour { length } => {
                write!(f, "a text of {length} bytes is neither #rrggbb nor transparent")
            }
        }
    }
}

impl std::error::Error for ImageError {}
