//! The errors of opening fonts: folders that cannot be read, and folders without a font.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// A font set could not be opened.
#[derive(Debug)]
#[non_exhaustive]
pub enum TextError {
    /// A folder of fonts, or a file of it, could not be read.
    Unreadable {
        /// The folder or file.
        path: PathBuf,
        /// The operating system's words.
        source: io::Error,
    },
    /// Not one usable font is in the folders.
    NoFont {
        /// Font files that were found and rejected.
        rejected: usize,
    },
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { path, source } => write!(f, "cannot read {}: {source}", path.display()),
            Self::NoFont { rejected } => {
                write!(f, "the font folders hold no usable font ({rejected} files rejected)")
            }
        }
    }
}

impl Error for TextError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Unreadable { source, .. } => Some(source),
            Self::NoFont { .. } => None,
        }
    }
}
