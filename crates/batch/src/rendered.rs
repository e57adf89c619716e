//! The items of a chunk with their files, told from the spool and from the index of its segment.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Take};
use std::path::Path;

use qrpress_filenames::EXTENSIONS;
use qrpress_zip::{IndexReader, SegmentFile, ZipError};

use crate::{BatchError, Chunk, Record, SpoolReader};

/// The files of a chunk that was rendered, or given up.
#[derive(Clone, Copy, Debug)]
pub struct RenderedChunk<'a> {
    /// The job's spool.
    pub spool: &'a Path,
    /// The chunk's place in the spool.
    pub chunk: Chunk,
    /// The index of its segment; absent where no item of it was drawn.
    pub index: Option<IndexPart<'a>>,
}

/// The place of a segment's index.
#[derive(Clone, Copy, Debug)]
pub struct IndexPart<'a> {
    /// The file.
    pub path: &'a Path,
    /// The index's first byte in it.
    pub offset: u64,
    /// Length of the index; the rest of the file where that is shorter.
    pub bytes: u64,
}

impl<'a> IndexPart<'a> {
    /// An index that has a file of its own.
    pub fn whole(path: &'a Path) -> Self {
        Self { path, offset: 0, bytes: u64::MAX }
    }
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

/// One item.
pub(crate) struct Line<'a> {
    pub index: u64,
    pub record: &'a Record<'a>,
    /// The text under the code; empty: there is none.
    pub caption: &'a str,
    /// Empty where the item could not be drawn.
    pub files: &'a [FoundFile],
}

/// Hands every item of the chunk with its files to `each`, in order, until that returns false.
pub(crate) fn for_each_item(
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
    reader: IndexReader<Take<File>>,
    next: Option<FoundFile>,
}

impl<'a> Files<'a> {
    fn open(IndexPart { path, offset, bytes }: IndexPart<'a>) -> Result<Self, BatchError> {
        let mut file = File::open(path).map_err(BatchError::io(path))?;
        file.seek(SeekFrom::Start(offset)).map_err(BatchError::io(path))?;
        let mut files = Self { path, reader: IndexReader::new(file.take(bytes)), next: None };
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

/// Returns true if the file is called `name`, an extension aside.
fn is_of(file: &FoundFile, name: &str) -> bool {
    file.name.strip_prefix(name).is_some_and(|extension| EXTENSIONS.contains(&extension))
}
