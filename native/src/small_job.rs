//! Draws a small job during its check.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use napi::bindgen_prelude::Uint8Array;
use napi_derive::napi;
use qrpress_batch::draw::{DrawnArchive, draw_archive};
use qrpress_batch::{BatchError, Chunk, FontSet, SpoolReader};

use crate::error::{Result, guard};
use crate::number::{from_js, to_js};

/// The largest job that is drawn during its check.
#[allow(clippy::struct_field_names, reason = "each is a maximum, whatever else it may be")]
#[napi(object, object_to_js = false)]
pub struct SmallJob {
    /// Items.
    pub max_items: i64,
    /// Bytes of the spool.
    pub max_spool_bytes: i64,
    /// Bytes of the archive without its end.
    pub max_archive_bytes: i64,
}

/// A drawn job: its only segment, that segment's index, and everything behind the segment.
#[napi(object, object_from_js = false)]
pub struct DrawnJob {
    /// Length of the segment in bytes.
    pub segment_bytes: i64,
    /// Length of its index in bytes.
    pub index_bytes: i64,
    /// Files in the segment.
    pub entries: i64,
    /// Length in bytes of the headers in the central directory.
    pub header_bytes: i64,
    /// The spool.
    pub spool: Uint8Array,
    /// The segment.
    pub segment: Uint8Array,
    /// The segment's index.
    pub index: Uint8Array,
    /// The headers in the central directory, and the end.
    pub archive_end: Uint8Array,
}

/// Draws a checked job. `None` when it is not small, or cannot be drawn: then its chunk meets the same error, is retried
/// where that helps, and reports it.
///
/// # Errors
/// `invalid_argument`, `panic`.
pub fn draw(
    most: &SmallJob,
    spool: &qrpress_batch::Spool,
    content: &[u8],
    path: Option<&Path>,
    fonts: &Arc<FontSet>,
) -> Result<Option<DrawnJob>> {
    let most_bytes = from_js(most.max_archive_bytes)? as usize;
    let [chunk] = spool.chunks[..] else { return Ok(None) };
    if chunk.item_count > from_js(most.max_items)? || spool.bytes > from_js(most.max_spool_bytes)? {
        return Ok(None);
    }
    // A spool of this length is in memory at once, whatever it was written to.
    let read = |path: &Path| fs::read(path).ok();
    let Some(content) = path.map_or_else(|| Some(content.to_vec()), read) else { return Ok(None) };
    let drawn = guard(|| Ok(drawn_of(&chunk, &content, most_bytes, fonts).ok().flatten()))?;
    Ok(drawn.map(|DrawnArchive { report, segment, index, end }| DrawnJob {
        segment_bytes: to_js(report.segment_bytes),
        index_bytes: to_js(report.index_bytes),
        entries: to_js(report.entries),
        header_bytes: to_js(report.header_bytes),
        spool: content.into(),
        segment: segment.into(),
        index: index.into(),
        archive_end: end.into(),
    }))
}

fn drawn_of(
    chunk: &Chunk,
    spool: &[u8],
    most_bytes: usize,
    fonts: &Arc<FontSet>,
) -> std::result::Result<Option<DrawnArchive>, BatchError> {
    draw_archive(chunk, SpoolReader::of(spool)?, most_bytes, fonts)
}

/// The contents of a segment's files, in their order.
///
/// Throws `corrupt_index`, `damaged_file` or `panic`.
#[napi(catch_unwind)]
pub fn files_of_segment(segment: Uint8Array, index: Uint8Array) -> Result<Vec<Uint8Array>> {
    let files = guard(|| qrpress_batch::draw::files_of_segment(&segment, &index))?;
    Ok(files.into_iter().map(|file| file.to_vec().into()).collect())
}
