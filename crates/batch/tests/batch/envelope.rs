//! The members that an envelope hands over, and the places that it points at.

use std::fs;

use qrpress_batch::BodyForm::{Json, Ndjson};
use qrpress_batch::{
    Body, BodyForm,
    inspect::{Envelope, read_envelope},
};

fn envelope(body: impl AsRef<[u8]>, form: BodyForm) -> Envelope {
    let folder = qrpress_testkit::TempDir::new();
    let path = folder.path().join("body");
    fs::write(&path, body).unwrap();
    let envelope = read_envelope(Body::File(&path), form).unwrap();
    assert_eq!(read_envelope(Body::Bytes(&fs::read(path).unwrap()), form).unwrap(), envelope);
    envelope
}

/// The issues as `code path`, with the line where it is given.
fn issues(envelope: &Envelope) -> Vec<String> {
    let line = |line: Option<u64>| line.map_or(String::new(), |line| format!(" line {line}"));
    let issues = envelope.issues.listed.iter();
    issues.map(|issue| format!("{} {}{}", issue.code.as_str(), issue.path, line(issue.line))).collect()
}

#[test]
fn takes_the_items_out_of_a_json_body() {
    let cases = [
        ("{}", "{}", None),
        (r#"{"items":[]}"#, "{}", Some("[]")),
        (r#" { "items" : [ 1, "]" ] } "#, "{}", Some(r#"[ 1, "]" ]"#)),
        (
            r#"{"format":"png","items":{"a":[]},"sendEmail":false}"#,
            r#"{"format":"png","sendEmail":false}"#,
            Some(r#"{"a":[]}"#),
        ),
        ("\u{feff}{\"items\":3}\n", "{}", Some("3")),
        (r#"{"it\u0065ms":[0]}"#, "{}", Some("[0]")),
        (r#"{"style":{"items":[1]}}"#, r#"{"style":{"items":[1]}}"#, None),
        (r#"{"style": {"a" : 1 } ,"format":1e5}"#, r#"{"style":{"a" : 1 },"format":1e5}"#, None),
        (r#"{"x":[1,{"y":2}],"a\"b":1,"items":null}"#, r#"{"x":null,"a\"b":null}"#, Some("null")),
        ("[]", "[]", None),
        ("[{\"items\":[]}]", "[]", None),
        ("\"items\"", "\"\"", None),
        ("-1.5", "0", None),
        ("false", "true", None),
        ("null", "null", None),
    ];
    for (body, meta, items) in cases {
        let found = envelope(body, Json);
        assert_eq!(found.meta.as_deref(), Some(meta), "{body}");
        let place = found.items.map(|items| &body[items.start as usize..items.end as usize]);
        assert_eq!(place, items, "{body}");
        assert_eq!(found.issues.count, 0, "{body}");
    }
}

#[test]
fn takes_the_first_line_of_an_ndjson_body() {
    let cases = [
        ("{}", Some("{}"), ""),
        ("{}\n", Some("{}"), ""),
        ("{\"format\":\"svg\"}\r\nrest\r\n\n", Some("{\"format\":\"svg\"}"), "rest\r\n\n"),
        ("\u{feff} {} \n\n[", Some("{}"), "\n["),
        ("{\"items\":[1],\"style\":{}}\n{", Some("{\"items\":null,\"style\":{}}"), "{"),
        ("7\n", Some("0"), ""),
        ("", None, ""),
        ("\n{}\n", None, "{}\n"),
        (" \r\n{}", None, "{}"),
        ("{\n}\n", None, "}\n"),
        ("{} {}\n", None, ""),
    ];
    for (body, meta, items) in cases {
        let found = envelope(body, Ndjson);
        assert_eq!(found.meta.as_deref(), meta, "{body:?}");
        let place = found.items.clone().unwrap();
        assert_eq!(&body[place.start as usize..place.end as usize], items, "{body:?}");
        let expected: &[&str] = if meta.is_some() { &[] } else { &["invalid_json  line 1"] };
        assert_eq!(issues(&found), expected, "{body:?}");
    }
}

#[test]
fn a_first_line_can_be_longer_than_a_block() {
    let body = format!("{{\"style\":\"{}\"}}\nrest", "x".repeat(700_000));
    let found = envelope(&body, Ndjson);
    assert_eq!(found.meta.unwrap().len(), body.len() - 5);
    assert_eq!(found.items, Some(body.len() as u64 - 4..body.len() as u64));
}

#[test]
fn points_at_what_a_parsed_object_does_not_show() {
    let cases: &[(&str, &[&str])] = &[
        (r#"{"format":1,"format":2}"#, &["duplicate_member /format"]),
        (r#"{"items":[],"items":[1]}"#, &["duplicate_member /items"]),
        (r#"{"style":{"logo":{"dataUrl":1,"data\u0055rl":2}}}"#, &["duplicate_member /style/logo/dataUrl"]),
        (r#"{"style":{"caption":{"text":"\ud800"}}}"#, &["invalid_unicode /style/caption/text"]),
        (r#"{"x":{"y":1,"y":"\udc00"}}"#, &["invalid_unicode /x/y", "duplicate_member /x/y"]),
        (r#"[{"y":1,"y":1}]"#, &["duplicate_member /0/y"]),
        (r#"{"items":[{"data":"a","data":"\ud800"}]}"#, &[]),
    ];
    for (body, expected) in cases {
        let found = envelope(body, Json);
        assert_eq!(&issues(&found), expected, "{body}");
        assert!(found.meta.is_some(), "{body}");
    }
    assert_eq!(issues(&envelope("{\"a\":1,\"a\":1}\n", Ndjson)), ["duplicate_member /a line 1"]);
}

#[test]
fn says_where_a_body_stops_being_json_or_text() {
    let cases: &[(&[u8], &str, &str)] = &[
        (b"", "invalid_json ", "expected a value, found the end at line 1, column 1"),
        (b"\xef\xbb\xbf", "invalid_json ", "expected a value, found the end at line 1, column 1"),
        (b"{\n \"items\": [1,\n]}", "invalid_json ", "expected a value, found `]` at line 3, column 1"),
        (b"{\"items\":[]", "invalid_json ", "expected `,` or `}`, found the end at line 1, column 12"),
        (b"{\"a\":\"\xff\"}", "invalid_unicode ", "byte 7 is not UTF-8"),
        (b"{\"a\":\"\xed\xa0\x80\"}", "invalid_unicode ", "byte 7 is not UTF-8"),
        (b"\xef\xbb\xbf\xff", "invalid_unicode ", "byte 4 is not UTF-8"),
        (b"{\"items\":[\"\xc3\"]}", "invalid_unicode ", "byte 12 is not UTF-8"),
    ];
    for (body, code, message) in cases {
        let found = envelope(body, Json);
        assert_eq!((issues(&found), found.meta, found.items), (vec![(*code).to_owned()], None, None));
        assert_eq!(found.issues.listed[0].message, *message);
    }
    let ndjson = envelope(b"{\xff}\n{}", Ndjson);
    assert_eq!((issues(&ndjson), ndjson.meta), (vec!["invalid_unicode  line 1".to_owned()], None));
    assert_eq!(ndjson.items, Some(4..6));
}

#[test]
fn bombs_of_depth_are_no_json() {
    for body in
        ["[".repeat(5_000_000), "{\"a\":".repeat(5_000_000), format!("{{\"items\":{}", "[".repeat(5_000_000))]
    {
        let found = envelope(&body, Json);
        assert_eq!(issues(&found), ["invalid_json "]);
        assert!(found.issues.listed[0].message.starts_with("expected at most 128 levels of nesting"));
    }
}

#[test]
fn hands_over_up_to_8_mb() {
    let body = |characters: usize| format!("{{\"style\":\"{}\"}}", "x".repeat(characters));
    assert_eq!(envelope(body(8_000_000 - 12), Json).meta.unwrap().len(), 8_000_000);
    let found = envelope(body(8_000_000 - 11), Json);
    assert_eq!((issues(&found), found.meta), (vec!["too_long ".to_owned()], None));
}

#[test]
fn lists_100_issues_and_counts_all() {
    let body = format!("{{{}}}", vec!["\"a\":0"; 102].join(","));
    for (body, count) in [(body.clone(), 101), (body.replacen("\"a\":0,", "", 1), 100)] {
        let found = envelope(body, Json);
        assert_eq!((found.issues.listed.len(), found.issues.count), (100, count));
    }
}

#[test]
fn a_missing_body_is_an_io_error() {
    for form in [Json, Ndjson] {
        assert_eq!(read_envelope(Body::File("/nonexistent/body".as_ref()), form).unwrap_err().code(), "io");
    }
}
