//! Archives in memory and on disk for the tests.

use std::{
    convert::Infallible,
    env, fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU32, Ordering},
};

use qrpress_zip::{
    ArchiveSummary, CentralDirectory, SegmentWriter, ZipError, ZipSegment, write_central_directory,
    write_end, write_headers,
};

/// A finished segment with its index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    pub bytes: Vec<u8>,
    pub index: Vec<u8>,
}

/// Name and data.
pub type Entry = (String, Vec<u8>);

pub fn write_entry<W: Write, D: Write>(
    writer: &mut SegmentWriter<W, D>,
    name: &str,
    data: &[u8],
) -> Result<(), ZipError> {
    let Ok(()) = writer.entry(name, |buffer| {
        buffer.extend_from_slice(data);
        Ok::<_, Infallible>(())
    })?;
    Ok(())
}

pub fn segment(entries: &[Entry]) -> Segment {
    let mut segment = Segment::default();
    let mut writer = SegmentWriter::new(&mut segment.bytes, &mut segment.index);
    for (name, data) in entries {
        write_entry(&mut writer, name, data).unwrap();
    }
    let summary = writer.finish().unwrap();
    assert_eq!(summary.entries, entries.len() as u64);
    assert_eq!(summary.segment_bytes, segment.bytes.len() as u64);
    assert_eq!(summary.index_bytes, segment.index.len() as u64);
    let zip = ZipSegment { index: segment.index.as_slice(), segment_bytes: summary.segment_bytes };
    assert_eq!(write_headers(zip, 0, &mut io::sink()).unwrap(), summary.header_bytes);
    segment
}

/// The central directory and the end, from indexes and the lengths of their segments.
pub fn directory(segments: &[(&[u8], u64)]) -> Result<(Vec<u8>, ArchiveSummary), ZipError> {
    let mut directory = Vec::new();
    let segments = segments.iter().map(|&(index, segment_bytes)| ZipSegment { index, segment_bytes });
    let summary = write_central_directory(segments.clone().map(Ok), &mut directory)?;
    assert_eq!(summary.directory_bytes, directory.len() as u64);
    assert!(in_pieces(segments)? == directory);
    Ok((directory, summary))
}

/// The same, each segment's headers by themselves.
fn in_pieces<'a>(segments: impl Iterator<Item = ZipSegment<&'a [u8]>>) -> Result<Vec<u8>, ZipError> {
    let mut directory = Vec::new();
    let mut whole = CentralDirectory { entries: 0, offset: 0, bytes: 0 };
    for segment in segments {
        whole.entries += entries_of(segment.index);
        whole.bytes += write_headers(segment, whole.offset, &mut directory)?;
        whole.offset += segment.segment_bytes;
        assert_eq!(whole.bytes, directory.len() as u64);
    }
    let end_bytes = write_end(whole, &mut directory)?;
    assert_eq!(whole.bytes + end_bytes, directory.len() as u64);
    Ok(directory)
}

/// Counts the records of a sound index.
fn entries_of(mut index: &[u8]) -> u64 {
    let mut entries = 0;
    while !index.is_empty() {
        let name_bytes = u16::from_le_bytes([index[8], index[9]]);
        index = &index[10 + usize::from(name_bytes)..];
        entries += 1;
    }
    entries
}

pub fn archive(segments: &[Segment]) -> Vec<u8> {
    let indexes: Vec<_> =
        segments.iter().map(|segment| (segment.index.as_slice(), segment.bytes.len() as u64)).collect();
    let (directory, summary) = directory(&indexes).unwrap();
    let mut archive: Vec<u8> = segments.iter().flat_map(|segment| &segment.bytes).copied().collect();
    archive.extend_from_slice(&directory);
    assert_eq!(summary.archive_bytes, archive.len() as u64);
    archive
}

/// A path of its own, whose file goes with it.
pub struct TemporaryFile(PathBuf);

impl TemporaryFile {
    pub fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        Self(env::temp_dir().join(format!("qrpress-zip-{}-{count}.zip", process::id())))
    }

    pub fn holding(bytes: &[u8]) -> Self {
        let file = Self::new();
        fs::write(file.path(), bytes).unwrap();
        file
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
