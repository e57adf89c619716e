//! Both forms of a body, every size of block and every number of parts give the same records.

use std::fs;
use std::time::Duration;

use proptest::prelude::*;
use qrpress_symbol::ErrorCorrectionLevel;
use qrpress_testkit::fonts;

use super::*;
use crate::{
    Body, BodyForm, Colour, IssueCode, ItemLimits, Names, OutputFormat, RenderStyle, SpoolHeader,
    SpoolReader, inspect::read_envelope,
};

const LIMITS: ItemLimits = ItemLimits {
    max_items: 9,
    max_data_characters: 12,
    max_filename_characters: 8,
    max_caption_characters: 8,
    max_reference_characters: 8,
    max_archive_name_characters: 100,
    max_side_px: 4096,
    max_issues: 5,
};

/// The report and the records of a body whose items are those.
fn inspect(
    form: BodyForm,
    items: &[String],
    line_end: &str,
    block_bytes: usize,
    parts: usize,
    skip_faulty: bool,
) -> (InspectReport, Vec<String>) {
    let folder = qrpress_testkit::TempDir::new();
    let (body, spool) = (folder.path().join("body"), folder.path().join("spool"));
    let text = match form {
        BodyForm::Json => format!("{{\"items\":[{}]}}", items.join(",")),
        BodyForm::Ndjson => format!("{{}}{line_end}{}", items.join(line_end)),
    };
    fs::write(&body, text).unwrap();
    let style = RenderStyle {
        error_correction_level: ErrorCorrectionLevel::Low,
        pixels_per_module: 1,
        quiet_zone_modules: 0,
        foreground: Colour::Transparent,
        ..RenderStyle::default()
    };
    let request = InspectRequest {
        body: Body::File(&body),
        form,
        items: read_envelope(Body::File(&body), form).unwrap().items.unwrap(),
        limits: LIMITS,
        fonts: fonts(),
        job: Some(&SpoolHeader::new(OutputFormat::Svg, style)),
        spool: Some(&spool),
        chunk_items: 2,
        skip_faulty,
        names: Names::of_form(form),
        time: Duration::from_secs(600),
    };
    let report = inspect_in_blocks(&request, block_bytes, parts).unwrap();
    let mut records = Vec::new();
    if let Some(written) = &report.spool {
        let mut reader = SpoolReader::open(&spool).unwrap();
        for chunk in &written.chunks {
            let mut chunk = reader.records(chunk).unwrap();
            while let Some(record) = chunk.next_record().unwrap() {
                records.push(format!("{record:?}"));
            }
        }
    }
    (report, records)
}

fn item() -> impl Strategy<Value = String> {
    prop_oneof![
        9 => (1..1000_u32, "[a-zé\u{1f600}]{1,4}").prop_map(|(n, name)| {
            format!("{{\"data\": \"{n}\", \"filename\":\"{name}{n}\", \"caption\" :\"\\u00e9\"}}")
        }),
        1 => prop::sample::select(vec!["{}", "7", "{\"data\":\"\"}", "{\"data\":\"1\",\"x\":{}}"]).prop_map(Into::into),
    ]
}

proptest! {
    #[test]
    fn blocks_and_parts_end_anywhere(
        items in prop::collection::vec(item(), 0..11),
        breaks in prop::option::of(prop::sample::select(vec!["{", "\u{e9}", "{\"data\":\"1\",\"data\":\"2\"}"])),
        line_end in prop::sample::select(vec!["\n", "\r\n", "\n\r\n \n"]),
        block_bytes in 1..70_usize,
        parts in 1..6_usize,
        skip_faulty in any::<bool>(),
    ) {
        let items: Vec<_> = items.into_iter().chain(breaks.map(Into::into)).collect();
        let whole = inspect(BodyForm::Ndjson, &items, line_end, BLOCK_BYTES, 1, skip_faulty);
        prop_assert_eq!(inspect(BodyForm::Ndjson, &items, line_end, block_bytes, parts, skip_faulty), whole);
    }

    #[test]
    fn both_forms_give_the_same_records(items in prop::collection::vec(item(), 0..11)) {
        let (json, json_records) = inspect(BodyForm::Json, &items, "", 1, 2, false);
        let (ndjson, ndjson_records) = inspect(BodyForm::Ndjson, &items, "\n", BLOCK_BYTES, 1, false);
        prop_assert_eq!(json.total, ndjson.total);
        let (json, ndjson) = match (json.refusal, ndjson.refusal) {
            (None, None) => {
                // The names differ by their suffix alone.
                let plain = |(index, record): (usize, &String)| record.replace(&format!("-{index}\""), "\"");
                let bare: Vec<_> = ndjson_records.iter().enumerate().map(plain).collect();
                let unique: std::collections::HashSet<_> = items.iter().collect();
                prop_assert!(bare == json_records || unique.len() < items.len());
                prop_assert_eq!(bare.len(), json_records.len());
                return Ok(());
            }
            (Some(json), Some(ndjson)) => (json, ndjson),
            other => return Err(TestCaseError::fail(format!("{other:?}"))),
        };
        if items.len() as u64 > LIMITS.max_items {
            prop_assert_eq!(json.issues.listed[0].code, IssueCode::TooLong);
            prop_assert_eq!(ndjson.code, RefusalCode::TooManyItems);
            return Ok(());
        }
        prop_assert_eq!(json.code, ndjson.code);
        prop_assert_eq!(json.issues.count, ndjson.issues.count);
        for (json, ndjson) in json.issues.listed.iter().zip(&ndjson.issues.listed) {
            let path = ndjson.line.map_or(ndjson.path.clone(), |line| format!("/items/{}{}", line - 2, ndjson.path));
            prop_assert_eq!((&json.path, json.code, &json.message), (&path, ndjson.code, &ndjson.message));
        }
    }
}
