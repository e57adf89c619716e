//! The reader of an item's files: their places in the archive, their pictures, and the data of their codes.

use std::fmt;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use qrpress_readback::{FileFormat, Geometry, Modules, ReadError, Reader, opaque_pictures};
use qrpress_zip::SegmentFile;

use crate::panic_message::panic_message;
use crate::rendered::{FoundFile, RenderedChunk, for_each_item};
use crate::{BatchError, OutputFormat, SpoolHeader, SpoolReader};

/// The reason why an item is unread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// The archive lacks a file of it.
    Missing,
    /// The local file header, the name or the checksum of a file is not what the index says.
    Archive,
    /// The picture has no code that can be read.
    Code(ReadError),
    /// The code has other data than the item.
    OtherData,
    /// The decoder failed, with that message.
    Decoder(String),
}

impl fmt::Display for Unread {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => formatter.write_str("the archive lacks a file of the item"),
            Self::Archive => formatter.write_str("the file in the archive is not the one that was written"),
            Self::Code(error) => error.fmt(formatter),
            Self::OtherData => formatter.write_str("the code has other data than the item"),
            Self::Decoder(message) => write!(formatter, "the decoder failed: {message}"),
        }
    }
}

/// Reads the files of items.
pub(super) struct ItemReader {
    geometry: Geometry,
    /// The extensions of an item's files, in order.
    formats: &'static [FileFormat],
    reader: Reader,
}

impl ItemReader {
    pub fn new(header: &SpoolHeader) -> Self {
        let geometry = Geometry {
            pixels_per_module: header.style.pixels_per_module.into(),
            quiet_zone_modules: header.style.quiet_zone_modules.into(),
        };
        let formats: &[FileFormat] = match header.format {
            OutputFormat::Png => &[FileFormat::Png],
            OutputFormat::Svg => &[FileFormat::Svg],
            OutputFormat::Both => &[FileFormat::Png, FileFormat::Svg],
        };
        Self { geometry, formats, reader: Reader::new(geometry) }
    }

    /// The least unused error correction of the item's files, in thousandths.
    pub fn read(&mut self, data: &str, entries: &Entries<'_>) -> Result<u16, Unread> {
        let mut least = u16::MAX;
        for place in 0..self.formats.len() {
            let (format, picture) = self.picture(entries, place)?;
            let unused = self.attempt(|reader| {
                let reading = reader.read(picture, format).map_err(Unread::Code)?;
                if reading.data == data.as_bytes() {
                    Ok(reading.unused_thousandths)
                } else {
                    Err(Unread::OtherData)
                }
            })?;
            least = least.min(unused);
        }
        Ok(least)
    }

    /// The pictures that a phone is shown, one for each file.
    pub fn pictures(&mut self, entries: &Entries<'_>) -> Result<Vec<Vec<Vec<u8>>>, Unread> {
        let geometry = self.geometry;
        let places = 0..self.formats.len();
        let of_file = |place| {
            let (format, picture) = self.picture(entries, place)?;
            self.attempt(|_| opaque_pictures(picture, format, geometry).map_err(Unread::Code))
        };
        places.map(of_file).collect()
    }

    /// The file at that place of an item's, and its format.
    fn picture<'e>(&self, entries: &Entries<'e>, place: usize) -> Result<(FileFormat, &'e [u8]), Unread> {
        let format = self.formats[place];
        let extension = match format {
            FileFormat::Png => ".png",
            FileFormat::Svg => ".svg",
        };
        let file = entries.files.get(place).filter(|file| file.name.ends_with(extension));
        let file = file.ok_or(Unread::Missing)?;
        Ok((format, entries.data_of(file).ok_or(Unread::Archive)?))
    }

    /// Does the work of a decoder. A panic in it is the item's.
    fn attempt<T>(&mut self, work: impl FnOnce(&mut Reader) -> Result<T, Unread>) -> Result<T, Unread> {
        catch_unwind(AssertUnwindSafe(|| work(&mut self.reader))).unwrap_or_else(|payload| {
            self.reader = Reader::new(self.geometry);
            Err(Unread::Decoder(panic_message(&*payload)))
        })
    }
}

/// The bytes of a segment.
pub(super) struct SegmentSource {
    path: PathBuf,
    file: BufReader<File>,
    /// The segment's first byte in the file, and the byte that is read next.
    start: u64,
    next: u64,
    bytes: Vec<u8>,
}

impl SegmentSource {
    pub fn open(path: &Path, start: u64) -> Result<Self, BatchError> {
        let file = File::open(path).map_err(BatchError::io(path))?;
        let mut file = BufReader::with_capacity(READ_BYTES, file);
        file.seek(SeekFrom::Start(start)).map_err(BatchError::io(path))?;
        Ok(Self { path: path.to_owned(), file, start, next: 0, bytes: Vec::new() })
    }

    /// The entries of an item's files, which lie behind each other. A segment that ends before has fewer bytes of them.
    pub fn entries<'a>(&'a mut self, files: &'a [FoundFile]) -> Result<Entries<'a>, BatchError> {
        let first = files.first().map_or(0, |file| file.offset - in_segment(file).header_bytes());
        let end = files.last().map_or(first, |file| file.offset + file.bytes);
        let Self { path, file, start, next, bytes } = self;
        let place = SeekFrom::Start(*start + first);
        let to_first = if *next == first { Ok(0) } else { file.seek(place) };
        bytes.clear();
        let length = end.saturating_sub(first);
        to_first.and_then(|_| file.take(length).read_to_end(bytes)).map_err(BatchError::io(path))?;
        *next = first + bytes.len() as u64;
        Ok(Entries { files, first, bytes })
    }
}

/// Bytes that are read at a time.
const READ_BYTES: usize = 256 * 1024;

/// The entries of an item.
pub(super) struct Entries<'a> {
    files: &'a [FoundFile],
    /// The first byte of the first entry in the segment.
    first: u64,
    bytes: &'a [u8],
}

impl<'a> Entries<'a> {
    /// The data of a file, if the entry is what the index says.
    fn data_of(&self, file: &FoundFile) -> Option<&'a [u8]> {
        let entry = in_segment(file);
        let start = file.offset.checked_sub(entry.header_bytes())?.checked_sub(self.first)?;
        entry.data_in(self.bytes.get(usize::try_from(start).ok()?..)?)
    }
}

fn in_segment(file: &FoundFile) -> SegmentFile<'_> {
    let FoundFile { name, offset, bytes, crc32 } = file;
    SegmentFile { name: name.as_bytes(), bytes: *bytes as u32, crc32: *crc32, offset: *offset }
}

/// The unused error correction of the code in a PNG file of that style, in thousandths; `None` where it has not that data.
pub fn read_picture(png: &[u8], data: &[u8], pixels_per_module: u32, quiet_zone_modules: u32) -> Option<u16> {
    let geometry = Geometry { pixels_per_module: pixels_per_module.max(1), quiet_zone_modules };
    let mut reader = Reader::new(geometry);
    let reading = reader.read(png, FileFormat::Png).ok()?;
    (reading.data == data).then_some(reading.unused_thousandths)
}

/// An item as the reader sees it.
#[derive(Clone, Debug)]
pub struct SeenItem {
    /// The data that its codes should have.
    pub data: String,
    /// The unused error correction, or the reason why it is unread.
    pub outcome: Result<u16, Unread>,
    /// The modules of each file, where any were seen.
    pub modules: Vec<Option<Modules>>,
}

/// Reads one item of a chunk back, and tells what was seen; `None` where the chunk does not hold it, or it was not drawn.
///
/// # Errors
/// Those of [`read_back`](super::read_back).
pub fn see_item(
    chunk: &RenderedChunk<'_>,
    segment: &Path,
    item: u64,
) -> Result<Option<SeenItem>, BatchError> {
    let mut reader = ItemReader::new(SpoolReader::open(chunk.spool)?.header());
    let mut segment = SegmentSource::open(segment, 0)?;
    let mut seen = None;
    for_each_item(chunk, |line| {
        if line.index == item && !line.files.is_empty() {
            let entries = segment.entries(line.files)?;
            let outcome = reader.read(line.record.data, &entries);
            let modules = (0..reader.formats.len()).map(|place| reader.modules(&entries, place)).collect();
            seen = Some(SeenItem { data: line.record.data.to_owned(), outcome, modules });
        }
        Ok(line.index < item)
    })?;
    Ok(seen)
}

impl ItemReader {
    /// The modules that are seen in a file.
    fn modules(&mut self, entries: &Entries<'_>, place: usize) -> Option<Modules> {
        let (format, picture) = self.picture(entries, place).ok()?;
        self.attempt(|reader| reader.modules(picture, format).map_err(Unread::Code)).ok()
    }
}
