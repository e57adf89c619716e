//! The spool gives back what was written, and refuses every file that no writer wrote.

use qrpress_testkit::TempDir;
use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use qrpress_batch::{
    BatchError, CaptionStyle, Chunk, Colour, LogoStyle, OutputFormat, Record, RenderStyle, ResolvedStyle,
    Spool, SpoolHeader, SpoolReader, SpoolWriter, SymbolVersion,
};
use qrpress_symbol::{Eci, ErrorCorrectionLevel, Version};

/// The settings of [`header`], as they lie in a spool.
const SETTINGS: &str = concat!(
    r##"{"format":"both","style":{"ecLevel":"Q","scale":40,"margin":16,"foreground":"#0102ff","background":"transparent","##,
    r##""dpi":2400,"eci":true,"version":7,"caption":{"text":"Städte\n東京","colour":"#090807","fontSize":64},"##,
    r##""logo":{"dataUrl":"data:image/png;base64,AAAA","sizeRatio":0.3}}}"##
);
const PREFIX_BYTES: u64 = 16;
const HEADER_BYTES: u64 = PREFIX_BYTES + SETTINGS.len() as u64;

type Item = (String, String, Option<String>, Option<String>);

fn header() -> SpoolHeader {
    let style = RenderStyle {
        error_correction_level: ErrorCorrectionLevel::Quartile,
        pixels_per_module: 40,
        quiet_zone_modules: 16,
        foreground: Colour::Rgb([1, 2, 255]),
        background: Colour::Transparent,
        dots_per_inch: Some(2400),
        eci: Eci::Utf8,
        version: SymbolVersion::Exactly(Version::new(7).unwrap()),
        caption: CaptionStyle { text: "Städte\n東京".into(), colour: Some([9, 8, 7]), font_size: 64 },
        logo: Some(LogoStyle { data_url: "data:image/png;base64,AAAA".into(), ratio_millionths: 300_000 }),
    };
    SpoolHeader::new(OutputFormat::Both, style)
}

fn write(header: &SpoolHeader, items: &[Item], chunk_items: u64) -> (TempDir, PathBuf, Spool) {
    let folder = TempDir::new();
    let path = folder.path().join("spool");
    let mut writer = SpoolWriter::create(&path, header, chunk_items).unwrap();
    for (data, name, caption, reference) in items {
        let (caption, reference) = (caption.as_deref(), reference.as_deref());
        writer.push(&Record { data, name, caption, reference }).unwrap();
    }
    let spool = writer.finish().unwrap();
    (folder, path, spool)
}

fn read(reader: &mut SpoolReader, chunk: &Chunk) -> Result<Vec<Item>, BatchError> {
    let own = |Record { data, name, caption, reference }: Record<'_>| {
        (data.into(), name.into(), caption.map(Into::into), reference.map(Into::into))
    };
    let mut records = reader.records(chunk)?;
    let mut items = Vec::new();
    while let Some(record) = records.next_record()? {
        items.push(own(record));
    }
    Ok(items)
}

fn items() -> impl Strategy<Value = Vec<Item>> {
    let reference = prop::option::of(".{1,9}");
    prop::collection::vec((".{0,40}", ".{0,9}", prop::option::of(".{0,9}"), reference), 0..40)
}

proptest! {
    #[test]
    fn gives_back_what_was_written(items in items(), chunk_items in 1..9_u64) {
        let (_folder, path, spool) = write(&header(), &items, chunk_items);
        prop_assert_eq!(spool.bytes, fs::metadata(&path).unwrap().len());

        let mut reader = SpoolReader::open(&path).unwrap();
        prop_assert_eq!(reader.header(), &header());
        let (mut seen, mut offset) = (Vec::new(), HEADER_BYTES);
        for chunk in &spool.chunks {
            prop_assert_eq!((chunk.first_item, chunk.spool_offset), (seen.len() as u64, offset));
            prop_assert!((1..=chunk_items).contains(&chunk.item_count));
            seen.extend(read(&mut reader, chunk).unwrap());
            prop_assert_eq!(seen.len() as u64, chunk.first_item + chunk.item_count);
            offset += chunk.spool_bytes;
        }
        prop_assert_eq!(offset, spool.bytes);
        prop_assert_eq!(spool.chunks.len() as u64, (items.len() as u64).div_ceil(chunk_items));
        prop_assert_eq!(seen, items);
    }

    #[test]
    fn no_damage_panics(items in items(), at in any::<prop::sample::Index>(), with in any::<u8>(), cut in any::<bool>()) {
        let (_folder, path, spool) = write(&header(), &items, 4);
        let mut bytes = fs::read(&path).unwrap();
        let at = at.index(bytes.len());
        if cut { bytes.truncate(at) } else { bytes[at] = with }
        fs::write(&path, bytes).unwrap();

        let Ok(mut reader) = SpoolReader::open(&path) else {
            prop_assert!(at < HEADER_BYTES as usize);
            return Ok(());
        };
        let outcomes: Vec<_> = spool.chunks.iter().map(|chunk| read(&mut reader, chunk)).collect();
        prop_assert!(!cut || outcomes.iter().any(Result::is_err), "a cut file was read to its end");
    }
}

#[test]
fn every_style_survives() {
    for format in [OutputFormat::Png, OutputFormat::Svg, OutputFormat::Both] {
        for error_correction_level in ErrorCorrectionLevel::ALL {
            let style = RenderStyle {
                error_correction_level,
                pixels_per_module: 1,
                quiet_zone_modules: 0,
                foreground: Colour::Transparent,
                ..RenderStyle::default()
            };
            let header = SpoolHeader::new(format, style);
            let (_folder, path, _) = write(&header, &[], 1);
            assert_eq!(SpoolReader::open(&path).unwrap().header(), &header);
        }
    }
}

#[test]
fn a_logo_of_the_longest_data_url_survives_and_one_beyond_the_header_is_refused() {
    let mut header = header();
    let mut with_logo = |bytes: usize| {
        header.style.logo = Some(LogoStyle { data_url: "A".repeat(bytes), ratio_millionths: 50_000 });
        header.clone()
    };
    let (_folder, path, _) = write(&with_logo(524_288), &[], 1);
    assert!(SpoolReader::open(&path).unwrap().header() == &with_logo(524_288));
    let refused = SpoolWriter::create(&path, &with_logo(1 << 20), 1);
    assert!(matches!(refused, Err(BatchError::FieldTooLong { bytes: 1_048_576.. })), "{refused:?}");
}

#[test]
fn an_absent_caption_is_not_an_empty_one() {
    let items =
        vec![("a".into(), "b".into(), None, None), ("a".into(), "b".into(), Some(String::new()), None)];
    let (_folder, path, spool) = write(&header(), &items, 9);
    assert_eq!(read(&mut SpoolReader::open(&path).unwrap(), &spool.chunks[0]).unwrap(), items);
}

#[test]
fn records_cross_the_blocks_that_are_read() {
    // With lengths up to the longest, so that blocks end in prefixes, in fields, and between records.
    let text = |bytes: usize| "é".repeat(bytes / 2) + &"x".repeat(bytes % 2);
    let items: Vec<Item> = (0..300_usize)
        .map(|n| {
            let caption = (n % 3 > 0).then(|| text(n * 7_919 % 65_535));
            (text(n * 219 % 65_535), text(n * n % 4_001), caption, (n % 2 > 0).then(|| text(n)))
        })
        .chain([(text(65_534), text(65_534), Some(text(65_534)), Some(text(65_534)))])
        .collect();
    let (_folder, path, spool) = write(&header(), &items, 1_000);
    assert!(read(&mut SpoolReader::open(&path).unwrap(), &spool.chunks[0]).unwrap() == items);
}

#[test]
fn a_field_is_refused_beyond_its_length_field() {
    let folder = TempDir::new();
    let mut writer = SpoolWriter::create(&folder.path().join("spool"), &header(), 1).unwrap();
    let longest = "x".repeat(65_534);
    let fits = |data, name, caption| Record { data, name, caption, reference: None };
    writer.push(&Record { reference: Some(&longest), ..fits(&longest, &longest, Some(&longest)) }).unwrap();
    let over = "x".repeat(65_535);
    let over_reference = Record { reference: Some(&over), ..fits("", "", None) };
    for record in [fits(&over, "", None), fits("", &over, None), fits("", "", Some(&over)), over_reference] {
        let refused = writer.push(&record);
        assert!(matches!(refused, Err(BatchError::FieldTooLong { bytes: 65_535 })), "{refused:?}");
    }
    assert_eq!(writer.finish().unwrap().chunks.len(), 1);
}

#[test]
fn a_header_of_something_else_is_refused() {
    let (_folder, path, _) = write(&header(), &[], 1);
    let good = fs::read(&path).unwrap();
    assert_eq!(good.len() as u64, HEADER_BYTES);
    for (at, with) in [(0, b'x'), (8, 3), (12, 11), (15, 1), (16, b'x'), (17, 0xff)] {
        let mut bad = good.clone();
        bad[at] = with;
        fs::write(&path, bad).unwrap();
        let refused = SpoolReader::open(&path).map(|_| ());
        assert!(matches!(refused, Err(BatchError::CorruptSpool { .. })), "byte {at}: {refused:?}");
    }
    for length in 0..good.len() {
        fs::write(&path, &good[..length]).unwrap();
        assert!(matches!(SpoolReader::open(&path), Err(BatchError::CorruptSpool { .. })), "{length} bytes");
    }
}

/// Opens a spool with these settings.
fn open(settings: &str) -> Result<SpoolReader, BatchError> {
    let (_folder, path, _) = write(&header(), &[], 1);
    let mut file = fs::read(&path).unwrap()[..12].to_vec();
    file.extend_from_slice(&(settings.len() as u32).to_le_bytes());
    file.extend_from_slice(settings.as_bytes());
    fs::write(&path, file).unwrap();
    SpoolReader::open(&path)
}

#[test]
fn settings_lie_in_a_spool_as_the_contract_writes_them() {
    let (_folder, path, _) = write(&header(), &[], 1);
    assert_eq!(&fs::read(&path).unwrap()[PREFIX_BYTES as usize..], SETTINGS.as_bytes());
}

#[test]
fn settings_that_no_job_has_are_refused() {
    let members = [
        r#""scale":0"#,
        r#""scale":"10""#,
        r#""ecLevel":"q""#,
        r##""foreground":"#fff""##,
        r#""shape":"round""#,
        r#""caption":{"colour":"transparent"}"#,
        r#""logo":{}"#,
        r#""logo":{"dataUrl":"","sizeRatio":0.31}"#,
        r#""margin":4,"margin":4"#,
        r#""version":0"#,
        r#""version":41"#,
        r#""version":"largest""#,
    ];
    for member in members {
        let refused = open(&format!(r#"{{"format":"png","style":{{{member}}}}}"#)).map(|_| ());
        assert!(matches!(refused, Err(BatchError::CorruptSpool { offset: 16, .. })), "{member}: {refused:?}");
    }
    for settings in ["", "{}", r#"{"format":"gif","style":{}}"#, r#"{"format":"png","style":{},"name":""}"#] {
        assert!(open(settings).is_err(), "{settings}");
    }
}

#[test]
fn a_member_that_a_spool_lacks_has_its_default() {
    let reader = open(r#"{"format":"svg","style":{"scale":3}}"#).unwrap();
    let style = RenderStyle { pixels_per_module: 3, ..RenderStyle::default() };
    assert_eq!(reader.header(), &SpoolHeader::new(OutputFormat::Svg, style));
}

#[test]
fn captions_take_the_foreground_and_grow_with_the_scale() {
    let style = |foreground, colour, font_size, pixels_per_module| {
        let caption = CaptionStyle { colour, font_size, ..CaptionStyle::default() };
        let style = RenderStyle { foreground, caption, pixels_per_module, ..RenderStyle::default() };
        let resolved = ResolvedStyle::new(&SpoolHeader::new(OutputFormat::Png, style)).unwrap();
        (resolved.picture.caption_colour, resolved.font_size_px)
    };
    let blue = Colour::Rgb([0, 0, 255]);
    assert_eq!(style(blue, None, 16, 10), ([0, 0, 255], 16));
    assert_eq!(style(blue, Some([1, 2, 3]), 16, 40), ([1, 2, 3], 64));
    assert_eq!(style(Colour::Transparent, None, 7, 15), ([0; 3], 11));
    assert_eq!(style(Colour::Transparent, None, 6, 1), ([0; 3], 1));
}

#[test]
fn a_chunk_that_is_not_there_is_refused() {
    let items: Vec<Item> = (0..3).map(|n| (n.to_string(), n.to_string(), None, None)).collect();
    let (_folder, path, spool) = write(&header(), &items, 3);
    let whole = spool.chunks[0];
    let mut reader = SpoolReader::open(&path).unwrap();
    let wrong = [
        Chunk { spool_bytes: whole.spool_bytes + 1, ..whole },
        Chunk { spool_bytes: whole.spool_bytes - 1, ..whole },
        Chunk { spool_bytes: u64::MAX, ..whole },
        Chunk { spool_offset: u64::MAX, ..whole },
        Chunk { item_count: 2, ..whole },
        Chunk { item_count: 4, ..whole },
    ];
    for chunk in wrong {
        let refused = read(&mut reader, &chunk);
        assert!(matches!(refused, Err(BatchError::CorruptSpool { .. })), "{chunk:?}: {refused:?}");
    }
    assert_eq!(read(&mut reader, &whole).unwrap(), items);
}

#[test]
fn a_missing_file_is_an_io_error() {
    let refused = SpoolReader::open("/nonexistent/spool".as_ref()).unwrap_err();
    assert_eq!(refused.code(), "io");
    assert!(refused.to_string().starts_with("/nonexistent/spool: "), "{refused}");
}
