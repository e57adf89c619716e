//! The records of items, from the chunks that hold them.

use std::ops::Range;
use std::path::PathBuf;

use qrpress_batch::{Chunk, Record, SpoolHeader, SpoolReader};

use crate::LabelError;

/// A chunk of a job, and the file that has its records.
#[derive(Clone, Debug)]
pub struct SpoolChunk {
    /// A file with the spool's header and the chunk.
    pub path: PathBuf,
    /// The place in it.
    pub chunk: Chunk,
}

/// The settings that the chunks share.
pub(crate) fn header(chunks: &[SpoolChunk], items: &Range<u64>) -> Result<SpoolHeader, LabelError> {
    let first = chunks.first().ok_or(LabelError::MissingItem { item: items.start })?;
    Ok(SpoolReader::open(&first.path)?.header().clone())
}

/// Hands the records of `items` to `each`, in order. The chunks follow one another, and hold the items.
pub(crate) fn for_each_record(
    chunks: &[SpoolChunk],
    items: &Range<u64>,
    mut each: impl FnMut(u64, &Record<'_>) -> Result<(), LabelError>,
) -> Result<(), LabelError> {
    let mut next = items.start;
    for SpoolChunk { path, chunk } in chunks {
        let end = chunk.first_item.saturating_add(chunk.item_count);
        if !(chunk.first_item..end).contains(&next) || next >= items.end {
            continue;
        }
        let mut reader = SpoolReader::open(path)?;
        let mut records = reader.records(chunk)?;
        let mut item = chunk.first_item;
        while next < items.end
            && let Some(record) = records.next_record()?
        {
            if item == next {
                each(item, &record)?;
                next += 1;
            }
            item += 1;
        }
    }
    if next < items.end { Err(LabelError::MissingItem { item: next }) } else { Ok(()) }
}
