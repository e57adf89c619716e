#![doc = include_str!("../README.md")]
//!
//! # Segments
//!
//! An archive is the bytes of its segments in order, followed by the central directory and its end. A segment holds no offset.
//! Beside its bytes a [`SegmentWriter`] writes a compact index, from which [`write_central_directory`] makes the central
//! directory with every offset; [`write_headers`] does so for a single segment whose place is known.

#![forbid(unsafe_code)]

mod central_directory;
mod error;
mod format;
mod index;
mod segment;
mod stored;

pub use central_directory::{ArchiveSummary, ZipSegment, write_central_directory, write_end, write_headers};
pub use error::ZipError;
pub use format::CentralDirectory;
pub use index::{IndexReader, SegmentFile};
pub use segment::{SegmentSummary, SegmentWriter};
pub use stored::{Damage, SegmentChecker, StoredFile, stored_file};
