//! The body of a job creation request, in a file or in memory.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Take};
use std::ops::Range;
use std::path::Path;

use crate::BatchError;

/// The form in which a body carries its items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BodyForm {
    /// One JSON object with a member `items`.
    Json,
    /// The job's meta object on line 1, then an item per line.
    Ndjson,
}

/// A received body.
#[derive(Clone, Copy, Debug)]
pub enum Body<'a> {
    /// The path of its file.
    File(&'a Path),
    /// All of it: a body of a few items.
    Bytes(&'a [u8]),
}

/// The bytes that are read from a stream at a time: large enough that the calls cost nothing, small enough for a core's
/// cache.
pub(crate) const BLOCK_BYTES: usize = 256 * 1024;

/// The UTF-8 byte order mark, which is no part of the text.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl<'a> Body<'a> {
    /// All of the body.
    pub(crate) fn content(self) -> Result<Cow<'a, [u8]>, BatchError> {
        match self {
            Self::File(path) => Ok(Cow::Owned(fs::read(path).map_err(BatchError::io(path))?)),
            Self::Bytes(bytes) => Ok(Cow::Borrowed(bytes)),
        }
    }

    /// Opens the body for reading, and gives its length.
    pub(crate) fn open(self) -> Result<(BodyReader<'a>, u64), BatchError> {
        match self {
            Self::File(path) => {
                let file = File::open(path).map_err(BatchError::io(path))?;
                let bytes = file.metadata().map_err(BatchError::io(path))?.len();
                Ok((BodyReader::File(file.take(bytes)), bytes))
            }
            Self::Bytes(bytes) => Ok((BodyReader::Bytes(bytes), bytes.len() as u64)),
        }
    }

    /// Opens the part `range` for reading.
    pub(crate) fn open_part(self, range: &Range<u64>) -> Result<BodyReader<'a>, BatchError> {
        let (reader, bytes) = self.open()?;
        if range.start > range.end || range.end > bytes {
            return Err(BatchError::BodyChanged { offset: bytes });
        }
        match reader {
            BodyReader::File(file) => {
                let mut file = file.into_inner();
                file.seek(SeekFrom::Start(range.start)).map_err(self.io())?;
                Ok(BodyReader::File(file.take(range.end - range.start)))
            }
            BodyReader::Bytes(bytes) => {
                Ok(BodyReader::Bytes(&bytes[range.start as usize..range.end as usize]))
            }
        }
    }

    /// The part `range`.
    pub(crate) fn part(self, range: &Range<u64>) -> Result<Cow<'a, [u8]>, BatchError> {
        match self.open_part(range)? {
            BodyReader::Bytes(bytes) => Ok(Cow::Borrowed(bytes)),
            mut file @ BodyReader::File(_) => {
                let mut content = Vec::new();
                file.read_to_end(&mut content).map_err(self.io())?;
                Ok(Cow::Owned(content))
            }
        }
    }

    /// The size of blocks in which a part of `bytes` bytes is read.
    pub(crate) fn block_bytes(self, most: usize, bytes: u64) -> usize {
        match self {
            Self::File(_) => most,
            Self::Bytes(_) => most.min(bytes as usize).max(1),
        }
    }

    /// Returns true once the body's file is deleted.
    pub(crate) fn is_gone(self) -> bool {
        matches!(self, Self::File(path) if matches!(path.try_exists(), Ok(false)))
    }

    /// Wraps the failure of reading, for `map_err`.
    pub(crate) fn io(self) -> impl Fn(io::Error) -> BatchError {
        BatchError::io(match self {
            Self::File(path) => path,
            Self::Bytes(_) => Path::new("body"),
        })
    }
}

/// Reads a body, or a part of it.
#[derive(Debug)]
pub(crate) enum BodyReader<'a> {
    File(Take<File>),
    Bytes(&'a [u8]),
}

impl Read for BodyReader<'_> {
    #[inline]
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(buffer),
            Self::Bytes(bytes) => bytes.read(buffer),
        }
    }
}
