//! Numbers around the ends of 16 and 32 bits.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
};

use qrpress_zip::{ZipSegment, write_central_directory};
use zip::ZipArchive;

use crate::{
    support::{Entry, TemporaryFile, directory, segment},
    tools,
};

const END: u64 = 22;
const ZIP64_END: u64 = 56 + 20 + END;
const ZIP64_EXTRA: u64 = 12;

/// A record of an index, and the bytes that its entry takes up in a segment.
fn record(size: u32, crc32: u32, name: &str) -> (Vec<u8>, u64) {
    let name_bytes = u16::try_from(name.len()).unwrap();
    let record =
        [&size.to_le_bytes()[..], &crc32.to_le_bytes(), &name_bytes.to_le_bytes(), name.as_bytes()].concat();
    (record, 30 + u64::from(name_bytes) + u64::from(size))
}

/// Length of the central directory and the end of entries of these sizes, each in a segment of its own, under names of one byte.
fn directory_bytes(sizes: &[u32]) -> u64 {
    let segments: Vec<_> = sizes.iter().map(|&size| record(size, 0, "a")).collect();
    let segments: Vec<_> = segments.iter().map(|(index, bytes)| (index.as_slice(), *bytes)).collect();
    directory(&segments).unwrap().1.directory_bytes
}

#[test]
fn offsets_of_32_bits() {
    let ends_at = |offset: u32| offset - 31;
    // The central directory's offset.
    assert_eq!(directory_bytes(&[ends_at(u32::MAX - 1)]), 47 + END);
    assert_eq!(directory_bytes(&[ends_at(u32::MAX)]), 47 + ZIP64_END);
    // An entry's offset.
    assert_eq!(directory_bytes(&[ends_at(u32::MAX - 1), 0]), 47 + 47 + ZIP64_END);
    assert_eq!(directory_bytes(&[ends_at(u32::MAX), 0]), 47 + 47 + ZIP64_EXTRA + ZIP64_END);
    assert_eq!(directory_bytes(&[u32::MAX - 1, 0, 0]), 3 * 47 + 2 * ZIP64_EXTRA + ZIP64_END);
}

#[test]
fn counts_of_16_bits() {
    let (index, bytes) = record(0, 0, "a");
    for (entries, end) in [(65_534, END), (65_535, ZIP64_END), (65_536, ZIP64_END)] {
        let (_, summary) = directory(&[(&index.repeat(entries), bytes * entries as u64)]).unwrap();
        assert_eq!(summary.entries, entries as u64);
        assert_eq!(summary.directory_bytes, 47 * entries as u64 + end);
    }
}

/// Keeps the last bytes written.
#[derive(Default)]
struct Last {
    bytes: Vec<u8>,
    written: u64,
}

impl Write for Last {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.written += bytes.len() as u64;
        self.bytes.extend_from_slice(&bytes[bytes.len().saturating_sub(100)..]);
        self.bytes.drain(..self.bytes.len().saturating_sub(100));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_central_directory_past_4_gib() {
    const ENTRIES: u64 = 65_500;
    let (index, bytes) = record(0, 0, &"n".repeat(65_535));
    let index = index.repeat(100);
    let segments =
        (0..ENTRIES / 100).map(|_| Ok(ZipSegment { index: index.as_slice(), segment_bytes: 100 * bytes }));
    let mut out = Last::default();
    let summary = write_central_directory(segments, &mut out).unwrap();

    // A central directory header is 16 bytes longer than a local one: here only the directory is past 32 bits.
    assert_eq!(summary.archive_bytes - summary.directory_bytes, ENTRIES * bytes);
    let header_bytes = ENTRIES * (46 + 65_535);
    assert!(ENTRIES * bytes < u64::from(u32::MAX) && header_bytes > u64::from(u32::MAX));
    assert_eq!((summary.directory_bytes, out.written), (header_bytes + ZIP64_END, header_bytes + ZIP64_END));
    let end = &out.bytes[100 - ZIP64_END as usize..];
    assert_eq!(end[40..48], header_bytes.to_le_bytes());
    assert_eq!(end[56 + 20 + 12..][..4], [0xff; 4]);
}

#[test]
fn an_archive_past_4_gib_on_disk() {
    const HUGE: u32 = 1 << 31;
    let first: Vec<Entry> = vec![("first".into(), b"before".into())];
    let last: Vec<Entry> = vec![("last-1".into(), b"after".into()), ("last-2".into(), vec![7; 100_000])];
    let (head, rest) = (segment(&first), segment(&last));

    // Two entries of 2 GiB, holes in the file but for their local file headers.
    let mut zeros = crc32fast::Hasher::new();
    zeros.update(&[0; 1 << 12]);
    for _ in 12..31 {
        zeros.combine(&zeros.clone());
    }
    let zeros = zeros.finalize();
    let names = ["huge-1", "huge-2"];
    let [one, two] = names.map(|name| record(HUGE, zeros, name));
    let huge_index = [one.0, two.0].concat();
    let huge_bytes = one.1 + two.1;

    let file = TemporaryFile::new();
    let mut out = File::create(file.path()).unwrap();
    out.write_all(&head.bytes).unwrap();
    for name in names {
        out.write_all(b"PK\x03\x04\x0a\0\0\x08\0\0\0\0\x21\0").unwrap();
        out.write_all(&[zeros.to_le_bytes(), HUGE.to_le_bytes(), HUGE.to_le_bytes()].concat()).unwrap();
        out.write_all(&[6, 0, 0, 0]).unwrap();
        out.write_all(name.as_bytes()).unwrap();
        out.seek(SeekFrom::Current(i64::from(HUGE))).unwrap();
    }
    out.write_all(&rest.bytes).unwrap();
    let (directory, summary) = directory(&[
        (&head.index, head.bytes.len() as u64),
        (&huge_index, huge_bytes),
        (&rest.index, rest.bytes.len() as u64),
    ])
    .unwrap();
    out.write_all(&directory).unwrap();
    assert_eq!(out.metadata().unwrap().len(), summary.archive_bytes);

    let mut archive = ZipArchive::new(File::open(file.path()).unwrap()).unwrap();
    assert_eq!(archive.len(), 5);
    for (name, data) in first.iter().chain(&last) {
        let mut read = Vec::new();
        archive.by_name(name).unwrap().read_to_end(&mut read).unwrap();
        assert!(read == *data, "{name}");
    }
    assert!(archive.by_name("last-1").unwrap().header_start() > u64::from(u32::MAX));

    tools::test_archive(file.path(), &["first", "last-1", "last-2"]);
    let huge = names.map(|name| (name.to_owned(), zeros, u64::from(HUGE)));
    let small = |(name, data): &Entry| (name.clone(), crc32fast::hash(data), data.len() as u64);
    tools::compare_in_python(file.path(), first.iter().map(small).chain(huge).chain(last.iter().map(small)));
}
