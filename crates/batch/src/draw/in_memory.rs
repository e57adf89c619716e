//! Draws the archive of a few items in memory.

use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::sync::Arc;

use qrpress_text::FontSet;
use qrpress_zip::{CentralDirectory, IndexReader, ZipSegment, write_end, write_headers};

use super::chunk::{RenderReport, write_chunk};
use crate::{BatchError, Chunk, SpoolReader};

/// The archive of a job with a single segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnArchive {
    /// The outcome. No item failed.
    pub report: RenderReport,
    /// The segment.
    pub segment: Vec<u8>,
    /// The segment's index.
    pub index: Vec<u8>,
    /// The bytes behind the segment: its headers and the end.
    pub end: Vec<u8>,
}

/// Draws the archive of a chunk, the only one of its job. Returns `None` when an item fails, or once the segment and its
/// headers have more than `most_bytes`: memory is bounded by these and one entry.
///
/// # Errors
/// [`BatchError::Io`] when the spool can't be read, [`BatchError::CorruptSpool`] when it doesn't hold the chunk.
pub fn draw_archive<R: Read + Seek>(
    chunk: &Chunk,
    spool: SpoolReader<R>,
    most_bytes: usize,
    fonts: &Arc<FontSet>,
) -> Result<Option<DrawnArchive>, BatchError> {
    let mut segment = Bounded { bytes: Vec::new(), most: most_bytes, is_full: false };
    let mut index = Vec::new();
    let report = match write_chunk(chunk, spool, (&mut segment, &mut index), Path::new("segment"), fonts) {
        Err(_) if segment.is_full => return Ok(None),
        report => report?,
    };
    if report.failed > 0 || report.segment_bytes + report.header_bytes > most_bytes as u64 {
        return Ok(None);
    }
    let end = end_of(&report, &index).map_err(|source| BatchError::CorruptIndex { source })?;
    Ok(Some(DrawnArchive { report, segment: segment.bytes, index, end }))
}

/// The contents of a segment's files, in their order.
///
/// # Errors
/// [`BatchError::CorruptIndex`] when the index is not that segment's.
pub fn files_of_segment<'a>(segment: &'a [u8], index: &[u8]) -> Result<Vec<&'a [u8]>, BatchError> {
    let mut reader = IndexReader::new(index);
    let mut files = Vec::new();
    while let Some(file) = reader.next_file().map_err(|source| BatchError::CorruptIndex { source })? {
        let start = (file.offset - file.header_bytes()) as usize;
        let data = segment.get(start..).and_then(|entry| file.data_in(entry));
        files.push(data.ok_or(BatchError::DamagedFile { name: String::from_utf8_lossy(file.name).into() })?);
    }
    Ok(files)
}

fn end_of(report: &RenderReport, index: &[u8]) -> Result<Vec<u8>, qrpress_zip::ZipError> {
    let mut end = Vec::new();
    let bytes = write_headers(ZipSegment { index, segment_bytes: report.segment_bytes }, 0, &mut end)?;
    write_end(CentralDirectory { entries: report.entries, offset: report.segment_bytes, bytes }, &mut end)?;
    Ok(end)
}

/// Bytes in memory, up to a number.
struct Bounded {
    bytes: Vec<u8>,
    most: usize,
    is_full: bool,
}

impl Write for &mut Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > self.most - self.bytes.len() {
            self.is_full = true;
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
