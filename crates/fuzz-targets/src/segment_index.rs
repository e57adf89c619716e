//! The indexes beside ZIP segments, from which the central directory is made.

use qrpress_zip::{
    CentralDirectory, IndexReader, ZipSegment, write_central_directory, write_end, write_headers,
};

/// Bytes of a local file header without the name.
const LOCAL_FILE_HEADER_BYTES: u64 = 30;

/// Reads an index, and makes the central directory of an archive of it: at once, and from its parts.
///
/// # Panics
/// When a law is broken.
pub fn segment_index(bytes: &[u8]) {
    let mut reader = IndexReader::new(bytes);
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
    let segment = |segment_bytes| ZipSegment { index: bytes, segment_bytes };
    let mut directory = Vec::new();
    let summary =
        write_central_directory([Ok(segment(segment_bytes)), Ok(segment(segment_bytes))], &mut directory);
    assert_eq!(summary.is_ok(), is_whole, "the reader and the central directory differ");
    assert!(write_central_directory([Ok(segment(segment_bytes + 1))], &mut Vec::new()).is_err());
    let Ok(summary) = summary else { return };
    assert_eq!((summary.entries, summary.directory_bytes), (2 * entries, directory.len() as u64));

    let mut parts = Vec::new();
    for offset in [0, segment_bytes] {
        write_headers(segment(segment_bytes), offset, &mut parts).expect("memory takes bytes");
    }
    let whole =
        CentralDirectory { entries: 2 * entries, offset: 2 * segment_bytes, bytes: parts.len() as u64 };
    write_end(whole, &mut parts).expect("memory takes bytes");
    assert!(parts == directory, "the parts make another central directory");
}
