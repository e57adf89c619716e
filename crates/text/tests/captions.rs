//! The typesetter as a caller sees it: coverage of characters, heights, lines, and what hostile captions and fonts lead to.

#![allow(clippy::unwrap_used, reason = "a test ends where it fails")]

mod support;

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use proptest::prelude::*;
use qrpress_testkit::{fonts, fonts_folder};
use qrpress_text::{Coverage, FontSet, TextError, Typesetter, Unusable};
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
fn heights_are_whole_lines_between_gaps() {
    let mut typesetter = Typesetter::new(Arc::clone(fonts()), 16);
    let one = draw(&mut typesetter, "Label", 400).1;
    let two = draw(&mut typesetter, "Label\nLabel", 400).1;
    let three = draw(&mut typesetter, "Label\nLabel\nLabel", 400).1;
    // 1.069 em and 0.293 em, each rounded up; gaps of a quarter and a half.
    assert_eq!((one, two - one, three - two), (4 + 18 + 5 + 8, 23, 23));
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
