//! Names by example, by their laws, and against a naive twin.

use std::collections::HashSet;

use proptest::prelude::*;
use unicode_normalization::{UnicodeNormalization, is_nfc};
use unicode_segmentation::UnicodeSegmentation;

use super::*;

fn name_of(filename: &str) -> String {
    Namer::with_collisions(100).name(0, Some(filename), "data").to_owned()
}

#[test]
fn cleans() {
    let cases = [
        ("label 17", "label 17"),
        ("", "qr"),
        ("...", "qr"),
        ("///", "qr"),
        (" - ", "qr"),
        ("a/b\\c:d*e?f\"g<h>i|j", "a-b-c-d-e-f-g-h-i-j"),
        ("a<>|b--c", "a-b-c"),
        ("/etc/passwd", "_etc-passwd"),
        ("../../x", "_..-x"),
        (" . x . ", "x"),
        (".- x", "_ x"),
        ("=+x", "_+x"),
        ("@SUM(1)", "_SUM(1)"),
        ("+49 30", "_49 30"),
        ("-rf", "_rf"),
        ("a=b", "a=b"),
        ("x-. -", "x"),
        ("a\0b\tc\u{7f}d\u{85}e\u{9f}f\u{a0}g", "a-b-c-d-e-f\u{a0}g"),
        ("a\u{202a}b\u{202e}c\u{2066}d\u{2069}e", "a-b-c-d-e"),
        ("a\u{2029}b\u{202f}c\u{2065}d\u{206a}e", "a\u{2029}b\u{202f}c\u{2065}d\u{206a}e"),
        ("Cafe\u{301}", "Caf\u{e9}"),
        ("\u{212b}", "\u{c5}"),
        ("a.png", "a"),
        ("a.PnG", "a"),
        ("a.svg", "a"),
        ("a.png.svg", "a.png"),
        ("a.png ", "a.png"),
        ("a.jpg", "a.jpg"),
        (".png", "qr"),
        ("é.SVG", "é"),
        ("épng", "épng"),
        ("con", "_con"),
        ("CON", "_CON"),
        ("nul.txt", "_nul.txt"),
        ("Aux .b", "_Aux .b"),
        ("prn.", "_prn"),
        ("com1", "_com1"),
        ("LPT9.x", "_LPT9.x"),
        ("com²", "_com²"),
        ("COM0", "_COM0"),
        ("conin$", "_conin$"),
        ("CONOUT$.txt", "_CONOUT$.txt"),
        ("com", "com"),
        ("com10", "com10"),
        ("cons", "cons"),
        ("com⁴", "com⁴"),
        ("é con", "é con"),
        ("_con", "_con"),
        ("con.png", "_con"),
    ];
    for (filename, expected) in cases {
        assert_eq!(name_of(filename), expected, "{filename:?}");
    }
}

#[test]
fn takes_the_default_from_the_data() {
    let cases = [
        ("https://example.com/a?b=c", "example.com-a-b=c"),
        ("svn+ssh.2-x://host", "host"),
        ("HTTP://X", "X"),
        ("https://example.com/logo.png", "example.com-logo"),
        ("https://", "qr"),
        ("https:///x", "_x"),
        ("mailto:a@b", "mailto-a@b"),
        ("1http://x", "1http-x"),
        ("://x", "_x"),
        ("see http://x", "see http-x"),
        ("é://x", "é-x"),
        ("a://b://c", "b-c"),
        ("line 1\nline 2", "line 1-line 2"),
    ];
    for (data, expected) in cases {
        assert_eq!(Namer::with_collisions(100).name(0, None, data), expected, "{data:?}");
    }
}

#[test]
fn has_room_for_96_characters_before_the_extension() {
    for letter in ["x", "é"] {
        assert_eq!(name_of(&letter.repeat(96)), letter.repeat(96));
        assert_eq!(name_of(&letter.repeat(97)), letter.repeat(96));
        let mut namer = Namer::with_index(100);
        assert_eq!(namer.name(0, Some(&letter.repeat(94)), ""), letter.repeat(94) + "-0");
        assert_eq!(namer.name(9, Some(&letter.repeat(95)), ""), letter.repeat(94) + "-9");
        assert_eq!(namer.name(10, Some(&letter.repeat(95)), ""), letter.repeat(93) + "-10");
        assert_eq!(namer.name(999_999, Some(&letter.repeat(120)), ""), letter.repeat(89) + "-999999");
    }
}

/// As many as ext4 and APFS take.
#[test]
fn a_name_has_at_most_255_bytes_with_the_extension() {
    let from_data = |data: &str| Namer::with_collisions(100).name(0, None, data).to_owned();
    let thai = "กำ".repeat(45);
    assert_eq!(unique(&[&thai, &thai]), ["กำ".repeat(41), format!("{}-2", "กำ".repeat(41))]);
    assert_eq!(Namer::with_index(100).name(12, Some(&thai), ""), format!("{}-12", "กำ".repeat(41)));
    for (letter, most) in [("x", 96), ("é", 96), ("漢", 83), ("😀", 62), ("กำ", 41)] {
        assert_eq!(from_data(&letter.repeat(most)), letter.repeat(most));
        assert_eq!(from_data(&letter.repeat(most + 1)), letter.repeat(most));
    }
    assert_eq!(from_data(&format!("{}xy漢", "漢".repeat(83))), "漢".repeat(83) + "xy");

    let data = "漢".repeat(96);
    assert_eq!(Namer::with_index(100).name(999_999, None, &data), "漢".repeat(81) + "-999999");
    let mut namer = Namer::with_collisions(100);
    assert_eq!(namer.name(0, None, &data), "漢".repeat(83));
    assert_eq!(namer.name(1, None, &data), "漢".repeat(83) + "-2");
}

#[test]
fn shortens_between_graphemes_and_trims_again() {
    let start = "x".repeat(94);
    // A family is seven characters, a flag two, and an accent without a composed form is a part of its letter.
    assert_eq!(name_of(&format!("{start}👨‍👩‍👧‍👦")), start);
    assert_eq!(name_of(&format!("{start}🇫🇷🇩🇪")), format!("{start}🇫🇷"));
    assert_eq!(name_of(&format!("{start}xq\u{301}")), format!("{start}x"));
    assert_eq!(name_of(&format!("{start}q\u{301}")), format!("{start}q\u{301}"));
    assert_eq!(name_of(&format!("{start} .x")), start);
    assert_eq!(name_of(&format!("{start}/.é")), start);
    // A cut can leave the name of a device, or nothing.
    assert_eq!(name_of(&format!("con{}x", " ".repeat(100))), "_con");
    assert_eq!(name_of(&format!("con.{start}")), format!("_con.{}", &start[..91]));
    assert_eq!(name_of(&format!("q{}", "\u{301}".repeat(100))), "qr");
}

#[test]
fn composes_before_it_counts() {
    assert_eq!(name_of(&"e\u{301}".repeat(96)), "é".repeat(96));
    assert_eq!(name_of(&"e\u{301}".repeat(97)), "é".repeat(96));
    assert_eq!(name_of(&format!("{}e\u{301}", "x".repeat(95))), "x".repeat(95) + "é");
}

fn unique(filenames: &[&str]) -> Vec<String> {
    let mut namer = Namer::with_collisions(100);
    filenames.iter().map(|filename| namer.name(0, Some(filename), "").to_owned()).collect()
}

#[test]
fn numbers_collisions_in_item_order() {
    assert_eq!(unique(&["a", "a", "a-2"]), ["a", "a-2", "a-2-2"]);
    assert_eq!(unique(&["a-2", "a", "a", "a"]), ["a-2", "a", "a-3", "a-4"]);
    assert_eq!(unique(&["a", "A", "a.png"]), ["a", "A-2", "a-3"]);
    assert_eq!(unique(&["É", "e\u{301}", "ÉÉ"]), ["É", "é-2", "ÉÉ"]);
    assert_eq!(unique(&["ΑΣ", "ας", "ασ"]), ["ΑΣ", "ας-2", "ασ-3"]);
    assert_eq!(unique(&["straße", "STRASSE", "STRAẞE"]), ["straße", "STRASSE-2", "STRAẞE-3"]);
    assert_eq!(unique(&["con", "_con", "CON"]), ["_con", "_con-2", "_CON-3"]);
    assert_eq!(unique(&["", "qr", "?"]), ["qr", "qr-2", "qr-3"]);
    let long = "x".repeat(97);
    assert_eq!(unique(&[&long, &long]), [long[..96].to_owned(), format!("{}-2", &long[..94])]);
}

#[test]
fn twenty_thousand_collisions_take_no_quadratic_time() {
    let names = unique(&vec!["a"; 20_000]);
    assert_eq!((names[1].as_str(), names[19_999].as_str()), ("a-2", "a-20000"));

    // Names that differ before a suffix takes the place of the difference, each twice.
    let start = "x".repeat(93);
    let wishes: Vec<_> = (0..20_000).map(|n| format!("{start}{:03}", n % 1000)).collect();
    let wishes: Vec<_> = wishes.iter().map(String::as_str).collect();
    let names: HashSet<_> = unique(&wishes).into_iter().collect();
    assert_eq!(names.len(), 20_000);

    // The suffixes that would be given are all taken.
    let taken: Vec<_> = (2..10_000).map(|n| format!("a-{n}")).collect();
    let mut wishes: Vec<_> = taken.iter().map(String::as_str).collect();
    wishes.resize(20_000, "a");
    assert_eq!(unique(&wishes)[19_999], "a-20000");
}

/// [`Namer::with_collisions`] as the specification says it, step by step.
struct Twin(Vec<String>);

impl Twin {
    fn base(wish: &str, max_characters: usize) -> String {
        let lower = wish.to_ascii_lowercase();
        let end = if [".png", ".svg"].iter().any(|extension| lower.ends_with(extension)) {
            wish.len() - 4
        } else {
            wish.len()
        };
        let forbidden = |c: char| {
            c.is_control()
                || "/\\:*?\"<>|".contains(c)
                || ('\u{202a}'..='\u{202e}').contains(&c)
                || ('\u{2066}'..='\u{2069}').contains(&c)
        };
        let mut base: String = wish[..end].nfc().map(|c| if forbidden(c) { '-' } else { c }).collect();
        while base.contains("--") {
            base = base.replace("--", "-");
        }
        let base = base.trim_start_matches(['.', ' ']);
        let cut = |name: &str, max_characters: usize| {
            // An extension and a suffix have as many bytes as characters.
            let fits =
                |end: &usize| name[..*end].chars().count() <= max_characters && *end <= max_characters + 155;
            let ends = name.grapheme_indices(true).map(|(at, grapheme)| at + grapheme.len());
            let end = ends.take_while(fits).last().unwrap_or(0);
            name[..end].trim_end_matches(['.', ' ', '-']).to_owned()
        };
        let devices = "CON PRN AUX NUL CONIN$ CONOUT$ COM0 COM1 COM2 COM3 COM4 COM5 COM6 COM7 COM8 COM9 COM¹ COM² COM³ \
                       LPT0 LPT1 LPT2 LPT3 LPT4 LPT5 LPT6 LPT7 LPT8 LPT9 LPT¹ LPT² LPT³";
        let is_device = |name: &str| {
            let stem = name.split('.').next().unwrap().trim_end_matches(' ').to_ascii_uppercase();
            devices.split(' ').any(|device| device == stem)
        };
        let whole = base.trim_end_matches(['.', ' ', '-']);
        if whole.is_empty() {
            return "qr".to_owned();
        }
        let whole = if is_device(whole) { format!("_{whole}") } else { whole.to_owned() };
        let short = cut(&whole, max_characters);
        if short.starts_with(['=', '+', '-', '@']) {
            format!("_{}", &short[1..])
        } else if is_device(&short) {
            format!("_{short}")
        } else if short.is_empty() {
            "qr".to_owned()
        } else {
            short
        }
    }

    fn name(&mut self, wish: &str) -> String {
        let mut name = Self::base(wish, 96);
        let mut number = 2;
        while self.0.iter().any(|taken| caseless(taken) == caseless(&name)) {
            let suffix = format!("-{number}");
            name = Self::base(wish, 96 - suffix.len()) + &suffix;
            number += 1;
        }
        self.0.push(name.clone());
        name
    }
}

fn caseless(name: &str) -> String {
    name.nfd().collect::<String>().to_lowercase().to_uppercase().to_lowercase()
}

fn wish() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => "[a-cA-C0-3 ._/:-]{0,6}",
        2 => "(?i)con|nul|com1|lpt|\\.png|\\.svg|-2",
        2 => "[éÉßſ\u{301}\u{308}\u{345}\u{200d}\u{202e}\u{2068}\u{85}\u{0}]{1,3}",
        2 => "👨‍👩‍👧‍👦|🇫🇷|가|각|क्षि|x{80,99}| {90,99}",
        1 => ".{0,5}",
    ];
    prop::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn names_are_those_of_the_twin(wishes in prop::collection::vec(wish(), 0..12)) {
        let (mut namer, mut twin) = (Namer::with_collisions(100), Twin(Vec::new()));
        for (index, wish) in wishes.iter().enumerate() {
            prop_assert_eq!(namer.name(index as u64, Some(wish), ""), twin.name(wish), "{:?}", wish);
        }
    }

    #[test]
    fn names_keep_their_laws(wishes in prop::collection::vec(wish(), 0..12), first in 0..1_000_000_u64) {
        let (mut numbered, mut unique) = (Namer::with_index(100), Namer::with_collisions(100));
        let mut seen = [HashSet::new(), HashSet::new()];
        for (wish, index) in wishes.iter().zip(first..) {
            let names = [numbered.name(index, Some(wish), ""), unique.name(index, Some(wish), "")];
            for (name, seen) in names.into_iter().zip(&mut seen) {
                prop_assert!(name.chars().count() <= 96 && name.len() <= 251, "{:?}", name);
                prop_assert!(is_nfc(name), "{:?}", name);
                prop_assert!(!name.contains("--") && !name.is_empty(), "{:?}", name);
                prop_assert!(!name.starts_with(['.', ' ', '=', '+', '-', '@']) && !name.ends_with(['.', ' ', '-']), "{:?}", name);
                prop_assert!(!name.chars().any(|c| c.is_control() || "/\\:*?\"<>|\u{202e}\u{2068}".contains(c)), "{:?}", name);
                let stem = name.split('.').next().unwrap().trim_end_matches(' ').to_lowercase();
                prop_assert!(!["con", "nul", "prn", "aux", "com1", "lpt1"].contains(&stem.as_str()), "{:?}", name);
                prop_assert!(seen.insert(caseless(name)), "{:?} twice", name);
            }
        }
    }

    #[test]
    fn cleaning_is_idempotent(wish in wish()) {
        let once = name_of(&wish);
        // An extension that the name itself ends with would be dropped as one that the client wrote.
        prop_assert_eq!(name_of(&format!("{once}.png")), once);
    }
}

#[test]
fn names_that_share_their_form_are_those_that_get_a_number() {
    for (one, other, is_shared) in [
        ("B/1", "b-1", true),
        ("Room1.PNG", "room1", true),
        (" .a. ", "a", true),
        ("???", "", true),
        ("Caf\u{e9}", "CAFE\u{301}", true),
        ("=1", "+1", true),
        (&"x".repeat(100), &"x".repeat(120), true),
        (&"x".repeat(95), &"x".repeat(96), false),
        ("a.b", "a-b", false),
    ] {
        let mut namer = Namer::with_collisions(100);
        namer.name(0, Some(one), "");
        let form = shared_form(other, 100);
        assert_eq!(shared_form(one, 100) == form, is_shared, "{one} {other}");
        assert_eq!(shared_form(namer.name(1, Some(other), ""), 100) != form, is_shared, "{one} {other}");
    }
}
