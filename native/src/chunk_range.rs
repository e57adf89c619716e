//! A chunk's place in the job and in the spool, as all calls have it.

use napi_derive::napi;
use qrpress_batch::Chunk;

use crate::error::Result;
use crate::number::{from_js, to_js};

/// Some consecutive items of a job, and the place of their records in the spool.
#[napi(object)]
#[derive(Clone, Copy)]
pub struct ChunkRange {
    /// Index of the first item in the job, from 0.
    pub first_item: i64,
    /// Number of items.
    pub item_count: i64,
    /// Offset of the records in the spool, in bytes.
    pub spool_offset: i64,
    /// Length of the records in bytes.
    pub spool_bytes: i64,
}

impl From<Chunk> for ChunkRange {
    fn from(chunk: Chunk) -> Self {
        Self {
            first_item: to_js(chunk.first_item),
            item_count: to_js(chunk.item_count),
            spool_offset: to_js(chunk.spool_offset),
            spool_bytes: to_js(chunk.spool_bytes),
        }
    }
}

impl TryFrom<ChunkRange> for Chunk {
    type Error = napi::Error<&'static str>;

    fn try_from(range: ChunkRange) -> Result<Self> {
        Ok(Self {
            first_item: from_js(range.first_item)?,
            item_count: from_js(range.item_count)?,
            spool_offset: from_js(range.spool_offset)?,
            spool_bytes: from_js(range.spool_bytes)?,
        })
    }
}
