//! Finds the small part of a body, which the host checks, and the place of its items, which it never sees.

use std::ops::Range;

use qrpress_json::{Cursor, JsonError, Origin, Scratch, Token};

use crate::body::{BLOCK_BYTES, BYTE_ORDER_MARK};
use crate::issue::{Issue, IssueCode, Issues};
use crate::ndjson::{LineError, NdjsonLines};
use crate::{BatchError, Body, BodyForm};

/// Issues that an envelope lists.
const MAX_ISSUES: usize = 100;
/// The largest small part that is handed over. The largest valid one is 3.1 MB: a logo of which every character is
/// written as an escape.
const MAX_META_BYTES: usize = 8_000_000;
/// The members whose values the host looks at. That of any other is refused without a look.
const META_MEMBERS: [&str; 5] = ["format", "style", "sendEmail", "name", "verify"];

/// The parts of a body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Envelope {
    /// JSON text of the top-level object without `items` (JSON), or of line 1 (NDJSON); the values of unknown members
    /// are replaced by `null`, and so is the content of a root that is no object. Absent when it is not UTF-8, not
    /// JSON, or larger than 8 MB.
    pub meta: Option<String>,
    /// Bytes of the value of `items`, if there is one (JSON), or of all that follows line 1 (NDJSON).
    pub items: Option<Range<u64>>,
    /// The reason why there is no `meta`, or members of its text that a parsed object doesn't show: duplicate members, and
    /// surrogates without their other half. At most 100 are listed.
    pub issues: Issues,
}

/// Reads the envelope of a body. A JSON body is read as a whole, of NDJSON only line 1.
///
/// # Errors
/// [`BatchError::Io`] when it cannot be read.
pub fn read_envelope(body: Body<'_>, form: BodyForm) -> Result<Envelope, BatchError> {
    match form {
        BodyForm::Json => Ok(envelope_of(&body.content()?, form)),
        BodyForm::Ndjson => {
            let (reader, end) = body.open()?;
            let mut lines = NdjsonLines::new(reader, body.block_bytes(BLOCK_BYTES, end), MAX_META_BYTES);
            let mut envelope = match lines.next_line() {
                Ok(line) => envelope_of(line.unwrap_or_default(), form),
                Err(LineError::Io(error)) => return Err(body.io()(error)),
                Err(LineError::TooLong) => {
                    let message = format!("line 1 must have at most {MAX_META_BYTES} bytes");
                    return Ok(refused(form, IssueCode::TooLong, message));
                }
            };
            envelope.items = Some(lines.consumed()..end);
            Ok(envelope)
        }
    }
}

fn envelope_of(bytes: &[u8], form: BodyForm) -> Envelope {
    let line = line_of(form);
    let refused = |code, message| refused(form, code, message);
    let (mark, bytes) = match bytes.strip_prefix(BYTE_ORDER_MARK) {
        Some(rest) => (BYTE_ORDER_MARK.len() as u64, rest),
        None => (0, bytes),
    };
    let text = match str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let message = format!("byte {} is not UTF-8", mark + error.valid_up_to() as u64 + 1);
            return refused(IssueCode::InvalidUnicode, message);
        }
    };
    let mut scratch = Scratch::default();
    let mut cursor = Cursor::new(text, Origin { root: "", line, max_flaws: MAX_ISSUES }, &mut scratch);
    match read_root(&mut cursor, text, form) {
        Err(error) => refused(IssueCode::InvalidJson, error.describe(text, 1)),
        Ok((meta, _)) if meta.len() > MAX_META_BYTES => {
            let message =
                format!("must have at most {MAX_META_BYTES} bytes beside the items, not {}", meta.len());
            refused(IssueCode::TooLong, message)
        }
        Ok((meta, items)) => Envelope {
            meta: Some(meta),
            items: items.map(|items| items.start + mark..items.end + mark),
            issues: cursor.take_flaws().into(),
        },
    }
}

/// The envelope of a body that has none.
fn refused(form: BodyForm, code: IssueCode, message: String) -> Envelope {
    let listed = vec![Issue { path: String::new(), code, message, line: line_of(form) }];
    Envelope { issues: Issues { listed, count: 1 }, ..Envelope::default() }
}

/// The number of the line that is the envelope.
fn line_of(form: BodyForm) -> Option<u64> {
    (form == BodyForm::Ndjson).then_some(1)
}

/// Reads the whole text, and gives what the host is to see of it and the place of the items.
fn read_root(
    cursor: &mut Cursor<'_, '_>,
    text: &str,
    form: BodyForm,
) -> Result<(String, Option<Range<u64>>), JsonError> {
    let mut items = None;
    let root = cursor.next_token()?;
    let meta = if let Token::Object = root {
        let mut meta = String::from("{");
        while let Token::Name(name) = cursor.next_token()? {
            let start = cursor.token_start();
            if form == BodyForm::Json && name.is("items") {
                cursor.skip_unchecked()?;
                items.get_or_insert(start as u64..cursor.position() as u64);
                continue;
            }
            let value = cursor.next_token()?;
            cursor.skip(value)?;
            let is_read = META_MEMBERS.iter().any(|member| name.is(member));
            let value = if is_read { &text[start..cursor.position()] } else { "null" };
            let comma = if meta.len() > 1 { "," } else { "" };
            meta.extend([comma, "\"", name.raw, "\":", value]);
        }
        meta + "}"
    } else {
        cursor.skip(root)?;
        match root {
            Token::Array => "[]",
            Token::String(_) => r#""""#,
            Token::Number(_) => "0",
            Token::True | Token::False => "true",
            _ => "null",
        }
        .to_owned()
    };
    cursor.next_token()?;
    Ok((meta, items))
}
