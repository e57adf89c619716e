//! The style in a job's small part: both forms of bodies hand the same JSON text to the host, whose schema reads it.

use qrpress_batch::BodyForm;
use serde_json::Value;

use crate::body::envelope;

/// Writes JSON text where both forms of bodies have their style, and reads it back.
///
/// # Panics
/// When a law is broken.
pub fn style(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let item = r#"{"data":"https://example.com/7"}"#;
    let json = style_of(format!(r#"{{"style":{text},"items":[{item}]}}"#).as_bytes(), BodyForm::Json);
    if !text.contains('\n') {
        // A text that closes the object does so in both forms.
        let ndjson = format!(r#"{{"style":{text},"items":[]}}"#);
        assert_eq!(json, style_of(ndjson.as_bytes(), BodyForm::Ndjson), "the forms differ");
    }
    if let (Some(read), Ok(written)) = (json, serde_json::from_str::<Value>(text)) {
        assert_eq!(read, written, "the style is another one");
    }
}

/// The style that the host sees, when the engine accepts the small part.
fn style_of(body: &[u8], form: BodyForm) -> Option<Value> {
    let envelope = envelope(body, form);
    let meta = envelope.meta.filter(|_| envelope.issues.count == 0)?;
    // A number out of range is refused here, and by the schema there.
    serde_json::from_str::<Value>(&meta).ok()?.get("style").cloned()
}
