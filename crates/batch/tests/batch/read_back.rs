//! Files that were drawn are read back. A file that is broken afterwards is caught, and no other item with it.
use std::convert::Infallible;
use std::fs::{self, File};
use std::io::Cursor;
use std::path::PathBuf;
use std::time::Duration;

use base64::Engine as _;
use qrpress_batch::{
    BatchError, CaptionStyle, Chunk, Colour, ErrorCorrectionLevel, IndexPart, LogoStyle, OutputFormat,
    Record, RenderStyle, RenderedChunk, SpoolHeader, SpoolWriter,
    draw::{ChunkFiles, render_chunk},
    manifest::{ManifestForm, write_manifest},
    read_back::{
        ReadBackRequest, ReadingsSummary, Sample, SeenFile, Unread, read_back, see_item, sum_up_readings,
    },
};
use qrpress_testkit::{TempDir, fonts};
use qrpress_zip::{IndexReader, SegmentWriter};

const TEXTS: [&str; 4] = [
    "https://example.com/catalogue/items/0001?campaign=spring-2026",
    "https://example.com/catalogue/items/0002?campaign=spring-2026",
    "grüße, 世界 🌍",
    "https://example.com/catalogue/items/0003?campaign=spring-2026",
];

/// A chunk that was drawn.
struct Drawn {
    folder: TempDir,
    chunk: Chunk,
    style: RenderStyle,
}

impl Drawn {
    fn new(format: OutputFormat, style: &RenderStyle) -> Self {
        let folder = TempDir::new();
        let header = SpoolHeader::new(format, style.clone());
        let mut writer = SpoolWriter::create(&folder.path().join("spool"), &header, 100).unwrap();
        for (place, data) in TEXTS.into_iter().enumerate() {
            writer.push(&Record { data, name: &place.to_string(), caption: None, reference: None }).unwrap();
        }
        let chunk = writer.finish().unwrap().chunks[0];
        let drawn = Self { folder, chunk, style: style.clone() };
        let [spool, segment, index] = ["spool", "segment", "index"].map(|name| drawn.path(name));
        let report =
            render_chunk(&chunk, &ChunkFiles { spool: &spool, segment: &segment, index: &index }, fonts());
        assert_eq!(report.unwrap().completed, TEXTS.len() as u64);
        drawn
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn with<T>(&self, work: impl FnOnce(RenderedChunk<'_>) -> T) -> T {
        let [spool, index] = ["spool", "index"].map(|name| self.path(name));
        work(RenderedChunk { spool: &spool, chunk: self.chunk, index: Some(IndexPart::whole(&index)) })
    }

    fn read(&self, phone_items: u64) -> ReadingsSummary {
        self.try_read(phone_items).unwrap()
    }

    fn try_read(&self, phone_items: u64) -> Result<ReadingsSummary, BatchError> {
        let [segment, readings, proofs] = ["segment", "readings", "proofs"].map(|name| self.path(name));
        for left in [&readings, &proofs] {
            _ = fs::remove_file(left);
        }
        let total = TEXTS.len() as u64;
        let some = || {
            self.with(|chunk| {
                read_back(&ReadBackRequest {
                    chunk,
                    segment: &segment,
                    segment_offset: 0,
                    readings: &readings,
                    modules: Sample { items: total, total },
                    phone: Sample { items: phone_items, total },
                    proofs: &proofs,
                    // An item in each call.
                    time: Duration::from_nanos(1),
                })
            })
        };
        while !some()? {}
        sum_up_readings(&readings, 0, &[])
    }

    /// The lines of the manifest, from the readings that are there.
    fn manifest(&self, form: ManifestForm) -> Vec<String> {
        let [manifest, readings] = ["manifest", "readings"].map(|name| self.path(name));
        self.with(|chunk| write_manifest(&chunk, Some(&readings), form, false, &manifest)).unwrap();
        fs::read_to_string(&manifest).unwrap().lines().map(str::to_owned).collect()
    }

    fn reason(&self, item: u64) -> Unread {
        let files = self.seen(item);
        files.into_iter().find_map(|file| file.outcome.err()).expect("an unread item")
    }

    fn seen(&self, item: u64) -> Vec<SeenFile> {
        let [segment, proofs] = ["segment", "proofs"].map(|name| self.path(name));
        let seen = self.with(|chunk| see_item(&chunk, &segment, item, &proofs)).unwrap();
        seen.expect("an item that was drawn").files
    }

    /// The files of the archive.
    fn files(&self) -> Vec<(String, Vec<u8>)> {
        let segment = fs::read(self.path("segment")).unwrap();
        let mut index = IndexReader::new(File::open(self.path("index")).unwrap());
        let mut files = Vec::new();
        while let Some(file) = index.next_file().unwrap() {
            let data = &segment[file.offset as usize..][..file.bytes as usize];
            files.push((String::from_utf8(file.name.to_vec()).unwrap(), data.to_vec()));
        }
        files
    }

    /// Writes the archive again with other files, whose checksums are right.
    fn write(&self, files: &[(String, Vec<u8>)]) {
        let [segment, index] = ["segment", "index"].map(|name| File::create(self.path(name)).unwrap());
        let mut writer = SegmentWriter::new(segment, index);
        for (name, data) in files {
            let Ok(()) = writer
                .entry(name, |out| {
                    out.extend_from_slice(data);
                    Ok::<_, Infallible>(())
                })
                .unwrap();
        }
        writer.finish().unwrap();
    }

    /// Changes one file of the archive.
    fn change(&self, name: &str, change: impl FnOnce(&[u8]) -> Vec<u8>) {
        let mut files = self.files();
        let (_, data) = files.iter_mut().find(|(other, _)| other == name).expect("a file of that name");
        *data = change(data);
        self.write(&files);
    }

    /// Changes the pixels of a PNG file: its width, and red, green and blue of each.
    fn redraw(&self, name: &str, redraw: impl FnOnce(usize, &mut [[u8; 3]])) {
        self.change(name, |file| {
            let mut decoder = png::Decoder::new(Cursor::new(file));
            decoder.set_transformations(png::Transformations::normalize_to_color8());
            let mut reader = decoder.read_info().unwrap();
            let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
            let frame = reader.next_frame(&mut bytes).unwrap();
            let rgb = |pixel: &[u8]| {
                if let [red, green, blue, ..] = *pixel { [red, green, blue] } else { [pixel[0]; 3] }
            };
            let mut pixels: Vec<_> = bytes.chunks(frame.color_type.samples()).map(rgb).collect();
            redraw(frame.width as usize, &mut pixels);
            let mut out = Vec::new();
            let mut encoder = png::Encoder::new(&mut out, frame.width, frame.height);
            encoder.set_color(png::ColorType::Rgb);
            encoder.write_header().unwrap().write_image_data(pixels.as_flattened()).unwrap();
            out
        });
    }

    /// The same one by one, by their place in modules from the symbol's corner.
    fn repaint(&self, name: &str, paint: impl Fn(i64, i64, [u8; 3]) -> [u8; 3]) {
        let (scale, margin) =
            (i64::from(self.style.pixels_per_module), i64::from(self.style.quiet_zone_modules));
        self.redraw(name, |width, pixels| {
            for (place, pixel) in pixels.iter_mut().enumerate() {
                let module = |at: usize| i64::try_from(at).unwrap() / scale - margin;
                *pixel = paint(module(place % width), module(place / width), *pixel);
            }
        });
    }
}

fn style() -> RenderStyle {
    RenderStyle { pixels_per_module: 3, ..RenderStyle::default() }
}

fn negative(rgb: [u8; 3]) -> [u8; 3] {
    rgb.map(|channel| 255 - channel)
}

/// A disc in the middle of a transparent square.
fn logo_style(ratio_millionths: u32) -> LogoStyle {
    let side = 60_usize;
    let pixel = |place: usize| {
        let squared = |at: usize| (2 * at + 1).abs_diff(side).pow(2);
        let is_inside = squared(place % side) + squared(place / side) < side * side;
        [0xc0, 0x30, 0x10, if is_inside { 255 } else { 0 }]
    };
    let pixels: Vec<u8> = (0..side * side).flat_map(pixel).collect();
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, side as u32, side as u32);
    encoder.set_color(png::ColorType::Rgba);
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    let base64 = base64::engine::general_purpose::STANDARD.encode(file);
    LogoStyle { data_url: format!("data:image/png;base64,{base64}"), ratio_millionths }
}

#[test]
fn pictures_of_all_looks_are_read() {
    let styles = [
        style(),
        RenderStyle { pixels_per_module: 1, quiet_zone_modules: 0, ..style() },
        RenderStyle { foreground: Colour::WHITE, background: Colour::BLACK, ..style() },
        RenderStyle { background: Colour::Transparent, ..style() },
        RenderStyle { foreground: Colour::Transparent, ..style() },
        RenderStyle { foreground: Colour::Rgb([255, 224, 0]), background: Colour::Transparent, ..style() },
        RenderStyle { dots_per_inch: Some(300), pixels_per_module: 7, ..style() },
        RenderStyle { caption: CaptionStyle { text: "Hall 1".into(), ..CaptionStyle::default() }, ..style() },
    ];
    for style in styles {
        for error_correction_level in ErrorCorrectionLevel::ALL {
            let style = RenderStyle { error_correction_level, ..style.clone() };
            let summary = Drawn::new(OutputFormat::Both, &style).read(0);
            assert_eq!((summary.verified, summary.unread), (4, 0), "{style:?}");
            assert_eq!((summary.least_unused, summary.distribution), (Some((1000, 0)), [0, 0, 0, 0, 4]));
        }
    }
}

#[test]
fn a_logo_takes_error_correction_and_leaves_the_code() {
    let style = RenderStyle {
        error_correction_level: ErrorCorrectionLevel::High,
        logo: Some(logo_style(200_000)),
        ..style()
    };
    let drawn = Drawn::new(OutputFormat::Both, &style);
    let summary = drawn.read(0);
    assert_eq!((summary.verified, summary.unread), (4, 0));
    let Some((least, item)) = summary.least_unused else { panic!("nothing was read") };
    assert!((250..1000).contains(&least), "{least} of item {item}");

    let lines = drawn.manifest(ManifestForm::Ndjson);
    let line: serde_json::Value = serde_json::from_str(&lines[item as usize]).unwrap();
    assert_eq!(line["unusedErrorCorrection"], f64::from(least) / 1000.0);
    let rows = drawn.manifest(ManifestForm::Csv);
    let unused = format!(",{}", f64::from(least) / 1000.0);
    assert!(rows[2 * item as usize].ends_with(&unused), "{rows:?}");
}

#[test]
fn the_manifest_names_what_is_unread_and_not_what_was_not_tried() {
    let drawn = Drawn::new(OutputFormat::Png, &style());
    drawn.change("1.png", |_| b"no picture".to_vec());
    assert_eq!(drawn.read(0).unread_items, [1]);
    let members = |line: &String| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        [line["unread"].clone(), line["unusedErrorCorrection"].clone()].map(|value| value.to_string())
    };
    let told: Vec<_> = drawn.manifest(ManifestForm::Ndjson).iter().map(members).collect();
    assert_eq!(told, [["null", "1"], ["true", "null"], ["null", "1"], ["null", "1"]]);
    let ends: Vec<_> = drawn.manifest(ManifestForm::Csv).iter().map(|row| row.ends_with(',')).collect();
    assert_eq!(ends, [false, true, false, false]);
    // Readings that end before the last items.
    fs::write(drawn.path("readings"), []).unwrap();
    let told: Vec<_> = drawn.manifest(ManifestForm::Ndjson).iter().map(members).collect();
    assert_eq!(told, [["null", "null"]; 4]);
}

#[test]
fn wrong_modules_beyond_repair_are_caught_and_fewer_are_counted() {
    let drawn = Drawn::new(OutputFormat::Png, &style());
    drawn.repaint("1.png", |x, y, rgb| if x == 20 && y == 20 { negative(rgb) } else { rgb });
    let summary = drawn.read(0);
    assert_eq!((summary.unread, summary.least_unused.unwrap().1), (0, 1));
    assert!((1..1000).contains(&summary.least_unused.unwrap().0));
    drawn.repaint("1.png", |x, y, rgb| if (10..24).contains(&x) && y > 9 { negative(rgb) } else { rgb });
    assert_eq!(drawn.read(0).unread_items, [1]);
}

#[test]
fn a_wrong_mask_is_caught() {
    let drawn = Drawn::new(OutputFormat::Png, &style());
    // Beside the finder patterns and the information about the format, which still names the first mask.
    drawn.repaint("2.png", |x, y, rgb| if x.min(y) > 8 && (x + y) % 2 == 0 { negative(rgb) } else { rgb });
    assert_eq!(drawn.read(0).unread_items, [2]);
}

/// Moves the pixels of a logo, all that are not black or white, to the right by half its width, over modules.
fn shift_logo(width: usize, pixels: &mut [[u8; 3]]) {
    let logo: Vec<_> = pixels.iter().copied().enumerate().filter(|(_, [red, _, blue])| red != blue).collect();
    let columns = || logo.iter().map(|(place, _)| place % width);
    let half = (columns().max().unwrap() - columns().min().unwrap()) / 2;
    for &(place, _) in &logo {
        pixels[place] = [255; 3];
    }
    for (place, rgb) in logo {
        pixels[place + half] = rgb;
    }
}

#[test]
fn a_shifted_logo_is_caught_or_counted_where_it_is_repaired() {
    let shifted = |error_correction_level, ratio| {
        let style = RenderStyle { error_correction_level, logo: Some(logo_style(ratio)), ..style() };
        let drawn = Drawn::new(OutputFormat::Png, &style);
        let sound = drawn.read(0);
        assert_eq!(sound.unread, 0);
        drawn.redraw("2.png", shift_logo);
        (sound, drawn.read(0))
    };
    let (_, summary) = shifted(ErrorCorrectionLevel::Medium, 300_000);
    assert_eq!(summary.unread_items, [2]);
    let (sound, summary) = shifted(ErrorCorrectionLevel::High, 250_000);
    let least = |summary: ReadingsSummary| summary.least_unused.unwrap();
    assert_eq!((summary.unread, least(summary.clone()).1), (0, 2));
    assert!(least(summary).0 < least(sound).0);
}

#[test]
fn a_swapped_pair_is_caught() {
    for format in [OutputFormat::Png, OutputFormat::Svg, OutputFormat::Both] {
        let drawn = Drawn::new(format, &style());
        let mut files = drawn.files();
        let each = files.len() / TEXTS.len();
        let picture = std::mem::take(&mut files[0].1);
        let other = std::mem::replace(&mut files[each].1, picture);
        files[0].1 = other;
        drawn.write(&files);
        assert_eq!(drawn.read(0).unread_items, [0, 1], "{format:?}");
        assert_eq!(drawn.reason(0), Unread::OtherData(TEXTS[1].to_owned()));
    }
}

#[test]
fn one_changed_byte_of_the_archive_is_caught() {
    for format in [OutputFormat::Png, OutputFormat::Svg] {
        let drawn = Drawn::new(format, &style());
        let segment = fs::read(drawn.path("segment")).unwrap();
        for place in (0..segment.len()).step_by(97) {
            let mut changed = segment.clone();
            changed[place] ^= 0x10;
            fs::write(drawn.path("segment"), &changed).unwrap();
            assert_eq!(drawn.read(0).unread, 1, "{format:?}, byte {place}");
        }
        fs::write(drawn.path("segment"), &segment[..segment.len() - 1]).unwrap();
        assert_eq!(drawn.read(0).unread_items, [3], "{format:?}, a byte less");
    }
}

/// The index becomes the archive's central directory.
#[test]
fn one_changed_byte_of_the_index_is_caught() {
    let drawn = Drawn::new(OutputFormat::Both, &style());
    let index = fs::read(drawn.path("index")).unwrap();
    for place in 0..8 * index.len() {
        let mut changed = index.clone();
        changed[place / 8] ^= 1 << (place % 8);
        fs::write(drawn.path("index"), &changed).unwrap();
        match drawn.try_read(0) {
            Ok(summary) => assert!(summary.unread > 0, "bit {place}"),
            Err(BatchError::CorruptIndex { .. } | BatchError::CorruptSpool { .. }) => {}
            Err(error) => panic!("bit {place}: {error}"),
        }
    }
}

#[test]
fn a_broken_drawing_is_caught_and_so_is_a_picture_of_another_size() {
    let drawn = Drawn::new(OutputFormat::Svg, &style());
    // Half of the commands of the rows.
    drawn.change("0.svg", |file| {
        let text = String::from_utf8(file.to_vec()).unwrap();
        let end = text.rfind("\"/>").unwrap();
        let cut = text[..end - (end / 4)].rfind('h').unwrap();
        (text[..cut].to_owned() + &text[end..]).into_bytes()
    });
    drawn.change("1.svg", |file| {
        let text = String::from_utf8(file.to_vec()).unwrap();
        text.replacen("viewBox=\"0 0 1", "viewBox=\"0 0 2", 1).into_bytes()
    });
    drawn.change("3.svg", |_| b"<svg".to_vec());
    assert_eq!(drawn.read(0).unread_items, [0, 1, 3]);
    assert!(matches!(drawn.reason(1), Unread::Code(_)), "{:?}", drawn.reason(1));
}

#[test]
fn an_item_is_shown_beside_what_is_seen_of_it() {
    let drawn = Drawn::new(OutputFormat::Both, &style());
    let is_inside = |at| (10..28).contains(&at);
    drawn.repaint("1.png", |x, y, rgb| if is_inside(x) && is_inside(y) { negative(rgb) } else { rgb });
    let [png, svg] = &drawn.seen(1)[..] else { panic!("two files") };
    assert!(matches!(png.outcome, Err(Unread::Code(_))), "{:?}", png.outcome);
    assert_eq!((png.extension, svg.extension, &svg.outcome), (".png", ".svg", &Ok(1000)));
    // The modules beside a picture in black and white look like the picture.
    for (file, name, side) in [(png, "1.png", 3), (svg, "1.svg", 4)] {
        let mut reader =
            png::Decoder::new(Cursor::new(file.comparison.as_ref().unwrap())).read_info().unwrap();
        let mut greys = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut greys).unwrap();
        let half = reader.info().width as usize / 2;
        assert_eq!(half % side, 0, "{name}");
        assert!(greys.chunks(2 * half).all(|row| row[..half] == row[half..]), "{name}");
    }
    drawn.change("1.png", |_| b"no picture".to_vec());
    assert_eq!(drawn.seen(1)[0].comparison, None);
}

#[test]
fn a_file_that_the_archive_lacks_is_caught() {
    let drawn = Drawn::new(OutputFormat::Both, &style());
    let files = drawn.files();
    drawn.write(&files.into_iter().filter(|(name, _)| name != "1.svg").collect::<Vec<_>>());
    assert_eq!(drawn.read(0).unread_items, [1]);
    assert_eq!(drawn.reason(1), Unread::Missing);
}

#[test]
fn a_segment_that_lies_behind_others_is_read() {
    let drawn = Drawn::new(OutputFormat::Both, &style());
    let [spool, segment, index, readings, proofs] =
        ["spool", "segment", "index", "readings", "proofs"].map(|name| drawn.path(name));
    let behind = |path: &PathBuf| {
        let bytes = fs::read(path).unwrap();
        fs::write(path, [vec![7; 1000], bytes.clone(), vec![7; 1000]].concat()).unwrap();
        bytes.len() as u64
    };
    let bytes = [behind(&segment), behind(&index)][1];
    let index = Some(IndexPart { path: &index, offset: 1000, bytes });
    let sample = Sample { items: 4, total: 4 };
    let request = ReadBackRequest {
        chunk: RenderedChunk { spool: &spool, chunk: drawn.chunk, index },
        segment: &segment,
        segment_offset: 1000,
        readings: &readings,
        modules: sample,
        phone: sample,
        proofs: &proofs,
        time: Duration::from_secs(60),
    };
    assert!(read_back(&request).unwrap());
    let summary = sum_up_readings(&readings, 0, &[]).unwrap();
    assert_eq!((summary.verified, summary.unread), (4, 0));
}

/// Item and pictures of each proof.
fn proofs(bytes: &[u8]) -> Vec<(u64, String, Vec<Vec<u8>>)> {
    let mut rest = bytes;
    let mut take = |length: usize| {
        let (taken, left) = rest.split_at(length);
        rest = left;
        taken.to_vec()
    };
    let mut proofs = Vec::new();
    let mut taken = 0;
    while taken < bytes.len() {
        let head = take(16);
        let number = |at: usize| u32::from_le_bytes(head[at..at + 4].try_into().unwrap()) as usize;
        let data = take(number(8));
        taken += 16 + data.len();
        let pictures = (0..number(12)).map(|_| {
            let length = u32::from_le_bytes(take(4).try_into().unwrap()) as usize;
            taken += 4 + length;
            take(length)
        });
        let pictures = pictures.collect();
        let item = u64::from_le_bytes(head[..8].try_into().unwrap());
        proofs.push((item, String::from_utf8(data).unwrap(), pictures));
    }
    proofs
}

#[test]
fn a_sample_has_pictures_for_a_phone() {
    let looks = [
        (OutputFormat::Png, Colour::WHITE, 1, 1),
        (OutputFormat::Svg, Colour::WHITE, 1, 1),
        (OutputFormat::Both, Colour::Transparent, 2, 2),
    ];
    for (format, background, files, pictures) in looks {
        let drawn = Drawn::new(format, &RenderStyle { background, ..style() });
        assert_eq!(drawn.read(2).unread, 0);
        let found = proofs(&fs::read(drawn.path("proofs")).unwrap());
        let items: Vec<u64> = found.iter().map(|(item, ..)| *item).collect();
        assert_eq!(items, [[1].repeat(files), [3].repeat(files)].concat(), "{format:?}");
        for (item, data, shown) in &found {
            assert_eq!((data.as_str(), shown.len()), (TEXTS[*item as usize], pictures));
            assert!(shown.iter().any(|picture| read_png(picture).as_ref() == Some(data)), "{format:?}");
        }
    }
}

/// The text of the symbol in a picture, as another implementation finds and reads it.
fn read_png(bytes: &[u8]) -> Option<String> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    let grey = |x: usize, y: usize| pixels[y * frame.line_size + x * frame.color_type.samples()];
    let (width, height) = (frame.width as usize, frame.height as usize);
    let mut image = rqrr::PreparedImage::prepare_from_greyscale(width, height, grey);
    Some(image.detect_grids().first()?.decode().ok()?.1)
}
