//! Renders the chunks of a spool into ZIP segments, and completes the archive that the segments make.

use std::any::Any;
use std::cell::RefCell;
use std::convert::Infallible;
use std::fs::File;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use qrpress_image::{PngRenderer, Style, SvgRenderer};
use qrpress_symbol::Encoder;
use qrpress_zip::{SegmentWriter, TailSummary, ZipError, ZipSegment, write_tail};

use crate::{BatchError, Chunk, OutputFormat, Record, RenderStyle, SpoolHeader, SpoolReader};

/// Failures that a report spells out.
const MAX_FAILURES: usize = 100;
/// Presses that a thread keeps: as many jobs can take turns on it without building a plan twice.
const KEPT_PRESSES: usize = 4;

thread_local! {
    /// The one that was used last is at the end.
    static PRESSES: RefCell<Vec<Press>> = const { RefCell::new(Vec::new()) };
}

/// What became of a chunk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RenderReport {
    /// Items whose pictures are in the segment.
    pub completed: u64,
    /// Items of which nothing is in the segment.
    pub failed: u64,
    /// The first 100 of these.
    pub failures: Vec<ItemFailure>,
    /// Length of the segment.
    pub segment_bytes: u64,
    /// Length of its directory.
    pub directory_bytes: u64,
}

/// An item that could not be rendered, which takes a defect: what a client can get wrong was refused before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemFailure {
    /// The item's index in the job, from 0.
    pub item: u64,
    /// What happened.
    pub message: String,
}

/// A segment in its place in the archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchivePart {
    /// The directory that was written beside the segment.
    pub directory: PathBuf,
    /// Length of the segment.
    pub segment_bytes: u64,
}

/// The files that a chunk comes from and goes to.
#[derive(Clone, Copy, Debug)]
pub struct ChunkFiles<'a> {
    /// The job's spool.
    pub spool: &'a Path,
    /// Where the ZIP segment goes. A file that exists is replaced.
    pub segment: &'a Path,
    /// Where the segment's directory goes. A file that exists is replaced.
    pub directory: &'a Path,
}

/// Renders a chunk of a spool into a ZIP segment and its directory, both made durable. The bytes depend on the
/// spool's header and the chunk's records alone.
///
/// # Errors
/// [`BatchError::Io`] when a file can't be read or written, [`BatchError::CorruptSpool`] when the spool doesn't hold
/// the chunk. What was written until then is to be thrown away.
pub fn render_chunk(chunk: &Chunk, files: &ChunkFiles<'_>) -> Result<RenderReport, BatchError> {
    let mut reader = SpoolReader::open(files.spool)?;
    let segment = File::create(files.segment).map_err(BatchError::io(files.segment))?;
    let directory = File::create(files.directory).map_err(BatchError::io(files.directory))?;
    let mut writer = SegmentWriter::new(&segment, &directory);
    let mut report = RenderReport::default();

    let mut press = Press::take(reader.header())?;
    let mut records = reader.records(chunk)?;
    let mut item = chunk.first_item;
    while let Some(record) = records.next_record()? {
        match press.attempt(|press| press.print(&record, &mut writer)) {
            Ok(()) => report.completed += 1,
            Err(Failure::Item(message)) => {
                report.failed += 1;
                if report.failures.len() < MAX_FAILURES {
                    report.failures.push(ItemFailure { item, message });
                }
            }
            Err(Failure::Segment(error)) => return Err(BatchError::io(files.segment)(error)),
        }
        item += 1;
    }
    press.keep();

    let summary = writer.finish().map_err(BatchError::io(files.segment))?;
    segment.sync_data().map_err(BatchError::io(files.segment))?;
    directory.sync_data().map_err(BatchError::io(files.directory))?;
    report.segment_bytes = summary.segment_bytes;
    report.directory_bytes = summary.directory_bytes;
    Ok(report)
}

/// Writes the tail that makes an archive of the segments in the order of `parts`, and makes it durable. A file that
/// exists is replaced. Memory is bounded whatever the archive's size.
///
/// # Errors
/// [`BatchError::Io`] when a file can't be read or written, [`BatchError::CorruptDirectory`] when a directory is not
/// what was written, or not that of a segment of this length.
pub fn finish_archive(parts: &[ArchivePart], tail: &Path) -> Result<TailSummary, BatchError> {
    let mut file = File::create(tail).map_err(BatchError::io(tail))?;
    let segments = parts.iter().map(|part| {
        let directory = File::open(&part.directory).map_err(|error| naming(&part.directory, &error))?;
        Ok(ZipSegment { directory, segment_bytes: part.segment_bytes })
    });
    let summary = write_tail(segments, &mut file).map_err(|error| match error {
        ZipError::Io(source) => BatchError::Io { path: tail.to_owned(), source },
        source => BatchError::CorruptDirectory { source },
    })?;
    file.sync_data().map_err(BatchError::io(tail))?;
    Ok(summary)
}

/// Why an item is not in the segment.
enum Failure {
    /// The item's own failure.
    Item(String),
    /// The segment can't be written any more.
    Segment(io::Error),
}

impl From<ZipError> for Failure {
    fn from(error: ZipError) -> Self {
        match error {
            ZipError::Io(error) => Self::Segment(error),
            refused => Self::Item(refused.to_string()),
        }
    }
}

/// What a thread builds once for the chunks of a job, and for the next job that looks the same.
struct Press {
    header: SpoolHeader,
    style: Style,
    encoder: Encoder,
    png: PngRenderer,
    svg: SvgRenderer,
    /// The name of the entry that is being written.
    name: String,
    /// An SVG that waits for the PNG of its item.
    waiting_svg: Vec<u8>,
}

impl Press {
    fn new(header: SpoolHeader, style: Style) -> Self {
        Self {
            encoder: Encoder::new(),
            png: PngRenderer::new(style.clone()),
            svg: SvgRenderer::new(style.clone()),
            name: String::new(),
            waiting_svg: Vec::new(),
            header,
            style,
        }
    }

    /// The thread's press for that header, which is the caller's until it is kept again.
    fn take(header: &SpoolHeader) -> Result<Self, BatchError> {
        let kept = PRESSES.with_borrow_mut(|presses| {
            let place = presses.iter().position(|press| press.header == *header)?;
            Some(presses.remove(place))
        });
        kept.map_or_else(|| Ok(Self::new(header.clone(), picture_style(&header.style)?)), Ok)
    }

    fn keep(self) {
        PRESSES.with_borrow_mut(|presses| {
            if presses.len() == KEPT_PRESSES {
                presses.remove(0);
            }
            presses.push(self);
        });
    }

    /// Does the work on an item. A panic in it is the item's failure.
    fn attempt(&mut self, work: impl FnOnce(&mut Self) -> Result<(), Failure>) -> Result<(), Failure> {
        catch_unwind(AssertUnwindSafe(|| work(self))).unwrap_or_else(|payload| {
            // What the panic left half done goes with the old press.
            *self = Self::new(self.header.clone(), self.style.clone());
            Err(Failure::Item(panic_message(&*payload)))
        })
    }

    /// Adds the entries of an item to the segment, all or none.
    fn print<W: Write, D: Write>(
        &mut self,
        record: &Record<'_>,
        writer: &mut SegmentWriter<W, D>,
    ) -> Result<(), Failure> {
        let Self { header, encoder, png, svg, name, waiting_svg, .. } = self;
        let encoded = encoder.encode(record.data.as_bytes(), header.style.error_correction_level);
        let symbol = encoded.map_err(|error| Failure::Item(error.to_string()))?;
        let mut add = |extension, draw: &mut dyn FnMut(&mut Vec<u8>)| {
            name.clear();
            name.push_str(record.name);
            name.push_str(extension);
            let Ok(()) = writer.entry(name, |out| {
                draw(out);
                Ok::<(), Infallible>(())
            })?;
            Ok(())
        };
        match header.format {
            OutputFormat::Png => add(".png", &mut |out| png.render(symbol, None, out)),
            OutputFormat::Svg => add(".svg", &mut |out| svg.render(symbol, None, out)),
            OutputFormat::Both => {
                // Drawn first, so that its failure leaves no PNG behind.
                waiting_svg.clear();
                svg.render(symbol, None, waiting_svg);
                add(".png", &mut |out| png.render(symbol, None, out))?;
                add(".svg", &mut |out| out.extend_from_slice(waiting_svg))
            }
        }
    }
}

/// The style as the image crate knows it. One that it refuses was never written to a spool.
fn picture_style(style: &RenderStyle) -> Result<Style, BatchError> {
    let (pixels, quiet_zone) = (style.pixels_per_module.into(), style.quiet_zone_modules.into());
    Style::new(pixels, quiet_zone, style.foreground, style.background)
        .map_err(|_| BatchError::CorruptSpool { offset: 16, reason: "settings that no style has" })
}

/// What a panic says of itself.
fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("panic without a message").to_owned()
}

/// The error with the file's name in it, which `write_tail` doesn't know.
fn naming(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Colour;

    #[test]
    fn a_panic_is_a_failure_of_its_item_alone() {
        let style =
            RenderStyle { pixels_per_module: 2, background: Colour::Transparent, ..RenderStyle::default() };
        let mut press = Press::take(&SpoolHeader { format: OutputFormat::Both, style }).unwrap();
        let mut segment_with = |defect: bool| {
            let (mut segment, mut directory) = (Vec::new(), Vec::new());
            let mut writer = SegmentWriter::new(&mut segment, &mut directory);
            for name in ["before", "broken", "after"] {
                let outcome = press.attempt(|press| match name {
                    "broken" if defect => {
                        let half = |out: &mut Vec<u8>| -> Result<(), Infallible> {
                            out.extend_from_slice(b"half");
                            panic!("a defect")
                        };
                        writer.entry("broken.png", half)?;
                        Ok(())
                    }
                    "broken" => Ok(()),
                    _ => press.print(&Record { data: name, name, caption: None }, &mut writer),
                });
                match outcome {
                    Err(Failure::Item(message)) => assert!(defect && message == "a defect"),
                    outcome => assert!(outcome.is_ok() && !(defect && name == "broken")),
                }
            }
            assert_eq!(writer.finish().unwrap().entries, 4);
            (segment, directory)
        };
        assert_eq!(segment_with(true), segment_with(false));
    }
}
