//! File names as clients write them.

use qrpress_batch::BodyForm;
use serde_json::json;

use crate::body::read;

/// Names an item after each line, in both forms of bodies; that the names are safe and unique is checked with the spool.
///
/// # Panics
/// When a law is broken.
pub fn names(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let short = |line: &str| line.chars().take(120).collect::<String>();
    let items: Vec<_> = text
        .split('\n')
        .take(20)
        .enumerate()
        .map(|(index, line)| match index % 3 {
            // A name that is derived from the data.
            2 => json!({ "data": format!("https://{}", short(line)) }),
            _ => json!({ "data": "x", "filename": short(line) }),
        })
        .collect();
    let lines: Vec<String> = items.iter().map(ToString::to_string).collect();
    for (form, body) in [
        (BodyForm::Json, json!({ "items": items }).to_string()),
        (BodyForm::Ndjson, format!("{{}}\n{}", lines.join("\n"))),
    ] {
        let (_, report) = read(body.as_bytes(), form);
        let report = report.expect("there are items");
        assert!(report.refusal.is_none(), "{:?}", report.refusal);
    }
}
