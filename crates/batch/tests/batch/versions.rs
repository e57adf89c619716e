//! The size of codes: each item's smallest, one for all, or a fixed one; in the check, the spool and the pictures.
use std::fs;

use qrpress_batch::{
    Body, BodyForm, CaptionStyle, ItemLimits, LogoStyle, Names, OutputFormat, RenderStyle, ResolvedStyle,
    SpoolHeader, SpoolReader, SymbolVersion, WarningCode,
    draw::{ChunkFiles, render_chunk},
    inspect::{InspectReport, InspectRequest, inspect_body, read_envelope},
};
use qrpress_symbol::{ErrorCorrectionLevel, Version};
use qrpress_testkit::{TempDir, fonts, item_limits};

struct Inspected {
    folder: TempDir,
    report: InspectReport,
}

fn version(number: u8) -> Version {
    Version::new(number).unwrap()
}

fn exactly(number: u8) -> RenderStyle {
    RenderStyle { version: SymbolVersion::Exactly(version(number)), ..RenderStyle::default() }
}

fn same() -> RenderStyle {
    RenderStyle { version: SymbolVersion::Same, ..RenderStyle::default() }
}

/// A body of these items, which are members of JSON objects.
fn inspect(style: RenderStyle, form: BodyForm, items: &[String]) -> Inspected {
    let folder = TempDir::new();
    let path = folder.path().join("body");
    let items: Vec<String> = items.iter().map(|members| format!("{{{members}}}")).collect();
    let body = match form {
        BodyForm::Json => format!("{{\"items\":[{}]}}", items.join(",")),
        BodyForm::Ndjson => format!("{{}}\n{}", items.join("\n")),
    };
    fs::write(&path, body).unwrap();
    let items = read_envelope(Body::File(&path), form).unwrap().items.unwrap();
    let report = inspect_body(&InspectRequest {
        body: Body::File(&path),
        form,
        items,
        limits: ItemLimits { max_items: 1_000_000, ..item_limits!(ItemLimits) },
        fonts: fonts(),
        job: Some(&SpoolHeader::new(OutputFormat::Png, style)),
        spool: Some(&folder.path().join("spool")),
        chunk_items: 3,
        skip_faulty: false,
        names: Names::of_form(form),
        time: std::time::Duration::from_secs(600),
    });
    Inspected { folder, report: report.unwrap() }
}

fn data(length: usize) -> String {
    format!("\"data\":\"{}\"", "x".repeat(length))
}

impl Inspected {
    /// The code, and path and message of each issue.
    fn refusal(&self) -> (&'static str, Vec<(String, String)>) {
        let refusal = self.report.refusal.as_ref().unwrap();
        let issues = refusal.issues.listed.iter();
        (refusal.code.as_str(), issues.map(|issue| (issue.path.clone(), issue.message.clone())).collect())
    }

    /// The sides of all pictures in pixels, from the files that are drawn.
    fn sides(&self) -> Vec<u32> {
        let path = |name: &str| self.folder.path().join(name);
        let mut sides = Vec::new();
        for chunk in &self.report.spool.as_ref().unwrap().chunks {
            let (spool, segment, index) = (path("spool"), path("segment"), path("index"));
            let files = ChunkFiles { spool: &spool, segment: &segment, index: &index };
            assert_eq!(render_chunk(chunk, &files, fonts()).unwrap().failed, 0);
            let bytes = fs::read(segment).unwrap();
            let headers = bytes.windows(4).enumerate().filter(|(_, window)| window == b"IHDR");
            sides
                .extend(headers.map(|(at, _)| u32::from_be_bytes(bytes[at + 4..at + 8].try_into().unwrap())));
        }
        sides
    }

    fn header(&self) -> SpoolHeader {
        SpoolReader::open(&self.folder.path().join("spool")).unwrap().header().clone()
    }
}

/// The side of a picture of ten pixels a module and a quiet zone of four.
fn side(version: u32) -> u32 {
    (17 + 4 * version + 8) * 10
}

#[test]
fn all_codes_have_the_version_of_the_largest() {
    for form in [BodyForm::Json, BodyForm::Ndjson] {
        // Versions 1, 6 and 2 at level M.
        let job = inspect(same(), form, &[data(3), data(100), data(20), data(1)]);
        assert_eq!(job.report.refusal, None);
        assert_eq!(job.sides(), [side(6); 4]);
        let header = job.header();
        assert_eq!((header.style.version, header.version), (SymbolVersion::Same, Some(version(6))));
        assert_eq!(ResolvedStyle::new(&header).unwrap().version, Some(version(6)));
    }
}

#[test]
fn a_body_in_parts_has_one_size_too() {
    // More than the bytes that are worth a thread each.
    let mut items: Vec<String> = (0..60_000).map(|number| data(200 + number % 10)).collect();
    items[45_000] = data(400);
    let job = inspect(same(), BodyForm::Ndjson, &items);
    assert_eq!(job.header().version, Some(version(15)));
    let printed = RenderStyle { dots_per_inch: Some(300), ..same() };
    assert_eq!(inspect(printed, BodyForm::Ndjson, &items).report.sides, Some([77, 77]));
}

#[test]
fn a_fixed_version_is_kept_and_named_when_it_is_too_small() {
    let job = inspect(exactly(7), BodyForm::Json, &[data(3), data(100)]);
    assert_eq!(job.sides(), [side(7); 2]);
    assert_eq!(job.header().style, exactly(7));
    let (code, issues) = inspect(exactly(5), BodyForm::Json, &[data(84), data(85), data(200)]).refusal();
    assert_eq!(code, "data_too_long");
    assert_eq!(
        issues,
        [("/items/1/data", 85), ("/items/2/data", 200)].map(|(path, bytes)| {
            let message =
                format!("is {bytes} bytes; a QR code of version 5 at level M holds at most 84 (byte mode)");
            (path.to_owned(), message)
        })
    );
    // Digits are denser than bytes, and some versions need several segments.
    let mixed = format!("\"data\":\"{}{}\"", "x".repeat(60), "7".repeat(50));
    assert_eq!(inspect(exactly(5), BodyForm::Json, &[mixed]).sides(), [side(5)]);
}

#[test]
fn the_pixel_cap_holds_for_the_version_that_is_drawn() {
    let style = RenderStyle { pixels_per_module: 40, ..exactly(20) };
    let (code, issues) = inspect(style, BodyForm::Json, &[data(1), data(2)]).refusal();
    assert_eq!((code, issues.len(), issues[0].0.as_str()), ("qr_too_large", 2, "/items/0/data"));
    let style = RenderStyle { pixels_per_module: 40, ..same() };
    let (code, issues) = inspect(style, BodyForm::Json, &[data(1), data(660), data(2)]).refusal();
    assert_eq!((code, issues.len(), issues[0].0.as_str()), ("qr_too_large", 1, "/items/1/data"));
}

#[test]
fn a_caption_that_finds_no_room_below_the_size_of_all_is_told_at_the_item_that_sets_it() {
    let caption = CaptionStyle { font_size: 64, ..CaptionStyle::default() };
    let style = RenderStyle { pixels_per_module: 30, caption, ..same() };
    let lines = format!("{},\"caption\":\"{}\"", data(1), "line\\n".repeat(9));
    for form in [BodyForm::Json, BodyForm::Ndjson] {
        assert_eq!(inspect(style.clone(), form, std::slice::from_ref(&lines)).report.refusal, None);
        let (code, issues) = inspect(style.clone(), form, &[data(2), lines.clone(), data(400)]).refusal();
        let path = if form == BodyForm::Json { "/items/2/data" } else { "/data" };
        assert_eq!((code, issues.len(), issues[0].0.as_str()), ("qr_too_large", 1, path));
        assert!(issues[0].1.starts_with("needs version 15, which all codes have;"), "{}", issues[0].1);
        assert!(issues[0].1.contains(" of item 1 "), "{}", issues[0].1);
    }
    // Captions of many characters in few lines do have room.
    let long = format!("{},\"caption\":\"{}\"", data(1), "i ".repeat(48));
    assert_eq!(inspect(style, BodyForm::Json, &[long, data(400)]).report.refusal, None);
}

#[test]
fn warnings_about_logos_are_those_of_the_version_that_is_drawn() {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, 2, 2);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().unwrap().write_image_data(&[90; 4]).unwrap();
    let data_url = format!(
        "data:image/png;base64,{}",
        base64::Engine::encode(&base64::engine::general_purpose::STANDARD, &file)
    );
    let logo = Some(LogoStyle { data_url, ratio_millionths: 200_000 });
    let warned = |version: SymbolVersion, items: &[String]| -> Option<u64> {
        let error_correction_level = ErrorCorrectionLevel::Medium;
        let style =
            RenderStyle { error_correction_level, version, logo: logo.clone(), ..RenderStyle::default() };
        let warnings = inspect(style, BodyForm::Json, items).report.warnings;
        warnings
            .into_iter()
            .find(|warning| warning.code == WarningCode::LogoCoversTooMuch)
            .map(|warning| warning.items)
    };
    let by_version: Vec<bool> = (1..=40)
        .map(|number| warned(SymbolVersion::Exactly(version(number)), &[data(1)]).is_some())
        .collect();
    assert!(by_version.contains(&true) && by_version.contains(&false));
    let items = [data(1), data(100), data(20)];
    assert_eq!(warned(SymbolVersion::Same, &items).is_some(), by_version[5]);
    assert_eq!(warned(SymbolVersion::Same, &items).unwrap_or(3), 3, "all or none");
}
