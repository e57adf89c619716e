//! The typesetter as a caller sees it: coverage of characters, heights, lines, and what hostile captions and fonts lead to.

#![allow(clippy::unwrap_used, reason = "a test ends where it fails")]

mod support;

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use proptest::prelude::*;
use qrpress_testkit::{fonts, fonts_folder};
use qrpress_text::{Coverage, FittingTypesetter, FontSet, Segment, TextError, Typesetter, Unusable};
use support::samples;

/// Draws `text` and returns its lines, its height and whether it left a mark.
fn draw(typesetter: &mut Typesetter, text: &str, width_px: u32) -> (u32, u32, bool) {
    let layout = typesetter.lay_out(text, width_px);
    let (lines, height) = (layout.lines(), layout.height_px());
    let mut coverage = Coverage::new();
    typesetter.rasterise(&mut coverage);
    assert_eq!((coverage.width_px(), coverage.height_px()), (width_px, height));
    assert_eq!(coverage.bytes().len(), (width_px * height) as usize);
    (lines, height, coverage.bytes().iter().any(|&pixel| pixel > 128))
}

#[test]
fn every_sample_is_covered_and_leaves_a_mark() {
    let mut typesetter = Typesetter::new(Arc::clone(fonts()), 16);
    let mut scripts = std::collections::BTreeSet::new();
    for (script, caption) in samples() {
        scripts.insert(script);
        assert_eq!(fonts().first_uncovered(caption), None, "{caption}");
        assert!(draw(&mut typesetter, caption, 410).2, "{caption}");
    }
    assert_eq!(scripts.len(), 33);
}

#[test]
fn uncovered_characters_are_found_where_they_are() {
    let fonts = fonts();
    assert_eq!(fonts.first_uncovered("ab\u{10ffff}c\u{e000}"), Some('\u{10ffff}'));
    assert_eq!(fonts.first_uncovered("a\u{7}"), Some('\u{7}'));
    assert_eq!(fonts.first_uncovered("a\tb\r\nc\u{85}d\u{2028}e"), None);
    assert_eq!(fonts.first_uncovered("x\u{200d}\u{200c}\u{200e}\u{fe0f}\u{ad}\u{a0}\u{3000}\u{2003}"), None);
    // Drawn in parts that one font has.
    assert_eq!(fonts.first_uncovered("\u{344}"), None);
    // The arrow and the stroke are in different fonts; composed, they are in none.
    assert_eq!(fonts.first_uncovered("\u{2190}\u{338}"), Some('\u{219a}'));
}

#[test]
fn a_word_is_broken_with_a_hyphen_where_it_says_so() {
    let mut typesetter = Typesetter::new(Arc::clone(fonts()), 16);
    let mut glyphs = |text: &str, width_px: u32| {
        typesetter.lay_out(text, width_px);
        typesetter.glyphs().iter().map(|glyph| (glyph.face, glyph.glyph, glyph.at.1)).collect::<Vec<_>>()
    };
    let soft = "Donau\u{ad}dampf\u{ad}schiff";
    // As if the hyphens and the lines had been written.
    assert_eq!(glyphs(soft, 70), glyphs("Donau-\ndampf-\nschiff", 70));
    assert_eq!(glyphs(soft, 400), glyphs("Donaudampfschiff", 400));
    assert_eq!(glyphs("ab\u{ad}", 400), glyphs("ab", 400));
}

// Clauses: picture/caption
#[test]
fn lines_break_at_opportunities_and_then_at_graphemes() {
    let mut typesetter = Typesetter::new(Arc::clone(fonts()), 16);
    assert_eq!(draw(&mut typesetter, "one two", 400).0, 1);
    assert_eq!(draw(&mut typesetter, "one two", 40).0, 2);
    assert_eq!(draw(&mut typesetter, "a\n\nb", 400).0, 3);
    assert_eq!(draw(&mut typesetter, "a\r\nb", 400).0, 2);
    assert_eq!(draw(&mut typesetter, " \t\n ", 400), (0, 0, false));
    // Nothing but what is not seen.
    assert_eq!(draw(&mut typesetter, "\u{200b}", 400), (0, 0, false));
    assert_eq!(draw(&mut typesetter, "\u{200b}\n\u{2060} \u{ad}", 400), (0, 0, false));
    assert_eq!(draw(&mut typesetter, "", 400), (0, 0, false));
    // A grapheme stays whole: five letters of four code points each, one to a line.
    let stacked = "e\u{301}\u{323}\u{308}".repeat(5);
    assert_eq!(draw(&mut typesetter, &stacked, 10).0, 5);
    // White space at a line's end takes no room.
    assert_eq!(draw(&mut typesetter, "one                          two", 40).0, 2);
}

#[test]
fn a_number_keeps_its_unit_and_no_line_begins_with_a_separator() {
    let mut typesetter = Typesetter::new(Arc::clone(fonts()), 16);
    let mut lines = |text: &str, width_px: u32| {
        typesetter.lay_out(text, width_px);
        typesetter.glyphs().iter().map(|glyph| (glyph.glyph, glyph.at)).collect::<Vec<_>>()
    };
    for (text, width_px, as_if_written) in [
        ("Drill set 205.87 €", 122, "Drill set\n205.87 €"),
        ("Drill set 1,271.91 EUR", 145, "Drill set\n1,271.91 EUR"),
        ("Drill set for CHF 205", 130, "Drill set for\nCHF 205"),
        ("Drill set · 5 €", 63, "Drill\nset · 5 €"),
        ("Room 12 free", 70, "Room 12\nfree"),
        // Nothing else fits: a word stays whole.
        ("1,234,567.89 €", 100, "1,234,567.89\n€"),
    ] {
        assert_eq!(lines(text, width_px), lines(as_if_written, width_px), "{text}");
    }
}

#[test]
fn heights_are_whole_lines_between_gaps() {
    let mut typesetter = Typesetter::new(Arc::clone(fonts()), 16);
    let one = draw(&mut typesetter, "Label", 400).1;
    let two = draw(&mut typesetter, "Label\nLabel", 400).1;
    let three = draw(&mut typesetter, "Label\nLabel\nLabel", 400).1;
    // 1.069 em and 0.293 em, each rounded up; gaps of a quarter and a half.
    assert_eq!((one, two - one, three - two), (4 + 18 + 5 + 8, 23, 23));
}

/// Returns true if a caption has ink in the outer pixels of its band.
fn touches_an_edge(coverage: &Coverage) -> bool {
    let (width, height) = (coverage.width_px() as usize, coverage.height_px() as usize);
    let is_edge = |at: usize| {
        let (x, y) = (at % width, at / width);
        x == 0 || x + 1 == width || y == 0 || y + 1 == height
    };
    coverage.bytes().iter().enumerate().any(|(at, &ink)| ink > 0 && is_edge(at))
}

#[test]
fn letters_wider_than_the_picture_are_set_smaller() {
    let mut fitting = FittingTypesetter::new(Typesetter::new(Arc::clone(fonts()), 64).with_side_margin(10));
    let mut coverage = Coverage::new();
    // A ligature; letters that are one grapheme.
    for text in ["﷽", "first ﷽ last", &format!("क{}", "\u{93e}".repeat(30))] {
        let layout = fitting.lay_out(text, 290);
        assert!(!layout.overflows(), "{text}");
        assert!(fitting.font_size_px() < 64, "{text}");
        fitting.rasterise(&mut coverage);
        assert!(!touches_an_edge(&coverage), "{text}");
        assert!(coverage.height_px() <= fitting.height_bound(text));
    }
    // As large as there is room.
    fitting.lay_out("﷽", 290);
    let size = fitting.font_size_px();
    assert!(
        Typesetter::new(Arc::clone(fonts()), size + 1).with_side_margin(10).lay_out("﷽", 290).overflows()
    );
    // All others are as they were.
    let mut usual = Typesetter::new(Arc::clone(fonts()), 64).with_side_margin(10);
    let mut expected = Coverage::new();
    for (_, text) in samples() {
        if usual.lay_out(text, 290).overflows() {
            continue;
        }
        usual.rasterise(&mut expected);
        fitting.lay_out(text, 290);
        fitting.rasterise(&mut coverage);
        assert_eq!((coverage.bytes(), fitting.font_size_px()), (expected.bytes(), 64), "{text}");
    }
}

#[test]
fn marks_that_stand_on_each_other_are_all_drawn() {
    let mut typesetter = Typesetter::new(Arc::clone(fonts()), 16);
    for mark in ['\u{323}', '\u{301}', '\u{e49}'] {
        let letter = if mark < '\u{e00}' { 'e' } else { 'ก' };
        let text = format!("{letter}{}", mark.to_string().repeat(60));
        let (_, height, _) = draw(&mut typesetter, &text, 100);
        let mut outline = Vec::new();
        for glyph in typesetter.glyphs() {
            typesetter.glyph_outline(glyph, &mut outline);
            let mut ends = outline.iter().map(|segment| match *segment {
                Segment::Move(to)
                | Segment::Line(to)
                | Segment::Quadratic(_, to)
                | Segment::Cubic(_, _, to) => to,
            });
            let in_band = |(_, y): (i32, i32)| (0..=height.cast_signed() * 256).contains(&(glyph.at.1 + y));
            assert!(ends.all(in_band), "U+{:04X} {glyph:?} {height}", u32::from(mark));
        }
        assert!(height <= typesetter.height_bound(&text));
        // Below, or above, another line of marks.
        let two = draw(&mut typesetter, &format!("{text}\n{text}"), 100).1;
        assert!(two > height + height / 2, "{two} {height}");
    }
}

/// The outline of each glyph of a caption.
fn outlines(text: &str) -> Vec<Vec<Segment>> {
    let mut typesetter = Typesetter::new(Arc::clone(fonts()), 16);
    typesetter.lay_out(text, 400);
    let outline = |glyph| {
        let mut outline = Vec::new();
        typesetter.glyph_outline(glyph, &mut outline);
        outline
    };
    typesetter.glyphs().iter().map(outline).collect()
}

#[test]
fn han_has_the_forms_of_the_language_it_stands_in() {
    let first = |text| outlines(text).swap_remove(0);
    let chinese = first("直");
    let (japanese, korean) = (first("直の"), first("直는"));
    assert_ne!(japanese, chinese);
    assert_ne!(first("直ノ"), chinese);
    assert_ne!(first("骨는"), first("骨"));
    // Across lines, and not beside other letters.
    assert_eq!(first("直\nの"), japanese);
    assert_eq!(first("直\n는"), korean);
    assert_eq!(first("直 A1, é"), chinese);
    // Characters of one form, and captions without kana and hangul, are drawn as before.
    let is_kana_only_added =
        |text: &str| outlines(&format!("{text}の"))[..outlines(text).len()] == outlines(text);
    assert!(is_kana_only_added("一二三 (12)、é"));
    let beside = outlines("直 12、");
    assert_eq!(outlines("直 12、の")[1..beside.len()], beside[1..]);
}

#[test]
fn place_and_order_of_lines_do_not_depend_on_what_was_set_before() {
    let mut used = Typesetter::new(Arc::clone(fonts()), 16);
    let (mut first, mut second) = (Coverage::new(), Coverage::new());
    for (_, caption) in samples() {
        let mut fresh = Typesetter::new(Arc::clone(fonts()), 16);
        used.lay_out(caption, 150);
        used.rasterise(&mut first);
        fresh.lay_out(caption, 150);
        fresh.rasterise(&mut second);
        assert_eq!(first.bytes(), second.bytes(), "{caption}");
    }
}

#[test]
fn folders_and_files_that_are_no_fonts_are_told_apart() {
    let folder = std::env::temp_dir().join(format!("qrpress-text-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let missing = folder.join("missing");
    assert!(matches!(FontSet::open(&[missing]), Err(TextError::Unreadable { .. })));
    fs::write(folder.join("broken.ttf"), b"not a font").unwrap();
    fs::write(folder.join("README.md"), b"not read").unwrap();
    assert!(matches!(FontSet::open(std::slice::from_ref(&folder)), Err(TextError::NoFont { rejected: 1 })));
    let set = FontSet::open(&[fonts_folder(), folder.clone()]).unwrap();
    assert_eq!(set.rejected(), [(folder.join("broken.ttf"), Unusable::Malformed)]);
    assert_eq!(set.len(), fonts().len());
    fs::remove_dir_all(&folder).unwrap();
}

fn thai_font() -> Vec<u8> {
    fs::read(fonts_folder().join("NotoSansThai.ttf")).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_stays_inside_its_bound(text in "\\PC{0,60}|[\\x00-\\u{10ffff}]{0,60}", width in 1_u32..500, size in 0_u32..40) {
        let mut typesetter = Typesetter::new(Arc::clone(fonts()), size);
        let (lines, height, _) = draw(&mut typesetter, &text, width);
        prop_assert!(height <= typesetter.height_bound(&text));
        prop_assert!(lines as usize <= text.chars().count());
        let mut path = Vec::new();
        typesetter.outline(0, &mut path);
        prop_assert!(path.iter().all(|byte| b"MmlqczZ -.0123456789".contains(byte)));
    }

    #[test]
    fn text_of_scripts_that_turn_and_join_stays_inside_its_bound(
        text in "[a-z \\u{590}-\\u{8ff}\\u{900}-\\u{97f}\\u{e00}-\\u{eff}\\u{1000}-\\u{109f}\\u{200b}-\\u{200f}\\u{202a}-\\u{202e}\\u{2066}-\\u{2069}\\u{300}-\\u{36f}]{1,120}",
        width in 20_u32..400,
    ) {
        let mut typesetter = Typesetter::new(Arc::clone(fonts()), 16);
        let (_, height, _) = draw(&mut typesetter, &text, width);
        prop_assert!(height <= typesetter.height_bound(&text));
    }

    #[test]
    fn damaged_fonts_are_rejected_or_drawn(damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..40)) {
        let mut bytes = thai_font();
        for (at, byte) in damage {
            let len = bytes.len();
            bytes[at.index(len)] = byte;
        }
        let folder = folder_of(&bytes);
        if let Ok(set) = FontSet::open(std::slice::from_ref(&folder)) {
            let mut typesetter = Typesetter::new(Arc::new(set), 16);
            draw(&mut typesetter, "กรุงเทพ ที่ Ay", 100);
        }
        fs::remove_dir_all(folder).unwrap();
    }
}

/// A new folder with one font.
fn folder_of(font: &[u8]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("qrpress-text-damaged-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("font.ttf"), font).unwrap();
    folder
}
