//! Shaping as the glyphs show it: joining, conjuncts, marks, order, and the short way for Latin against the long one.

use std::sync::{Arc, LazyLock};

use harfrust::GlyphId;
use proptest::prelude::*;
use unicode_bidi::BidiClass;

use crate::ascii::LatinPairs;
use crate::characters::{is_hidden, may_turn, prepare};
use crate::paragraph::Paragraph;
use crate::shape::{ShapedGlyph, Shaper, Style};
use crate::units::Size;
use crate::{FontSet, Typesetter};

fn fonts() -> &'static Arc<FontSet> {
    static FONTS: LazyLock<Arc<FontSet>> = LazyLock::new(|| {
        Arc::new(FontSet::open(&[qrpress_testkit::fonts_folder()]).expect("the bundled fonts open"))
    });
    &FONTS
}

/// The lines of `text`, shaped at 16 px by the long way.
fn lines(text: &str, limit: i32) -> Vec<Vec<ShapedGlyph>> {
    let mut shaper = Shaper::new(Size::new(16));
    let mut prepared = String::new();
    prepare(text, &mut prepared);
    let mut paragraph = Paragraph::new(fonts(), &prepared, fonts().han_face(&prepared));
    let (mut lines, mut line) = (Vec::new(), Vec::new());
    while paragraph.next_line(fonts(), &mut shaper, limit, &mut line) {
        lines.push(line.clone());
    }
    lines
}

fn glyphs(text: &str) -> Vec<u32> {
    lines(text, i32::MAX).concat().iter().map(|glyph| glyph.glyph).collect()
}

/// Byte offsets in the order in which they are drawn.
fn order(text: &str) -> Vec<u32> {
    let mut order: Vec<u32> = lines(text, i32::MAX).concat().iter().map(|glyph| glyph.cluster).collect();
    order.dedup();
    order
}

#[test]
fn arabic_letters_join() {
    let isolated = glyphs("ب");
    let joined = glyphs("ببب");
    assert_eq!(joined.len(), isolated.len() * 3);
    assert_ne!(joined, isolated.repeat(3));
    // A non-joiner keeps them apart.
    assert_eq!(glyphs("ب\u{200c}ب"), isolated.repeat(2));
}

#[test]
fn devanagari_makes_conjuncts() {
    // KA, VIRAMA, SSA: one glyph where the letters are joined, three without.
    assert_eq!(glyphs("क्ष").len(), 1);
    assert!(glyphs("क्\u{200c}ष").len() > 1);
    // The vowel sign I stands before its consonant.
    let separate = (glyphs("क"), glyphs("कि"));
    assert_eq!(separate.0[0], separate.1[1]);
}

#[test]
fn marks_stand_over_their_letters() {
    let marked = lines("x\u{301}", i32::MAX).concat();
    assert_eq!(marked.len(), 2);
    assert_eq!(marked[1].advance, 0);
    assert_ne!(marked[1].offset, (0, 0));
}

#[test]
fn equivalent_texts_have_the_same_glyphs() {
    assert_eq!(glyphs("e\u{301}"), glyphs("é"));
    assert_eq!(glyphs("\u{1112}\u{1161}\u{11ab}"), glyphs("한"));
}

#[test]
fn right_to_left_is_drawn_from_the_right() {
    assert_eq!(order("שלום"), [6, 4, 2, 0]);
    assert_eq!(order("אב גד"), [7, 5, 4, 2, 0]);
}

#[test]
fn mixed_directions_are_ordered_by_the_bidirectional_algorithm() {
    // a space ALEF BET space b: the Hebrew word turns, its place does not.
    assert_eq!(order("a אב b"), [0, 1, 4, 2, 6, 7]);
    // A Hebrew paragraph: the Latin word stands left of ALEF, and its letters run on to the right.
    assert_eq!(order("א ab"), [3, 4, 2, 0]);
    // Digits keep their order.
    assert_eq!(order("א 12"), [3, 4, 2, 0]);
}

#[test]
fn brackets_are_mirrored_in_right_to_left_text() {
    let leftmost = lines("א(", i32::MAX).concat()[0];
    let mirrored = fonts().face(leftmost.face).font.charmap().map_unicode(')');
    assert_eq!(Some(leftmost.glyph), mirrored.map(GlyphId::to_u32));
}

#[test]
fn words_of_thai_are_not_torn() {
    // Three words without a space; the dictionary knows where each ends.
    let text = "ภาษาไทยง่าย";
    let ends: Vec<u32> = lines(text, 16 * 256 * 3).iter().skip(1).map(|line| line[0].cluster).collect();
    let words = ["ภาษา".len() as u32, "ภาษาไทย".len() as u32];
    assert!(!ends.is_empty() && ends.iter().all(|end| words.contains(end)), "{ends:?}");
}

#[test]
fn wrapped_lines_are_not_wider_than_the_image() {
    for (_, caption) in include_str!("../tests/samples.txt").lines().filter_map(|line| line.split_once('\t'))
    {
        // No grapheme of the samples is wider than 60 px.
        for limit in [60, 75, 100] {
            for line in lines(caption, limit * 256) {
                let width: i32 = line.iter().map(|glyph| glyph.advance).sum();
                assert!(width <= limit * 256, "{caption}");
            }
        }
    }
}

/// Every character by itself, but for controls, which no caption keeps.
#[test]
#[ignore = "long: run by `npm run nightly`"]
fn the_shaper_hides_the_hidden_characters_alone() {
    let style = Style { face: 0, script: *b"Latn", right_to_left: false };
    let mut shaper = Shaper::new(Size::new(16));
    let mut glyphs = Vec::new();
    for character in ('\0'..=char::MAX).filter(|character| !character.is_control()) {
        glyphs.clear();
        shaper.shape(fonts().face(0), style, character.encode_utf8(&mut [0; 4]), 0, &mut glyphs);
        assert_eq!(glyphs.is_empty(), is_hidden(character), "U+{:04X}", u32::from(character));
    }
}

#[test]
fn characters_that_turn_text_are_known() {
    use BidiClass::{AL, AN, FSI, LRE, LRI, LRO, PDF, PDI, R, RLE, RLI, RLO};
    for character in '\0'..=char::MAX {
        let turns = matches!(
            unicode_bidi::bidi_class(character),
            AL | AN | FSI | LRE | LRI | LRO | PDF | PDI | R | RLE | RLI | RLO
        );
        assert!(!turns || may_turn(character), "U+{:04X}", u32::from(character));
    }
}

#[test]
fn controls_are_covered_by_no_font() {
    let covered: Vec<char> =
        ('\0'..='\u{9f}').filter(|&each| each.is_control() && fonts().covers(each)).collect();
    assert_eq!(covered, ['\t', '\n', '\u{b}', '\u{c}', '\r', '\u{85}']);
}

/// Every character that the set claims to cover is drawn by a glyph of its own.
#[test]
#[ignore = "long: run by `npm run nightly`"]
fn covered_characters_have_glyphs() {
    let mut typesetter = Typesetter::new(Arc::clone(fonts()), 16);
    let mut covered = 0;
    for character in ('!'..=char::MAX).filter(|&character| fonts().covers(character)) {
        covered += 1;
        let text = String::from(character);
        let mut prepared = String::new();
        prepare(&text, &mut prepared);
        for line in lines(&prepared, i32::MAX) {
            assert!(line.iter().all(|glyph| glyph.glyph != 0), "U+{:04X}", character as u32);
        }
        typesetter.lay_out(&text, 100);
    }
    assert!(covered > 50_000, "{covered}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_short_way_sets_what_the_long_way_sets(text in "[ -~]{1,40}") {
        let text = text.trim();
        let mut shaper = Shaper::new(Size::new(16));
        let mut line = Vec::new();
        if LatinPairs::new().shape(fonts(), &mut shaper, text.as_bytes(), i32::MAX, &mut line) {
            prop_assert_eq!(vec![line], lines(text, i32::MAX));
        }
    }
}

#[test]
fn the_short_way_is_taken() {
    let mut shaper = Shaper::new(Size::new(16));
    let mut line = Vec::new();
    let text = b"Shelf 00042 (row 7), AVATAR & Co.";
    assert!(LatinPairs::new().shape(fonts(), &mut shaper, text, i32::MAX, &mut line));
    assert!(
        !LatinPairs::new().shape(fonts(), &mut shaper, b"office", i32::MAX, &mut line) && line.is_empty()
    );
}
