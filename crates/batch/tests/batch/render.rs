//! From a spool to an archive: independent readers unzip it and read every symbol back.
use std::error::Error as _;
use std::fs::{self, File};
use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};

use qrpress_batch::{
    BatchError, CaptionStyle, CentralDirectory, Chunk, Colour, LogoStyle, OutputFormat, Record, RenderStyle,
    SpoolHeader, SpoolReader, SpoolWriter,
    draw::{
        ArchivePart, ChunkFiles, Continued, RenderReport, draw_archive, finish_archive, render_chunk,
        render_chunks, write_archive_end, write_segment_headers,
    },
};
use qrpress_symbol::{Eci, ErrorCorrectionLevel};
use qrpress_testkit::{TempDir, fonts};

/// A job in a folder of its own.
struct Job {
    folder: TempDir,
    chunks: Vec<Chunk>,
}

impl Job {
    fn new(format: OutputFormat, items: &[(&str, &str)], chunk_items: u64) -> Self {
        Self::styled(format, style(), items, chunk_items)
    }

    fn styled(format: OutputFormat, style: RenderStyle, items: &[(&str, &str)], chunk_items: u64) -> Self {
        let records = items.iter().map(|&(data, name)| Record { data, name, caption: None, reference: None });
        Self::of_records(format, style, records, chunk_items)
    }

    fn of_records<'a>(
        format: OutputFormat,
        style: RenderStyle,
        records: impl IntoIterator<Item = Record<'a>>,
        chunk_items: u64,
    ) -> Self {
        let folder = TempDir::new();
        let header = SpoolHeader::new(format, style);
        let mut writer = SpoolWriter::create(&folder.path().join("spool"), &header, chunk_items).unwrap();
        for record in records {
            writer.push(&record).unwrap();
        }
        let chunks = writer.finish().unwrap().chunks;
        Self { folder, chunks }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn render(&self, index: usize) -> Result<RenderReport, BatchError> {
        let files = ChunkFiles {
            spool: &self.path("spool"),
            segment: &self.path(&format!("{index}.segment")),
            index: &self.path(&format!("{index}.index")),
        };
        render_chunk(&self.chunks[index], &files, fonts())
    }

    /// Renders the chunks in this order, which is not necessarily the archive's, and returns the archive.
    fn archive(&self, order: impl IntoIterator<Item = usize>) -> (Vec<u8>, Vec<RenderReport>) {
        let mut reports = vec![RenderReport::default(); self.chunks.len()];
        for index in order {
            reports[index] = self.render(index).unwrap();
        }
        (self.finish(&reports), reports)
    }

    fn finish(&self, reports: &[RenderReport]) -> Vec<u8> {
        let mut archive = Vec::new();
        let mut parts = Vec::new();
        for (number, report) in reports.iter().enumerate() {
            let index = self.path(&format!("{number}.index"));
            assert_eq!(fs::metadata(&index).unwrap().len(), report.index_bytes);
            let segment = fs::read(self.path(&format!("{number}.segment"))).unwrap();
            assert_eq!(segment.len() as u64, report.segment_bytes);
            archive.extend(segment);
            parts.push(ArchivePart { index, segment_bytes: report.segment_bytes });
        }
        let summary = finish_archive(&parts, Continued { path: &self.path("directory"), start: 0 }).unwrap();
        let directory = fs::read(self.path("directory")).unwrap();
        assert_eq!(directory.len() as u64, summary.directory_bytes);
        assert!(self.directory_in_pieces(&parts, reports) == directory);
        archive.extend(directory);
        assert_eq!(archive.len() as u64, summary.archive_bytes);
        if let ([chunk], [report]) = (&self.chunks[..], reports) {
            self.assert_drawn_in_memory(chunk, report, &archive);
        }
        archive
    }

    /// In memory the archive is the same, and is not drawn when it is a byte too long.
    fn assert_drawn_in_memory(&self, chunk: &Chunk, report: &RenderReport, archive: &[u8]) {
        let spool = fs::read(self.path("spool")).unwrap();
        let draw = |most| draw_archive(chunk, SpoolReader::of(&spool).unwrap(), most, fonts()).unwrap();
        let bytes = (report.segment_bytes + report.header_bytes) as usize;
        let Some(drawn) = draw(bytes) else {
            assert!(report.failed > 0);
            return;
        };
        assert_eq!(report.failed, 0);
        assert!([drawn.segment, drawn.end].concat() == archive);
        assert!(drawn.index == fs::read(self.path("0.index")).unwrap());
        assert_eq!(drawn.report, *report);
        assert_eq!(draw(bytes - 1), None);
        assert_eq!(draw(0), None);
    }

    /// The central directory and the end as they are made when every segment's headers are written by themselves, from
    /// what was reported of it.
    fn directory_in_pieces(&self, parts: &[ArchivePart], reports: &[RenderReport]) -> Vec<u8> {
        let path = self.path("piece");
        let mut directory = Vec::new();
        let mut whole = CentralDirectory { entries: 0, offset: 0, bytes: 0 };
        for (part, report) in parts.iter().zip(reports) {
            let bytes = write_segment_headers(part, whole.offset, &path).unwrap();
            assert_eq!(bytes, report.header_bytes);
            directory.extend(fs::read(&path).unwrap());
            whole.entries += report.entries;
            whole.offset += report.segment_bytes;
            whole.bytes += report.header_bytes;
        }
        let bytes = write_archive_end(whole, &path).unwrap();
        directory.extend(fs::read(&path).unwrap());
        assert_eq!(directory.len() as u64, whole.bytes + bytes);
        directory
    }
}

fn style() -> RenderStyle {
    RenderStyle { pixels_per_module: 4, ..RenderStyle::default() }
}

/// Names and contents of an archive's entries, in the order of its central directory.
fn unzip(archive: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut archive = zip::ZipArchive::new(Cursor::new(archive)).unwrap();
    let entries = archive.len();
    let read = |index| {
        let mut entry = archive.by_index(index).unwrap();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        (entry.name().unwrap().into_owned(), bytes)
    };
    (0..entries).map(read).collect()
}

/// The text of the symbol in a PNG, as another implementation reads it.
fn read_png(bytes: &[u8]) -> String {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    let samples = frame.color_type.samples();
    read_pixels(frame.width as usize, frame.height as usize, |x, y| pixels[y * frame.line_size + x * samples])
}

// Clauses: additions/eci
#[test]
fn a_code_that_names_utf8_is_read() {
    let items = [("Lavāsān 東京 12345678901234567890", "a"), ("ASCII", "b")];
    let named = RenderStyle { eci: Eci::Utf8, ..style() };
    let [named, plain] = [named, style()]
        .map(|style| unzip(&Job::styled(OutputFormat::Png, style, &items, 100).archive([0]).0));
    for ((data, _), (_, png)) in items.iter().zip(&named) {
        assert_eq!(read_png(png), *data);
    }
    assert!(named[0] != plain[0] && named[1] == plain[1]);
}

/// Width and height of a PNG, from its header.
fn size_of_png(bytes: &[u8]) -> (u32, u32) {
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

/// The text of the symbol in an SVG, as another implementation draws and reads it.
fn read_svg(bytes: &[u8]) -> String {
    let tree = resvg::usvg::Tree::from_data(bytes, &resvg::usvg::Options::default()).unwrap();
    let size = tree.size().to_int_size();
    let mut pixmap = resvg::tiny_skia::Pixmap::new(size.width(), size.height()).unwrap();
    resvg::render(&tree, resvg::tiny_skia::Transform::identity(), &mut pixmap.as_mut());
    let width = size.width() as usize;
    read_pixels(width, size.height() as usize, |x, y| pixmap.pixels()[y * width + x].red())
}

fn read_pixels(width: usize, height: usize, grey: impl Fn(usize, usize) -> u8) -> String {
    let mut image = rqrr::PreparedImage::prepare_from_greyscale(width, height, grey);
    let grids = image.detect_grids();
    assert_eq!(grids.len(), 1);
    grids[0].decode().unwrap().1
}

const ITEMS: [(&str, &str); 7] = [
    ("https://example.com/a", "a"),
    ("0123456789012345", "digits"),
    ("HELLO WORLD $%*", "letters"),
    ("grüße, 世界 🌍", "grüße-世界"),
    ("https://example.com/a", "the same again"),
    ("x", "x"),
    ("https://example.com/catalogue/items/0001?campaign=spring-2026", "catalogue"),
];

#[test]
fn an_archive_reads_back_as_its_items() {
    let job = Job::new(OutputFormat::Both, &ITEMS, 3);
    let (archive, reports) = job.archive(0..3);
    let entries = unzip(&archive);

    let expected = ITEMS.iter().flat_map(|(_, name)| [format!("{name}.png"), format!("{name}.svg")]);
    assert!(
        entries.iter().map(|(name, _)| name.clone()).eq(expected),
        "the PNG, then the SVG, in item order"
    );
    for (pair, (data, _)) in entries.chunks_exact(2).zip(ITEMS) {
        assert_eq!(read_png(&pair[0].1), data);
        assert_eq!(read_svg(&pair[1].1), data);
    }
    assert_eq!(reports.iter().map(|report| report.completed).collect::<Vec<_>>(), [3, 3, 1]);
    assert!(reports.iter().all(|report| report.failed == 0 && report.failures.is_empty()));
}

#[test]
fn both_holds_what_each_format_alone_holds() {
    let [png, svg, both] = [OutputFormat::Png, OutputFormat::Svg, OutputFormat::Both]
        .map(|format| unzip(&Job::new(format, &ITEMS, 4).archive(0..2).0));
    let interleaved = png.into_iter().zip(svg).flat_map(|(png, svg)| [png, svg]);
    assert!(both.into_iter().eq(interleaved));
}

#[test]
fn how_items_are_cut_and_in_which_order_chunks_are_rendered_leaves_no_trace() {
    let whole = Job::new(OutputFormat::Both, &ITEMS, 100).archive(0..1).0;
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
        let cut = Job::new(OutputFormat::Both, &ITEMS, 2).archive(order).0;
        assert!(cut == whole, "{order:?}");
    }
}

#[test]
fn bytes_do_not_depend_on_what_a_thread_rendered_before() {
    let render = || Job::new(OutputFormat::Both, &ITEMS, 100).archive(0..1).0;
    let fresh = std::thread::spawn(render).join().unwrap();
    // More styles than a thread keeps renderers for, each with other versions, with the job in question in between.
    let long = "y".repeat(400);
    for pixels_per_module in 1..=6 {
        for foreground in [Colour::Rgb([0; 3]), Colour::Rgb([0, 0, 120])] {
            let other = RenderStyle { pixels_per_module, foreground, ..style() };
            Job::styled(OutputFormat::Both, other, &[(&long, "y"), ("z", "z")], 1).archive(0..2);
            assert!(render() == fresh);
        }
    }
}

#[test]
fn captions_stand_under_their_codes() {
    let mut style = style();
    style.caption = CaptionStyle { text: "Gate 7".into(), colour: Some([200, 0, 0]), font_size: 40 };
    let records = [
        Record { data: "inherits", name: "a", caption: None, reference: None },
        Record {
            data: "its own", name: "b", caption: Some("東京 & <Ωμέγα> عربي"), reference: None
        },
        Record { data: "switched off", name: "c", caption: Some(""), reference: None },
        Record { data: "white space", name: "d", caption: Some(" \n "), reference: None },
        Record { data: "two lines", name: "e", caption: Some("one\ntwo"), reference: None },
        Record { data: "inherits again", name: "f", caption: None, reference: None },
    ];
    let job = |chunk_items| Job::of_records(OutputFormat::Both, style.clone(), records, chunk_items);
    let archive = job(6).archive([0]).0;
    assert!(job(2).archive([2, 0, 1]).0 == archive, "chunks leave no trace");
    let elsewhere = std::thread::spawn({
        let job = job(6);
        move || job.archive([0]).0
    });
    assert!(elsewhere.join().unwrap() == archive, "nor does what the thread rendered before");

    let entries = unzip(&archive);
    // Lines of 23 px between gaps of 4 and 8 px; the second is set in Arabic and Han fonts as well, which are higher.
    let heights = [Some(35), None, Some(0), Some(0), Some(58), Some(35)];
    let titles =
        [Some("Gate 7"), Some("東京 &amp; &lt;Ωμέγα&gt; عربي"), None, None, Some("one\ntwo"), Some("Gate 7")];
    for ((pair, record), (height, title)) in
        entries.chunks_exact(2).zip(records).zip(heights.into_iter().zip(titles))
    {
        let (png, svg) = (&pair[0].1, &pair[1].1);
        let (width, total) = size_of_png(png);
        if let Some(height) = height {
            assert_eq!((width, total), (116, 116 + height), "{}", record.data);
        } else {
            assert!(total > 116 + 35, "{total}");
        }
        assert_eq!(read_png(png), record.data);
        assert_eq!(read_svg(svg), record.data);
        let svg = str::from_utf8(svg).unwrap();
        assert!(svg.contains(&format!("height=\"{total}\"")));
        assert_eq!(svg.split_once("<title>").map(|(_, rest)| rest.split_once("</title>").unwrap().0), title);
        assert_eq!(svg.contains("#c80000"), title.is_some());
    }
}

#[test]
fn a_logo_is_drawn_over_every_code_and_chunks_leave_no_trace() {
    // Two pixels, black and red.
    let png =
        "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAD0lEQVR4nGNgYGD4z8AAAAMEAQBsRbQRAAAAAElFTkSuQmCC";
    let logo = LogoStyle { data_url: format!("data:image/png;base64,{png}"), ratio_millionths: 200_000 };
    let style =
        RenderStyle { logo: Some(logo), error_correction_level: ErrorCorrectionLevel::High, ..style() };
    let job = |items| Job::styled(OutputFormat::Both, style.clone(), &ITEMS, items);
    let archive = job(100).archive([0]).0;
    assert!(job(2).archive([3, 1, 0, 2]).0 == archive);
    for (pair, (data, _)) in unzip(&archive).chunks_exact(2).zip(ITEMS) {
        assert_eq!(read_png(&pair[0].1), data);
        assert_eq!(read_svg(&pair[1].1), data);
        assert!(str::from_utf8(&pair[1].1).unwrap().contains("<image "));
    }
}

#[test]
fn a_logo_that_is_no_picture_is_corrupt() {
    let logo = LogoStyle { data_url: "data:image/png;base64,AAAA".into(), ratio_millionths: 200_000 };
    let job = Job::styled(OutputFormat::Png, RenderStyle { logo: Some(logo), ..style() }, &ITEMS, 100);
    assert!(matches!(job.render(0), Err(BatchError::CorruptSpool { .. })));
}

#[test]
fn an_item_that_fails_leaves_nothing_behind() {
    let too_long = "é".repeat(1500);
    let mut items = ITEMS.to_vec();
    items.insert(0, (&too_long, "first"));
    items.insert(4, (&too_long, "fourth"));
    items.push((&too_long, "last"));
    let job = Job::new(OutputFormat::Both, &items, 5);
    let (archive, reports) = job.archive(0..2);

    let sound = Job::new(OutputFormat::Both, &ITEMS, 5).archive(0..2).0;
    assert!(archive == sound, "the archive is that of the other items");
    assert_eq!(
        reports.iter().map(|report| (report.completed, report.failed)).collect::<Vec<_>>(),
        [(3, 2), (4, 1)]
    );
    let failures: Vec<_> = reports.iter().flat_map(|report| &report.failures).collect();
    assert_eq!(failures.iter().map(|failure| failure.item).collect::<Vec<_>>(), [0, 4, 9]);
    assert!(failures.iter().all(|failure| !failure.message.is_empty()));
}

#[test]
fn failures_are_counted_in_full_and_listed_in_part() {
    let too_long = "é".repeat(1500);
    let items: Vec<_> = (0..150).map(|_| (too_long.as_str(), "long")).collect();
    let (archive, reports) = Job::new(OutputFormat::Png, &items, 150).archive(0..1);
    assert_eq!((reports[0].completed, reports[0].failed, reports[0].failures.len()), (0, 150, 100));
    assert!(unzip(&archive).is_empty());
}

#[test]
fn an_existing_file_is_replaced() {
    let job = Job::new(OutputFormat::Png, &ITEMS, 100);
    for name in ["0.segment", "0.index", "directory"] {
        File::create(job.path(name)).unwrap().write_all(&vec![7; 100_000]).unwrap();
    }
    assert_eq!(unzip(&job.archive(0..1).0).len(), ITEMS.len());
}

#[test]
fn a_spool_cut_off_anywhere_is_corrupt() {
    let job = Job::new(OutputFormat::Png, &ITEMS, 100);
    let spool = fs::read(job.path("spool")).unwrap();
    for length in 0..spool.len() {
        fs::write(job.path("spool"), &spool[..length]).unwrap();
        let error = job.render(0).unwrap_err();
        assert!(matches!(error, BatchError::CorruptSpool { .. }), "{length}: {error}");
    }
}

#[test]
fn a_spool_with_any_byte_changed_never_panics() {
    let job = Job::new(OutputFormat::Png, &ITEMS[..2], 100);
    let spool = fs::read(job.path("spool")).unwrap();
    for at in 0..spool.len() {
        for change in [1, 0x80, 0xff] {
            let mut changed = spool.clone();
            changed[at] ^= change;
            fs::write(job.path("spool"), &changed).unwrap();
            match job.render(0) {
                Ok(report) => assert_eq!((report.completed, report.failed), (2, 0), "{at} {change}"),
                Err(error) => assert!(matches!(error, BatchError::CorruptSpool { .. }), "{at}: {error}"),
            }
        }
    }
}

#[test]
fn an_index_of_another_segment_is_corrupt() {
    let job = Job::new(OutputFormat::Png, &ITEMS, 100);
    let report = job.render(0).unwrap();
    let finish = |index: &str, segment_bytes| {
        finish_archive(
            &[ArchivePart { index: job.path(index), segment_bytes }],
            Continued { path: &job.path("directory"), start: 0 },
        )
    };
    let error = finish("0.index", report.segment_bytes + 1).unwrap_err();
    assert!(matches!(error, BatchError::CorruptIndex { .. }) && error.source().is_some(), "{error}");
    let error = finish("missing", report.segment_bytes).unwrap_err();
    assert!(matches!(error, BatchError::Io { .. }) && error.to_string().contains("missing"), "{error}");

    let part = ArchivePart { index: job.path("missing"), segment_bytes: report.segment_bytes };
    let error = write_segment_headers(&part, 0, &job.path("headers")).unwrap_err();
    assert!(matches!(error, BatchError::Io { .. }) && error.to_string().contains("missing"), "{error}");
}

#[test]
fn files_that_cannot_be_opened_are_named() {
    let job = Job::new(OutputFormat::Png, &ITEMS, 100);
    let missing = job.path("no such folder/file");
    let (spool, segment, index) = (job.path("spool"), job.path("segment"), job.path("index"));
    let render = |spool: &Path, segment: &Path, index: &Path| {
        render_chunk(&job.chunks[0], &ChunkFiles { spool, segment, index }, fonts()).unwrap_err().to_string()
    };
    let messages = [
        render(&missing, &segment, &index),
        render(&spool, &missing, &index),
        render(&spool, &segment, &missing),
        finish_archive(&[], Continued { path: &missing, start: 0 }).unwrap_err().to_string(),
        write_archive_end(CentralDirectory { entries: 0, offset: 0, bytes: 0 }, &missing)
            .unwrap_err()
            .to_string(),
    ];
    assert!(messages.iter().all(|message| message.contains("no such folder")), "{messages:?}");
}

/// Whoever draws, and however much lies in the files already, the archive is the one of chunks that are drawn one by one.
#[test]
fn chunks_on_several_threads_make_one_segment() {
    let names: Vec<String> = (0..97).map(|item| format!("{item:03}")).collect();
    let items: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), name.as_str())).collect();
    let job = Job::new(OutputFormat::Both, &items, 5);
    let (expected, _) = job.archive(0..job.chunks.len());
    let (spool, segment, index) = (job.path("spool"), job.path("one"), job.path("one.index"));
    for threads in [1, 2, 4, 64] {
        fs::write(&segment, b"left by a call that failed").unwrap();
        fs::write(&index, b"likewise").unwrap();
        let (mut segment_bytes, mut index_bytes, mut completed) = (0, 0, 0);
        for chunks in job.chunks.chunks(7) {
            let files = (
                Continued { path: &segment, start: segment_bytes },
                Continued { path: &index, start: index_bytes },
            );
            for report in render_chunks(chunks, &spool, files, threads, fonts()).unwrap() {
                segment_bytes += report.segment_bytes;
                index_bytes += report.index_bytes;
                completed += report.completed;
            }
        }
        assert_eq!(completed, 97);
        let part = ArchivePart { index: index.clone(), segment_bytes };
        finish_archive(&[part], Continued { path: &segment, start: segment_bytes }).unwrap();
        assert!(fs::read(&segment).unwrap() == expected, "{threads} threads");
    }
}

/// The others do not wait for a chunk that failed.
#[test]
fn a_chunk_that_fails_ends_the_work_of_all() {
    let items: Vec<(&str, &str)> = ["a", "b", "c", "d"].map(|name| (name, name)).to_vec();
    let job = Job::new(OutputFormat::Png, &items, 1);
    let mut chunks = job.chunks.clone();
    chunks[1].spool_bytes -= 1;
    let (segment, index) = (job.path("one"), job.path("one.index"));
    let files = || (Continued { path: &segment, start: 0 }, Continued { path: &index, start: 0 });
    for threads in [1, 4] {
        let error = render_chunks(&chunks, &job.path("spool"), files(), threads, fonts()).unwrap_err();
        assert_eq!(error.code(), "corrupt_spool");
    }
}
