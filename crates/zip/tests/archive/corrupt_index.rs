//! Indexes that no segment writer wrote are errors, never panics.

use std::io;

use proptest::{collection::vec, prelude::*};
use qrpress_zip::{ZipError, ZipSegment, write_central_directory};

use crate::support::{Segment, directory, segment};

fn sample() -> Segment {
    segment(&[("a.png".into(), vec![1; 300]), ("bb.png".into(), vec![]), ("ccc.png".into(), vec![3; 70])])
}

#[test]
fn truncated_anywhere() {
    let Segment { bytes, index } = sample();
    let record_ends = [0, 15, 31];
    for end in 0..index.len() {
        let error = directory(&[(&[], 0), (&index[..end], bytes.len() as u64)]).unwrap_err();
        if record_ends.contains(&end) {
            assert!(matches!(error, ZipError::SegmentLength { segment: 1, .. }), "{end}: {error}");
        } else {
            let entry = record_ends[1..].iter().filter(|&&record_end| record_end <= end).count() as u64;
            assert!(
                matches!(error, ZipError::IndexTruncated { segment: 1, entry: e } if e == entry),
                "{end}: {error}"
            );
        }
    }
}

#[test]
fn impossible_records() {
    let Segment { bytes, mut index } = sample();
    index[15..19].copy_from_slice(&[0xff; 4]);
    let error = directory(&[(&index, bytes.len() as u64)]).unwrap_err();
    assert!(
        matches!(error, ZipError::IndexRecord { segment: 0, entry: 1, size: u32::MAX, name_bytes: 6 }),
        "{error}"
    );
    // A block of zeros, which a file system may leave of a file that was not synced.
    let error = directory(&[(&[0; 4096], 0)]).unwrap_err();
    assert!(
        matches!(error, ZipError::IndexRecord { segment: 0, entry: 0, size: 0, name_bytes: 0 }),
        "{error}"
    );
}

#[test]
fn another_segment_s_index() {
    let (one, other) = (sample(), segment(&[("a.png".into(), vec![1; 299])]));
    let error = directory(&[(&one.index, other.bytes.len() as u64)]).unwrap_err();
    let (described, actual) = (one.bytes.len() as u64, other.bytes.len() as u64);
    assert!(
        matches!(error, ZipError::SegmentLength { segment: 0, described_bytes, segment_bytes }
            if described_bytes == described && segment_bytes == actual),
        "{error}"
    );
}

#[test]
fn a_segment_that_can_t_be_opened() {
    let segments: [io::Result<ZipSegment<&[u8]>>; 1] = [Err(io::ErrorKind::NotFound.into())];
    let error = write_central_directory(segments, &mut io::sink()).unwrap_err();
    assert!(matches!(error, ZipError::Io(error) if error.kind() == io::ErrorKind::NotFound));
}

proptest! {
    #[test]
    fn any_bytes(index in vec(any::<u8>(), 0..400), segment_bytes: u64) {
        // Lengths of names are mostly far beyond so few bytes: chance never describes a segment of a random length.
        prop_assert!(directory(&[(&index, segment_bytes)]).is_err());
    }

    #[test]
    fn any_lengths(record in 0usize..3, size: u32, name_bytes: u16) {
        let Segment { bytes, mut index } = sample();
        let at = [0, 15, 31][record];
        let before = index.clone();
        index[at..at + 4].copy_from_slice(&size.to_le_bytes());
        index[at + 8..at + 10].copy_from_slice(&name_bytes.to_le_bytes());
        prop_assume!(index != before);
        prop_assert!(directory(&[(&index, bytes.len() as u64)]).is_err());
    }
}
