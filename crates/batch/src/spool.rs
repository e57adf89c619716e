//! The spool: a job's checked input in one form, from which chunks are rendered without parsing anything again.
//!
//! A file is a header, then the items' records in order. All numbers are little endian.
//!
//! | Bytes | Header |
//! |---|---|
//! | 8 | magic `QRPSPOOL` |
//! | 4 | version of this layout, 4 |
//! | 4 | length of the settings |
//! | … | format and style as JSON, see `header` |
//!
//! | Bytes | Record |
//! |---|---|
//! | 2, 2, 2, 2 | lengths of data, name, caption, reference; the caption's is `0xffff` when the item has none |
//! | … | data, name, caption, reference, each UTF-8 |

mod header;

use std::fs::File;
use std::io::{Cursor, ErrorKind, Read, Seek, SeekFrom, Take, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use qrpress_symbol::Version;
use serde::{Deserialize, Serialize};

use crate::style::forms::optional_version;
use crate::{BatchError, OutputFormat, RenderStyle};

const RECORD_PREFIX_BYTES: usize = 8;
/// The caption length that says "no caption", so that an empty one can say "off".
const NO_CAPTION: u16 = u16::MAX;
/// The bytes that the writer gathers before it writes.
const WRITE_BYTES: usize = 256 * 1024;
/// The bytes that the reader reads at a time: few system calls, and room for any record.
const READ_BYTES: usize = 288 * 1024;
const _: () = assert!(READ_BYTES >= RECORD_PREFIX_BYTES + 4 * u16::MAX as usize);

/// The settings that every chunk of a job needs beside its items.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpoolHeader {
    /// The pictures that an item becomes.
    pub format: OutputFormat,
    /// The style of the pictures.
    pub style: RenderStyle,
    /// The version of every symbol of a job whose symbols are all the [same](crate::SymbolVersion::Same) size, once all items were
    /// seen.
    #[serde(default, with = "optional_version", skip_serializing_if = "Option::is_none")]
    pub version: Option<Version>,
}

impl SpoolHeader {
    /// The settings of a job.
    pub fn new(format: OutputFormat, style: RenderStyle) -> Self {
        Self { format, style, version: None }
    }

    /// Reads settings as the contract writes them. A member of the style that is absent has its default.
    ///
    /// # Errors
    /// A sentence for text that is no settings.
    pub fn from_json(text: &str) -> Result<Self, String> {
        let header: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if header.style.pixels_per_module == 0 {
            return Err("modules of no size".to_owned());
        }
        Ok(header)
    }

    /// The settings as the contract writes them, each default with them.
    ///
    /// # Panics
    /// Never: they are plain data.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("settings are plain data")
    }
}

/// One item, ready to be rendered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Record<'a> {
    /// The text of the symbol.
    pub data: &'a str,
    /// The entry's name in the archive without its extension: sanitised, shortened, and unique in the job.
    pub name: &'a str,
    /// The item's own caption: `None` inherits the job's, an empty one switches it off.
    pub caption: Option<&'a str>,
    /// The caller's own key for the item, which is drawn nowhere. Never empty.
    pub reference: Option<&'a str>,
}

/// The place of the records of some consecutive items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Chunk {
    /// The first item, counted from 0.
    pub first_item: u64,
    /// Number of items, 1 or more.
    pub item_count: u64,
    /// The first byte of the records in the spool.
    pub spool_offset: u64,
    /// Their length in bytes.
    pub spool_bytes: u64,
}

/// A finished spool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spool {
    /// The length of the file.
    pub bytes: u64,
    /// The chunks in item order, without gaps.
    pub chunks: Vec<Chunk>,
}

/// Writes a spool from front to back.
#[derive(Debug)]
pub struct SpoolWriter {
    path: PathBuf,
    file: File,
    records: SpoolPart,
    version: Option<Version>,
}

/// Records in memory, on their way to a spool, or to the end of another part.
#[derive(Debug)]
pub(crate) struct SpoolPart {
    pending: Vec<u8>,
    /// Bytes that came before `pending`.
    written: u64,
    chunk_items: u64,
    chunks: Vec<Chunk>,
    open: Chunk,
    /// The place of the end of the settings, where the header was left open for the version of all symbols.
    open_end: Option<u64>,
}

impl SpoolWriter {
    /// Starts a spool at `path`, replacing a file that is there, in chunks of `chunk_items` (0 counts as 1).
    ///
    /// # Errors
    /// [`BatchError::Io`] when the file cannot be made, [`BatchError::FieldTooLong`] for a caption or logo that no
    /// checked style has.
    pub fn create(path: &Path, header: &SpoolHeader, chunk_items: u64) -> Result<Self, BatchError> {
        let file = File::create(path).map_err(BatchError::io(path))?;
        let mut pending = Vec::with_capacity(WRITE_BYTES + usize::from(u16::MAX));
        let open_end = header::encode(header, &mut pending)?;
        let records = SpoolPart { open_end, ..SpoolPart::behind(pending, 0, chunk_items) };
        Ok(Self { path: path.to_owned(), file, records, version: None })
    }

    /// Appends an item.
    ///
    /// # Errors
    /// [`BatchError::FieldTooLong`] for a field that no checked item has, [`BatchError::Io`] when writing fails.
    pub fn push(&mut self, record: &Record<'_>) -> Result<(), BatchError> {
        self.records.push(record)?;
        if self.records.pending.len() >= WRITE_BYTES { self.flush() } else { Ok(()) }
    }

    /// Appends the records of a part that goes on where this one is, at the beginning of a chunk.
    pub(crate) fn append(&mut self, mut part: SpoolPart) -> Result<(), BatchError> {
        self.flush()?;
        self.file.write_all(&part.pending).map_err(BatchError::io(&self.path))?;
        part.close_chunk();
        let SpoolPart { written, chunks, open, .. } = &mut self.records;
        let moved = |chunk: Chunk| Chunk { spool_offset: *written + chunk.spool_offset, ..chunk };
        chunks.extend(part.chunks.into_iter().map(moved));
        *open = moved(part.open);
        *written += part.pending.len() as u64;
        Ok(())
    }

    /// Sets the version of every symbol of a job whose symbols are all the same size.
    pub fn set_version(&mut self, version: Version) {
        self.version = Some(version);
    }

    /// Writes what is left. To sync the file is left to the caller.
    ///
    /// # Errors
    /// [`BatchError::Io`] when writing fails.
    pub fn finish(mut self) -> Result<Spool, BatchError> {
        self.records.close_chunk();
        self.flush()?;
        if let (Some(place), Some(version)) = (self.records.open_end, self.version) {
            let end = header::end_with(version);
            let written = self.file.seek(SeekFrom::Start(place)).and_then(|_| self.file.write_all(&end));
            written.map_err(BatchError::io(&self.path))?;
        }
        Ok(Spool { bytes: self.records.written, chunks: self.records.chunks })
    }

    fn flush(&mut self) -> Result<(), BatchError> {
        let SpoolPart { pending, written, .. } = &mut self.records;
        self.file.write_all(pending).map_err(BatchError::io(&self.path))?;
        *written += pending.len() as u64;
        pending.clear();
        Ok(())
    }
}

impl SpoolPart {
    /// The part of a job that begins with `first_item`.
    pub fn new(first_item: u64, chunk_items: u64) -> Self {
        Self::behind(Vec::new(), first_item, chunk_items)
    }

    /// A whole spool.
    ///
    /// # Errors
    /// [`BatchError::FieldTooLong`] for a caption or logo that no checked style has.
    pub fn whole(header: &SpoolHeader, chunk_items: u64) -> Result<Self, BatchError> {
        let mut pending = Vec::new();
        let open_end = header::encode(header, &mut pending)?;
        Ok(Self { open_end, ..Self::behind(pending, 0, chunk_items) })
    }

    /// The spool that this part is all of, and its bytes. `version`: that of every symbol of a job whose symbols are all the same
    /// size.
    pub fn finish(mut self, version: Option<Version>) -> (Spool, Vec<u8>) {
        self.close_chunk();
        if let (Some(place), Some(version)) = (self.open_end, version) {
            let end = header::end_with(version);
            self.pending[place as usize..][..end.len()].copy_from_slice(&end);
        }
        (Spool { bytes: self.pending.len() as u64, chunks: self.chunks }, self.pending)
    }

    fn behind(pending: Vec<u8>, first_item: u64, chunk_items: u64) -> Self {
        let open = Chunk { first_item, item_count: 0, spool_offset: pending.len() as u64, spool_bytes: 0 };
        Self {
            pending,
            written: 0,
            chunk_items: chunk_items.max(1),
            chunks: Vec::new(),
            open,
            open_end: None,
        }
    }

    pub fn push(&mut self, record: &Record<'_>) -> Result<(), BatchError> {
        let caption = record.caption.unwrap_or_default();
        let caption_length = match record.caption {
            Some(text) => field_length(text)?,
            None => NO_CAPTION,
        };
        let reference = record.reference.unwrap_or_default();
        let lengths = [
            field_length(record.data)?,
            field_length(record.name)?,
            caption_length,
            field_length(reference)?,
        ];
        self.pending.extend_from_slice(lengths.map(u16::to_le_bytes).as_flattened());
        self.pending.extend_from_slice(record.data.as_bytes());
        self.pending.extend_from_slice(record.name.as_bytes());
        self.pending.extend_from_slice(caption.as_bytes());
        self.pending.extend_from_slice(reference.as_bytes());

        self.open.item_count += 1;
        if self.open.item_count == self.chunk_items {
            self.close_chunk();
        }
        Ok(())
    }

    /// Closes the open chunk if it has any items.
    fn close_chunk(&mut self) {
        if self.open.item_count == 0 {
            return;
        }
        let end = self.written + self.pending.len() as u64;
        self.open.spool_bytes = end - self.open.spool_offset;
        self.chunks.push(self.open);
        self.open = Chunk {
            first_item: self.open.first_item + self.open.item_count,
            item_count: 0,
            spool_offset: end,
            spool_bytes: 0,
        };
    }
}

fn field_length(field: &str) -> Result<u16, BatchError> {
    match u16::try_from(field.len()) {
        Ok(length) if length != NO_CAPTION => Ok(length),
        _ => Err(BatchError::FieldTooLong { bytes: field.len() }),
    }
}

/// Reads chunks of a spool. Whatever the file holds, the answer is a record or an error.
#[derive(Debug)]
pub struct SpoolReader<R = File> {
    path: PathBuf,
    file: R,
    bytes: u64,
    header: SpoolHeader,
    block: Box<[u8]>,
}

impl<'a> SpoolReader<Cursor<&'a [u8]>> {
    /// Reads the header of a spool in memory.
    ///
    /// # Errors
    /// [`BatchError::CorruptSpool`] when it is no spool of this layout.
    pub fn of(spool: &'a [u8]) -> Result<Self, BatchError> {
        Self::new(Path::new("spool"), Cursor::new(spool), spool.len() as u64)
    }
}

impl SpoolReader {
    /// Opens the spool at `path` and reads its header.
    ///
    /// # Errors
    /// [`BatchError::Io`] when it cannot be read, [`BatchError::CorruptSpool`] when it is no spool of this layout.
    pub fn open(path: &Path) -> Result<Self, BatchError> {
        let file = File::open(path).map_err(BatchError::io(path))?;
        let bytes = file.metadata().map_err(BatchError::io(path))?.len();
        Self::new(path, file, bytes)
    }
}

impl<R: Read + Seek> SpoolReader<R> {
    fn new(path: &Path, mut file: R, bytes: u64) -> Result<Self, BatchError> {
        let header = header::read(&mut file, path)?;
        let block = vec![0; READ_BYTES.min(bytes as usize)].into();
        Ok(Self { path: path.to_owned(), file, bytes, header, block })
    }

    /// The settings that the chunks share.
    pub fn header(&self) -> &SpoolHeader {
        &self.header
    }

    /// The records of a chunk, in item order.
    ///
    /// # Errors
    /// [`BatchError::CorruptSpool`] when the chunk does not lie inside the file, [`BatchError::Io`] when reading fails.
    pub fn records(&mut self, chunk: &Chunk) -> Result<Records<'_, R>, BatchError> {
        let end = chunk.spool_offset.checked_add(chunk.spool_bytes);
        if end.is_none_or(|end| end > self.bytes) {
            let reason = "a chunk ends after the file";
            return Err(BatchError::CorruptSpool { offset: self.bytes, reason });
        }
        self.file.seek(SeekFrom::Start(chunk.spool_offset)).map_err(BatchError::io(&self.path))?;
        Ok(Records {
            path: &self.path,
            file: Read::by_ref(&mut self.file).take(chunk.spool_bytes),
            block: &mut self.block,
            held: 0..0,
            offset: chunk.spool_offset,
            left: chunk.item_count,
        })
    }
}

/// The records of one chunk, read in blocks: memory does not grow with the chunk.
#[derive(Debug)]
pub struct Records<'a, R = File> {
    path: &'a Path,
    file: Take<&'a mut R>,
    block: &'a mut [u8],
    /// The bytes of `block` that were read and not yet handed out.
    held: Range<usize>,
    /// Their start in the file.
    offset: u64,
    /// Items to come.
    left: u64,
}

impl<R: Read> Records<'_, R> {
    /// The next record, or `None` after the chunk's last one.
    ///
    /// # Errors
    /// [`BatchError::CorruptSpool`] when the chunk does not hold that record, or holds more than its items;
    /// [`BatchError::Io`] when reading fails. Then there is nothing more to ask for.
    #[inline]
    pub fn next_record(&mut self) -> Result<Option<Record<'_>>, BatchError> {
        if self.left == 0 {
            let ended = self.held.is_empty() && self.file.limit() == 0;
            return if ended { Ok(None) } else { Err(self.corrupt("a chunk is longer than its records")) };
        }
        let lengths = if let Some(lengths) = self.held_lengths() {
            lengths
        } else {
            self.refill()?;
            self.held_lengths().ok_or_else(|| self.corrupt("a record is cut off"))?
        };
        let fields = self.held.start + RECORD_PREFIX_BYTES;
        let fields = &self.block[fields..fields + lengths.bytes()];
        let record = lengths.split(fields).ok_or_else(|| self.corrupt("a field is not UTF-8"))?;
        let bytes = RECORD_PREFIX_BYTES + fields.len();
        self.held.start += bytes;
        self.offset += bytes as u64;
        self.left -= 1;
        Ok(Some(record))
    }

    /// The lengths of the next record, if all of it is held.
    #[inline]
    fn held_lengths(&self) -> Option<Lengths> {
        let (prefix, fields) = self.block[self.held.clone()].split_first_chunk()?;
        let lengths = Lengths::decode(*prefix);
        (lengths.bytes() <= fields.len()).then_some(lengths)
    }

    /// Fills the block behind what it holds.
    #[cold]
    fn refill(&mut self) -> Result<(), BatchError> {
        self.block.copy_within(self.held.clone(), 0);
        self.held = 0..self.held.len();
        while self.held.end < self.block.len() {
            match self.file.read(&mut self.block[self.held.end..]) {
                Ok(0) => break,
                Ok(bytes) => self.held.end += bytes,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(BatchError::io(self.path)(error)),
            }
        }
        Ok(())
    }

    fn corrupt(&self, reason: &'static str) -> BatchError {
        BatchError::CorruptSpool { offset: self.offset, reason }
    }
}

/// The lengths of a record's fields.
#[derive(Clone, Copy)]
struct Lengths {
    data: usize,
    name: usize,
    caption: Option<usize>,
    /// 0: the item has none.
    reference: usize,
}

impl Lengths {
    #[inline]
    fn decode([d0, d1, n0, n1, c0, c1, r0, r1]: [u8; RECORD_PREFIX_BYTES]) -> Self {
        let caption = u16::from_le_bytes([c0, c1]);
        Self {
            data: u16::from_le_bytes([d0, d1]).into(),
            name: u16::from_le_bytes([n0, n1]).into(),
            caption: (caption != NO_CAPTION).then_some(caption.into()),
            reference: u16::from_le_bytes([r0, r1]).into(),
        }
    }

    #[inline]
    fn bytes(self) -> usize {
        self.data + self.name + self.caption.unwrap_or(0) + self.reference
    }

    /// The record of these fields; `None` when one is not UTF-8.
    #[inline]
    fn split(self, fields: &[u8]) -> Option<Record<'_>> {
        let text = str::from_utf8(fields).ok()?;
        let (data, rest) = text.split_at_checked(self.data)?;
        let (name, rest) = rest.split_at_checked(self.name)?;
        let (caption, reference) = rest.split_at_checked(self.caption.unwrap_or(0))?;
        let reference = (!reference.is_empty()).then_some(reference);
        Some(Record { data, name, caption: self.caption.map(|_| caption), reference })
    }
}
