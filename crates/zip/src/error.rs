//! The errors of writing an archive.

use std::{error, fmt, io};

/// The reason why a segment or a central directory could not be written.
#[derive(Debug)]
#[non_exhaustive]
pub enum ZipError {
    /// Reading an index, or writing a segment or a central directory, failed.
    Io(io::Error),
    /// A name is empty, or longer than the 65,535 bytes that the format can say.
    NameLength {
        /// Bytes of the name in UTF-8.
        bytes: usize,
    },
    /// An entry's data reach 4 GiB − 1, where its local file header would need ZIP64.
    EntryTooLarge {
        /// Bytes of the data.
        bytes: usize,
    },
    /// An index ends within a record.
    IndexTruncated {
        /// The segment's place in the archive, from 0.
        segment: usize,
        /// The record's place in the segment, from 0.
        entry: u64,
    },
    /// An index holds a record that no [`SegmentWriter`](crate::SegmentWriter) writes.
    IndexRecord {
        /// The segment's place in the archive, from 0.
        segment: usize,
        /// The record's place in the segment, from 0.
        entry: u64,
        /// The data's size that the record claims, in bytes.
        size: u32,
        /// The name's length that the record claims, in bytes.
        name_bytes: u16,
    },
    /// An index describes more or fewer bytes than its segment has.
    SegmentLength {
        /// The segment's place in the archive, from 0.
        segment: usize,
        /// Bytes that the index's entries take up.
        described_bytes: u64,
        /// Bytes that the segment is said to have.
        segment_bytes: u64,
    },
}

impl fmt::Display for ZipError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::NameLength { bytes } => {
                write!(f, "an entry's name has {bytes} bytes, not 1 to {}", u16::MAX)
            }
            Self::EntryTooLarge { bytes } => {
                write!(f, "an entry has {bytes} bytes of data, {} at most", u32::MAX - 1)
            }
            Self::IndexTruncated { segment, entry } => {
                write!(f, "the index of segment {segment} ends within entry {entry}")
            }
            Self::IndexRecord { segment, entry, size, name_bytes } => write!(
                f,
                "the index of segment {segment} is corrupt: entry {entry} claims {size} bytes of data and a \
                 name of {name_bytes} bytes"
            ),
            Self::SegmentLength { segment, described_bytes, segment_bytes } => write!(
                f,
                "the index of segment {segment} describes {described_bytes} bytes, the segment has {segment_bytes}"
            ),
        }
    }
}

impl error::Error for ZipError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Io(error) => error.source(),
            _ => None,
        }
    }
}

impl From<io::Error> for ZipError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
