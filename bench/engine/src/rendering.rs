//! From a spool of 60-byte URLs to segment files on one thread, stage by stage. Each stage includes those before it. The last
//! line writes the same number of bytes and nothing else: the limit of the file system.

use std::convert::Infallible;
use std::fs::{self, File};
use std::hint::black_box;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use qrpress_batch::draw::{ChunkFiles, render_chunk};
use qrpress_batch::{
    Chunk, FontSet, OutputFormat, Record, RenderStyle, SpoolHeader, SpoolReader, SpoolWriter,
};
use qrpress_image::{PngRenderer, Style};
use qrpress_symbol::{Encoder, ErrorCorrectionLevel};
use qrpress_testkit::fonts;
use qrpress_zip::SegmentWriter;

const CHUNK_ITEMS: u64 = 10_000;
const ROUNDS: usize = 3;
const LEVEL: ErrorCorrectionLevel = ErrorCorrectionLevel::Medium;

/// Measures with that number of items, in folders on the file systems to compare.
pub(crate) fn rendering(items: u64, folders: &[PathBuf]) {
    for folder in folders {
        match qrpress_testkit::TempDir::within(folder) {
            Ok(scratch) => {
                println!("{items} items in {}", folder.display());
                Bench::new(scratch.path(), fonts(), items).run();
            }
            Err(error) => println!("{}: {error}", folder.display()),
        }
    }
}

fn write_spool(path: &Path, items: u64, caption: impl Fn(u64) -> Option<String>) -> Vec<Chunk> {
    let style = RenderStyle { error_correction_level: LEVEL, ..RenderStyle::default() };
    let header = SpoolHeader::new(OutputFormat::Png, style);
    let mut writer = SpoolWriter::create(path, &header, CHUNK_ITEMS).unwrap();
    for item in 0..items {
        let data = format!("https://shop.example.com/catalogue/item/{item:08}?ref=label01");
        assert_eq!(data.len(), 60);
        let name = format!("shop.example.com-catalogue-item-{item:08}-ref=label01-{item}");
        writer
            .push(&Record { data: &data, name: &name, caption: caption(item).as_deref(), reference: None })
            .unwrap();
    }
    writer.finish().unwrap().chunks
}

struct Bench<'a> {
    fonts: &'a Arc<FontSet>,
    folder: &'a Path,
    spool: PathBuf,
    /// The same items with a caption of 20 characters each, and its chunks.
    captioned: (PathBuf, Vec<Chunk>),
    chunks: Vec<Chunk>,
    items: u64,
}

impl<'a> Bench<'a> {
    fn new(folder: &'a Path, fonts: &'a Arc<FontSet>, items: u64) -> Self {
        let (spool, captioned) = (folder.join("spool"), folder.join("captioned"));
        let chunks = write_spool(&spool, items, |_| None);
        let captions = write_spool(&captioned, items, |item| Some(format!("Shelf 7 No. {item:08}")));
        Self { fonts, folder, spool, captioned: (captioned, captions), chunks, items }
    }

    /// The length of the segment.
    fn render(&self, spool: &Path, chunk: &Chunk) -> u64 {
        let (segment, index) = self.files(chunk);
        let files = ChunkFiles { spool, segment: &segment, index: &index };
        let report = render_chunk(chunk, &files, self.fonts).unwrap();
        assert_eq!(report.failed, 0);
        report.segment_bytes
    }

    fn run(&self) {
        let mut encoder = Encoder::new();
        let mut png = PngRenderer::new(Style::default());
        let mut picture = Vec::new();
        let mut segment_bytes = 0;

        self.stage("read the spool", |chunk| self.each(chunk, |record| _ = black_box(record)));
        self.stage("and encode", |chunk| {
            self.each(chunk, |record| _ = black_box(encoder.encode(record.data.as_bytes(), LEVEL)));
        });
        self.stage("and draw a PNG", |chunk| {
            self.each(chunk, |record| {
                picture.clear();
                png.render(encoder.encode(record.data.as_bytes(), LEVEL).unwrap(), None, &mut picture);
                black_box(&picture);
            });
        });
        self.stage("and make a segment, in memory", |chunk| {
            let mut writer = SegmentWriter::new(io::sink(), io::sink());
            self.each(chunk, |record| {
                let symbol = encoder.encode(record.data.as_bytes(), LEVEL).unwrap();
                let drawn = writer.entry(record.name, |out| {
                    png.render(symbol, None, out);
                    Ok::<(), Infallible>(())
                });
                let Ok(()) = drawn.unwrap();
            });
            writer.finish().unwrap();
        });
        self.stage("render_chunk", |chunk| segment_bytes = self.render(&self.spool, chunk));
        self.stage("the same with captions", |chunk| {
            let (spool, chunks) = &self.captioned;
            let place = self.chunks.iter().position(|other| other == chunk).unwrap();
            self.render(spool, &chunks[place]);
        });
        let block = vec![7; 256 * 1024];
        self.stage("only write as many bytes", |chunk| {
            let mut file = File::create(self.files(chunk).0).unwrap();
            let mut left = segment_bytes as usize;
            while left > 0 {
                let bytes = left.min(block.len());
                file.write_all(&block[..bytes]).unwrap();
                left -= bytes;
            }
        });
    }

    /// Prints the best of some rounds over all chunks: by the clock, and by the CPU's time where Linux tells it, which
    /// waits for neither the disk nor other processes.
    fn stage(&self, name: &str, mut work: impl FnMut(&Chunk)) {
        let mut clock = Duration::MAX;
        let mut cpu = Duration::MAX;
        for _ in 0..ROUNDS {
            for chunk in &self.chunks {
                let (segment, index) = self.files(chunk);
                // Missing in most stages: what matters is that none of an earlier round is there.
                _ = fs::remove_file(segment);
                _ = fs::remove_file(index);
            }
            let (start, cpu_start) = (Instant::now(), cpu_time());
            self.chunks.iter().for_each(&mut work);
            clock = clock.min(start.elapsed());
            cpu = cpu.min(cpu_time().saturating_sub(cpu_start));
        }
        let items = u128::from(self.items);
        let rate = items * 1_000_000_000 / clock.as_nanos();
        let [clock, cpu] = [clock, cpu].map(|time| time.as_nanos() / items);
        println!("  {name:<36} {rate:>9} items/s {clock:>6} ns an item, {cpu:>6} ns of CPU");
    }

    fn each(&self, chunk: &Chunk, mut work: impl FnMut(Record<'_>)) {
        let mut reader = SpoolReader::open(&self.spool).unwrap();
        let mut records = reader.records(chunk).unwrap();
        while let Some(record) = records.next_record().unwrap() {
            work(record);
        }
    }

    fn files(&self, chunk: &Chunk) -> (PathBuf, PathBuf) {
        let path = |extension| self.folder.join(format!("{}.{extension}", chunk.first_item));
        (path("segment"), path("index"))
    }
}

/// The processor time of this thread so far, or nothing where it can't be known.
fn cpu_time() -> Duration {
    let schedule = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let running = schedule.split(' ').next().and_then(|nanoseconds| nanoseconds.parse().ok());
    Duration::from_nanos(running.unwrap_or(0))
}
