//! The errors that are not the caller's fault.

use std::fmt;
use std::io;
use std::path::Path;

use qrpress_batch::BatchError;

/// A failure of the machine, of a file, or of a caller that asks for labels that lie outside their page.
#[derive(Debug)]
#[non_exhaustive]
pub enum LabelError {
    /// A spool or a file cannot be read or written.
    Batch(BatchError),
    /// The labels do not lie on their page, or there are none.
    NoSheet,
    /// The file would be longer than a cross-reference table can say: 10 GB.
    TooLong,
    /// The chunks do not hold the items.
    MissingItem {
        /// Index of the first that is missing.
        item: u64,
    },
}

impl LabelError {
    /// The stable code by which the error is known outside.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Batch(error) => error.code(),
            Self::NoSheet | Self::MissingItem { .. } => "invalid_argument",
            Self::TooLong => "too_long",
        }
    }

    /// Wraps the failure of an operation on `path`, for `map_err`.
    pub(crate) fn io(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self::Batch(BatchError::Io { path: path.to_owned(), source })
    }
}

impl From<BatchError> for LabelError {
    fn from(error: BatchError) -> Self {
        Self::Batch(error)
    }
}

impl fmt::Display for LabelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Batch(error) => error.fmt(f),
            Self::NoSheet => f.write_str("the labels do not lie on their page"),
            Self::TooLong => f.write_str("the labels would make a file of more than 10 GB"),
            Self::MissingItem { item } => write!(f, "the chunks do not hold item {item}"),
        }
    }
}

impl std::error::Error for LabelError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Batch(error) => Some(error),
            _ => None,
        }
    }
}
