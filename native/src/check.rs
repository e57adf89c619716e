//! The calls that check a received body, and turn it into a spool.

use std::fs;
use std::path::Path;
use std::time::Duration;

use napi::Error;
use napi::bindgen_prelude::Uint8Array;
use napi_derive::napi;
use qrpress_batch::{BatchError, Body, ItemLimits, Names, SpoolHeader, inspect::InspectRequest};

use crate::chunk_range::ChunkRange;
use crate::error::{Result, guard};
use crate::fonts::fonts;
use crate::number::{from_js, to_js};
use crate::small_job::{DrawnJob, SmallJob, draw};

/// The form of a body: one JSON document, or a line of JSON per object.
#[napi(string_enum = "lowercase")]
pub enum BodyForm {
    Json,
    Ndjson,
}

/// A received body.
#[napi(object, object_to_js = false)]
pub struct ReadEnvelopeRequest {
    /// The body's file.
    pub body_path: String,
    /// The body, where it is in memory. Then there is no file.
    pub body: Option<Uint8Array>,
    /// The body's form.
    pub form: BodyForm,
}

/// The parts of a body.
#[napi(object, object_from_js = false)]
pub struct BodyEnvelope {
    /// JSON text of the top-level object without `items` (JSON) or of line 1 (NDJSON), in which the value of an
    /// unknown member is `null`. Absent when it is not UTF-8, not JSON, or larger than any valid one.
    pub meta: Option<String>,
    /// Place of the value of `items`, absent when there is none (JSON), or of all that follows line 1 (NDJSON).
    pub items: Option<ByteRange>,
    /// The reason why there is no `meta`, or members of its text that the parsed value doesn't show. At most 100.
    pub issues: Vec<Issue>,
    /// Number of all issues.
    pub issue_count: i64,
}

/// A part of a file.
#[napi(object)]
pub struct ByteRange {
    /// The first byte, from 0.
    pub start: i64,
    /// The byte after the last one.
    pub end: i64,
}

/// One thing that is wrong with a body.
#[napi(object, object_from_js = false)]
pub struct Issue {
    /// JSON Pointer (RFC 6901) from the root of a JSON body or of an NDJSON line.
    pub path: String,
    /// The code of the fault.
    pub code: String,
    /// A sentence for people: the expected and the found.
    pub message: String,
    /// The line of an NDJSON body, from 1.
    pub line: Option<i64>,
}

/// Items to be checked.
#[napi(object, object_to_js = false)]
pub struct InspectBodyRequest {
    /// The body's file.
    pub body_path: String,
    /// The body, where it is in memory. Then there is no file.
    pub body: Option<Uint8Array>,
    /// The body's form.
    pub form: BodyForm,
    /// The place of its items, as its envelope says.
    pub items: ByteRange,
    /// The limits that hold.
    pub limits: InspectLimits,
    /// Format and style as JSON in the contract's words, which the items share. Without them only the rules of items are
    /// checked, and no spool is written.
    pub settings: Option<String>,
    /// Path of the spool to write. A file that exists is replaced, and removed when the body is refused. Absent: the spool of
    /// a body in memory is not written.
    pub spool_path: Option<String>,
    /// Draws a job that is so small. The spool of one whose body is in memory is not written then.
    pub draw: Option<SmallJob>,
    /// Items of a chunk; the last one may have fewer.
    pub chunk_items: i64,
    /// Items with a fault are left out, and the others are a job.
    pub skip_faulty: Option<bool>,
    /// Only a name that is in use gets a suffix, whatever the form of the body.
    pub distinct_names: Option<bool>,
    /// Milliseconds that the check may take.
    pub time_ms: i64,
}

/// Limits on items.
#[allow(clippy::struct_field_names, reason = "each is a maximum, whatever else it may be")]
#[napi(object, object_to_js = false)]
pub struct InspectLimits {
    /// Items of a job.
    pub max_items: i64,
    /// Characters (code points) of an item's data.
    pub max_data_characters: i64,
    /// Characters of an item's file name as the client writes it.
    pub max_filename_characters: i64,
    /// Characters of an item's caption.
    pub max_caption_characters: i64,
    /// Characters of an item's reference.
    pub max_reference_characters: i64,
    /// Characters of an entry's name in the archive, its extension included.
    pub max_archive_name_characters: i64,
    /// Pixels on a side of a picture.
    pub max_side_px: u32,
    /// Issues that a report lists.
    pub max_issues: i64,
}

/// The report of a body's items. A body that is not refused has a spool, if a job was given.
#[napi(object, object_from_js = false)]
pub struct InspectBodyReport {
    /// Items that were seen, without those that were left out.
    pub total: i64,
    /// Items that were left out.
    pub skipped: i64,
    /// The first of their faults.
    pub faults: Vec<Issue>,
    /// Number of all of them.
    pub fault_count: i64,
    /// The lines of the items of a person's list, in order: of an NDJSON body with distinct names. Lines behind the last of many
    /// runs are not known.
    pub lines: Vec<LineRun>,
    /// The reason why the body is refused.
    pub refusal: Option<BodyRefusal>,
    /// The spool, which the caller has to sync.
    pub spool: Option<Spool>,
    /// The archive and the spool, if the job was drawn.
    pub drawn: Option<DrawnJob>,
    /// Warnings about a body that is not refused.
    pub warnings: Vec<Warning>,
    /// The sides of the symbols of a body that is not refused: of a person's list, or where the job's style says how large
    /// modules are printed.
    pub sides: Option<SymbolSides>,
    /// The codes of a person's list in which the logo does not look whole, and that the warnings do not name.
    pub cut_logo: Option<CutLogo>,
    /// The actions of phones on the codes of a person's list that is not refused.
    pub actions: Vec<ActionCount>,
}

/// The codes of a list on which phones have the same action.
#[napi(object, object_from_js = false)]
pub struct ActionCount {
    /// The action.
    #[napi(
        ts_type = "'web_page' | 'search' | 'network' | 'call' | 'message' | 'mail' | 'contact' | 'event' | 'place' | 'payment' | 'app' | 'text'"
    )]
    pub action: String,
    /// Number of these codes, 1 or more.
    pub items: i64,
    /// Indices of the first hundred of them.
    pub listed: Vec<i64>,
}

/// Codes in which the logo does not look whole.
#[napi(object, object_from_js = false)]
pub struct CutLogo {
    /// One or two sentences for people.
    pub message: String,
    /// Number of these codes.
    pub items: i64,
    /// Index of the first of them in the job, from 0.
    pub first: i64,
    /// Indices of the first hundred of them.
    pub listed: Vec<i64>,
}

/// Lines of an NDJSON body that follow one another, each an item.
#[napi(object)]
pub struct LineRun {
    /// The first line, from 1.
    pub first: i64,
    /// The number of lines.
    pub count: i64,
}

/// Modules on a side of a job's symbols.
#[napi(object, object_from_js = false)]
pub struct SymbolSides {
    /// The side of the smallest.
    pub least: u32,
    /// The side of the largest.
    pub most: u32,
}

/// A warning about some items.
#[napi(object, object_from_js = false)]
pub struct Warning {
    /// The kind.
    #[napi(
        ts_type = "'logo_covers_too_much' | 'low_contrast' | 'light_on_dark' | 'low_contrast_in_red_light' | 'small_quiet_zone' | 'small_modules' | 'small_caption' | 'duplicate_data' | 'suspicious_data' | 'ambiguous_charset' | 'gs1_check_digit' | 'gs1_syntax' | 'gs1_module_size'"
    )]
    pub code: String,
    /// One or two sentences for people.
    pub message: String,
    /// Number of items that it concerns.
    pub items: i64,
    /// Index of the first of them in the job, from 0.
    pub first: i64,
    /// Indices of the first hundred of them. Empty where it concerns all items.
    pub listed: Vec<i64>,
}

/// The first kind of things, in the order of checks, that a body is refused for.
#[napi(object, object_from_js = false)]
pub struct BodyRefusal {
    /// The code by which clients know it.
    #[napi(
        ts_type = "'invalid_json_line' | 'too_many_items' | 'invalid_input' | 'data_too_long' | 'qr_too_large'"
    )]
    pub code: String,
    /// The line that the message is about, from 1.
    pub line: Option<i64>,
    /// The fault, in a sentence for people.
    pub message: String,
    /// The first of these things, place by place.
    pub issues: Vec<Issue>,
    /// Number of all of them.
    pub issue_count: i64,
}

/// A job's items in the form that chunks are rendered from.
#[napi(object, object_from_js = false)]
pub struct Spool {
    /// Length of the file.
    pub bytes: i64,
    /// The chunks in item order, without gaps.
    pub chunks: Vec<ChunkRange>,
}

/// Finds the small part of a body and the place of its items. Of NDJSON only line 1 is read.
///
/// Throws `io` or `panic`.
#[napi(catch_unwind)]
pub fn read_envelope(request: ReadEnvelopeRequest) -> Result<BodyEnvelope> {
    let body = body_of(request.body.as_deref(), &request.body_path);
    let envelope = guard(|| qrpress_batch::inspect::read_envelope(body, request.form.into()))?;
    Ok(BodyEnvelope {
        meta: envelope.meta,
        items: envelope.items.map(|range| ByteRange { start: to_js(range.start), end: to_js(range.end) }),
        issue_count: to_js(envelope.issues.count),
        issues: envelope.issues.listed.into_iter().map(Issue::from).collect(),
    })
}

/// Finds the faults of settings whose members follow their rules: a logo that is no PNG, a caption without glyphs.
///
/// Throws `fonts`, `invalid_argument` or `panic`.
#[napi(catch_unwind)]
pub fn check_style(settings: String) -> Result<Vec<Issue>> {
    let (SpoolHeader { style, .. }, fonts) = (read_settings(&settings)?, fonts()?);
    let issues = guard(|| Ok(qrpress_batch::style_issues(&style, &fonts)))?;
    Ok(issues.into_iter().map(Issue::from).collect())
}

fn read_settings(settings: &str) -> Result<SpoolHeader> {
    SpoolHeader::from_json(settings).map_err(|fault| Error::new("invalid_argument", fault))
}

fn body_of<'a>(bytes: Option<&'a [u8]>, path: &'a str) -> Body<'a> {
    bytes.map_or_else(|| Body::File(Path::new(path)), Body::Bytes)
}

/// Checks every item of a body, and writes its spool, or draws it, when nothing is wrong.
///
/// Throws `io`, `body_changed`, `cancelled`, `out_of_time`, `fonts`, `invalid_argument` or `panic`; then there is no spool.
#[napi(catch_unwind)]
pub fn inspect_body(request: InspectBodyRequest) -> Result<InspectBodyReport> {
    let limits = &request.limits;
    let job = request.settings.as_deref().map(read_settings).transpose()?;
    let fonts = fonts()?;
    let form = request.form.into();
    let names = match request.distinct_names {
        Some(true) => Names::Distinct,
        _ => Names::of_form(form),
    };
    let path = request.spool_path.as_deref().map(Path::new);
    let body = body_of(request.body.as_deref(), &request.body_path);
    if let (Body::File(_), None) = (body, path) {
        return Err(Error::new("invalid_argument", "the spool of a body in a file needs a path".to_owned()));
    }
    let inspection = InspectRequest {
        body,
        form,
        items: from_js(request.items.start)?..from_js(request.items.end)?,
        limits: ItemLimits {
            max_items: from_js(limits.max_items)?,
            max_data_characters: from_js(limits.max_data_characters)? as usize,
            max_filename_characters: from_js(limits.max_filename_characters)? as usize,
            max_caption_characters: from_js(limits.max_caption_characters)? as usize,
            max_reference_characters: from_js(limits.max_reference_characters)? as usize,
            max_archive_name_characters: from_js(limits.max_archive_name_characters)? as usize,
            max_side_px: limits.max_side_px,
            max_issues: from_js(limits.max_issues)? as usize,
        },
        fonts: &fonts,
        job: job.as_ref(),
        spool: path.filter(|_| matches!(body, Body::File(_))),
        chunk_items: from_js(request.chunk_items)?,
        skip_faulty: request.skip_faulty.unwrap_or_default(),
        names,
        time: Duration::from_millis(from_js(request.time_ms)?),
    };
    let report = guard(|| qrpress_batch::inspect::inspect_body(&inspection))?;
    let small = request.draw.zip(report.spool.as_ref());
    let drawn = match small {
        Some((most, spool)) => draw(&most, spool, &report.spool_content, inspection.spool, &fonts)?,
        None => None,
    };
    if let (Some(path), None, false) = (path, &drawn, report.spool_content.is_empty()) {
        guard(|| write_new(path, &report.spool_content))?;
    }
    Ok(InspectBodyReport {
        total: to_js(report.total),
        skipped: to_js(report.skipped),
        fault_count: to_js(report.faults.count),
        faults: report.faults.listed.into_iter().map(Issue::from).collect(),
        lines: report
            .lines
            .into_iter()
            .map(|run| LineRun { first: to_js(run.first), count: to_js(run.count) })
            .collect(),
        refusal: report.refusal.map(BodyRefusal::from),
        spool: report.spool.map(Spool::from),
        drawn,
        warnings: report.warnings.into_iter().map(Warning::from).collect(),
        sides: report.sides.map(|[least, most]| SymbolSides { least, most }),
        cut_logo: report.cut_logo.map(CutLogo::from),
        actions: report.actions.into_iter().map(ActionCount::from).collect(),
    })
}

fn write_new(path: &Path, content: &[u8]) -> std::result::Result<(), BatchError> {
    fs::write(path, content).map_err(|source| BatchError::Io { path: path.to_owned(), source })
}

impl From<BodyForm> for qrpress_batch::BodyForm {
    fn from(form: BodyForm) -> Self {
        match form {
            BodyForm::Json => Self::Json,
            BodyForm::Ndjson => Self::Ndjson,
        }
    }
}

impl From<qrpress_batch::Issue> for Issue {
    fn from(issue: qrpress_batch::Issue) -> Self {
        let code = issue.code.as_str().to_owned();
        Self { path: issue.path, code, message: issue.message, line: issue.line.map(to_js) }
    }
}

impl From<qrpress_batch::Warning> for Warning {
    fn from(warning: qrpress_batch::Warning) -> Self {
        Self {
            code: warning.code.as_str().to_owned(),
            message: warning.message,
            items: to_js(warning.items),
            first: to_js(warning.first),
            listed: warning.listed.into_iter().map(to_js).collect(),
        }
    }
}

impl From<qrpress_batch::ActionCount> for ActionCount {
    fn from(count: qrpress_batch::ActionCount) -> Self {
        Self {
            action: count.action.as_str().to_owned(),
            items: to_js(count.items),
            listed: count.listed.into_iter().map(to_js).collect(),
        }
    }
}

impl From<qrpress_batch::CutLogo> for CutLogo {
    fn from(cut: qrpress_batch::CutLogo) -> Self {
        let listed: Vec<i64> = cut.listed.into_iter().map(to_js).collect();
        Self {
            message: cut.message,
            items: to_js(cut.items),
            first: listed.first().copied().unwrap_or(0),
            listed,
        }
    }
}

impl From<qrpress_batch::inspect::Refusal> for BodyRefusal {
    fn from(refusal: qrpress_batch::inspect::Refusal) -> Self {
        Self {
            code: refusal.code.as_str().to_owned(),
            line: refusal.line.map(to_js),
            message: refusal.message,
            issue_count: to_js(refusal.issues.count),
            issues: refusal.issues.listed.into_iter().map(Issue::from).collect(),
        }
    }
}

impl From<qrpress_batch::Spool> for Spool {
    fn from(spool: qrpress_batch::Spool) -> Self {
        Self { bytes: to_js(spool.bytes), chunks: spool.chunks.into_iter().map(ChunkRange::from).collect() }
    }
}
