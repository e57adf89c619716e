//! The reasons for which reading ends early.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::fault::Fault;
use crate::problem::Problem;

/// A failure of the machine. What is wrong with a spreadsheet is in the report.
#[derive(Debug)]
#[non_exhaustive]
pub enum SpreadsheetError {
    /// Reading or writing a file failed.
    Io {
        /// The file.
        path: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },
    /// The body's file was deleted while the spreadsheet was read: nobody waits for the outcome.
    Cancelled,
    /// The reading took more time than it is given.
    OutOfTime,
}

impl SpreadsheetError {
    /// The stable code by which the error is known outside.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Io { .. } => "io",
            Self::Cancelled => "cancelled",
            Self::OutOfTime => "out_of_time",
        }
    }

    /// Wraps the failure of an operation on `path`, for `map_err`.
    pub(crate) fn io(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self::Io { path: path.to_owned(), source }
    }
}

impl fmt::Display for SpreadsheetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, source } => write!(f, "{}: {source}", path.display()),
            Self::Cancelled => f.write_str("the body was deleted while the spreadsheet was read"),
            Self::OutOfTime => f.write_str("the reading took more time than it is given"),
        }
    }
}

impl std::error::Error for SpreadsheetError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            Self::Cancelled | Self::OutOfTime => None,
        }
    }
}

/// The reason why the rest of a file is not read.
#[derive(Debug)]
pub(crate) enum Halt {
    /// The report says all that can be said.
    Enough,
    /// The file cannot be read further.
    Refused(Problem),
    /// The machine failed.
    Failed(SpreadsheetError),
}

impl Halt {
    /// A refusal of the whole file.
    pub fn refuse(fault: Fault) -> Self {
        Self::Refused(Problem::of_file(fault))
    }
}

impl From<SpreadsheetError> for Halt {
    fn from(error: SpreadsheetError) -> Self {
        Self::Failed(error)
    }
}
