//! The reasons why a file has no code that can be read.

use std::error::Error;
use std::fmt;

/// The reason why the code of a file was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadError {
    /// The file is not a picture of its format.
    Picture(String),
    /// No version of codes has the picture's size in the declared style.
    Size {
        /// The picture's width in pixels, or in user units.
        width: u32,
        /// Its height.
        height: u32,
    },
    /// Dark and light modules of the finder patterns look alike.
    Contrast,
    /// A corner has no finder pattern.
    FinderPattern,
    /// Neither copy of the format information says a level and a mask.
    Format,
    /// Neither copy of the version information is that of the symbol's size.
    Version,
    /// A block has more wrong codewords than its error correction repairs.
    Uncorrectable,
    /// The data ends in the middle of a segment, or has a segment that this decoder does not know.
    Segments,
}

impl fmt::Display for ReadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Picture(message) => write!(formatter, "the file is no picture: {message}"),
            Self::Size { width, height } => {
                write!(formatter, "no code in this style has a picture of {width} × {height}")
            }
            Self::Contrast => formatter.write_str("dark and light modules look alike"),
            Self::FinderPattern => formatter.write_str("a corner has no finder pattern"),
            Self::Format => formatter.write_str("the format information cannot be read"),
            Self::Version => formatter.write_str("the version information is not that of the code's size"),
            Self::Uncorrectable => {
                formatter.write_str("more codewords are wrong than error correction repairs")
            }
            Self::Segments => formatter.write_str("the data is cut off or of an unknown mode"),
        }
    }
}

impl Error for ReadError {}
