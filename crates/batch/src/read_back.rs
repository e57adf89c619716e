//! Reads the codes of a chunk's files back, from the bytes of its segment.
//!
//! ```text
//! read_back              every entry that is asked for: its place in the archive, its picture, its data
//!   readings             what was read of each item, in a file that also says how far the reading has come
//!   proofs               pictures of a sample, for a reader that finds codes as a phone does
//! sum_up_readings        what the readings of a chunk come to
//! ```

mod item_reader;
mod proofs;
mod readings;
mod sample;

use std::path::Path;
use std::time::{Duration, Instant};

pub use item_reader::{SeenFile, SeenItem, Unread, read_picture, see_item};
pub use proofs::{Proof, read_proof};
pub(crate) use readings::ReadingsReader;
pub use readings::{ItemReading, ReadingsSummary, UNUSED_BOUNDS, sum_up_readings};
pub use sample::Sample;

use crate::rendered::{RenderedChunk, for_each_item};
use crate::{BatchError, SpoolReader};
use item_reader::{ItemReader, SegmentSource};
use proofs::ProofWriter;
use readings::ReadingsWriter;

/// A chunk whose codes are read back.
#[derive(Clone, Copy, Debug)]
pub struct ReadBackRequest<'a> {
    /// The chunk with its index.
    pub chunk: RenderedChunk<'a>,
    /// The file of its segment.
    pub segment: &'a Path,
    /// The segment's first byte in that file.
    pub segment_offset: u64,
    /// The file of the readings. One that exists is gone on with: after an item that ended the process twice.
    pub readings: &'a Path,
    /// The items that are read module by module.
    pub modules: Sample,
    /// The items of these that get proofs.
    pub phone: Sample,
    /// The file of the proofs. One that exists is gone on with.
    pub proofs: &'a Path,
    /// The time after which the work is left to the next call.
    pub time: Duration,
}

/// Reads the codes of a chunk back, and returns false where some are left to the next call. The caller syncs the files. An item
/// on whose file a decoder fails is unread.
///
/// # Errors
/// [`BatchError::Io`] when a file can't be read or written, [`BatchError::CorruptSpool`] and
/// [`BatchError::CorruptIndex`] when the spool or the index is not that of the chunk.
pub fn read_back(request: &ReadBackRequest<'_>) -> Result<bool, BatchError> {
    let end = Instant::now() + request.time;
    let (mut has_read, mut is_finished) = (false, true);
    let header = SpoolReader::open(request.chunk.spool)?.header().clone();
    let mut readings = ReadingsWriter::open(request.readings)?;
    let mut proofs = ProofWriter::open(request.proofs)?;
    let mut segment = SegmentSource::open(request.segment, request.segment_offset)?;
    let mut reader = ItemReader::new(&header);
    let first = request.chunk.chunk.first_item;
    for_each_item(&request.chunk, |line| {
        if line.index - first < readings.len() {
            return Ok(true);
        }
        if line.files.is_empty() || !request.modules.includes(line.index) {
            readings.push(ItemReading::NotTried);
            return Ok(true);
        }
        if has_read && Instant::now() > end {
            is_finished = false;
            return Ok(false);
        }
        has_read = true;
        readings.begin()?;
        let data = line.record.data;
        let entries = segment.entries(line.files)?;
        let mut outcome = reader.read(data, &entries);
        if outcome.is_ok() && request.phone.includes(line.index) {
            match reader.pictures(&entries) {
                Ok(files) => {
                    for pictures in files {
                        proofs.write(line.index, data, &pictures)?;
                    }
                }
                Err(reason) => outcome = Err(reason),
            }
        }
        let read = |unused_thousandths| ItemReading::Read { unused_thousandths };
        readings.push(outcome.map_or(ItemReading::Unread, read));
        Ok(true)
    })?;
    readings.finish()?;
    Ok(is_finished)
}
