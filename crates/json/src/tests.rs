//! The reader against `serde_json`, and the cursor against a naive twin.

use proptest::prelude::*;
use serde::de::IgnoredAny;
use serde_json::Value;

use super::*;

/// Reads all of a text.
fn accepts(text: &str) -> Result<(), JsonError> {
    let mut reader = Reader::new(text);
    while !matches!(reader.next_token()?, Token::End) {}
    Ok(())
}

/// The value that the reader's tokens tell of.
fn value(reader: &mut Reader<'_>, text: &str) -> Value {
    let start = reader.token_start();
    let first = reader.next_token().unwrap();
    value_after(first, start, reader, text)
}

fn value_after(first: Token<'_>, start: usize, reader: &mut Reader<'_>, text: &str) -> Value {
    match first {
        Token::Object => {
            let mut members = serde_json::Map::new();
            while let Token::Name(name) = reader.next_token().unwrap() {
                members.insert(name.decode().into_owned(), value(reader, text));
            }
            members.into()
        }
        Token::Array => {
            let mut elements = Vec::new();
            loop {
                // The comma stands before an element's own start.
                let before = reader.token_start();
                let start = before + text[before..].find(|c| !", \t\r\n".contains(c)).unwrap();
                match reader.next_token().unwrap() {
                    Token::EndArray => return elements.into(),
                    first => elements.push(value_after(first, start, reader, text)),
                }
            }
        }
        Token::String(text) => text.decode().into_owned().into(),
        Token::Number(written) => {
            assert_eq!(written, &text[start..reader.position()]);
            serde_json::from_str(written).unwrap()
        }
        Token::True => true.into(),
        Token::False => false.into(),
        Token::Null => Value::Null,
        other => panic!("{other:?} begins no value"),
    }
}

/// JSON of some depth, and in some spelling.
fn json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        "null|true|false|-?(0|[1-9][0-9]{0,3})(\\.[0-9]{1,3})?([eE][+-]?[0-9]{1,2})?",
        r#""([ -!#-\[\]-~é€😀]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4}|\\ud83d\\ude00){0,12}""#,
    ];
    let name = r#""(a|\\u0061|b|c/~)""#;
    let space = "[ \t\r\n]{0,2}";
    leaf.prop_recursive(4, 24, 5, move |inner| {
        let element =
            (space, inner.clone(), space).prop_map(|(before, value, after)| before + &value + &after);
        let member = (space, name, space, element.clone())
            .prop_map(|(a, name, b, value)| format!("{a}{name}{b}:{value}"));
        prop_oneof![
            prop::collection::vec(element, 0..4).prop_map(|elements| format!("[{}]", elements.join(","))),
            prop::collection::vec(member, 0..4).prop_map(|members| format!("{{{}}}", members.join(","))),
        ]
    })
}

/// Something that was JSON before a few characters were replaced, inserted, or taken out.
fn nearly_json() -> impl Strategy<Value = String> {
    let edit = (
        any::<prop::sample::Index>(),
        "[\\[\\]{}:,\"\\\\0-9eE+.tfnud\u{0}\u{1f}\u{7f} \né-]?",
        any::<bool>(),
    );
    (json(), prop::collection::vec(edit, 0..4)).prop_map(|(text, edits)| {
        let mut characters: Vec<char> = text.chars().collect();
        for (at, with, replaces) in edits {
            let at = at.index(characters.len() + 1);
            let end = (at + usize::from(replaces)).min(characters.len());
            characters.splice(at..end, with.chars());
        }
        characters.into_iter().collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn accepts_what_serde_json_accepts(text in nearly_json()) {
        let expected = serde_json::from_str::<IgnoredAny>(&text);
        let found = accepts(&text);
        prop_assert_eq!(found.is_ok(), expected.is_ok(), "{:?} {:?}", found, expected);
    }

    #[test]
    fn accepts_what_serde_json_accepts_of_anything(text in "[\\[\\]{}:,\"\\\\0-1eE+.tfnu \u{1}é-]{0,8}|.{0,12}") {
        prop_assert_eq!(accepts(&text).is_ok(), serde_json::from_str::<IgnoredAny>(&text).is_ok());
    }

    #[test]
    fn reads_the_values_that_serde_json_reads(text in json()) {
        if let Ok(expected) = serde_json::from_str::<Value>(&text) {
            prop_assert_eq!(value(&mut Reader::new(&text), &text), expected);
        }
    }

    #[test]
    fn knows_text_from_surrogates(raw in r"(\\ud8[0-9]{2}|\\uDC[0-9]{2}|\\u00e9|\\\\|a|é|\\n){0,6}") {
        let text = format!("\"{raw}\"");
        let Token::String(found) = Reader::new(&text).next_token().unwrap() else { panic!("no string") };
        let expected = serde_json::from_str::<String>(&text);
        prop_assert_eq!(found.unpaired, expected.is_err());
        prop_assert_eq!(found.characters(), found.decode().chars().count());
        prop_assert_eq!(found.escaped, raw.contains('\\'));
        prop_assert_eq!(found.start, 1);
        if let Ok(expected) = expected {
            let plain = Text { raw: &expected, escaped: false, ..found };
            prop_assert!(found.equals(&plain) && plain.equals(&found));
            prop_assert_eq!(found.decode(), expected);
        }
    }

    #[test]
    fn finds_the_duplicates_that_a_naive_search_finds(names in prop::collection::vec("[ab]|\\\\u006[1-3]|[a-z]{2}", 0..40)) {
        let decode = |name: &String| serde_json::from_str::<String>(&format!("\"{name}\"")).unwrap();
        let decoded: Vec<_> = names.iter().map(decode).collect();
        let again = |index: &usize| decoded[..*index].contains(&decoded[*index]);
        let expected: Vec<_> = (0..names.len()).filter(again).map(|index| format!("/{}", decoded[index])).collect();

        let members: Vec<_> = names.iter().map(|name| format!("\"{name}\":[{{}}]")).collect();
        let flaws = flaws(&format!("{{{}}}", members.join(",")), 100);
        prop_assert!(flaws.listed.iter().all(|flaw| flaw.kind == FlawKind::DuplicateMember));
        let found: Vec<_> = flaws.listed.into_iter().map(|flaw| flaw.place.pointer).collect();
        prop_assert_eq!(found, expected);
    }
}

fn flaws(text: &str, max_flaws: usize) -> Flaws {
    let mut scratch = Scratch::default();
    let mut cursor = Cursor::new(text, Origin { root: "", line: None, max_flaws }, &mut scratch);
    let first = cursor.next_token().unwrap();
    cursor.skip(first).unwrap();
    assert!(matches!(cursor.next_token(), Ok(Token::End)));
    cursor.take_flaws()
}

#[test]
fn says_what_was_expected_and_what_was_found() {
    let cases = [
        ("", "a value, found the end at line 1, column 1"),
        (" \r\n", "a value, found the end at line 2, column 1"),
        ("\u{feff}1", "a value, found U+FEFF at line 1, column 1"),
        ("tru", "a value, found `t` at line 1, column 1"),
        ("[1 2]", "`,` or `]`, found `2` at line 1, column 4"),
        ("[1,]", "a value, found `]` at line 1, column 4"),
        ("{\"é\" 1}", "`:`, found `1` at line 1, column 6"),
        ("{1}", "a member's name or `}`, found `1` at line 1, column 2"),
        ("{\"a\":1,}", "a member's name, found `}` at line 1, column 8"),
        ("{\"a\":1]", "`,` or `}`, found `]` at line 1, column 7"),
        ("{}\n {}", "the end, found `{` at line 2, column 2"),
        ("01", "the end, found `1` at line 1, column 2"),
        ("-", "a digit, found the end at line 1, column 2"),
        ("1.e1", "a digit, found `e` at line 1, column 3"),
        ("1e+", "a digit, found the end at line 1, column 4"),
        ("\"a", "a closing quote, found the end at line 1, column 3"),
        ("\"a\0\"", "an escape instead of a control character, found U+0000 at line 1, column 3"),
        ("\"\\x\"", "one of `\"\\/bfnrtu` after a backslash, found `x` at line 1, column 3"),
        ("\"\\u12g4\"", "four hexadecimal digits, found `1` at line 1, column 4"),
        ("\"\\u+123\"", "four hexadecimal digits, found `+` at line 1, column 4"),
        ("NaN", "a value, found `N` at line 1, column 1"),
    ];
    for (text, expected) in cases {
        let message = accepts(text).unwrap_err().describe(text, 1);
        assert_eq!(message, format!("expected {expected}"), "{text:?}");
    }
}

#[test]
fn nests_128_levels_and_no_more() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert_eq!(accepts(&nested(128)), Ok(()));
    let refused = accepts(&nested(129)).unwrap_err();
    assert_eq!((refused.offset(), refused.expected()), (128, "at most 128 levels of nesting"));
    assert_eq!(accepts(&"[".repeat(10_000_000)).unwrap_err().offset(), 128);
    assert_eq!(accepts(&"{\"a\":[".repeat(1_000_000)).unwrap_err().offset(), 64 * 6);
    let mixed = "{\"a\":[".repeat(64) + &"]}".repeat(64);
    assert_eq!(accepts(&mixed), Ok(()));
}

#[test]
fn points_to_every_flaw() {
    let cases: &[(&str, &[&str])] = &[
        (r#"{"a":1,"b":2}"#, &[]),
        (r#"{"a":1,"a":2}"#, &["/a"]),
        (r#"{"a":1,"\u0061":2,"a":3}"#, &["/a", "/a"]),
        (r#"{"":1,"":2}"#, &["/"]),
        (r#"{"a/b~c":1,"a\/b~c":2}"#, &["/a~1b~0c"]),
        (r#"[0,{"a":[{"b":1,"b":2}]},{"c":1,"c":1}]"#, &["/1/a/0/b", "/2/c"]),
        (r#"{"a":{"a":{"a":1}}}"#, &[]),
        (r#"[{"a":1},{"a":1}]"#, &[]),
        (r#"{"x":[[],{},[0,"\ud800"]]}"#, &["/x/2/1"]),
        (r#"{"\udc00":1}"#, &["/\u{fffd}"]),
        (r#"{"a":["\ud83d\ude00","\ude00\ud83d"]}"#, &["/a/1"]),
        (r#""\ud800""#, &[""]),
        // The number of the element is no place in the text: there, it would be within the first.
        (r#"["é",0,"\ud800"]"#, &["/2"]),
    ];
    for (text, expected) in cases {
        let found: Vec<_> = flaws(text, 9).listed.into_iter().map(|flaw| flaw.place.pointer).collect();
        assert_eq!(&found, expected, "{text}");
    }
}

#[test]
fn lists_the_first_flaws_and_counts_all() {
    let names = "\"a\":0,".repeat(1000);
    let found = flaws(&format!("{{{}}}", names.trim_end_matches(',')), 100);
    assert_eq!((found.listed.len(), found.count), (100, 999));
}

#[test]
fn a_pointer_stays_short() {
    let long = "n".repeat(2000);
    let found = flaws(&format!(r#"{{"a":{{"{long}":["\ud800"]}}}}"#), 9);
    assert_eq!(found.listed[0].place.pointer, "/a");
    let most = "n".repeat(1022);
    let found = flaws(&format!(r#"{{"{most}":"\ud800"}}"#), 9);
    assert_eq!(found.listed[0].place.pointer.len(), 1023);
}

/// Names as long as a body are read once or twice, however many places lie behind them and however many names beside them: it
/// would take minutes else.
#[test]
fn long_names_take_no_longer_for_the_flaws_behind_them() {
    let (long, unpaired) = ("\\n".repeat(12_000_000), vec![r#""\ud800""#; 100].join(","));
    let found = flaws(&format!(r#"{{"a":{{"{long}":[{unpaired}]}}}}"#), 100);
    assert_eq!((found.listed.len(), found.count), (100, 100));
    assert!(found.listed.iter().all(|flaw| flaw.place.pointer == "/a"));

    let names: Vec<_> = (0..16).map(|n| format!("\"{}{}\":0", &long[..1_500_000], n % 15)).collect();
    let found = flaws(&format!("{{{}}}", names.join(",")), 100);
    assert_eq!((found.listed[0].place.pointer.as_str(), found.count), ("", 1));
}

#[test]
fn an_object_has_at_most_ten_thousand_members() {
    let object = |count: u32| {
        let members: Vec<_> = (0..count).map(|n| format!("\"{}\":0", n % 9_999)).collect();
        format!("{{{}}}", members.join(","))
    };
    assert_eq!(flaws(&object(10_000), 9).listed[0].place.pointer, "/0");
    let (text, mut scratch) = (object(10_001), Scratch::default());
    let mut cursor = Cursor::new(&text, Origin { root: "", line: None, max_flaws: 9 }, &mut scratch);
    let first = cursor.next_token().unwrap();
    assert_eq!(
        cursor.skip(first).unwrap_err(),
        JsonError::TooManyMembers { offset: text.rfind('1').unwrap() }
    );
}

#[test]
fn an_error_of_another_text_has_a_place_in_this_one() {
    let error = accepts("[1, 2, ?]").unwrap_err();
    assert_eq!(error.describe("", 1), "expected a value, found the end at line 1, column 1");
    // Within a character.
    assert!(error.describe("[1, 2,é", 7).ends_with("found `é` at line 7, column 7"));
}
