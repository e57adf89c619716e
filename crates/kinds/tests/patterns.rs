//! Patterns, held to the examples of RFC 6570 for levels 1 and 2.
#![allow(clippy::unwrap_used, reason = "the functions are parts of a test")]

use qrpress_kinds::{Expansion, Pattern, PatternError};

fn expanded(text: &str, expansion: Expansion) -> String {
    let pattern = Pattern::parse(text, expansion).unwrap();
    let value = |name: &String| match name.as_str() {
        "var" => "value",
        "hello" => "Hello World!",
        "path" => "/foo/bar",
        "half" => "50%",
        "base" => "http://example.com/home/",
        "done" => "a%20b%",
        "Größe in cm" => "ä ö",
        _ => "",
    };
    let mut out = String::new();
    pattern.expand(pattern.names().iter().map(value), usize::MAX, &mut out);
    out
}

#[test]
fn values_are_encoded_as_rfc_6570_says() {
    for (text, expected) in [
        ("{var}", "value"),
        ("{hello}", "Hello%20World%21"),
        ("{half}", "50%25"),
        ("O{path}X", "O%2Ffoo%2FbarX"),
        ("{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex"),
        ("{+var}", "value"),
        ("{+hello}", "Hello%20World!"),
        ("{+half}", "50%25"),
        ("{+base}index", "http://example.com/home/index"),
        ("{+path}/here", "/foo/bar/here"),
        ("here?ref={+path}", "here?ref=/foo/bar"),
        ("up{+path}{var}/here", "up/foo/barvalue/here"),
        ("{#var}", "#value"),
        ("{#hello}", "#Hello%20World!"),
        ("X{#path}", "X#/foo/bar"),
        ("{+done}", "a%20b%25"),
        ("{done}", "a%2520b%25"),
        ("https://example.org/größe/{ Größe in cm }", "https://example.org/gr%C3%B6%C3%9Fe/%C3%A4%20%C3%B6"),
        ("No. {var}", "No. value"),
    ] {
        assert_eq!(expanded(text, Expansion::Uri), expected, "{text}");
    }
}

#[test]
fn captions_take_values_as_they_are() {
    for (text, expected) in [
        ("{hello} · {half}", "Hello World! · 50%"),
        ("{+path}", "/foo/bar"),
        ("{var}{var}", "valuevalue"),
        ("https://ä", "https://ä"),
    ] {
        assert_eq!(expanded(text, Expansion::Plain), expected, "{text}");
    }
}

#[test]
fn braces_stand_in_pairs_around_names() {
    for (text, error) in [
        ("", PatternError::Empty),
        (" ", PatternError::Empty),
        ("a{b", PatternError::Brace),
        ("a}b", PatternError::Brace),
        ("{a{b}}", PatternError::Brace),
        ("{}", PatternError::Nameless),
        ("{ + }", PatternError::Nameless),
    ] {
        assert_eq!(Pattern::parse(text, Expansion::Uri), Err(error), "{text}");
    }
    let pattern = Pattern::parse("{a,b}{ C }{+a,b}", Expansion::Uri).unwrap();
    assert_eq!(pattern.names(), ["a,b", "C", "a,b"]);
}
