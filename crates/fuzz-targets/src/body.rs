//! Bodies of job creation requests, JSON and NDJSON.

use std::collections::HashSet;
use std::path::Path;

use qrpress_batch::{
    Body, BodyForm, IssueCode, Issues, ItemLimits, Names, OutputFormat, RenderStyle, SpoolHeader,
    SpoolReader,
    draw::{ChunkFiles, draw_archive, render_chunk},
    inspect::{Envelope, InspectReport, InspectRequest, RefusalCode, inspect_body, read_envelope},
};
use qrpress_testkit::{TempDir, fonts, item_limits};
use serde::de::IgnoredAny;

use crate::pictures::assert_pictures;

/// Small enough that a short input passes them.
const LIMITS: ItemLimits = ItemLimits { max_items: 20, ..item_limits!(ItemLimits) };

/// Outlines and inspects a JSON body. What is JSON is what `serde_json` reads.
///
/// # Panics
/// When a law is broken.
pub fn json_body(bytes: &[u8]) {
    let (envelope, report) = read(bytes, BodyForm::Json);
    let text = str::from_utf8(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)).ok();
    assert_eq!(text.is_some(), !has(&envelope.issues, IssueCode::InvalidUnicode) || envelope.meta.is_some());
    if let Some(text) = text {
        assert_eq!(
            is_json(text),
            !has(&envelope.issues, IssueCode::InvalidJson),
            "serde_json says otherwise"
        );
    }
    if let Some(report) = report {
        assert!(report.total <= bytes.len() as u64);
    }
}

/// Outlines and inspects an NDJSON body.
///
/// # Panics
/// When a law is broken.
pub fn ndjson_body(bytes: &[u8]) {
    let (envelope, report) = read(bytes, BodyForm::Ndjson);
    let Some(report) = report else { return };
    let Some(items) = envelope.items else { return };
    let lines = bytes[items.start as usize..].split(|&byte| byte == b'\n');
    let is_item = |line: &[u8]| str::from_utf8(line).is_ok_and(is_json);
    let is_blank = |line: &[u8]| line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'));
    let lines: Vec<&[u8]> = lines.filter(|line| !is_blank(line)).collect();
    match report.refusal.as_ref().map(|refusal| refusal.code) {
        Some(RefusalCode::InvalidJsonLine | RefusalCode::TooManyItems) => {}
        _ => assert!(lines.len() as u64 == report.total && lines.into_iter().all(is_item)),
    }
}

/// The envelope of a body and, where there are items, what their inspection says: first with the rules of items alone,
/// then with those of a job, whose spool must then hold what was accepted, and be rendered.
pub(crate) fn read(bytes: &[u8], form: BodyForm) -> (Envelope, Option<InspectReport>) {
    // Large modules, so that data of some hundred bytes passes the cap of pixels.
    let style = RenderStyle { pixels_per_module: 25, ..RenderStyle::default() };
    read_in(bytes, form, &SpoolHeader::new(OutputFormat::Both, style))
}

/// The envelope of a body alone.
pub(crate) fn envelope(bytes: &[u8], form: BodyForm) -> Envelope {
    read_envelope(Body::Bytes(bytes), form).expect("the bytes are there")
}

/// As [`read`], for a job of that format and style.
pub(crate) fn read_in(bytes: &[u8], form: BodyForm, job: &SpoolHeader) -> (Envelope, Option<InspectReport>) {
    let folder = scratch_folder();
    let (body, spool) = (folder.path().join("body"), folder.path().join("spool"));
    std::fs::write(&body, bytes).expect("the scratch folder takes files");
    let envelope = read_envelope(Body::File(&body), form).expect("the file is there");
    assert_eq!(envelope, self::envelope(bytes, form));
    assert_listed(&envelope.issues);
    if let Some(meta) = &envelope.meta {
        assert!(is_json(meta), "{meta}");
    }
    let (Some(_), Some(items)) = (&envelope.meta, envelope.items.clone()) else { return (envelope, None) };

    let inspect = |job, skip_faulty| {
        let request = InspectRequest {
            body: Body::File(&body),
            form,
            items: items.clone(),
            limits: LIMITS,
            fonts: fonts(),
            job,
            spool: Some(&spool),
            chunk_items: 3,
            skip_faulty,
            names: Names::of_form(form),
            time: std::time::Duration::from_secs(600),
        };
        let report = inspect_body(&request).expect("the body is as its envelope was read");
        let in_memory = InspectRequest { body: Body::Bytes(bytes), spool: None, ..request };
        let in_memory = inspect_body(&in_memory).expect("the body is as its envelope was read");
        if report.spool.is_some() {
            assert_eq!(std::fs::read(&spool).expect("a spool"), in_memory.spool_content);
        }
        assert_eq!(report, InspectReport { spool_content: Vec::new(), ..in_memory });
        report
    };
    let rules = inspect(None, false);
    let skipped = inspect(Some(job), true);
    if skipped.refusal.is_none() {
        assert_spool(&spool, &skipped, form, job);
    }
    let report = inspect(Some(job), false);
    if report.refusal.is_none() {
        assert_eq!(report, skipped);
    }
    assert_eq!(rules.total, report.total);
    match (&rules.refusal, &report.refusal) {
        (Some(rules), Some(refusal)) => assert_eq!(rules, refusal),
        (Some(rules), None) => panic!("a job lets pass what the rules refuse: {rules:?}"),
        (None, Some(refusal)) => {
            assert!(matches!(refusal.code, RefusalCode::DataTooLong | RefusalCode::QrTooLarge));
        }
        (None, None) => {}
    }
    if let Some(refusal) = &report.refusal {
        assert_listed(&refusal.issues);
        assert!(!spool.exists());
    } else {
        assert_spool(&spool, &report, form, job);
    }
    (envelope, Some(report))
}

/// The job is as it was; every name is safe, short and the only one of its kind; every record has data, and all of them
/// are rendered.
fn assert_spool(path: &Path, report: &InspectReport, form: BodyForm, job: &SpoolHeader) {
    let spool = report.spool.as_ref().expect("what is accepted has a spool");
    let mut reader = SpoolReader::open(path).expect("the spool is whole");
    assert_eq!(reader.header(), job);
    let mut names = HashSet::new();
    let mut count = 0;
    for chunk in &spool.chunks {
        let mut records = reader.records(chunk).expect("the chunk is whole");
        while let Some(record) = records.next_record().expect("the record is whole") {
            assert!(!record.data.is_empty());
            assert_name(record.name);
            assert!(names.insert(record.name.to_lowercase()), "{} twice", record.name);
            if form == BodyForm::Ndjson {
                assert!(record.name.ends_with(&format!("-{count}")));
            }
            count += 1;
        }
        let (segment, index) = (&path.with_extension("segment"), &path.with_extension("index"));
        let files = ChunkFiles { spool: path, segment, index };
        let rendered = render_chunk(chunk, &files, fonts()).expect("the scratch folder takes files");
        assert!(rendered.completed == chunk.item_count && rendered.failed == 0, "{:?}", rendered.failures);
        let spool = std::fs::read(path).expect("a spool");
        let reader = SpoolReader::of(&spool).expect("the spool is whole");
        let drawn = draw_archive(chunk, reader, usize::MAX, fonts()).expect("the spool is whole");
        let drawn = drawn.expect("every item was rendered");
        assert!(drawn.report == rendered && drawn.segment == std::fs::read(segment).expect("a segment"));
        assert_pictures(&std::fs::read(segment).expect("the segment is there"), &job.style);
    }
    assert_eq!(count, report.total);
}

/// A name that every system can have in a folder.
fn assert_name(name: &str) {
    let refused = |character: char| character.is_control() || "/\\:*?\"<>|".contains(character);
    assert!(!name.is_empty() && name.chars().count() <= 96 && !name.contains(refused), "{name:?}");
    assert!(!name.starts_with(['.', ' ']) && !name.ends_with(['.', ' ']), "{name:?}");
}

fn assert_listed(issues: &Issues) {
    let listed = issues.listed.len() as u64;
    assert!(listed <= 100 && listed <= issues.count && (listed == 100 || listed == issues.count));
    assert!(issues.listed.iter().all(|issue| issue.path.is_empty() || issue.path.starts_with('/')));
}

fn has(issues: &Issues, code: IssueCode) -> bool {
    issues.listed.iter().any(|issue| issue.code == code)
}

/// Returns true if `text` is JSON whose arrays and objects nest at most 128 deep, the limit that the reader sets itself.
fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok() && depth(text) <= 128
}

/// The depth to which arrays and objects nest in a text that is JSON.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest) = (0, 0);
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'[' | b'{' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' => depth -= 1,
            b'"' => {
                while let Some(byte) = bytes.next()
                    && byte != b'"'
                {
                    if byte == b'\\' {
                        bytes.next();
                    }
                }
            }
            _ => {}
        }
    }
    deepest
}

/// A folder in memory where there is such a thing: fuzzers write thousands of files a second.
pub(crate) fn scratch_folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { TempDir::within(memory).expect("it takes folders") } else { TempDir::new() }
}
