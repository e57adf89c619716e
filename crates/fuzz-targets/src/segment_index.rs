//! Segment indexes: the directories beside ZIP segments, from which the central directory is made.

use qrpress_zip::{CentralDirectory, DirectoryReader, ZipSegment, write_end, write_headers, write_tail};

/// Bytes of a local file header without the name.
const LOCAL_FILE_HEADER_BYTES: u64 = 30;

/// Reads a directory, and makes the tail of an archive of it: at once, and from its parts.
///
/// # Panics
/// When a law is broken.
pub fn segment_index(bytes: &[u8]) {
    let mut reader = DirectoryReader::new(bytes);
    let (mut entries, mut segment_bytes) = (0, 0);
    let is_whole = loop {
        match reader.next_file() {
            Ok(Some(file)) => {
                let data = segment_bytes + LOCAL_FILE_HEADER_BYTES + file.name.len() as u64;
                assert_eq!(file.offset, data, "a file does not follow the one before");
                entries += 1;
                segment_bytes = data + u64::from(file.bytes);
            }
            Ok(None) => break true,
            Err(_) => break false,
        }
    };
    let segment = |segment_bytes| ZipSegment { directory: bytes, segment_bytes };
    let mut tail = Vec::new();
    let summary = write_tail([Ok(segment(segment_bytes)), Ok(segment(segment_bytes))], &mut tail);
    assert_eq!(summary.is_ok(), is_whole, "the reader and the tail differ");
    assert!(write_tail([Ok(segment(segment_bytes + 1))], &mut Vec::new()).is_err());
    let Ok(summary) = summary else { return };
    assert_eq!((summary.entries, summary.tail_bytes), (2 * entries, tail.len() as u64));

    let mut parts = Vec::new();
    for offset in [0, segment_bytes] {
        write_headers(segment(segment_bytes), offset, &mut parts).expect("memory takes bytes");
    }
    let directory =
        CentralDirectory { entries: 2 * entries, offset: 2 * segment_bytes, bytes: parts.len() as u64 };
    write_end(directory, &mut parts).expect("memory takes bytes");
    assert!(parts == tail, "the parts make another tail");
}
