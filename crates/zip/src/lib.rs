#![doc = include_str!("../README.md")]
//!
//! # Segments
//!
//! An archive is the bytes of its segments in order, followed by the tail. A segment holds no offset. Beside its bytes a
//! [`SegmentWriter`] writes a compact directory, from which [`write_tail`] makes the central directory with every offset;
//! [`write_headers`] does so for a single segment whose place is known.

#![forbid(unsafe_code)]

mod directory;
mod error;
mod format;
mod segment;
mod tail;

pub use directory::{DirectoryReader, SegmentFile};
pub use error::ZipError;
pub use format::CentralDirectory;
pub use segment::{SegmentSummary, SegmentWriter};
pub use tail::{TailSummary, ZipSegment, write_end, write_headers, write_tail};
