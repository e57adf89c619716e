//! The reader of an item's files: their places in the archive, their pictures, and the data of their codes.

use std::fmt;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use qrpress_readback::{FileFormat, Geometry, ReadError, Reader, beside_modules, opaque_pictures};
use qrpress_zip::SegmentFile;

use super::proofs::ProofWriter;
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
    /// The code has other data than the item: this.
    OtherData(String),
    /// The decoder failed, with that message.
    Decoder(String),
}

impl fmt::Display for Unread {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => formatter.write_str("the archive lacks a file of the item"),
            Self::Archive => formatter.write_str("the file in the archive is not the one that was written"),
            Self::Code(error) => error.fmt(formatter),
            Self::OtherData(data) => write!(formatter, "the code has other data than the item: {data:?}"),
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
        let outcomes = (0..self.formats.len()).map(|place| self.read_file(data, entries, place));
        outcomes.reduce(|one, other| Ok(one?.min(other?))).unwrap_or(Err(Unread::Missing))
    }

    /// The unused error correction of the file at that place of an item's.
    fn read_file(&mut self, data: &str, entries: &Entries<'_>, place: usize) -> Result<u16, Unread> {
        let (format, picture) = self.picture(entries, place)?;
        self.attempt(|reader| {
            let reading = reader.read(picture, format).map_err(Unread::Code)?;
            if reading.data == data.as_bytes() {
                Ok(reading.unused_thousandths)
            } else {
                Err(Unread::OtherData(String::from_utf8_lossy(reading.data).into_owned()))
            }
        })
    }

    /// The pictures that a phone is shown, one for each file.
    pub fn pictures(&mut self, entries: &Entries<'_>) -> Result<Vec<Vec<Vec<u8>>>, Unread> {
        (0..self.formats.len()).map(|place| self.pictures_of_file(entries, place)).collect()
    }

    fn pictures_of_file(&mut self, entries: &Entries<'_>, place: usize) -> Result<Vec<Vec<u8>>, Unread> {
        let geometry = self.geometry;
        let (format, picture) = self.picture(entries, place)?;
        self.attempt(|_| opaque_pictures(picture, format, geometry).map_err(Unread::Code))
    }

    /// The file at that place as people are shown it, beside the modules that the decoder sees.
    fn comparison(&mut self, entries: &Entries<'_>, place: usize) -> Result<Vec<u8>, Unread> {
        let geometry = self.geometry;
        let (format, picture) = self.picture(entries, place)?;
        self.attempt(|reader| {
            let modules = reader.modules(picture, format).ok();
            beside_modules(picture, format, geometry, modules.as_ref()).map_err(Unread::Code)
        })
    }

    /// The file at that place of an item's, and its format.
    fn picture<'e>(&self, entries: &Entries<'e>, place: usize) -> Result<(FileFormat, &'e [u8]), Unread> {
        let format = self.formats[place];
        let file = entries.files.get(place).filter(|file| file.name.ends_with(extension_of(format)));
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

fn extension_of(format: FileFormat) -> &'static str {
    match format {
        FileFormat::Png => ".png",
        FileFormat::Svg => ".svg",
    }
}

/// An item as its readers see it.
#[derive(Clone, Debug)]
pub struct SeenItem {
    /// The data that its codes should have.
    pub data: String,
    /// Its files, in order.
    pub files: Vec<SeenFile>,
}

/// A file of an item.
#[derive(Clone, Debug)]
pub struct SeenFile {
    /// The ending of its name.
    pub extension: &'static str,
    /// The unused error correction in thousandths, or the reason why it is unread.
    pub outcome: Result<u16, Unread>,
    /// A PNG file for people: the picture, and beside it the modules that were seen. Absent where the file is no picture.
    pub comparison: Option<Vec<u8>>,
}

/// Reads one item of a chunk back, and tells what was seen; `None` where the chunk does not hold it, or it was not drawn. The
/// proofs are those of the files that are pictures.
///
/// # Errors
/// Those of [`read_back`](super::read_back).
pub fn see_item(
    chunk: &RenderedChunk<'_>,
    segment: &Path,
    item: u64,
    proofs: &Path,
) -> Result<Option<SeenItem>, BatchError> {
    let mut reader = ItemReader::new(SpoolReader::open(chunk.spool)?.header());
    let mut segment = SegmentSource::open(segment, 0)?;
    let mut proofs = ProofWriter::open(proofs)?;
    let mut seen = None;
    for_each_item(chunk, |line| {
        if line.index == item && !line.files.is_empty() {
            let data = line.record.data;
            let entries = segment.entries(line.files)?;
            let mut files = Vec::new();
            for (place, &format) in reader.formats.iter().enumerate() {
                if let Ok(pictures) = reader.pictures_of_file(&entries, place) {
                    proofs.write(item, data, &pictures)?;
                }
                files.push(SeenFile {
                    extension: extension_of(format),
                    outcome: reader.read_file(data, &entries, place),
                    comparison: reader.comparison(&entries, place).ok(),
                });
            }
            seen = Some(SeenItem { data: data.to_owned(), files });
        }
        Ok(line.index < item)
    })?;
    Ok(seen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_a_decoder_is_one_items_and_the_next_is_read() {
        let header = SpoolHeader::new(OutputFormat::Png, crate::RenderStyle::default());
        let mut reader = ItemReader::new(&header);
        let outcome: Result<(), _> = reader.attempt(|_| panic!("index out of bounds"));
        assert_eq!(outcome, Err(Unread::Decoder("index out of bounds".to_owned())));
        assert_eq!(reader.attempt(|_| Ok(7)), Ok(7));
    }
}
