//! The errors that are not the caller's fault.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use qrpress_zip::ZipError;

/// A failure of the machine or of a file that this crate wrote itself. What a client can get wrong is never an error:
/// it is in the report.
#[derive(Debug)]
#[non_exhaustive]
pub enum BatchError {
    /// Reading or writing a file failed.
    Io {
        /// The file.
        path: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },
    /// A spool does not hold what its writer writes.
    CorruptSpool {
        /// The place in the file, in bytes.
        offset: u64,
        /// The fault there.
        reason: &'static str,
    },
    /// An index does not hold what was written beside its segment.
    CorruptIndex {
        /// The fault of it.
        source: ZipError,
    },
    /// A file of a segment is not what the segment's index says.
    DamagedFile {
        /// The file's name.
        name: String,
    },
    /// A field is longer than a spool has room for: a record's than two bytes say, or a logo than a header holds.
    FieldTooLong {
        /// Bytes of the field.
        bytes: usize,
    },
    /// The body's file was deleted while it was inspected: nobody waits for the outcome.
    Cancelled,
    /// The inspection took more time than it is given.
    OutOfTime,
    /// The body is not the one whose envelope was read: the range of its items is not inside it, or is no JSON.
    BodyChanged {
        /// The place in the file, in bytes.
        offset: u64,
    },
}

impl BatchError {
    /// The stable code by which the error is known outside.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Io { .. } => "io",
            Self::CorruptSpool { .. } => "corrupt_spool",
            Self::CorruptIndex { .. } => "corrupt_index",
            Self::DamagedFile { .. } => "damaged_file",
            Self::FieldTooLong { .. } => "field_too_long",
            Self::BodyChanged { .. } => "body_changed",
            Self::Cancelled => "cancelled",
            Self::OutOfTime => "out_of_time",
        }
    }

    /// Wraps the failure of an operation on `path`, for `map_err`.
    pub(crate) fn io(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self::Io { path: path.to_owned(), source }
    }
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, source } => write!(f, "{}: {source}", path.display()),
            Self::CorruptSpool { offset, reason } => write!(f, "corrupt spool at byte {offset}: {reason}"),
            Self::CorruptIndex { source } => source.fmt(f),
            Self::DamagedFile { name } => write!(f, "{name} is damaged"),
            Self::FieldTooLong { bytes } => {
                write!(f, "a field of {bytes} bytes is too long for a spool")
            }
            Self::Cancelled => f.write_str("the body was deleted while it was inspected"),
            Self::OutOfTime => f.write_str("the inspection took more time than it is given"),
            Self::BodyChanged { offset } => {
                write!(f, "the body is not the one whose envelope was read (byte {offset})")
            }
        }
    }
}

impl std::error::Error for BatchError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            Self::CorruptIndex { source } => Some(source),
            _ => None,
        }
    }
}
