//! The manifest: what became of every item, told from the spool and from the indexes of the segments.

mod csv;
mod ndjson;

use std::fs::File;
use std::io::Write;
use std::path::Path;

use qrpress_zip::{IndexReader, SegmentFile, ZipError};

use crate::{BatchError, Chunk, Record, SpoolReader};

/// Lines that are gathered before they are written.
const WRITE_BYTES: usize = 256 * 1024;

/// The form of a manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ManifestForm {
    /// A JSON object for each item, with the list of its files.
    Ndjson,
    /// A row for each file, and one for an item without files (RFC 4180); the line of column names is the caller's.
    Csv,
}

/// The files of a chunk that was rendered, or given up.
#[derive(Clone, Copy, Debug)]
pub struct RenderedChunk<'a> {
    /// The job's spool.
    pub spool: &'a Path,
    /// The chunk's place in the spool.
    pub chunk: Chunk,
    /// The index of its segment; absent where no item of it was drawn.
    pub index: Option<&'a Path>,
}

/// A file of an item, found in its segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundFile {
    /// The name in the archive.
    pub name: String,
    /// The first byte in the segment.
    pub offset: u64,
    /// Length in bytes.
    pub bytes: u64,
    /// CRC-32 of the bytes.
    pub crc32: u32,
}

/// One item of the manifest.
struct Line<'a> {
    index: u64,
    record: &'a Record<'a>,
    /// The text under the code; empty: there is none.
    caption: &'a str,
    /// Empty where the item could not be drawn.
    files: &'a [FoundFile],
}

/// Writes the manifest's lines of a chunk to `manifest`, and answers their length. A file that is there is replaced; to
/// sync it is left to the caller. Memory is bounded whatever the chunk's size.
///
/// # Errors
/// [`BatchError::Io`] when a file can't be read or written, [`BatchError::CorruptSpool`] and
/// [`BatchError::CorruptIndex`] when the spool or the index is not that of the chunk.
pub fn write_manifest(
    chunk: &RenderedChunk<'_>,
    form: ManifestForm,
    manifest: &Path,
) -> Result<u64, BatchError> {
    let fail = BatchError::io(manifest);
    let mut file = File::create(manifest).map_err(&fail)?;
    let mut lines = Vec::with_capacity(WRITE_BYTES + 8192);
    let mut written = 0;
    for_each_item(chunk, |line| {
        match form {
            ManifestForm::Ndjson => ndjson::write(line, &mut lines),
            ManifestForm::Csv => csv::write(line, &mut lines),
        }
        if lines.len() >= WRITE_BYTES {
            file.write_all(&lines).map_err(&fail)?;
            written += lines.len() as u64;
            lines.clear();
        }
        Ok(true)
    })?;
    file.write_all(&lines).map_err(&fail)?;
    Ok(written + lines.len() as u64)
}

/// The file of item number `item` of the job whose name ends in `extension`, such as `.png`; `None` where the chunk does
/// not hold the item, or the item has no such file.
///
/// # Errors
/// Those of [`write_manifest`].
pub fn find_file(
    chunk: &RenderedChunk<'_>,
    item: u64,
    extension: &str,
) -> Result<Option<FoundFile>, BatchError> {
    let mut found = None;
    for_each_item(chunk, |line| {
        if line.index == item {
            found = line.files.iter().find(|file| file.name.ends_with(extension)).cloned();
        }
        Ok(line.index < item)
    })?;
    Ok(found)
}

/// Hands every item of the chunk with its files to `each`, in order, until that answers false.
fn for_each_item(
    rendered: &RenderedChunk<'_>,
    mut each: impl FnMut(&Line<'_>) -> Result<bool, BatchError>,
) -> Result<(), BatchError> {
    let mut reader = SpoolReader::open(rendered.spool)?;
    let shared_caption = reader.header().style.caption.text.clone();
    let mut files = rendered.index.map(Files::open).transpose()?;
    let mut records = reader.records(&rendered.chunk)?;
    let mut index = rendered.chunk.first_item;
    let mut own = Vec::new();
    while let Some(record) = records.next_record()? {
        own.clear();
        if let Some(files) = &mut files {
            files.take_of(record.name, &mut own)?;
        }
        let caption = record.caption.unwrap_or(&shared_caption);
        if !each(&Line { index, record: &record, caption, files: &own })? {
            return Ok(());
        }
        index += 1;
    }
    if files.and_then(|files| files.next).is_some() {
        let reason = "a segment has files of items that its chunk does not hold";
        return Err(BatchError::CorruptSpool { offset: rendered.chunk.spool_offset, reason });
    }
    Ok(())
}

/// The files of a segment, looked at one ahead.
struct Files<'a> {
    path: &'a Path,
    reader: IndexReader<File>,
    next: Option<FoundFile>,
}

impl<'a> Files<'a> {
    fn open(path: &'a Path) -> Result<Self, BatchError> {
        let file = File::open(path).map_err(BatchError::io(path))?;
        let mut files = Self { path, reader: IndexReader::new(file), next: None };
        files.advance()?;
        Ok(files)
    }

    /// Takes the files of the item called `name`, which come next if there are any: names are unique in a job.
    fn take_of(&mut self, name: &str, out: &mut Vec<FoundFile>) -> Result<(), BatchError> {
        while let Some(file) = self.next.take_if(|file| is_of(file, name)) {
            out.push(file);
            self.advance()?;
        }
        Ok(())
    }

    fn advance(&mut self) -> Result<(), BatchError> {
        let found = |SegmentFile { name, bytes, crc32, offset }: SegmentFile<'_>| FoundFile {
            name: String::from_utf8_lossy(name).into_owned(),
            offset,
            bytes: bytes.into(),
            crc32,
        };
        let next = self.reader.next_file().map_err(|error| match error {
            ZipError::Io(source) => BatchError::Io { path: self.path.to_owned(), source },
            source => BatchError::CorruptIndex { source },
        })?;
        self.next = next.map(found);
        Ok(())
    }
}

/// Tells whether the file is called `name`, an extension aside.
fn is_of(file: &FoundFile, name: &str) -> bool {
    file.name.strip_prefix(name).is_some_and(|extension| matches!(extension, ".png" | ".svg"))
}
