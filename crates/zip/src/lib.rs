//! Writes ZIP archives (APPNOTE 6.3) of stored entries in independent segments, with the central directory as a tail.
//!
//! An archive is the bytes of its segments in order followed by the tail: nothing is ever copied. A segment holds no
//! offset, so it can be made before, after or beside any other. Next to its bytes a [`SegmentWriter`] keeps a compact
//! directory, from which [`write_tail`] derives the central directory with every offset; [`write_headers`] does so for a
//! single segment whose place is known.
//!
//! ```
//! use std::convert::Infallible;
//! use qrpress_zip::{SegmentWriter, ZipSegment, write_tail};
//!
//! let (mut archive, mut directory) = (Vec::new(), Vec::new());
//! let mut writer = SegmentWriter::new(&mut archive, &mut directory);
//! let Ok(()) = writer.entry("hello.txt", |data| {
//!     data.extend_from_slice(b"Hello");
//!     Ok::<_, Infallible>(())
//! })?;
//! let segment_bytes = writer.finish()?.segment_bytes;
//!
//! let segments = [Ok(ZipSegment { directory: directory.as_slice(), segment_bytes })];
//! assert_eq!(write_tail(segments, &mut archive)?.entries, 1);
//! # Ok::<_, qrpress_zip::ZipError>(())
//! ```
//!
//! The same entries give the same bytes: times are fixed, and how entries are cut into segments leaves no trace.

#![forbid(unsafe_code)]

mod directory;
mod error;
mod format;
mod segment;
mod tail;

pub use error::ZipError;
pub use format::CentralDirectory;
pub use segment::{SegmentSummary, SegmentWriter};
pub use tail::{TailSummary, ZipSegment, write_end, write_headers, write_tail};
