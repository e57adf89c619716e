//! Reads segments: a file in them, and whether all of them are what their index says.

use std::io::Read;
use std::ops::Range;

use crate::ZipError;
use crate::format::{Entry, LOCAL_FILE_HEADER};
use crate::index::IndexReader;

/// A file of a segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredFile<'a> {
    /// The name in the archive.
    pub name: &'a [u8],
    /// The data, from the beginning of the local file header on.
    pub data: Range<u64>,
}

/// The file whose local file header `bytes` begin with, whether its data follow or not; `None` where they begin with none that a
/// [`SegmentWriter`](crate::SegmentWriter) writes.
pub fn stored_file(bytes: &[u8]) -> Option<StoredFile<'_>> {
    let (header, rest) = bytes.split_first_chunk::<{ LOCAL_FILE_HEADER.len() }>()?;
    let entry = Entry::of_local_file_header(header)?;
    let name = rest.get(..entry.name_bytes.into())?;
    let start = (header.len() + name.len()) as u64;
    Some(StoredFile { name, data: start..start + u64::from(entry.size) })
}

/// The first thing of a segment that is not what its index says.
#[derive(Debug)]
#[non_exhaustive]
pub enum Damage {
    /// The index is not what a [`SegmentWriter`](crate::SegmentWriter) writes, or of another segment.
    Index,
    /// Header, name or data of a file.
    File {
        /// The name.
        name: Vec<u8>,
    },
}

/// Compares a segment, which comes piece by piece, with its index. Memory is bounded.
pub struct SegmentChecker<R> {
    files: IndexReader<R>,
    /// The local file header and the name that have to come next.
    header: Vec<u8>,
    /// Bytes of these that have come.
    matched: usize,
    /// Bytes of the data to come.
    left: u32,
    crc32: u32,
    hash: crc32fast::Hasher,
}

impl<R: Read> SegmentChecker<R> {
    /// Checks the segment that `index` is of.
    pub fn new(index: R) -> Self {
        let (files, hash) = (IndexReader::new(index), crc32fast::Hasher::new());
        Self { files, header: Vec::new(), matched: 0, left: 0, crc32: 0, hash }
    }

    /// Takes the next bytes.
    ///
    /// # Errors
    /// The first damage. Then there is nothing more to check.
    pub fn push(&mut self, mut bytes: &[u8]) -> Result<(), Damage> {
        while !bytes.is_empty() {
            if self.is_at_end() && !self.advance()? {
                return Err(Damage::Index);
            }
            let rest = &self.header[self.matched..];
            let (header, data) = bytes.split_at(rest.len().min(bytes.len()));
            if header != &rest[..header.len()] {
                return Err(self.damage());
            }
            self.matched += header.len();
            let (data, behind) = data.split_at((self.left as usize).min(data.len()));
            self.hash.update(data);
            self.left -= data.len() as u32;
            bytes = behind;
            self.check_sum()?;
        }
        Ok(())
    }

    /// Returns once all bytes have come.
    ///
    /// # Errors
    /// The damage that there is only at the end.
    pub fn finish(mut self) -> Result<(), Damage> {
        if !self.is_at_end() || self.advance()? { Err(self.damage()) } else { Ok(()) }
    }

    /// Returns true between two files.
    fn is_at_end(&self) -> bool {
        self.matched == self.header.len() && self.left == 0
    }

    /// Goes on to the next file. Returns false behind the last.
    fn advance(&mut self) -> Result<bool, Damage> {
        let file = self.files.next_file().map_err(|_: ZipError| Damage::Index)?;
        let Some(file) = file else { return Ok(false) };
        self.header.clear();
        self.header.extend_from_slice(&file.local_file_header().ok_or(Damage::Index)?);
        self.header.extend_from_slice(file.name);
        (self.matched, self.left, self.crc32) = (0, file.bytes, file.crc32);
        self.hash.reset();
        Ok(true)
    }

    fn check_sum(&self) -> Result<(), Damage> {
        let is_other = self.is_at_end() && self.hash.clone().finalize() != self.crc32;
        if is_other { Err(self.damage()) } else { Ok(()) }
    }

    fn damage(&self) -> Damage {
        Damage::File { name: self.header.get(LOCAL_FILE_HEADER.len()..).unwrap_or_default().to_vec() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SegmentWriter;
    use std::convert::Infallible;

    fn segment() -> (Vec<u8>, Vec<u8>) {
        let (mut segment, mut index) = (Vec::new(), Vec::new());
        let mut writer = SegmentWriter::new(&mut segment, &mut index);
        for (name, data) in [("a.png", "data of a"), ("empty", ""), ("é.svg", "of another")] {
            let write = |out: &mut Vec<u8>| {
                out.extend_from_slice(data.as_bytes());
                Ok::<(), Infallible>(())
            };
            assert!(writer.entry(name, write).is_ok_and(|written| written.is_ok()));
        }
        assert!(writer.finish().is_ok());
        (segment, index)
    }

    fn check(segment: &[u8], index: &[u8], piece: usize) -> Result<(), Damage> {
        let mut checker = SegmentChecker::new(index);
        segment.chunks(piece).try_for_each(|bytes| checker.push(bytes))?;
        checker.finish()
    }

    #[test]
    fn a_file_is_found_behind_its_header() {
        let (segment, _) = segment();
        let file = stored_file(&segment).expect("a file");
        assert_eq!(
            (file.name, &segment[file.data.start as usize..file.data.end as usize]),
            (&b"a.png"[..], &b"data of a"[..])
        );
        let next = stored_file(&segment[file.data.end as usize..]).expect("a file");
        assert_eq!((next.name, next.data.end - next.data.start), (&b"empty"[..], 0));
        for end in 0..file.data.start as usize {
            assert_eq!(stored_file(&segment[..end]), None);
        }
        assert_eq!(stored_file(&segment[1..]), None);
    }

    #[test]
    fn a_segment_is_what_its_index_says_whatever_the_pieces() {
        let (segment, index) = segment();
        for piece in 1..=segment.len() {
            assert!(check(&segment, &index, piece).is_ok());
        }
    }

    #[test]
    fn every_changed_missing_or_added_byte_is_damage() {
        let (segment, index) = segment();
        for at in 0..segment.len() {
            let mut changed = segment.clone();
            changed[at] ^= 1;
            assert!(check(&changed, &index, 7).is_err(), "byte {at} changed");
            assert!(check(&segment[..at], &index, 7).is_err(), "cut at {at}");
        }
        assert!(matches!(check(&[&segment[..], b"x"].concat(), &index, 7), Err(Damage::Index)));
        for at in 0..index.len() {
            let mut changed = index.clone();
            changed[at] ^= 1;
            assert!(check(&segment, &changed, 7).is_err(), "byte {at} of the index changed");
        }
    }
}
