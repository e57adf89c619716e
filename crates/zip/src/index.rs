//! A segment's index: the entries of a segment without their offsets, which are running sums.
//!
//! A record is size `u32`, CRC-32 `u32` and name length `u16`, little-endian, then the name.

use std::io::{self, Read};
use std::ops::Range;

use crate::ZipError;
use crate::format::{Entry, LOCAL_FILE_HEADER};

/// Bytes of a record before its name.
const FIXED_BYTES: usize = 10;
/// The longest that a record can be.
const MAX_RECORD_BYTES: usize = FIXED_BYTES + u16::MAX as usize;

/// Appends an entry's record.
#[inline]
pub fn write_record(entry: Entry, name: &[u8], out: &mut Vec<u8>) {
    let mut fixed = [0; FIXED_BYTES];
    fixed[..4].copy_from_slice(&entry.size.to_le_bytes());
    fixed[4..8].copy_from_slice(&entry.crc32.to_le_bytes());
    fixed[8..].copy_from_slice(&entry.name_bytes.to_le_bytes());
    out.extend_from_slice(&fixed);
    out.extend_from_slice(name);
}

/// Splits the first record off, its name beside it; `None` when `bytes` end within it. The values are as hostile as
/// the bytes.
#[inline]
fn split_record(bytes: &[u8]) -> Option<(Entry, &[u8], &[u8])> {
    let (&[s0, s1, s2, s3, c0, c1, c2, c3, n0, n1], rest) = bytes.split_first_chunk::<FIXED_BYTES>()?;
    let entry = Entry {
        crc32: u32::from_le_bytes([c0, c1, c2, c3]),
        size: u32::from_le_bytes([s0, s1, s2, s3]),
        name_bytes: u16::from_le_bytes([n0, n1]),
    };
    let (name, rest) = rest.split_at_checked(usize::from(entry.name_bytes))?;
    Some((entry, name, rest))
}

/// Bytes that are read at a time: few system calls, and room for any record. The first block is small, for a short index.
const READ_BYTES: usize = 256 * 1024;
const FIRST_READ_BYTES: usize = 8 * 1024;
const _: () = assert!(READ_BYTES > MAX_RECORD_BYTES);

/// A file of a segment, as its index tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentFile<'a> {
    /// The name in the archive.
    pub name: &'a [u8],
    /// Bytes of the data.
    pub bytes: u32,
    /// CRC-32 of the data.
    pub crc32: u32,
    /// The first byte of the data in the segment.
    pub offset: u64,
}

impl SegmentFile<'_> {
    /// Bytes of the local file header with its name, which lie before the data.
    pub fn header_bytes(&self) -> u64 {
        (LOCAL_FILE_HEADER.len() + self.name.len()) as u64
    }

    /// The data of the file in the bytes of its segment from the local file header on; `None` where header, name or checksum
    /// are not those of the index.
    pub fn data_in<'a>(&self, entry: &'a [u8]) -> Option<&'a [u8]> {
        let header = self.local_file_header()?;
        let data = entry.strip_prefix(&header)?.strip_prefix(self.name)?.get(..self.bytes as usize)?;
        (crc32fast::hash(data) == self.crc32).then_some(data)
    }

    /// The local file header of the file, without its name; `None` where the name is longer than any.
    pub(crate) fn local_file_header(&self) -> Option<[u8; LOCAL_FILE_HEADER.len()]> {
        let mut header = LOCAL_FILE_HEADER;
        let name_bytes = u16::try_from(self.name.len()).ok()?;
        let (crc32, size) = (self.crc32, self.bytes);
        Entry { crc32, size, name_bytes }.fill_local_file_header(&mut header);
        Some(header)
    }
}

/// Reads a segment's index, file by file, in bounded memory.
#[derive(Debug)]
pub struct IndexReader<R> {
    /// The segment's place in the archive, from 0.
    segment: usize,
    index: R,
    block: Vec<u8>,
    /// The bytes of `block` that were read and not yet handed out.
    held: Range<usize>,
    entries: u64,
    /// Bytes of the entries in the segment.
    segment_bytes: u64,
}

impl<R: Read> IndexReader<R> {
    /// Reads what a [`SegmentWriter`](crate::SegmentWriter) wrote beside its segment.
    pub fn new(index: R) -> Self {
        Self::of_segment(0, index)
    }

    /// Reads the index of segment number `segment`, which errors name.
    pub(crate) fn of_segment(segment: usize, index: R) -> Self {
        Self { segment, index, block: vec![0; FIRST_READ_BYTES], held: 0..0, entries: 0, segment_bytes: 0 }
    }

    /// The next file; `None` behind the last.
    ///
    /// # Errors
    /// [`ZipError::IndexTruncated`] and [`ZipError::IndexRecord`] where the index is corrupt; its segment
    /// counts as the archive's first. [`ZipError::Io`] when reading fails.
    pub fn next_file(&mut self) -> Result<Option<SegmentFile<'_>>, ZipError> {
        let before = self.segment_bytes;
        let Some((entry, name)) = self.next_entry()? else { return Ok(None) };
        let offset = before.saturating_add(entry.segment_bytes()) - u64::from(entry.size);
        Ok(Some(SegmentFile { name, bytes: entry.size, crc32: entry.crc32, offset }))
    }

    /// The next entry and its name; `None` behind the last.
    #[inline]
    pub(crate) fn next_entry(&mut self) -> Result<Option<(Entry, &[u8])>, ZipError> {
        if split_record(&self.block[self.held.clone()]).is_none() {
            self.refill()?;
        }
        let Some((entry, name, rest)) = split_record(&self.block[self.held.clone()]) else {
            let truncated = ZipError::IndexTruncated { segment: self.segment, entry: self.entries };
            return if self.held.is_empty() { Ok(None) } else { Err(truncated) };
        };
        let Entry { size, name_bytes, .. } = entry;
        if size == u32::MAX || name_bytes == 0 {
            let (segment, entry) = (self.segment, self.entries);
            return Err(ZipError::IndexRecord { segment, entry, size, name_bytes });
        }
        self.held.start = self.held.end - rest.len();
        self.entries += 1;
        // Past the largest number is no segment: whoever compares finds the length wrong.
        self.segment_bytes = self.segment_bytes.saturating_add(entry.segment_bytes());
        Ok(Some((entry, name)))
    }

    /// Entries so far.
    pub(crate) fn entries(&self) -> u64 {
        self.entries
    }

    /// Bytes that these take up in the segment.
    pub(crate) fn segment_bytes(&self) -> u64 {
        self.segment_bytes
    }

    /// Fills the block behind what it holds.
    #[cold]
    fn refill(&mut self) -> io::Result<()> {
        self.block.copy_within(self.held.clone(), 0);
        self.held = 0..self.held.len();
        loop {
            if self.held.end == self.block.len() {
                if self.block.len() == READ_BYTES {
                    break;
                }
                self.block.resize(READ_BYTES.min(4 * self.block.len()), 0);
            }
            match self.index.read(&mut self.block[self.held.end..]) {
                Ok(0) => break,
                Ok(bytes) => self.held.end += bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}
