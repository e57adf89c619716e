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
pub(crate) fn header(chunks: &[SpoolChunk], items: &[Range<u64>]) -> Result<SpoolHeader, LabelError> {
    let item = items.first().map_or(0, |range| range.start);
    let first = chunks.first().ok_or(LabelError::MissingItem { item })?;
    Ok(SpoolReader::open(&first.path)?.header().clone())
}

/// Hands the records of `items` to `each`, in order. The chunks are in order, and hold the items.
pub(crate) fn for_each_record(
    chunks: &[SpoolChunk],
    items: &[Range<u64>],
    mut each: impl FnMut(u64, &Record<'_>) -> Result<(), LabelError>,
) -> Result<(), LabelError> {
    let mut wanted = items.iter().cloned().flatten().peekable();
    for SpoolChunk { path, chunk } in chunks {
        let end = chunk.first_item.saturating_add(chunk.item_count);
        if !wanted.peek().is_some_and(|next| (chunk.first_item..end).contains(next)) {
            continue;
        }
        let mut reader = SpoolReader::open(path)?;
        let mut records = reader.records(chunk)?;
        let mut item = chunk.first_item;
        while wanted.peek().is_some_and(|&next| next < end)
            && let Some(record) = records.next_record()?
        {
            if wanted.next_if_eq(&item).is_some() {
                each(item, &record)?;
            }
            item += 1;
        }
    }
    wanted.next().map_or(Ok(()), |item| Err(LabelError::MissingItem { item }))
}
