//! The readings of a chunk: two bytes for each item, little endian, in the order of the items.
//!
//! | Value | Item |
//! |---|---|
//! | 0 to 1000 | was read; so many thousandths of its error correction are unused |
//! | `NOT_TRIED` | was not to be read, or was not drawn |
//! | `UNREAD` | could not be read |
//! | `BEGUN`, `BEGUN_AGAIN` | is being read. At the end of a file that nobody writes: ended the process that read it |

use std::fs::{self, File, OpenOptions};
use std::io::{BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::BatchError;

const UNREAD: u16 = u16::MAX;
const NOT_TRIED: u16 = u16::MAX - 1;
const BEGUN: u16 = u16::MAX - 2;
const BEGUN_AGAIN: u16 = u16::MAX - 3;

const READING_BYTES: usize = 2;
/// Unread items that a summary lists.
const MAX_UNREAD_ITEMS: usize = 100;

/// The least thousandths of unused error correction in each class of a distribution.
pub const UNUSED_BOUNDS: [u16; 5] = [0, 250, 500, 750, 1000];

/// The outcome for an item that was to be read back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemReading {
    /// It was read.
    Read {
        /// The share of error correction that is left in the worst block of its files.
        unused_thousandths: u16,
    },
    /// Some file of it could not be read.
    Unread,
    /// It was not to be read, or not drawn.
    NotTried,
}

impl ItemReading {
    fn value(self) -> u16 {
        match self {
            Self::Read { unused_thousandths } => unused_thousandths,
            Self::Unread => UNREAD,
            Self::NotTried => NOT_TRIED,
        }
    }

    fn of(value: u16) -> Self {
        match value {
            unused_thousandths @ ..=1000 => Self::Read { unused_thousandths },
            NOT_TRIED => Self::NotTried,
            _ => Self::Unread,
        }
    }
}

/// Writes readings so that a process that is ended in the middle of an item leaves which one it was.
pub(super) struct ReadingsWriter<'a> {
    path: &'a Path,
    file: File,
    /// Readings that are known.
    len: u64,
    /// The bytes of those that are not written yet.
    waiting: Vec<u8>,
    /// The mark of the item that is read next.
    mark: u16,
}

impl<'a> ReadingsWriter<'a> {
    /// Goes on with what a file holds. An item that ended a process is tried once more, and then unread.
    pub fn open(path: &'a Path) -> Result<Self, BatchError> {
        let fail = BatchError::io(path);
        let options = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path);
        let mut file = options.map_err(&fail)?;
        let mut values = Vec::new();
        file.read_to_end(&mut values).map_err(&fail)?;
        let (mut waiting, mut mark) = (Vec::new(), BEGUN);
        let values = values.as_chunks::<READING_BYTES>().0;
        let mut len = values.len() as u64;
        match values.last().copied().map(u16::from_le_bytes) {
            Some(BEGUN) => {
                len -= 1;
                mark = BEGUN_AGAIN;
            }
            Some(BEGUN_AGAIN) => waiting.extend_from_slice(&UNREAD.to_le_bytes()),
            _ => {}
        }
        let written = READING_BYTES as u64 * len - waiting.len() as u64;
        file.seek(SeekFrom::Start(written)).map_err(&fail)?;
        Ok(Self { path, file, len, waiting, mark })
    }

    /// Number of items whose readings are known.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Adds the next item's reading.
    pub fn push(&mut self, reading: ItemReading) {
        self.waiting.extend_from_slice(&reading.value().to_le_bytes());
        self.len += 1;
        self.mark = BEGUN;
    }

    /// Leaves a mark that the next item is being read.
    pub fn begin(&mut self) -> Result<(), BatchError> {
        self.waiting.extend_from_slice(&self.mark.to_le_bytes());
        self.write()?;
        // The reading takes the mark's place.
        self.file.seek_relative(-2).map_err(BatchError::io(self.path))
    }

    /// Writes the last readings.
    pub fn finish(mut self) -> Result<(), BatchError> {
        self.write()
    }

    fn write(&mut self) -> Result<(), BatchError> {
        self.file.write_all(&self.waiting).map_err(BatchError::io(self.path))?;
        self.waiting.clear();
        Ok(())
    }
}

/// Reads readings in their order.
pub(crate) struct ReadingsReader {
    path: PathBuf,
    file: BufReader<File>,
}

impl ReadingsReader {
    pub fn open(path: &Path) -> Result<Self, BatchError> {
        let file = File::open(path).map_err(BatchError::io(path))?;
        Ok(Self { path: path.to_owned(), file: BufReader::new(file) })
    }

    /// The next item's reading. Behind the end of the file nothing was tried.
    pub fn next_reading(&mut self) -> Result<ItemReading, BatchError> {
        let mut value = [0; READING_BYTES];
        match self.file.read_exact(&mut value) {
            Ok(()) => Ok(ItemReading::of(u16::from_le_bytes(value))),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(ItemReading::NotTried),
            Err(error) => Err(BatchError::io(&self.path)(error)),
        }
    }
}

/// The sums of a chunk's readings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadingsSummary {
    /// Items that were tried.
    pub verified: u64,
    /// Items of these that could not be read.
    pub unread: u64,
    /// The first 100 of them, in order.
    pub unread_items: Vec<u64>,
    /// The least unused error correction of the items that were read, in thousandths, and the first item that has it.
    pub least_unused: Option<(u16, u64)>,
    /// Items that were read, by the classes of [`UNUSED_BOUNDS`].
    pub distribution: [u64; UNUSED_BOUNDS.len()],
    /// Length of the file.
    pub bytes: u64,
}

/// Adds up the readings of a chunk that begins with item `first_item` of its job. The items of `unread`, in which another
/// reader found no code, become unread before.
///
/// # Errors
/// [`BatchError::Io`] when the file can't be read or written.
pub fn sum_up_readings(path: &Path, first_item: u64, unread: &[u64]) -> Result<ReadingsSummary, BatchError> {
    let mut values = fs::read(path).map_err(BatchError::io(path))?;
    let (readings, _) = values.as_chunks_mut::<READING_BYTES>();
    for item in unread {
        let place = item.checked_sub(first_item).and_then(|place| usize::try_from(place).ok());
        if let Some(reading) = place.and_then(|place| readings.get_mut(place)) {
            *reading = UNREAD.to_le_bytes();
        }
    }
    let mut summary = ReadingsSummary::default();
    for (item, &value) in (first_item..).zip(readings.iter()) {
        summary.add(item, ItemReading::of(u16::from_le_bytes(value)));
    }
    if !unread.is_empty() {
        fs::write(path, &values).map_err(BatchError::io(path))?;
    }
    summary.bytes = values.len() as u64;
    Ok(summary)
}

impl ReadingsSummary {
    fn add(&mut self, item: u64, reading: ItemReading) {
        match reading {
            ItemReading::NotTried => return,
            ItemReading::Unread => {
                self.unread += 1;
                if self.unread_items.len() < MAX_UNREAD_ITEMS {
                    self.unread_items.push(item);
                }
            }
            ItemReading::Read { unused_thousandths } => {
                let class = UNUSED_BOUNDS.partition_point(|&bound| bound <= unused_thousandths);
                self.distribution[class - 1] += 1;
                if self.least_unused.is_none_or(|(least, _)| unused_thousandths < least) {
                    self.least_unused = Some((unused_thousandths, item));
                }
            }
        }
        self.verified += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const READ: ItemReading = ItemReading::Read { unused_thousandths: 900 };

    /// Reads as a process would that ends in the middle of item 2, as often as it gets there.
    fn read_until_the_end(path: &Path, items: u64) -> usize {
        for round in 1..10 {
            let mut writer = ReadingsWriter::open(path).unwrap();
            let mut has_ended = false;
            while writer.len() < items && !has_ended {
                writer.begin().unwrap();
                has_ended = writer.len() == 2;
                if !has_ended {
                    writer.push(READ);
                }
            }
            if !has_ended {
                writer.finish().unwrap();
                return round;
            }
        }
        unreachable!("an item that is never given up")
    }

    #[test]
    fn an_item_that_ends_two_processes_is_unread_and_the_others_are_read() {
        let folder = qrpress_testkit::TempDir::new();
        let path = folder.path().join("readings");
        assert_eq!(read_until_the_end(&path, 5), 3);
        let summary = sum_up_readings(&path, 100, &[]).unwrap();
        let expected = ReadingsSummary {
            verified: 5,
            unread: 1,
            unread_items: vec![102],
            least_unused: Some((900, 100)),
            distribution: [0, 0, 0, 4, 0],
            bytes: 10,
        };
        assert_eq!(summary, expected);
    }

    #[test]
    fn what_another_reader_did_not_read_is_unread() {
        use ItemReading::{NotTried, Unread};
        let folder = qrpress_testkit::TempDir::new();
        let path = folder.path().join("readings");
        let mut writer = ReadingsWriter::open(&path).unwrap();
        for unused_thousandths in [1000, 0, 249, 250] {
            writer.push(ItemReading::Read { unused_thousandths });
        }
        writer.push(NotTried);
        writer.finish().unwrap();
        assert_eq!(sum_up_readings(&path, 0, &[]).unwrap().distribution, [2, 1, 0, 0, 1]);
        let summary = sum_up_readings(&path, 0, &[1, 70]).unwrap();
        assert_eq!((summary.verified, summary.unread, summary.unread_items), (4, 1, vec![1]));
        assert_eq!(summary.least_unused, Some((249, 2)));
        let mut reader = ReadingsReader::open(&path).unwrap();
        let readings: Vec<_> = (0..6).map(|_| reader.next_reading().unwrap()).collect();
        let read = |unused_thousandths| ItemReading::Read { unused_thousandths };
        assert_eq!(readings, [read(1000), Unread, read(249), read(250), NotTried, NotTried]);
    }
}
