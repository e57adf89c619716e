//! An entry that fails leaves no trace; a segment whose bytes were lost can't be finished.

use std::{
    convert::Infallible,
    io::{self, Write},
    panic::{AssertUnwindSafe, catch_unwind},
};

use proptest::{collection::vec, prelude::*};
use qrpress_zip::{SegmentWriter, ZipError};

use crate::support::{Entry, Segment, segment, write_entry};

/// The way in which an entry goes.
#[derive(Clone, Copy, Debug)]
enum Fate {
    Written,
    Fails,
    Panics,
    NameRefused,
}

fn fate() -> impl Strategy<Value = Fate> {
    prop_oneof![
        3 => Just(Fate::Written),
        1 => Just(Fate::Fails),
        1 => Just(Fate::Panics),
        1 => Just(Fate::NameRefused),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn leaves_no_trace(fates in vec((fate(), 0usize..100_000), 0..12)) {
        let mut written: Vec<Entry> = Vec::new();
        let mut found = Segment::default();
        let mut writer = SegmentWriter::new(&mut found.bytes, &mut found.index);
        for (index, &(fate, size)) in fates.iter().enumerate() {
            let name = format!("{index}.png");
            let data = vec![index as u8; size];
            match fate {
                Fate::Written => {
                    write_entry(&mut writer, &name, &data).unwrap();
                    written.push((name, data));
                }
                Fate::Fails => {
                    let answer = writer.entry(&name, |out| {
                        out.extend_from_slice(&data);
                        Err::<(), _>(size)
                    });
                    prop_assert_eq!(answer.unwrap(), Err(size));
                }
                Fate::Panics => {
                    let entry = AssertUnwindSafe(|| {
                        writer.entry(&name, |out| -> Result<(), Infallible> {
                            out.extend_from_slice(&data);
                            std::panic::resume_unwind(Box::new(()))
                        })
                    });
                    prop_assert!(catch_unwind(entry).is_err());
                }
                Fate::NameRefused => {
                    for bytes in [0, 65_536] {
                        let answer = writer.entry(&"n".repeat(bytes), |_| Ok::<_, Infallible>(()));
                        let refused = matches!(answer, Err(ZipError::NameLength { bytes: b }) if b == bytes);
                        prop_assert!(refused);
                    }
                }
            }
        }
        let summary = writer.finish().unwrap();
        prop_assert_eq!(summary.entries, written.len() as u64);
        prop_assert_eq!(summary.segment_bytes, found.bytes.len() as u64);
        prop_assert!(found == segment(&written));
    }
}

#[test]
#[should_panic(expected = "took bytes of the archive away")]
fn data_must_not_take_bytes_away() {
    let (mut bytes, mut index) = (Vec::new(), Vec::new());
    let mut writer = SegmentWriter::new(&mut bytes, &mut index);
    let _ = writer.entry("a", |out| {
        out.clear();
        Ok::<_, Infallible>(())
    });
}

#[test]
#[should_panic(expected = "took bytes of the archive away")]
fn nor_must_data_that_fail() {
    let (mut bytes, mut index) = (Vec::new(), Vec::new());
    let mut writer = SegmentWriter::new(&mut bytes, &mut index);
    write_entry(&mut writer, "a", b"abc").unwrap();
    let answer = writer.entry("b", |out| {
        out.clear();
        Err::<(), _>(())
    });
    assert_eq!(answer.unwrap(), Err(()));
    let _ = write_entry(&mut writer, "c", b"");
}

/// A disk that is full after its room.
struct Full {
    room: usize,
}

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.room == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let count = bytes.len().min(self.room);
        self.room -= count;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_ends_the_segment() {
    for (segment_room, index_room) in [(0, usize::MAX), (150_000, usize::MAX), (usize::MAX, 150_000)] {
        let mut writer = SegmentWriter::new(Full { room: segment_room }, Full { room: index_room });
        let mut failures = 0;
        for index in 0..10_000 {
            let name = format!("a long name so that the index grows as well {index}");
            match write_entry(&mut writer, &name, &[0; 100]) {
                Ok(()) => assert_eq!(failures, 0, "an entry went well after a failed write"),
                Err(ZipError::Io(_)) => failures += 1,
                Err(error) => panic!("{error}"),
            }
        }
        assert!(failures > 0);
        assert!(writer.finish().is_err());
    }
    // A disk that fills up in the last write.
    let mut writer = SegmentWriter::new(Full { room: 10 }, io::sink());
    write_entry(&mut writer, "a", b"").unwrap();
    assert_eq!(writer.finish().unwrap_err().kind(), io::ErrorKind::StorageFull);
}
