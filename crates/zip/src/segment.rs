//! Writes one segment: local file headers and stored data, with the segment's index beside them.

use std::fmt;
use std::io::{self, Write};

use crate::{
    ZipError,
    format::{Entry, LOCAL_FILE_HEADER},
    index,
};

/// A buffer that reaches this many bytes is written out: few system calls, and it stays in a core's cache.
const FLUSH_BYTES: usize = 112 * 1024;
/// Room for the entry that crosses the mark, so that common ones don't move the buffer. Both together stay below the
/// 128 KiB from which glibc maps, and the kernel clears, fresh pages for every allocation.
const HEADROOM_BYTES: usize = 12 * 1024;

/// Writes a segment's bytes to `W` and its index to `D`.
///
/// Both are buffered here, so files can be given as they are; `&File` leaves the file with the caller, who syncs it
/// after [`finish`](Self::finish). Memory is bounded by the largest entry, whatever the segment's size. After an I/O
/// error the segment is to be thrown away.
pub struct SegmentWriter<W, D> {
    segment: Buffered<W>,
    index: Buffered<D>,
    entries: u64,
    header_bytes: u64,
}

/// The lengths of a finished segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentSummary {
    /// Entries that were not dropped.
    pub entries: u64,
    /// Bytes written to the segment.
    pub segment_bytes: u64,
    /// Bytes written to its index.
    pub index_bytes: u64,
    /// Bytes that its entries take up in the central directory, where the segment ends below 4 GiB − 1 of the archive.
    pub header_bytes: u64,
}

impl<W, D> fmt::Debug for SegmentWriter<W, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SegmentWriter").field("entries", &self.entries).finish_non_exhaustive()
    }
}

impl<W: Write, D: Write> SegmentWriter<W, D> {
    /// Starts an empty segment.
    pub fn new(segment: W, index: D) -> Self {
        Self { segment: Buffered::new(segment), index: Buffered::new(index), entries: 0, header_bytes: 0 }
    }

    /// Adds the entry `name`, whose data `write` appends to the buffer that it is given, and returns what `write`
    /// returns. Bytes already in the buffer belong to the archive and must stay as they are.
    ///
    /// When `write` fails or panics, the entry leaves no trace, and the segment can go on. Names are taken as they
    /// are: that they are unique and safe to unpack is the caller's business.
    ///
    /// # Errors
    /// [`ZipError::NameLength`] and [`ZipError::EntryTooLarge`] leave no trace either; [`ZipError::Io`] when a full
    /// buffer can't be written.
    ///
    /// # Panics
    /// When `write` leaves fewer bytes in the buffer than it found; where it failed, on the next call.
    #[inline]
    pub fn entry<T, E>(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut Vec<u8>) -> Result<T, E>,
    ) -> Result<Result<T, E>, ZipError> {
        let name = name.as_bytes();
        let name_bytes = name_bytes(name.len())?;

        let buffer = self.segment.begin();
        let header_at = buffer.len();
        buffer.extend_from_slice(&LOCAL_FILE_HEADER);
        buffer.extend_from_slice(name);
        let data_at = buffer.len();
        let answer = match write(buffer) {
            Ok(answer) => answer,
            Err(error) => return Ok(Err(error)),
        };
        assert!(buffer.len() >= data_at, "an entry's data took bytes of the archive away");

        let size = stored_size(buffer.len() - data_at)?;
        let entry = Entry { crc32: crc32fast::hash(&buffer[data_at..]), size, name_bytes };
        entry.fill_local_file_header(&mut buffer[header_at..]);
        index::write_record(entry, name, self.index.begin());
        self.entries += 1;
        self.header_bytes += entry.header_bytes();
        self.segment.commit()?;
        self.index.commit()?;
        Ok(Ok(answer))
    }

    /// Writes out what is still buffered and flushes both writers.
    ///
    /// # Errors
    /// When writing fails now, or has failed before.
    pub fn finish(self) -> io::Result<SegmentSummary> {
        let Self { segment, index, entries, header_bytes } = self;
        Ok(SegmentSummary {
            entries,
            segment_bytes: segment.finish()?,
            index_bytes: index.finish()?,
            header_bytes,
        })
    }
}

/// A writer behind a buffer whose end can be taken back until it is committed.
struct Buffered<W> {
    inner: W,
    buffer: Vec<u8>,
    /// Bytes of the buffer that stay; what follows them is of an entry that failed.
    committed: usize,
    /// Bytes written out.
    written: u64,
    /// A write failed, so that nobody knows what `inner` holds.
    broken: bool,
}

impl<W: Write> Buffered<W> {
    fn new(inner: W) -> Self {
        let buffer = Vec::with_capacity(FLUSH_BYTES + HEADROOM_BYTES);
        Self { inner, buffer, committed: 0, written: 0, broken: false }
    }

    /// The buffer without what was not committed.
    #[inline]
    fn begin(&mut self) -> &mut Vec<u8> {
        assert!(self.buffer.len() >= self.committed, "an entry that failed took bytes of the archive away");
        self.buffer.truncate(self.committed);
        &mut self.buffer
    }

    #[inline]
    fn commit(&mut self) -> io::Result<()> {
        self.committed = self.buffer.len();
        if self.committed >= FLUSH_BYTES { self.write_out() } else { Ok(()) }
    }

    #[cold]
    fn write_out(&mut self) -> io::Result<()> {
        if self.broken {
            return Err(io::Error::other("an earlier write to the segment failed"));
        }
        self.broken = true;
        self.inner.write_all(&self.buffer[..self.committed])?;
        self.broken = false;
        self.written += self.committed as u64;
        self.committed = 0;
        self.buffer.clear();
        Ok(())
    }

    fn finish(mut self) -> io::Result<u64> {
        self.write_out()?;
        self.inner.flush()?;
        Ok(self.written)
    }
}

/// The length of a name as the format says it (APPNOTE 4.4.10).
fn name_bytes(bytes: usize) -> Result<u16, ZipError> {
    u16::try_from(bytes).ok().filter(|&bytes| bytes > 0).ok_or(ZipError::NameLength { bytes })
}

/// The size of an entry as a header without ZIP64 says it (APPNOTE 4.4.8).
fn stored_size(bytes: usize) -> Result<u32, ZipError> {
    u32::try_from(bytes).ok().filter(|&size| size < u32::MAX).ok_or(ZipError::EntryTooLarge { bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_fits_up_to_the_value_that_means_zip64() {
        let max = u32::MAX as usize;
        assert_eq!(stored_size(0).unwrap(), 0);
        assert_eq!(stored_size(max - 1).unwrap(), u32::MAX - 1);
        for bytes in [max, max + 1, usize::MAX] {
            assert!(matches!(stored_size(bytes), Err(ZipError::EntryTooLarge { bytes: b }) if b == bytes));
        }
    }
}
