//! Writes an archive's central directory and its end from the indexes of the segments.

use std::io::{self, Read, Write};

use crate::{ZipError, format::CentralDirectory, index::IndexReader};

/// Central directory headers that are gathered before they are written: few system calls.
const BUFFER_BYTES: usize = 256 * 1024;

/// A finished segment in its place in the archive.
#[derive(Clone, Copy, Debug)]
pub struct ZipSegment<R> {
    /// Reads the index that the segment's writer wrote. It is buffered by [`write_central_directory`].
    pub index: R,
    /// The segment's length.
    pub segment_bytes: u64,
}

/// The lengths of a finished archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArchiveSummary {
    /// Entries of all segments.
    pub entries: u64,
    /// Bytes of the central directory and its end.
    pub directory_bytes: u64,
    /// Bytes of the segments, the central directory and its end.
    pub archive_bytes: u64,
}

/// Writes the central directory and the end that make an archive of `segments` in this order, in bounded memory.
/// `segments` is asked for one at a time, so that it can open files as they come; an error that it yields ends the writing.
///
/// # Errors
/// [`ZipError::IndexTruncated`], [`ZipError::IndexRecord`] and [`ZipError::SegmentLength`] when an index
/// is corrupt or not that segment's; [`ZipError::Io`] when reading or writing fails. What was written until then is
/// to be thrown away.
pub fn write_central_directory<R: Read>(
    segments: impl IntoIterator<Item = io::Result<ZipSegment<R>>>,
    out: &mut impl Write,
) -> Result<ArchiveSummary, ZipError> {
    let mut headers = HeaderWriter::new(0);
    for (number, segment) in segments.into_iter().enumerate() {
        headers.add(number, segment?, out)?;
    }
    let directory = headers.finish(out)?;
    let CentralDirectory { entries, offset, bytes } = directory;
    let directory_bytes = bytes + write_end(directory, out)?;
    out.flush()?;
    Ok(ArchiveSummary { entries, directory_bytes, archive_bytes: offset.saturating_add(directory_bytes) })
}

/// Writes the central directory headers of one segment, which begins at byte `offset` of its archive. Those of all
/// segments in their order, and then what [`write_end`] writes, are what [`write_central_directory`] writes. Returns their length, which is the
/// [`header_bytes`](crate::SegmentSummary::header_bytes) of the segment's writer where the segment ends below 4 GiB − 1.
///
/// # Errors
/// Those of [`write_central_directory`]; the segment counts as the archive's first.
pub fn write_headers<R: Read>(
    segment: ZipSegment<R>,
    offset: u64,
    out: &mut impl Write,
) -> Result<u64, ZipError> {
    let mut headers = HeaderWriter::new(offset);
    headers.add(0, segment, out)?;
    let CentralDirectory { bytes, .. } = headers.finish(out)?;
    out.flush()?;
    Ok(bytes)
}

/// Writes the end of an archive, which follows the headers of all segments, and returns its length: the end of central
/// directory record, with the ZIP64 records before it where a number needs them.
///
/// # Errors
/// When writing fails.
pub fn write_end(directory: CentralDirectory, out: &mut impl Write) -> io::Result<u64> {
    let mut end = Vec::new();
    directory.write_end(&mut end);
    write_out(&mut end, out)
}

/// Turns indexes into headers, segment by segment.
struct HeaderWriter {
    headers: Vec<u8>,
    /// The headers so far; the offset is that of the next segment.
    directory: CentralDirectory,
}

impl HeaderWriter {
    fn new(offset: u64) -> Self {
        Self { headers: Vec::new(), directory: CentralDirectory { entries: 0, offset, bytes: 0 } }
    }

    /// Adds the headers of a segment; `number` is its place in the archive, for errors.
    fn add<R: Read>(
        &mut self,
        number: usize,
        segment: ZipSegment<R>,
        out: &mut impl Write,
    ) -> Result<(), ZipError> {
        let ZipSegment { index, segment_bytes } = segment;
        let Self { headers, directory } = self;
        let mut reader = IndexReader::of_segment(number, index);
        loop {
            // Past the largest number is no archive: its length is found to be wrong below.
            let offset = directory.offset.saturating_add(reader.segment_bytes());
            let Some((entry, name)) = reader.next_entry()? else { break };
            entry.write_central_directory_header(offset, name, headers);
            if headers.len() >= BUFFER_BYTES {
                directory.bytes += write_out(headers, out)?;
            }
        }
        let described_bytes = reader.segment_bytes();
        if described_bytes != segment_bytes {
            return Err(ZipError::SegmentLength { segment: number, described_bytes, segment_bytes });
        }
        directory.offset = directory.offset.saturating_add(described_bytes);
        directory.entries += reader.entries();
        Ok(())
    }

    /// Writes out what is still buffered.
    fn finish(mut self, out: &mut impl Write) -> io::Result<CentralDirectory> {
        self.directory.bytes += write_out(&mut self.headers, out)?;
        Ok(self.directory)
    }
}

/// Writes the buffer out, empties it, and returns how much it held.
fn write_out(buffer: &mut Vec<u8>, out: &mut impl Write) -> io::Result<u64> {
    let bytes = buffer.len() as u64;
    out.write_all(buffer)?;
    buffer.clear();
    Ok(bytes)
}
