//! The manifest: what became of every item, told from the spool and from the indexes of the segments.

mod csv;
mod ndjson;

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::Write;
use std::path::Path;

use crate::BatchError;
use crate::inspect::LineRun;
use crate::read_back::{ItemReading, ReadingsReader};
pub use crate::rendered::FoundFile;
use crate::rendered::{RenderedChunk, for_each_item};

/// Lines that are gathered before they are written.
const WRITE_BYTES: usize = 256 * 1024;

/// The form of a manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ManifestForm<'a> {
    /// A JSON object for each item, with the list of its files.
    Ndjson,
    /// [`Ndjson`](Self::Ndjson) with the place of each file's first byte in the segment.
    Places,
    /// A row for each file, and one for an item without files (RFC 4180); the line of column names is the caller's.
    Csv,
    /// [`Csv`](Self::Csv) with one column more, the first: the line of each item in the list that the job is made of. `lines` are
    /// those of the job's items, in order; the cell is empty behind the last of them.
    CsvWithLines {
        /// Runs of lines.
        lines: &'a [LineRun],
    },
    /// The items without files, as lines of a job's body. Every other item is a blank line.
    Missing,
    /// All items as lines of a job's body, each behind as many blank lines as its line in the list that the job is made of asks
    /// for.
    Items {
        /// Runs of those lines, of all items in order; none where they are not known.
        lines: &'a [LineRun],
        /// Lines, each with its end, that take the place of some items.
        replaced: &'a BTreeMap<u64, String>,
    },
}

impl<'a> ManifestForm<'a> {
    /// The places of the items in the list that the job is made of.
    fn lines(self) -> &'a [LineRun] {
        match self {
            Self::CsvWithLines { lines } | Self::Items { lines, .. } => lines,
            Self::Ndjson | Self::Places | Self::Csv | Self::Missing => &[],
        }
    }
}

/// A share of 0 to 1 with three decimals, as a number of JSON.
#[derive(Clone, Copy)]
struct Thousandths(u16);

impl fmt::Display for Thousandths {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = format!("{}.{:03}", self.0 / 1000, self.0 % 1000);
        formatter.write_str(decimals.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// Writes the manifest's lines of a chunk to `manifest`, with the readings of its items where it was read back, and returns
/// their length. Replaces a file that exists; the caller syncs it. Memory is bounded whatever the chunk's size. With
/// `names_missing`, an item without files has the name that they would have, without its ending.
///
/// # Errors
/// [`BatchError::Io`] when a file can't be read or written, [`BatchError::CorruptSpool`] and
/// [`BatchError::CorruptIndex`] when the spool or the index is not that of the chunk.
pub fn write_manifest(
    chunk: &RenderedChunk<'_>,
    readings: Option<&Path>,
    form: ManifestForm<'_>,
    names_missing: bool,
    manifest: &Path,
) -> Result<u64, BatchError> {
    let fail = BatchError::io(manifest);
    let mut file = File::create(manifest).map_err(&fail)?;
    let mut lines = Vec::with_capacity(WRITE_BYTES + 8192);
    let mut written = 0;
    let mut readings = readings.map(ReadingsReader::open).transpose()?;
    let mut places = LinePlaces { runs: form.lines(), items_before: 0 };
    let before = chunk.chunk.first_item.checked_sub(1);
    let mut last_place = before.and_then(|item| places.line_of(item)).unwrap_or(0);
    for_each_item(chunk, |line| {
        let reading = readings.as_mut().map_or(Ok(ItemReading::NotTried), ReadingsReader::next_reading)?;
        let missing = (names_missing && line.files.is_empty()).then_some(line.record.name);
        match form {
            ManifestForm::Ndjson | ManifestForm::Places => {
                ndjson::write(line, missing, reading, form == ManifestForm::Places, &mut lines);
            }
            ManifestForm::Csv => csv::write(line, missing, reading, "", &mut lines),
            ManifestForm::CsvWithLines { .. } => {
                let place = places.line_of(line.index).map(|line| line.to_string()).unwrap_or_default();
                csv::write(line, missing, reading, &(place + ","), &mut lines);
            }
            ManifestForm::Missing if line.files.is_empty() => ndjson::write_item(line.record, &mut lines),
            ManifestForm::Missing => lines.push(b'\n'),
            ManifestForm::Items { replaced, .. } => {
                if let Some(place) = places.line_of(line.index) {
                    let blank = place.saturating_sub(last_place + 1);
                    lines.extend((0..blank).map(|_| b'\n'));
                    last_place = place;
                }
                match replaced.get(&line.index) {
                    Some(other) => lines.extend_from_slice(other.as_bytes()),
                    None => ndjson::write_item(line.record, &mut lines),
                }
            }
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

/// Finds the lines of items, which are asked for in order.
struct LinePlaces<'a> {
    /// Without runs that lie before the last item.
    runs: &'a [LineRun],
    items_before: u64,
}

impl LinePlaces<'_> {
    /// `None` for an item behind the last run.
    fn line_of(&mut self, item: u64) -> Option<u64> {
        while let [run, later @ ..] = self.runs {
            let place = item - self.items_before;
            if place < run.count {
                return Some(run.first + place);
            }
            self.items_before += run.count;
            self.runs = later;
        }
        None
    }
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
