//! Every rule of items, on both sides of every bound.

use std::path::PathBuf;
use std::{fs, iter};

use qrpress_batch::Body::{Bytes, File};
use qrpress_batch::BodyForm::{Json, Ndjson};
use qrpress_batch::{
    BatchError, BodyForm, ItemLimits, LogoStyle, Names, OutputFormat, Record, RenderStyle, SpoolHeader,
    SpoolReader,
    inspect::{InspectReport, InspectRequest, LineRun, inspect_body, read_envelope},
    style_issues,
};
use qrpress_symbol::ErrorCorrectionLevel;
use qrpress_testkit::{TempDir, fonts, item_limits};

/// A body in a folder of its own, and how it is looked at.
struct Body {
    folder: TempDir,
    form: BodyForm,
    limits: ItemLimits,
    job: Option<SpoolHeader>,
    skip_faulty: bool,
    names: Names,
}

type Seen = (String, String, Option<String>, Option<String>);

impl Body {
    fn new(form: BodyForm, body: impl AsRef<[u8]>) -> Self {
        let folder = TempDir::new();
        fs::write(folder.path().join("body"), body).unwrap();
        let job = Some(SpoolHeader::new(OutputFormat::Png, RenderStyle::default()));
        let names = Names::of_form(form);
        Self { folder, form, limits: item_limits!(ItemLimits), job, skip_faulty: false, names }
    }

    fn json(items: &str) -> Self {
        Self::new(Json, format!("{{\"items\":{items}}}"))
    }

    fn ndjson(lines: impl AsRef<[u8]>) -> Self {
        Self::new(Ndjson, [b"{}\n", lines.as_ref()].concat())
    }

    fn style(&mut self) -> &mut RenderStyle {
        &mut self.job.as_mut().unwrap().style
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn inspect(&self) -> InspectReport {
        let body = self.path("body");
        let spool = self.path("spool");
        let items = read_envelope(File(&body), self.form).unwrap().items.unwrap();
        let request = InspectRequest {
            body: File(&body),
            form: self.form,
            items,
            limits: self.limits,
            fonts: fonts(),
            job: self.job.as_ref(),
            spool: Some(&spool),
            chunk_items: 2,
            skip_faulty: self.skip_faulty,
            names: self.names,
            time: std::time::Duration::from_secs(600),
        };
        let report = inspect_body(&request).unwrap();
        assert_eq!(report.spool.is_some(), spool.exists());
        let bytes = fs::read(&body).unwrap();
        let in_memory = InspectRequest { body: Bytes(&bytes), spool: None, ..request };
        let in_memory = inspect_body(&in_memory).unwrap();
        assert!(fs::read(&spool).unwrap_or_default() == in_memory.spool_content);
        assert_eq!(report, InspectReport { spool_content: Vec::new(), ..in_memory });
        assert!(report.spool.is_none() || report.refusal.is_none());
        report
    }

    /// The refusal as its code, then `code path` of every issue listed, with the line where it is given.
    fn refusal(&self) -> Vec<String> {
        let Some(refusal) = self.inspect().refusal else { return Vec::new() };
        let line = |line: Option<u64>| line.map_or(String::new(), |line| format!(" line {line}"));
        let head = format!("{}{}", refusal.code.as_str(), line(refusal.line));
        let issues = refusal.issues.listed.iter();
        let issues =
            issues.map(|issue| format!("{} {}{}", issue.code.as_str(), issue.path, line(issue.line)));
        iter::once(head).chain(issues).collect()
    }

    /// The records of the spool.
    fn records(&self) -> Vec<Seen> {
        let report = self.inspect();
        assert_eq!(report.refusal, None);
        let spool = report.spool.unwrap();
        let mut reader = SpoolReader::open(&self.path("spool")).unwrap();
        assert_eq!(Some(reader.header()), self.job.as_ref());
        let mut seen: Vec<Seen> = Vec::new();
        for chunk in &spool.chunks {
            assert_eq!(chunk.first_item, seen.len() as u64);
            let mut records = reader.records(chunk).unwrap();
            while let Some(record) = records.next_record().unwrap() {
                let Record { data, name, caption, reference } = record;
                seen.push((data.into(), name.into(), caption.map(Into::into), reference.map(Into::into)));
            }
        }
        assert_eq!(seen.len() as u64, report.total);
        seen
    }
}

fn seen(data: &str, name: &str, caption: Option<&str>) -> Seen {
    (data.to_owned(), name.to_owned(), caption.map(ToOwned::to_owned), None)
}

#[test]
fn writes_what_the_items_say() {
    let items = [
        r#"{"data":"https://example.com/a"}"#,
        r#"{"filename":"n.png","caption":"","data":"1"}"#,
        r#"{"d\u0061ta":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é😀","caption":"\u0041","filename":"N"}"#,
    ];
    let text = "\"\\/\u{8}\u{c}\n\r\té😀é😀";
    let expected = |names: [&str; 3]| {
        let url = "https://example.com/a";
        vec![seen(url, names[0], None), seen("1", names[1], Some("")), seen(text, names[2], Some("A"))]
    };
    let json = Body::json(&format!("[{}]", items.join(", ")));
    assert_eq!(json.records(), expected(["example.com-a", "n", "N-2"]));
    let ndjson = Body::ndjson(items.join("\n"));
    assert_eq!(ndjson.records(), expected(["example.com-a-0", "n-1", "N-2"]));
}

#[test]
fn lines_end_as_they_like_and_may_be_blank() {
    let expected = [seen("a", "a-0", None), seen("b", "b-1", None)];
    for (body, meta) in [
        ("{\"data\":\"a\"}\n{\"data\":\"b\"}", "{}\n"),
        ("{\"data\":\"a\"}\r\n{\"data\":\"b\"}\r\n", "{}\r\n"),
        ("\n\n \t\r\n {\"data\":\r\"a\"} \r\n\r\n{\"data\":\"b\"}\n\n\r", "\u{feff}{}\n"),
    ] {
        assert_eq!(Body::new(Ndjson, format!("{meta}{body}")).records(), expected, "{body:?}");
    }
    let body = Body::ndjson("\n{\"data\":\"a\"}\r\n\r\n{\"data\":1}\n");
    assert_eq!(body.refusal(), ["invalid_input", "wrong_type /data line 5"]);
}

#[test]
fn every_rule_has_its_code_and_path() {
    let cases: &[(&str, &[&str])] = &[
        (r#"{"data":"a"}"#, &[]),
        ("{}", &["required /data"]),
        (r#"{"filename":"a"}"#, &["required /data"]),
        (r#"{"data":""}"#, &["too_short /data"]),
        (r#"{"data":"a","filename":"","caption":"","reference":"r"}"#, &[]),
        (r#"{"data":"a","reference":""}"#, &["too_short /reference"]),
        (r#"{"data":"a","reference":7}"#, &["wrong_type /reference"]),
        (r#"{"data":null}"#, &["wrong_type /data"]),
        (
            r#"{"data":1,"filename":null,"caption":false}"#,
            &["wrong_type /data", "wrong_type /filename", "wrong_type /caption"],
        ),
        (r#"{"data":["a"]}"#, &["wrong_type /data"]),
        (r#"{"data":{"data":"a"}}"#, &["wrong_type /data"]),
        (r#"{"data":"a","fileName":"b"}"#, &["unknown_member /fileName"]),
        (r#"{"Data":"a"}"#, &["unknown_member /Data", "required /data"]),
        (r#"{"data":"a","":{"data":[]},"a/b~c":[[{}]]}"#, &["unknown_member /", "unknown_member /a~1b~0c"]),
        (r#""a""#, &["wrong_type "]),
        (r#"[{"data":"a"}]"#, &["wrong_type "]),
        ("null", &["wrong_type "]),
        ("1", &["wrong_type "]),
        ("true", &["wrong_type "]),
    ];
    for (item, expected) in cases {
        let kind = if expected.is_empty() { None } else { Some("invalid_input".to_owned()) };
        let place = |issue: &&str| issue.replacen(' ', " /items/1", 1);
        let all: Vec<_> = kind.clone().into_iter().chain(expected.iter().map(place)).collect();
        assert_eq!(Body::json(&format!("[{{\"data\":\"b\"}},{item}]")).refusal(), all, "{item}");
        let place = |issue: &&str| format!("{issue} line 3");
        let all: Vec<_> = kind.into_iter().chain(expected.iter().map(place)).collect();
        assert_eq!(Body::ndjson(format!("{{\"data\":\"b\"}}\n{item}")).refusal(), all, "{item}");
    }
}

#[test]
fn lengths_count_characters() {
    for letter in ["a", "é", "漢", "😀", r"\n", r"\u00e9", r"\ud83d\ude00"] {
        for (member, most) in [("data", 700), ("filename", 120), ("caption", 120), ("reference", 120)] {
            let case = |count: usize| {
                let text = letter.repeat(count);
                let rest = if member == "data" { "" } else { ",\"data\":\"a\"" };
                let mut body = Body::json(&format!("[{{\"{member}\":\"{text}\"{rest}}}]"));
                body.limits.max_data_characters = 700;
                body.style().pixels_per_module = 1;
                body.style().error_correction_level = ErrorCorrectionLevel::Low;
                body.refusal()
            };
            assert_eq!(case(most), [""; 0], "{member} {letter}");
            let too_long = format!("too_long /items/0/{member}");
            assert_eq!(case(most + 1), ["invalid_input", too_long.as_str()], "{member} {letter}");
        }
    }
    let full = |count: usize| {
        let mut body = Body::json(&format!("[{{\"data\":\"{}\"}}]", "a".repeat(count)));
        body.style().error_correction_level = ErrorCorrectionLevel::Low;
        body.refusal()
    };
    assert_eq!(full(2953), [""; 0]);
    assert_eq!(full(2954), ["invalid_input", "too_long /items/0/data"]);
}

#[test]
fn messages_say_what_was_expected_and_found() {
    let cases = [
        ("7", "", "must be an object, not a number"),
        (
            r#""{\"data\":\"a\"}""#,
            "",
            "must be an object, not a string that holds one: the JSON was encoded twice",
        ),
        (r#""a""#, "", "must be an object, not a string"),
        ("{\"data\":null}", "/data", "must be a string, not null"),
        ("{\"data\":[]}", "/data", "must be a string, not an array"),
        ("{\"data\":\"\"}", "/data", "must have at least 1 character"),
        ("{}", "/data", "is required"),
    ];
    for (item, path, expected) in cases {
        let refusal = Body::ndjson(item).inspect().refusal.unwrap();
        assert_eq!(refusal.issues.listed[0].message, expected);
        let place = if path.is_empty() { "line 2".to_owned() } else { format!("line 2, {path}") };
        assert_eq!(refusal.message, format!("The items are not valid: {place}: {expected}"));
    }
    let caption = Body::ndjson(format!("{{\"data\":\"a\",\"caption\":\"{}\"}}", "é".repeat(121))).inspect();
    let message = &caption.refusal.unwrap().issues.listed[0].message;
    assert_eq!(message, "is too long: 121 characters; at most 120 fit");
}

#[test]
fn flaws_of_the_text_are_issues_in_json_and_refuse_a_line_of_ndjson() {
    let cases: &[(&str, &[&str])] = &[
        (r#"{"data":"a","data":"b"}"#, &["duplicate_member /data"]),
        (r#"{"data":"a","\u0064ata":"b"}"#, &["duplicate_member /data"]),
        (r#"{"data":"\ud800"}"#, &["invalid_unicode /data"]),
        (r#"{"data":"a","caption":"\udc00\ud800"}"#, &["invalid_unicode /caption"]),
    ];
    for (item, expected) in cases {
        let place = |issue: &&str| issue.replacen(' ', " /items/1", 1);
        let all: Vec<_> = iter::once("invalid_input".to_owned()).chain(expected.iter().map(place)).collect();
        assert_eq!(Body::json(&format!("[{{\"data\":\"b\"}},{item}]")).refusal(), all, "{item}");
        let place = |issue: &&str| format!("{issue} line 3");
        let head = "invalid_json_line line 3".to_owned();
        let all: Vec<_> = iter::once(head).chain(expected.iter().map(place)).collect();
        assert_eq!(Body::ndjson(format!("{{\"data\":\"b\"}}\n{item}\n[")).refusal(), all, "{item}");
    }
    // Inside of what is refused in any case, too.
    let nested = r#"{"data":"a","x":{"y":1,"y":["\ud800"]}}"#;
    let expected =
        ["invalid_json_line line 2", "invalid_unicode /x/y/0 line 2", "duplicate_member /x/y line 2"];
    assert_eq!(Body::ndjson(nested).refusal(), expected);
    let expected = [
        "invalid_input",
        "unknown_member /items/0/x",
        "invalid_unicode /items/0/x/y/0",
        "duplicate_member /items/0/x/y",
    ];
    assert_eq!(Body::json(&format!("[{nested}]")).refusal(), expected);
    // A name that is no text has a pointer with U+FFFD.
    let expected = ["invalid_json_line line 2", "invalid_unicode /\u{fffd} line 2"];
    assert_eq!(Body::ndjson(r#"{"data":"a","\ud800":1}"#).refusal(), expected);
}

#[test]
fn the_first_bad_line_is_the_one_that_is_named() {
    let cases: &[(&[u8], &str, &str)] = &[
        (
            b"{\"data\":\"a\"}\n{\"data\":\"b\"\n[",
            "invalid_json",
            "expected `,` or `}`, found the end at line 3, column 12",
        ),
        (b"\r\n\n{\"data\":\"b\"} x", "invalid_json", "expected the end, found `x` at line 4, column 14"),
        (
            b"{\"data\":\"\0\"}",
            "invalid_json",
            "expected an escape instead of a control character, found U+0000 at line 2, column 10",
        ),
        (b"\xef\xbb\xbf{}", "invalid_json", "expected a value, found U+FEFF at line 2, column 1"),
        (b"\xc2\xa0", "invalid_json", "expected a value, found U+00A0 at line 2, column 1"),
        (b"{}\n{\"data\":\"\xff\"}", "invalid_unicode", "byte 10 is not UTF-8"),
        (b"\x80", "invalid_unicode", "byte 1 is not UTF-8"),
    ];
    for (lines, code, expected) in cases {
        let refusal = Body::ndjson(lines).inspect().refusal.unwrap();
        let issue = &refusal.issues.listed[0];
        assert_eq!((refusal.code.as_str(), refusal.line), ("invalid_json_line", issue.line));
        assert_eq!((issue.code.as_str(), issue.message.as_str()), (*code, *expected));
        let line = refusal.line.unwrap();
        assert_eq!(refusal.message, format!("Line {line} is not an item: {expected}."));
        assert_eq!((refusal.issues.count, issue.path.as_str()), (1, ""));
    }
}

#[test]
fn the_number_of_items_has_bounds() {
    let item = "{\"data\":\"a\"}";
    let json = |count: usize| {
        let mut body = Body::json(&format!("[{}]", vec![item; count].join(",")));
        body.limits.max_items = 3;
        body
    };
    assert_eq!(json(0).refusal(), ["invalid_input", "too_short /items"]);
    assert_eq!(json(1).refusal(), [""; 0]);
    assert_eq!(json(3).refusal(), [""; 0]);
    assert_eq!(json(4).refusal(), ["invalid_input", "too_long /items"]);
    assert_eq!(json(4).inspect().total, 4);

    let ndjson = |count: usize| {
        let mut body = Body::ndjson(format!("{item}\n\n").repeat(count));
        body.limits.max_items = 3;
        body
    };
    assert_eq!(ndjson(0).refusal(), ["invalid_input", "too_short /items"]);
    assert_eq!(ndjson(1).refusal(), [""; 0]);
    assert_eq!(ndjson(3).refusal(), [""; 0]);
    assert_eq!(ndjson(4).refusal(), ["too_many_items"]);
    let refusal = ndjson(4).inspect().refusal.unwrap();
    assert_eq!(refusal.message, "The job has 4 items; at most 3 are allowed.");
    assert_eq!(Body::new(Ndjson, "{}").refusal(), ["invalid_input", "too_short /items"]);
    assert_eq!(Body::new(Ndjson, "{}\n \r\n").refusal(), ["invalid_input", "too_short /items"]);

    for (items, found) in [("null", "null"), ("{}", "an object"), ("\"[]\"", "a string"), ("3", "a number")] {
        let refusal = Body::json(items).inspect().refusal.unwrap();
        assert_eq!(refusal.issues.listed[0].message, format!("must be an array, not {found}"));
        assert_eq!(Body::json(items).refusal(), ["invalid_input", "wrong_type /items"]);
    }
}

#[test]
fn capacity_is_that_of_the_level() {
    // ISO/IEC 18004, table 7, version 40.
    let levels = [(2953, 7089, 4296), (2331, 5596, 3391), (1663, 3993, 2420), (1273, 3057, 1852)];
    for (level, (bytes, digits, letters)) in ErrorCorrectionLevel::ALL.into_iter().zip(levels) {
        for (unit, most) in [("a", bytes), ("7", digits), ("A", letters)] {
            let case = |count: usize| {
                let mut body = Body::ndjson(format!("{{\"data\":\"{}\"}}", unit.repeat(count)));
                body.limits.max_data_characters = 10_000;
                body.style().error_correction_level = level;
                body.refusal()
            };
            assert_eq!(case(most), [""; 0], "{level:?} {unit}");
            assert_eq!(case(most + 1), ["data_too_long", "data_too_long /data line 2"], "{level:?} {unit}");
        }
    }
    let mut body = Body::json("[{\"data\":\"a\"},{\"data\":\"é\"}]");
    body.limits.max_data_characters = 10_000;
    fs::write(body.path("body"), format!("{{\"items\":[{{\"data\":\"{}\"}}]}}", "é".repeat(1166))).unwrap();
    assert_eq!(body.refusal(), ["data_too_long", "data_too_long /items/0/data"]);
    let refusal = body.inspect().refusal.unwrap();
    let message = &refusal.issues.listed[0].message;
    assert_eq!(refusal.message, format!("The data does not fit into a QR code: /items/0/data: {message}"));
    assert_eq!(message, "is 2,332 bytes; a QR code at level M holds at most 2,331 (byte mode)");
}

#[test]
fn the_pixel_cap_bounds_a_side() {
    // Version 17 at level M: 504 bytes, 85 modules; one byte more takes 89.
    let case = |bytes: usize, pixels_per_module: u8, quiet_zone_modules: u8, max_side_px: u32| {
        let mut body = Body::json(&format!("[{{\"data\":\"{}\"}}]", "a".repeat(bytes)));
        body.style().pixels_per_module = pixels_per_module;
        body.style().quiet_zone_modules = quiet_zone_modules;
        body.limits.max_side_px = max_side_px;
        body.refusal()
    };
    let refused = ["qr_too_large", "qr_too_large /items/0/data"];
    assert_eq!(case(504, 40, 4, 3720), [""; 0]);
    assert_eq!(case(504, 40, 4, 3719), refused);
    assert_eq!(case(505, 40, 4, 3720), refused);
    assert_eq!(case(505, 40, 4, 3880), [""; 0]);
    assert_eq!(case(504, 40, 5, 3720), refused);
    assert_eq!(case(504, 39, 5, 3720), [""; 0]);
    assert_eq!(case(1, 1, 0, 21), [""; 0]);
    assert_eq!(case(1, 1, 0, 20), refused);

    let mut body = Body::json(&format!("[{{\"data\":\"{}\"}}]", "a".repeat(2000)));
    body.style().pixels_per_module = 40;
    let refusal = body.inspect().refusal.unwrap();
    let message = &refusal.issues.listed[0].message;
    assert_eq!(refusal.message, format!("The pictures would be too large: /items/0/data: {message}"));
    assert_eq!(message, "its picture would be 7080 px wide; at most 4096 px are allowed");
}

#[test]
fn a_caption_takes_room_below_the_code() {
    // Version 1 is 290 px; a line is 23 px, between gaps of 4 and 8 px. A bound of three lines is not what decides.
    let case = |job_caption: &str, item: &str, max_side_px: u32| {
        let mut body = Body::json(&format!("[{item}]"));
        body.style().caption.text = job_caption.to_owned();
        body.limits.max_side_px = max_side_px;
        body.refusal()
    };
    let refused = |member: &str| vec!["qr_too_large".to_owned(), format!("qr_too_large /items/0/{member}")];
    let (own, plain) = (r#"{"data":"a","caption":"abc"}"#, r#"{"data":"a"}"#);
    assert_eq!(case("", own, 325), [""; 0]);
    assert_eq!(case("", own, 324), refused("caption"));
    assert_eq!(case("", own, 289), refused("data"));
    assert_eq!(case("abc", plain, 325), [""; 0]);
    assert_eq!(case("abc", plain, 324), refused("data"));
    // An item's own caption takes the place of the job's, and an empty one switches it off.
    assert_eq!(case("a\\nb\\nc", own, 325), [""; 0]);
    assert_eq!(case("abc", r#"{"data":"a","caption":""}"#, 290), [""; 0]);
    // Version 2 has 32 px more in both directions: the caption fits one line where version 1 needs two.
    let wide = format!("{} i", "M".repeat(18));
    assert_eq!(case(&wide, plain, 347), refused("data"));
    assert_eq!(case(&wide, plain, 348), [""; 0]);
    assert_eq!(case(&wide, r#"{"data":"aaaaaaaaaaaaaaaaaaaa"}"#, 365), [""; 0]);

    let mut body = Body::json(&format!("[{own}]"));
    body.style().caption.font_size = 256;
    body.limits.max_side_px = 600;
    let message = &body.inspect().refusal.unwrap().issues.listed[0].message;
    assert_eq!(message, "its picture with the caption would be 1532 px high; at most 600 px are allowed");
}

#[test]
fn captions_hold_what_the_fonts_draw() {
    let body =
        Body::json(r#"[{"data":"a","caption":"東京 \u00e9\n"},{"data":"a","caption":"b\u0007\ue000"},{}]"#);
    let expected = ["invalid_input", "no_glyph /items/1/caption", "required /items/2/data"];
    assert_eq!(body.refusal(), expected);
    let message = &body.inspect().refusal.unwrap().issues.listed[0].message;
    assert_eq!(message, "no font has the character U+0007");
    let body = Body::ndjson("{\"data\":\"a\"}\n{\"data\":\"a\",\"caption\":\"\u{e000}\"}");
    assert_eq!(body.refusal(), ["invalid_input", "no_glyph /caption line 3"]);

    let mut style = RenderStyle::default();
    assert_eq!(style_issues(&style, fonts()), []);
    style.caption.text = "\u{10ffff}".to_owned();
    let issues = style_issues(&style, fonts());
    assert_eq!((issues[0].code.as_str(), issues[0].path.as_str()), ("no_glyph", "/style/caption/text"));
}

#[test]
fn a_logo_is_a_png() {
    // One grey pixel.
    let png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==";
    let issues = |text: &str| {
        let logo = LogoStyle { data_url: format!("data:image/png;base64,{text}"), ratio_millionths: 200_000 };
        style_issues(&RenderStyle { logo: Some(logo), ..RenderStyle::default() }, fonts())
    };
    assert_eq!(issues(png), []);
    for text in ["", "AAAA", "A", &png[..80], &png.replace("AAA", "BAA")] {
        let issues = issues(text);
        assert_eq!(
            (issues[0].code.as_str(), issues[0].path.as_str()),
            ("invalid_logo", "/style/logo/dataUrl")
        );
        assert!(!issues[0].message.is_empty());
    }
}

#[test]
fn the_first_kind_in_the_order_of_checks_decides() {
    let bad_line = "{\"data\"\n";
    let bad_rule = "{}\n";
    let too_long = format!("{{\"data\":\"{}\"}}\n", "a".repeat(2400));
    let too_large = format!("{{\"data\":\"{}\"}}\n", "a".repeat(1500));
    let good = "{\"data\":\"a\"}\n";
    let case = |lines: &[&str], max_items| {
        let mut body = Body::ndjson(lines.concat());
        body.style().pixels_per_module = 40;
        body.limits.max_items = max_items;
        body.refusal()
    };
    let all = [&too_large, &too_long, bad_rule, good, bad_line];
    assert_eq!(case(&all, 3), ["invalid_json_line line 6", "invalid_json  line 6"]);
    assert_eq!(case(&all[..4], 3), ["too_many_items"]);
    assert_eq!(case(&all[..4], 4), ["invalid_input", "required /data line 4"]);
    assert_eq!(case(&all[..2], 4), ["data_too_long", "data_too_long /data line 3"]);
    assert_eq!(case(&all[..1], 4), ["qr_too_large", "qr_too_large /data line 2"]);
    assert_eq!(case(&[good], 4), [""; 0]);
}

#[test]
fn lists_100_issues_and_counts_all() {
    for (count, listed) in [(100, 100), (101, 100)] {
        for item in ["{}".to_owned(), format!("{{\"data\":\"{}\"}}", "a".repeat(2400))] {
            let items = vec![item; count];
            for body in [Body::json(&format!("[{}]", items.join(","))), Body::ndjson(items.join("\n"))] {
                let issues = body.inspect().refusal.unwrap().issues;
                assert_eq!((issues.listed.len(), issues.count), (listed, count as u64));
            }
        }
    }
    // The number of items comes first, even when there is no room left.
    let mut body = Body::json(&format!("[{}]", vec!["{}"; 101].join(",")));
    body.limits.max_items = 100;
    let issues = body.inspect().refusal.unwrap().issues;
    assert_eq!((issues.listed.len(), issues.count, issues.listed[0].path.as_str()), (100, 102, "/items"));
    assert_eq!(issues.listed[99].path, "/items/98/data");
}

#[test]
fn without_a_job_only_the_rules_of_items_are_checked() {
    for (item, expected) in
        [("{}", vec!["invalid_input", "required /data line 2"]), ("{\"data\":\"a\"}", vec![])]
    {
        let mut body = Body::ndjson(item);
        body.job = None;
        assert_eq!(body.refusal(), expected);
        assert_eq!(body.inspect().spool, None);
    }
}

#[test]
fn a_refused_body_leaves_no_spool() {
    let lines = "{\"data\":\"some data to fill the buffers with\"}\n".repeat(10_000);
    assert_eq!(Body::ndjson(lines.clone() + "{}").inspect().spool, None);
    assert_eq!(Body::ndjson(lines + "x").inspect().spool, None);
}

#[test]
fn an_object_with_too_many_members_is_an_issue_of_its_own() {
    let members: Vec<_> = (0..10_001).map(|n| format!("\"{n}\":0")).collect();
    let body = Body::json(&format!("[{{\"data\":{{{}}}}}]", members.join(",")));
    assert_eq!(body.refusal(), ["invalid_input", "wrong_type /items/0/data", "too_long /items/0/data"]);
}

#[test]
fn a_body_that_is_not_the_one_of_the_envelope_is_an_error() {
    let body = Body::json("[{\"data\":\"é\"}]");
    let path = body.path("body");
    for (start, end) in [(9, 99), (99, 100), (10, 9), (8, 22), (9, 19), (9, 23)] {
        let items = start..end;
        let refused = inspect_body(&InspectRequest {
            body: File(&path),
            form: Json,
            items: items.clone(),
            limits: item_limits!(ItemLimits),
            fonts: fonts(),
            job: body.job.as_ref(),
            spool: Some(&body.path("spool")),
            chunk_items: 1,
            skip_faulty: false,
            names: Names::Distinct,
            time: std::time::Duration::from_secs(600),
        });
        assert!(matches!(refused, Err(BatchError::BodyChanged { .. })), "{items:?} {refused:?}");
        assert!(!body.path("spool").exists());
    }
}

#[test]
fn hostile_lines_take_neither_the_stack_nor_the_day() {
    let deep = format!("{{\"data\":{}", "[".repeat(900_000));
    assert_eq!(Body::ndjson(deep).refusal(), ["invalid_json_line line 2", "invalid_json  line 2"]);
    let long = format!("{{\"data\":\"{}\"}}", "\\n".repeat(400_000));
    assert_eq!(Body::ndjson(long).refusal(), ["invalid_input", "too_long /data line 2"]);
    let name = format!("{{\"data\":\"a\",\"{}\":1}}", "n".repeat(900_000));
    assert_eq!(Body::ndjson(name).refusal(), ["invalid_input", "unknown_member  line 2"]);
    let members: Vec<_> = (0..9_000).map(|n| format!("\"{n}\":0")).collect();
    let issues = Body::ndjson(format!("{{{}}}", members.join(","))).inspect().refusal.unwrap().issues;
    assert_eq!((issues.listed.len(), issues.count), (100, 9_001));
    assert_eq!(Body::ndjson("\0".repeat(1_000_000)).refusal()[0], "invalid_json_line line 2");
}

/// Large enough that several threads take a part each.
#[test]
fn a_large_body_is_read_to_its_end() {
    let mut lines: Vec<_> = (0..20_000).map(|index| format!("{{\"data\":\"{index:0500}\"}}")).collect();
    let body = Body::ndjson(lines.join("\n"));
    let report = body.inspect();
    let spool = report.spool.unwrap();
    assert_eq!((report.total, spool.chunks.len()), (20_000, 10_000));
    let mut end = spool.chunks[0].spool_offset;
    for (index, chunk) in spool.chunks.iter().enumerate() {
        assert_eq!((chunk.first_item, chunk.item_count, chunk.spool_offset), (2 * index as u64, 2, end));
        end += chunk.spool_bytes;
    }
    assert_eq!((end, end), (spool.bytes, fs::metadata(body.path("spool")).unwrap().len()));
    for (index, (data, name, ..)) in body.records().iter().enumerate() {
        assert_eq!(*data, lines[index][9..509]);
        assert!(name.ends_with(&format!("-{index}")), "{name}");
    }

    lines[19_998] = "{".to_owned();
    assert_eq!(Body::ndjson(lines.join("\n")).refusal()[0], "invalid_json_line line 20000");
}

#[test]
fn faulty_items_are_left_out() {
    let lines = [
        r#"{"data":"1"}"#,
        r#"{"data":""}"#,
        r#"{"data":"2","x":1}"#,
        "",
        &format!(r#"{{"data":"{}"}}"#, "é".repeat(2_000)),
        r#"{"data":"3"}"#,
        "7",
    ];
    let mut body = Body::ndjson(lines.join("\n"));
    body.skip_faulty = true;
    let report = body.inspect();
    assert_eq!((report.total, report.skipped, report.faults.count), (2, 4, 4));
    assert_eq!(report.refusal, None);
    let lines: Vec<_> = report.faults.listed.iter().map(|issue| issue.line.unwrap()).collect();
    assert_eq!(lines, [3, 4, 6, 8]);
    let names: Vec<_> = body.records().into_iter().map(|(data, name, ..)| (data, name)).collect();
    assert_eq!(names, [("1".to_owned(), "1-0".to_owned()), ("3".to_owned(), "3-1".to_owned())]);
}

#[test]
fn a_body_whose_items_are_all_faulty_is_refused() {
    let mut body = Body::ndjson("{}\n7");
    body.skip_faulty = true;
    let refusal = body.inspect().refusal.unwrap();
    assert_eq!((refusal.code.as_str(), refusal.issues.count), ("invalid_input", 2));
    assert_eq!(refusal.issues.listed[0].line, Some(2));
}

#[test]
fn items_that_are_left_out_count_for_the_limit() {
    let mut body = Body::ndjson("{\"data\":\"1\"}\n{}\n{\"data\":\"2\"}");
    body.skip_faulty = true;
    body.limits.max_items = 2;
    assert_eq!(body.inspect().refusal.unwrap().code.as_str(), "too_many_items");
    body.limits.max_items = 3;
    assert_eq!(body.inspect().total, 2);

    let mut body = Body::json(r#"[{"data":"1"},{},{"data":"2"}]"#);
    body.skip_faulty = true;
    body.limits.max_items = 2;
    assert_eq!(body.refusal(), ["invalid_input", "too_long /items"]);
    body.limits.max_items = 3;
    assert_eq!(body.inspect().total, 2);
}

#[test]
fn faults_are_listed_up_to_a_bound() {
    let mut body = Body::ndjson("{}\n".repeat(1_000) + "{\"data\":\"1\"}");
    body.skip_faulty = true;
    let report = body.inspect();
    assert_eq!((report.total, report.skipped, report.faults.count), (1, 1_000, 1_000));
    assert_eq!(report.faults.listed.len(), body.limits.max_issues);
}

#[test]
fn names_may_be_told_apart_as_those_of_json() {
    let mut body = Body::ndjson(
        r#"{"data":"1","filename":"A"}
{"data":"2","filename":"b"}
{"data":"3","filename":"a"}"#,
    );
    body.names = Names::Distinct;
    assert!(body.inspect().refusal.is_none());
    let names: Vec<_> = body.records().into_iter().map(|(_, name, ..)| name).collect();
    assert_eq!(names, ["A", "b", "a-2"]);
}

#[test]
fn lines_and_sizes_are_told_of_a_list() {
    let mut body = Body::ndjson("\n{\"data\":\"1\"}\n{\"data\":\"2\"}\n{}\n \r\n{\"data\":\"3\"}");
    body.skip_faulty = true;
    assert_eq!((body.inspect().lines, body.inspect().sides), (Vec::new(), None));
    body.names = Names::Distinct;
    assert_eq!(body.inspect().lines, [LineRun { first: 3, count: 2 }, LineRun { first: 7, count: 1 }]);
    assert_eq!(body.inspect().sides, Some([21, 21]));
}

#[test]
fn runs_of_lines_are_bounded() {
    let mut body = Body::ndjson("{\"data\":\"1\"}\n\n".repeat(1_001) + "{\"data\":\"1\"}\n{\"data\":\"1\"}");
    body.names = Names::Distinct;
    let report = body.inspect();
    assert_eq!((report.total, report.lines.len()), (1_003, 1_000));
    assert_eq!(report.lines[999], LineRun { first: 2_000, count: 1 });
}
