//! Draws the items of a chunk of a spool into a ZIP segment and its index.

use std::fs::File;
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::sync::Arc;

use qrpress_text::FontSet;
use qrpress_zip::SegmentWriter;

use super::item_renderer::{Failure, ItemRenderer};
use crate::{BatchError, Chunk, SpoolReader};

/// Failures that a report spells out.
const MAX_FAILURES: usize = 100;

/// The outcome of a chunk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RenderReport {
    /// Items whose pictures are in the segment.
    pub completed: u64,
    /// Items of which nothing is in the segment.
    pub failed: u64,
    /// The first 100 of the failures.
    pub failures: Vec<ItemFailure>,
    /// Length of the segment.
    pub segment_bytes: u64,
    /// Length of its index.
    pub index_bytes: u64,
    /// Files in the segment.
    pub entries: u64,
    /// Length of the headers that [`write_segment_headers`](super::write_segment_headers) makes of the index, where the
    /// segment ends below 4 GiB − 1 of the archive.
    pub header_bytes: u64,
}

/// An item that could not be rendered, which takes a defect: what a client can get wrong was refused before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemFailure {
    /// The item's index in the job, from 0.
    pub item: u64,
    /// The failure, in words.
    pub message: String,
}

/// The files that a chunk comes from and goes to.
#[derive(Clone, Copy, Debug)]
pub struct ChunkFiles<'a> {
    /// The job's spool.
    pub spool: &'a Path,
    /// The path of the ZIP segment. A file that exists is replaced.
    pub segment: &'a Path,
    /// The path of the segment's index. A file that exists is replaced.
    pub index: &'a Path,
}

/// Renders a chunk of a spool into a ZIP segment and its index. The bytes depend on the spool's header, the chunk's
/// records and the fonts alone. To sync the files is left to the caller, who can render the next chunk meanwhile.
///
/// # Errors
/// [`BatchError::Io`] when a file can't be read or written, [`BatchError::CorruptSpool`] when the spool doesn't hold
/// the chunk. What was written until then is to be thrown away.
pub fn render_chunk(
    chunk: &Chunk,
    files: &ChunkFiles<'_>,
    fonts: &Arc<FontSet>,
) -> Result<RenderReport, BatchError> {
    let segment = File::create(files.segment).map_err(BatchError::io(files.segment))?;
    let index = File::create(files.index).map_err(BatchError::io(files.index))?;
    write_chunk(chunk, SpoolReader::open(files.spool)?, (&segment, &index), files.segment, fonts)
}

/// Writes the segment and the index of a chunk. `path` is the segment's, for errors.
pub(super) fn write_chunk<R: Read + Seek, W: Write, D: Write>(
    chunk: &Chunk,
    mut reader: SpoolReader<R>,
    (segment, index): (W, D),
    path: &Path,
    fonts: &Arc<FontSet>,
) -> Result<RenderReport, BatchError> {
    let mut writer = SegmentWriter::new(segment, index);
    let mut report = RenderReport::default();

    let mut renderer = ItemRenderer::take(reader.header(), fonts)?;
    let mut records = reader.records(chunk)?;
    let mut item = chunk.first_item;
    while let Some(record) = records.next_record()? {
        match renderer.attempt(|renderer| renderer.draw(&record, &mut writer)) {
            Ok(()) => report.completed += 1,
            Err(Failure::Item(message)) => {
                report.failed += 1;
                if report.failures.len() < MAX_FAILURES {
                    report.failures.push(ItemFailure { item, message });
                }
            }
            Err(Failure::Segment(error)) => return Err(BatchError::io(path)(error)),
        }
        item += 1;
    }
    renderer.keep();

    let summary = writer.finish().map_err(BatchError::io(path))?;
    report.segment_bytes = summary.segment_bytes;
    report.index_bytes = summary.index_bytes;
    report.entries = summary.entries;
    report.header_bytes = summary.header_bytes;
    Ok(report)
}
