//! The spool: a job's checked input in one form, from which chunks are rendered without parsing anything again.
//!
//! A file is a header, then the items' records in order. All numbers are little endian.
//!
//! | Bytes | Header |
//! |---|---|
//! | 8 | magic `QRPSPOOL` |
//! | 4 | version of this layout, 1 |
//! | 4 | length of the settings |
//! | 12 | settings: output format, level, pixels per module, quiet zone (1 each), foreground, background (4 each) |
//!
//! | Bytes | Record |
//! |---|---|
//! | 2, 2, 2 | lengths of data, name, caption; the caption's is `0xffff` when the item has none |
//! | … | data, name, caption, each UTF-8 |

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use qrpress_symbol::ErrorCorrectionLevel;

use crate::{BatchError, Colour, OutputFormat, RenderStyle};

const MAGIC: [u8; 8] = *b"QRPSPOOL";
const LAYOUT_VERSION: u32 = 1;
const PREFIX_BYTES: usize = 16;
const SETTINGS_BYTES: usize = 12;
const RECORD_PREFIX_BYTES: usize = 6;
/// The caption length that says "no caption", so that an empty one can say "off".
const NO_CAPTION: u16 = u16::MAX;
/// What the writer gathers before it writes.
const WRITE_BYTES: usize = 256 * 1024;

/// What every chunk of a job needs beside its items.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SpoolHeader {
    /// Which pictures an item becomes.
    pub format: OutputFormat,
    /// How they look.
    pub style: RenderStyle,
}

/// One item, ready to be rendered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Record<'a> {
    /// What the symbol says.
    pub data: &'a str,
    /// The entry's name in the archive without its extension: sanitised, shortened, and unique in the job.
    pub name: &'a str,
    /// The item's own caption: `None` inherits the job's, an empty one switches it off.
    pub caption: Option<&'a str>,
}

/// Where the records of some consecutive items lie.
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
    pending: Vec<u8>,
    /// Bytes handed to the file so far.
    written: u64,
    chunk_items: u64,
    chunks: Vec<Chunk>,
    open: Chunk,
}

impl SpoolWriter {
    /// Starts a spool at `path`, replacing a file that is there, in chunks of `chunk_items` (0 counts as 1).
    ///
    /// # Errors
    /// [`BatchError::Io`] when the file cannot be made.
    pub fn create(path: &Path, header: &SpoolHeader, chunk_items: u64) -> Result<Self, BatchError> {
        let file = File::create(path).map_err(BatchError::io(path))?;
        let mut pending = Vec::with_capacity(WRITE_BYTES + usize::from(u16::MAX));
        encode_header(header, &mut pending);
        let open = Chunk { first_item: 0, item_count: 0, spool_offset: pending.len() as u64, spool_bytes: 0 };
        Ok(Self {
            path: path.to_owned(),
            file,
            pending,
            written: 0,
            chunk_items: chunk_items.max(1),
            chunks: Vec::new(),
            open,
        })
    }

    /// Appends an item.
    ///
    /// # Errors
    /// [`BatchError::FieldTooLong`] for a field that no checked item has, [`BatchError::Io`] when writing fails.
    pub fn push(&mut self, record: &Record<'_>) -> Result<(), BatchError> {
        let caption = record.caption.unwrap_or_default();
        let caption_length = match record.caption {
            Some(text) => field_length(text)?,
            None => NO_CAPTION,
        };
        self.pending.extend_from_slice(&field_length(record.data)?.to_le_bytes());
        self.pending.extend_from_slice(&field_length(record.name)?.to_le_bytes());
        self.pending.extend_from_slice(&caption_length.to_le_bytes());
        self.pending.extend_from_slice(record.data.as_bytes());
        self.pending.extend_from_slice(record.name.as_bytes());
        self.pending.extend_from_slice(caption.as_bytes());

        self.open.item_count += 1;
        if self.open.item_count == self.chunk_items {
            self.close_chunk();
        }
        if self.pending.len() >= WRITE_BYTES {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes what is left and makes the file durable.
    ///
    /// # Errors
    /// [`BatchError::Io`] when writing or syncing fails.
    pub fn finish(mut self) -> Result<Spool, BatchError> {
        if self.open.item_count > 0 {
            self.close_chunk();
        }
        self.flush()?;
        self.file.sync_all().map_err(BatchError::io(&self.path))?;
        Ok(Spool { bytes: self.written, chunks: self.chunks })
    }

    fn close_chunk(&mut self) {
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

    fn flush(&mut self) -> Result<(), BatchError> {
        self.file.write_all(&self.pending).map_err(BatchError::io(&self.path))?;
        self.written += self.pending.len() as u64;
        self.pending.clear();
        Ok(())
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
pub struct SpoolReader {
    path: PathBuf,
    file: File,
    bytes: u64,
    header: SpoolHeader,
    /// The records of the chunk that was read last.
    buffer: Vec<u8>,
}

impl SpoolReader {
    /// Opens the spool at `path` and reads its header.
    ///
    /// # Errors
    /// [`BatchError::Io`] when it cannot be read, [`BatchError::CorruptSpool`] when it is no spool of this layout.
    pub fn open(path: &Path) -> Result<Self, BatchError> {
        let mut file = File::open(path).map_err(BatchError::io(path))?;
        let bytes = file.metadata().map_err(BatchError::io(path))?.len();
        let mut encoded = [0; PREFIX_BYTES + SETTINGS_BYTES];
        if bytes < encoded.len() as u64 {
            return Err(BatchError::CorruptSpool { offset: bytes, reason: "the header is cut off" });
        }
        file.read_exact(&mut encoded).map_err(BatchError::io(path))?;
        let header = decode_header(&encoded)?;
        Ok(Self { path: path.to_owned(), file, bytes, header, buffer: Vec::new() })
    }

    /// What the chunks share.
    pub fn header(&self) -> &SpoolHeader {
        &self.header
    }

    /// The records of a chunk, in item order, borrowed from one buffer that the next call reuses.
    ///
    /// # Errors
    /// [`BatchError::CorruptSpool`] when the chunk does not lie inside the file, [`BatchError::Io`] when reading fails.
    pub fn records(&mut self, chunk: &Chunk) -> Result<Records<'_>, BatchError> {
        let end = chunk.spool_offset.checked_add(chunk.spool_bytes);
        if end.is_none_or(|end| end > self.bytes) {
            let reason = "a chunk ends after the file";
            return Err(BatchError::CorruptSpool { offset: self.bytes, reason });
        }
        let fail = BatchError::io(&self.path);
        self.file.seek(SeekFrom::Start(chunk.spool_offset)).map_err(&fail)?;
        self.buffer.resize(chunk.spool_bytes as usize, 0);
        self.file.read_exact(&mut self.buffer).map_err(&fail)?;
        Ok(Records { rest: &self.buffer, offset: chunk.spool_offset, left: chunk.item_count })
    }
}

/// The records of one chunk. Ends after the chunk's number of items, or with the first error.
#[derive(Clone, Debug)]
pub struct Records<'a> {
    rest: &'a [u8],
    /// Where `rest` begins in the file.
    offset: u64,
    left: u64,
}

impl<'a> Records<'a> {
    fn read(&mut self) -> Result<Record<'a>, &'static str> {
        const CUT_OFF: &str = "a record is cut off";
        let (prefix, fields) = self.rest.split_first_chunk::<RECORD_PREFIX_BYTES>().ok_or(CUT_OFF)?;
        let length = |at: usize| u16::from_le_bytes([prefix[at], prefix[at + 1]]);
        let caption_length = length(4);
        let (data, fields) = fields.split_at_checked(length(0).into()).ok_or(CUT_OFF)?;
        let (name, mut rest) = fields.split_at_checked(length(2).into()).ok_or(CUT_OFF)?;
        let mut caption = None;
        if caption_length != NO_CAPTION {
            let (bytes, after) = rest.split_at_checked(caption_length.into()).ok_or(CUT_OFF)?;
            caption = Some(text(bytes)?);
            rest = after;
        }
        let record = Record { data: text(data)?, name: text(name)?, caption };
        self.offset += (self.rest.len() - rest.len()) as u64;
        self.rest = rest;
        Ok(record)
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Result<Record<'a>, BatchError>;

    fn next(&mut self) -> Option<Self::Item> {
        let outcome = if self.left > 0 {
            self.left -= 1;
            self.read()
        } else if self.rest.is_empty() {
            return None;
        } else {
            Err("a chunk is longer than its records")
        };
        Some(outcome.map_err(|reason| {
            (self.left, self.rest) = (0, &[]);
            BatchError::CorruptSpool { offset: self.offset, reason }
        }))
    }
}

fn text(bytes: &[u8]) -> Result<&str, &'static str> {
    std::str::from_utf8(bytes).map_err(|_| "a field is not UTF-8")
}

fn encode_header(header: &SpoolHeader, out: &mut Vec<u8>) {
    let style = &header.style;
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&LAYOUT_VERSION.to_le_bytes());
    out.extend_from_slice(&(SETTINGS_BYTES as u32).to_le_bytes());
    out.push(match header.format {
        OutputFormat::Png => 0,
        OutputFormat::Svg => 1,
        OutputFormat::Both => 2,
    });
    out.push(style.error_correction_level as u8);
    out.push(style.pixels_per_module);
    out.push(style.quiet_zone_modules);
    for colour in [style.foreground, style.background] {
        match colour {
            Colour::Transparent => out.extend_from_slice(&[0; 4]),
            Colour::Rgb([red, green, blue]) => out.extend_from_slice(&[1, red, green, blue]),
        }
    }
}

fn decode_header(encoded: &[u8; PREFIX_BYTES + SETTINGS_BYTES]) -> Result<SpoolHeader, BatchError> {
    let corrupt = |offset: usize, reason| BatchError::CorruptSpool { offset: offset as u64, reason };
    let number = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|byte| encoded[at + byte]));
    if encoded[..MAGIC.len()] != MAGIC {
        return Err(corrupt(0, "no spool"));
    }
    if number(8) != LAYOUT_VERSION {
        return Err(corrupt(8, "a layout of another version"));
    }
    if number(12) != SETTINGS_BYTES as u32 {
        return Err(corrupt(12, "settings of another length"));
    }
    let colour = |at: usize| match encoded[at..at + 4] {
        [0, 0, 0, 0] => Ok(Colour::Transparent),
        [1, red, green, blue] => Ok(Colour::Rgb([red, green, blue])),
        _ => Err(corrupt(at, "no colour")),
    };
    let format = match encoded[16] {
        0 => OutputFormat::Png,
        1 => OutputFormat::Svg,
        2 => OutputFormat::Both,
        _ => return Err(corrupt(16, "no output format")),
    };
    let level = ErrorCorrectionLevel::ALL.get(usize::from(encoded[17]));
    let error_correction_level = *level.ok_or_else(|| corrupt(17, "no error correction level"))?;
    let style = RenderStyle {
        error_correction_level,
        pixels_per_module: encoded[18],
        quiet_zone_modules: encoded[19],
        foreground: colour(20)?,
        background: colour(24)?,
    };
    if style.pixels_per_module == 0 {
        return Err(corrupt(18, "no pixels per module"));
    }
    Ok(SpoolHeader { format, style })
}
