//! The cut of entries into segments, and the lengths of single reads and writes, leave no trace in the archive.

use std::{
    convert::Infallible,
    io::{self, Cursor, Read, Write},
};

use proptest::{collection::vec, prelude::*};
use qrpress_zip::{SegmentWriter, ZipSegment, write_central_directory};
use zip::ZipArchive;

use crate::support::{Entry, archive, segment, write_entry};

fn entries() -> impl Strategy<Value = Vec<Entry>> {
    let data =
        prop_oneof![9 => vec(any::<u8>(), 0..2_000), 1 => (0usize..300_000).prop_map(|size| vec![7; size])];
    vec(("\\PC{0,30}", data), 0..40).prop_map(|entries| {
        entries.into_iter().enumerate().map(|(i, (name, data))| (format!("{i}-{name}"), data)).collect()
    })
}

/// Hands out and takes a few bytes at a time, and is interrupted before each.
struct Trickle<T> {
    inner: T,
    step: usize,
}

impl<T> Trickle<T> {
    fn new(inner: T) -> Self {
        Self { inner, step: 0 }
    }

    fn next(&mut self, bytes: usize) -> io::Result<usize> {
        self.step += 1;
        if self.step % 2 == 1 {
            Err(io::ErrorKind::Interrupted.into())
        } else {
            Ok(bytes.min(1 + self.step % 97))
        }
    }
}

impl<T: Read> Read for Trickle<T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.next(bytes.len())?;
        self.inner.read(&mut bytes[..count])
    }
}

impl<T: Write> Write for Trickle<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.next(bytes.len())?;
        self.inner.write(&bytes[..count])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_cut_gives_the_same_archive(entries in entries(), mut cuts in vec(any::<prop::sample::Index>(), 0..6)) {
        let whole = archive(&[segment(&entries)]);

        cuts.sort_by_key(|cut| cut.index(entries.len() + 1));
        let mut segments = Vec::new();
        let mut start = 0;
        for cut in cuts {
            let end = cut.index(entries.len() + 1);
            segments.push(segment(&entries[start..end]));
            start = end;
        }
        segments.push(segment(&entries[start..]));
        prop_assert!(archive(&segments) == whole);

        let mut read = ZipArchive::new(Cursor::new(whole)).unwrap();
        prop_assert_eq!(read.len(), entries.len());
        for (index, (name, data)) in entries.iter().enumerate() {
            let mut entry = read.by_index(index).unwrap();
            prop_assert_eq!(entry.name().unwrap(), name.as_str());
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            prop_assert!(bytes == *data);
        }
    }

    #[test]
    fn bytes_may_come_and_go_in_any_portion(entries in entries()) {
        let whole = segment(&entries);
        let (mut bytes, mut index, mut directory) = (Vec::new(), Vec::new(), Vec::new());
        let mut writer = SegmentWriter::new(Trickle::new(&mut bytes), Trickle::new(&mut index));
        for (name, data) in &entries {
            write_entry(&mut writer, name, data).unwrap();
        }
        let segment_bytes = writer.finish().unwrap().segment_bytes;
        prop_assert!(bytes == whole.bytes && index == whole.index);

        let segments = [Ok(ZipSegment { index: Trickle::new(index.as_slice()), segment_bytes })];
        write_central_directory(segments, &mut Trickle::new(&mut directory)).unwrap();
        bytes.extend_from_slice(&directory);
        prop_assert!(bytes == archive(&[whole]));
    }
}

/// Remembers how long the longest write was.
#[derive(Default)]
struct LongestWrite(usize);

impl Write for LongestWrite {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.max(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn buffers_stay_small_whatever_the_segment() {
    let (mut bytes, mut index) = (LongestWrite::default(), LongestWrite::default());
    let mut writer = SegmentWriter::new(&mut bytes, &mut index);
    for _ in 0..100_000 {
        write_entry(&mut writer, "entry.png", &[1; 650]).unwrap();
    }
    let summary = writer.finish().unwrap();
    assert_eq!(summary.segment_bytes, 100_000 * (30 + 9 + 650));
    assert_eq!(summary.index_bytes, 100_000 * (10 + 9));
    assert!(bytes.0 < 128 * 1024 && index.0 < 128 * 1024);
}

#[test]
fn the_closure_answers_through_the_writer() {
    let (mut bytes, mut index) = (Vec::new(), Vec::new());
    let mut writer = SegmentWriter::new(&mut bytes, &mut index);
    write_entry(&mut writer, "a", b"abc").unwrap();
    let answer = writer.entry("b", |out| Ok::<_, Infallible>(out.len())).unwrap();
    assert_eq!(answer, Ok(30 + 1 + 3 + 30 + 1));
}
