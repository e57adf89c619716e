//! Patterns, held to the examples of RFC 6570 for levels 1 and 2.
#![allow(clippy::unwrap_used, reason = "the functions are parts of a test")]

use qrpress_kinds::{Pattern, PatternError};

fn expanded(pattern: &Pattern) -> String {
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

/// The examples begin with the name of a scheme, which they have in common.
#[test]
fn values_of_links_are_encoded_as_rfc_6570_says() {
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
        ("größe/{ Größe in cm }", "gr%C3%B6%C3%9Fe/%C3%A4%20%C3%B6"),
        ("{{{var}}}", "%7Bvalue%7D"),
    ] {
        for scheme in ["urn:", "https://", "HTTP:", "Mailto:", "smsto:", "sms:", "tel:", "geo:", "ftp:"] {
            let pattern = Pattern::of_data(&format!("{scheme}{text}")).unwrap();
            assert_eq!(expanded(&pattern), format!("{scheme}{expected}"), "{scheme}{text}");
        }
    }
    assert_eq!(
        expanded(&Pattern::of_data("{+base}{hello}").unwrap()),
        "http://example.com/home/Hello%20World%21"
    );
}

#[test]
fn patterns_that_are_no_links_take_values_as_they_are() {
    for (text, expected) in [
        ("{hello} · {half}", "Hello World! · 50%"),
        ("{path}, see https://ä", "/foo/bar, see https://ä"),
        ("Name: {hello}, SN {+path}", "Name: Hello World!, SN /foo/bar"),
        (" https://{path}", " https:///foo/bar"),
        ("WIFI:S:{hello};", "WIFI:S:Hello World!;"),
        ("{var}{var}", "valuevalue"),
        ("{{{var}}} }}{{ {{var}}", "{value} }{ {var}"),
        ("{half}://{+path}", "50%:///foo/bar"),
    ] {
        for pattern in [Pattern::of_data(text), Pattern::of_text(text)] {
            assert_eq!(expanded(&pattern.unwrap()), expected, "{text}");
        }
    }
    assert_eq!(expanded(&Pattern::of_text("{+path}").unwrap()), "/foo/bar");
    assert_eq!(expanded(&Pattern::of_text("https://ä/{path}").unwrap()), "https://ä//foo/bar");
}

#[test]
fn braces_stand_in_pairs_around_names() {
    for (text, error) in [
        ("", PatternError::Empty),
        (" ", PatternError::Empty),
        ("a{b", PatternError::Brace),
        ("a}b", PatternError::Brace),
        ("{a{b}}", PatternError::Brace),
        ("{{a}", PatternError::Brace),
        ("{a}}", PatternError::Brace),
        ("{}", PatternError::Nameless),
        ("{ + }", PatternError::Nameless),
        ("No. {#a}", PatternError::Fragment),
    ] {
        assert_eq!(Pattern::of_data(text), Err(error), "{text}");
    }
    assert_eq!(Pattern::of_text("https://example.org/{#a}"), Err(PatternError::Fragment));
    let pattern = Pattern::of_data("{a,b}{ C }{+a,b}").unwrap();
    assert_eq!(pattern.names(), ["a,b", "C", "a,b"]);
}
