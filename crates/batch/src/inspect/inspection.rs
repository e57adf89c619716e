//! One thread's way through the items of a body, or of a part of it.

use std::mem;
use std::ops::Range;

use qrpress_filenames::Namer;
use qrpress_json::{Cursor, JsonError, Origin, Scratch, Token};

use super::report::{InspectReport, LineRun, Refusal, RefusalCode};
use super::request::InspectRequest;
use super::same_size::SameSize;
use super::watch::Watch;
use crate::capacity::{Capacity, FitError};
use crate::caption::{CaptionMeasure, uncovered};
use crate::issue::{Issue, IssueCode, Issues};
use crate::item::{Item, ItemLimits, grouped, read_item, wrong_type};
use crate::ndjson::{LONGEST_ITEM_BYTES, LineError, NdjsonLines, is_blank};
use crate::spool::SpoolPart;
use crate::warning::{Findings, WarningCounter, letter};
use crate::{BatchError, BodyForm, Names, Record, ResolvedStyle, SpoolWriter, SymbolVersion};

/// Lines of a body that one thread inspects.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// The place in the body, from the beginning of a line.
    pub bytes: Range<u64>,
    /// The number of its first item, from 0: the first of a chunk.
    pub first_item: u64,
}

impl Part {
    /// All items.
    pub fn whole(request: &InspectRequest<'_>) -> Self {
        Self { bytes: request.items.clone(), first_item: 0 }
    }
}

/// The destination of the records.
pub(super) enum Writer {
    Spool(SpoolWriter),
    /// Memory: a part up to which the spool is not yet written, or a whole spool.
    Part(SpoolPart),
}

impl Writer {
    #[inline]
    fn push(&mut self, record: &Record<'_>) -> Result<(), BatchError> {
        match self {
            Self::Spool(writer) => writer.push(record),
            Self::Part(part) => part.push(record),
        }
    }
}

/// A part of a body with nothing wrong.
pub(super) struct AcceptedPart<'r> {
    /// Items, with those before the part.
    pub total: u64,
    /// The writer that has the records.
    pub writer: Writer,
    pub warnings: WarningCounter<'r>,
    /// The size of all symbols, where they have the same.
    pub size: Option<SameSize>,
}

/// An inspection on its way through the items.
pub(super) struct Inspection<'r> {
    request: &'r InspectRequest<'r>,
    part: Part,
    /// Items so far, with those before the part.
    total: u64,
    /// Items that were left out, and their faults.
    skipped: u64,
    faults: Issues,
    /// The lines of the items of a list.
    lines: Vec<LineRun>,
    invalid: Issues,
    data_too_long: Issues,
    qr_too_large: Issues,
    /// The job's style, if one was given.
    style: Option<&'r ResolvedStyle>,
    capacity: Option<Capacity<'r>>,
    /// The measure of captions, where there is a `capacity`.
    caption_measure: Option<CaptionMeasure>,
    /// True until the size is known that all symbols of the job have.
    seeks_size: bool,
    size: Option<SameSize>,
    /// The highest picture of those that are too high, in pixels, and the item.
    highest: Option<(u32, u64)>,
    namer: Namer,
    /// The warnings of the job, if one was given.
    warnings: Option<WarningCounter<'r>>,
    /// The writer of records, until something is wrong.
    writer: Option<Writer>,
    watch: Watch,
}

impl<'r> Inspection<'r> {
    /// `style` is the job's, if one was given.
    pub fn new(
        request: &'r InspectRequest<'r>,
        style: Option<&'r ResolvedStyle>,
        part: Part,
        writer: Option<Writer>,
        watch: Watch,
    ) -> Self {
        let limits = &request.limits;
        let max_side_px = limits.max_side_px;
        let mut caption_measure = style.map(|style| CaptionMeasure::new(request.fonts, style, max_side_px));
        let capacity = style.zip(caption_measure.as_mut()).map(|(style, measure)| {
            Capacity::new(style, max_side_px, |side_px| measure.height_px(&style.caption, side_px))
        });
        Self {
            request,
            total: part.first_item,
            part,
            skipped: 0,
            faults: Issues::default(),
            lines: Vec::new(),
            invalid: Issues::default(),
            data_too_long: Issues::default(),
            qr_too_large: Issues::default(),
            seeks_size: style.is_some_and(|style| style.version.is_none())
                && request.job.is_some_and(|job| job.style.version == SymbolVersion::Same),
            size: None,
            highest: None,
            style,
            capacity,
            caption_measure,
            namer: match request.names {
                Names::Distinct => Namer::with_collisions(limits.max_archive_name_characters),
                Names::Indexed => Namer::with_index(limits.max_archive_name_characters),
            },
            warnings: style.map(|style| WarningCounter::new(style, request.fonts, request.is_list())),
            writer,
            watch,
        }
    }

    /// Reads all items.
    pub fn run(mut self, block_bytes: usize) -> Result<InspectReport, BatchError> {
        let refusal = match self.request.form {
            BodyForm::Json => self.read_json()?,
            BodyForm::Ndjson => self.read_ndjson(block_bytes)?,
        };
        if refusal.is_none() {
            self.check_same_size(block_bytes)?;
        }
        let (total, skipped) = (self.total, self.skipped);
        let (writer, warnings) = (self.writer.take(), self.warnings.take());
        let refusal = refusal.or_else(|| self.refusal());
        let (faults, lines) = (mem::take(&mut self.faults), mem::take(&mut self.lines));
        let version = self.size.as_ref().map(|size| size.version);
        let (spool, spool_content) = match (&refusal, writer) {
            (None, Some(Writer::Spool(mut writer))) => {
                if let Some(version) = version {
                    writer.set_version(version);
                }
                (Some(writer.finish()?), Vec::new())
            }
            (None, Some(Writer::Part(part))) => {
                let (spool, content) = part.finish(version);
                (Some(spool), content)
            }
            _ => (None, Vec::new()),
        };
        let warnings = warnings.filter(|_| refusal.is_none());
        let size = self.size.as_ref().map(|size| (size.version, size.data.as_str()));
        let sides = warnings.as_ref().and_then(|warnings| warnings.sides(size));
        let Findings { warnings, cut_logo, actions } =
            warnings.map(|warnings| warnings.finish(size)).unwrap_or_default();
        Ok(InspectReport {
            total,
            skipped,
            faults,
            lines,
            refusal,
            spool,
            spool_content,
            warnings,
            sides,
            cut_logo,
            actions,
        })
    }

    /// Reads the lines of a part. Nothing when something is wrong.
    pub fn accept(mut self, block_bytes: usize) -> Result<Option<AcceptedPart<'r>>, BatchError> {
        let refusal = self.read_ndjson(block_bytes)?;
        let Self { total, skipped, size, .. } = self;
        let accepted = self.writer.zip(self.warnings).filter(|_| refusal.is_none() && skipped == 0);
        Ok(accepted.map(|(writer, warnings)| AcceptedPart { total, writer, warnings, size }))
    }

    /// Refuses a job whose symbols are all the same size, and too large below some caption of it.
    fn check_same_size(&mut self, block_bytes: usize) -> Result<(), BatchError> {
        let (Some(style), Some(size), max_px) = (self.style, &self.size, self.request.limits.max_side_px)
        else {
            return Ok(());
        };
        if size.surely_fits(style, max_px) || self.writer.is_none() {
            return Ok(());
        }
        // Looks at all items again, in the version that is known now.
        let style = ResolvedStyle { version: Some(size.version), ..style.clone() };
        let mut again = Inspection::new(self.request, Some(&style), self.part.clone(), None, self.watch);
        match self.request.form {
            BodyForm::Json => again.read_json()?,
            BodyForm::Ndjson => again.read_ndjson(block_bytes)?,
        };
        if let Some((height_px, item)) = again.highest {
            let message = format!(
                "needs version {}, which all codes have; with it the picture of item {item} would be {height_px} px high with its caption; at most {max_px} px are allowed",
                size.version.number()
            );
            let issue = Issue::new(size.place.clone(), IssueCode::QrTooLarge, message);
            self.qr_too_large.add(self.request.limits.max_issues, || issue);
            self.writer = None;
        }
        Ok(())
    }

    /// Reads the value of `items`.
    fn read_json(&mut self) -> Result<Option<Refusal>, BatchError> {
        let range = &self.request.items;
        let body = self.request.body.part(range)?;
        let changed = |offset: usize| BatchError::BodyChanged { offset: range.start + offset as u64 };
        let text = str::from_utf8(&body).map_err(|error| changed(error.valid_up_to()))?;
        let mut scratch = Scratch::default();
        let mut cursor = Cursor::new(text, self.origin("/items", None), &mut scratch);
        let syntax = |error: JsonError| changed(error.offset());

        let limits = &self.request.limits;
        let first = cursor.next_token().map_err(syntax)?;
        if !matches!(first, Token::Array) {
            self.invalid.add(limits.max_issues, || wrong_type(&cursor, "an array", &first));
            return Ok(None);
        }
        loop {
            let first = cursor.next_token().map_err(syntax)?;
            if matches!(first, Token::EndArray) {
                break;
            }
            self.watch.look(self.request.body)?;
            let item = read_item(&mut cursor, first, limits, &mut self.invalid);
            self.invalid.append(limits.max_issues, cursor.take_flaws());
            let item = match item {
                // The envelope is read by the grammar alone, which has no such limit.
                Err(error @ JsonError::TooManyMembers { .. }) => {
                    let message = format!("must be {}", error.expected());
                    self.invalid
                        .add(limits.max_issues, || Issue::new(cursor.place(), IssueCode::TooLong, message));
                    return Ok(None);
                }
                item => item.map_err(syntax)?,
            };
            self.take(&item, &cursor)?;
        }
        cursor.next_token().map_err(syntax)?;
        if self.seen() > limits.max_items {
            let message = format!("must have at most {} items, not {}", limits.max_items, self.seen());
            self.invalid
                .put_first(limits.max_issues, Issue::new(cursor.place(), IssueCode::TooLong, message));
        }
        Ok(None)
    }

    /// Reads the lines after the first.
    fn read_ndjson(&mut self, block_bytes: usize) -> Result<Option<Refusal>, BatchError> {
        let limits = &self.request.limits;
        let (body, range) = (self.request.body, &self.part.bytes);
        let block_bytes = body.block_bytes(block_bytes, range.end.saturating_sub(range.start));
        let mut lines = NdjsonLines::new(body.open_part(range)?, block_bytes, LONGEST_ITEM_BYTES);
        let mut scratch = Scratch::default();
        // The number in the whole body. A part that does not begin there tells nobody what is wrong with it.
        let mut number = 1;
        loop {
            number += 1;
            let refuse = |code, message| {
                let path = String::new();
                let listed = vec![Issue { path, code, message, line: Some(number) }];
                Ok(Some(refuse_line(number, Issues { listed, count: 1 })))
            };
            let line = match lines.next_line() {
                Ok(Some(line)) => line,
                Ok(None) => return Ok(None),
                Err(LineError::Io(error)) => return Err(body.io()(error)),
                Err(LineError::TooLong) => {
                    let message = format!("a line must have at most {LONGEST_ITEM_BYTES} bytes");
                    return refuse(IssueCode::TooLong, message);
                }
            };
            self.watch.look(self.request.body)?;
            if is_blank(line) {
                continue;
            }
            let origin = self.origin("", Some(number));
            let text = match str::from_utf8(line) {
                Ok(text) => text,
                Err(error) => {
                    let message = format!("byte {} is not UTF-8", error.valid_up_to() + 1);
                    return refuse(IssueCode::InvalidUnicode, message);
                }
            };
            let mut cursor = Cursor::new(text, origin, &mut scratch);
            let item = match read_line(&mut cursor, limits, &mut self.invalid) {
                Ok(item) => item,
                Err(error) => return refuse(IssueCode::InvalidJson, error.describe(text, number)),
            };
            let flaws = cursor.take_flaws();
            if flaws.count > 0 {
                return Ok(Some(refuse_line(number, flaws.into())));
            }
            let before = self.total;
            self.take(&item, &cursor)?;
            // A list is never cut into parts: a report must not depend on the number of threads.
            if self.total > before && self.request.is_list() {
                LineRun::add(&mut self.lines, number);
            }
        }
    }

    fn origin(&self, root: &'static str, line: Option<u64>) -> Origin {
        Origin { root, line, max_flaws: self.request.limits.max_issues }
    }

    /// Counts an item, and writes it to the spool if nothing is wrong so far.
    #[inline]
    fn take(&mut self, item: &Item<'_>, cursor: &Cursor<'_, '_>) -> Result<(), BatchError> {
        let caption = item.caption.as_deref();
        if let Some(message) = caption.and_then(|caption| uncovered(self.request.fonts, caption)) {
            let max_issues = self.request.limits.max_issues;
            self.invalid
                .add(max_issues, || Issue::new(cursor.member_place("caption"), IssueCode::NoGlyph, message));
        }
        let index = self.total;
        let is_valid = self.invalid.count == 0 && self.seen() < self.request.limits.max_items;
        if is_valid && let Err(error) = self.check_fit(&item.data, caption, cursor) {
            self.note(error, caption.is_some(), cursor);
        }
        if self.request.skip_faulty && self.set_aside() {
            return Ok(());
        }
        self.total += 1;
        if !is_valid || self.data_too_long.count + self.qr_too_large.count > 0 {
            self.writer = None;
        }
        if let Some(writer) = &mut self.writer {
            let name = self.namer.name(index, item.filename.as_deref(), &item.data);
            let reference = item.reference.as_deref();
            writer.push(&Record { data: &item.data, name, caption, reference })?;
            if let Some(warnings) = &mut self.warnings {
                warnings.add(index, &item.data, item.caption.as_deref());
            }
        }
        Ok(())
    }

    /// Items so far, with those that were left out.
    fn seen(&self) -> u64 {
        self.total + self.skipped
    }

    /// Leaves out the item that was just read, if it has a fault.
    #[inline]
    fn set_aside(&mut self) -> bool {
        let found = [&mut self.invalid, &mut self.data_too_long, &mut self.qr_too_large];
        if found.iter().all(|issues| issues.count == 0) {
            return false;
        }
        self.skipped += 1;
        for issues in found {
            self.faults.append(self.request.limits.max_issues, mem::take(issues));
        }
        true
    }

    #[inline]
    fn check_fit(
        &mut self,
        data: &str,
        caption: Option<&str>,
        cursor: &Cursor<'_, '_>,
    ) -> Result<(), FitError> {
        if self.seeks_size {
            return self.check_own_size(data, caption, cursor);
        }
        match (&self.capacity, &mut self.caption_measure, caption) {
            (Some(capacity), Some(measure), Some(caption)) => {
                capacity.check_with(data.as_bytes(), |side_px| measure.height_px(caption, side_px))
            }
            (Some(capacity), _, _) => capacity.check(data.as_bytes()),
            (None, _, _) => Ok(()),
        }
    }

    /// Checks the data of an item in its own smallest version. Captions are checked when the size of all symbols is known.
    fn check_own_size(
        &mut self,
        data: &str,
        caption: Option<&str>,
        cursor: &Cursor<'_, '_>,
    ) -> Result<(), FitError> {
        let (Some(style), Some(capacity), Some(measure)) =
            (self.style, &self.capacity, &self.caption_measure)
        else {
            return Ok(());
        };
        let version = capacity.version(data.as_bytes())?;
        let side_px = capacity.side_px(version);
        if side_px > self.request.limits.max_side_px {
            return Err(FitError::TooWide { side_px });
        }
        let bound_px = measure.bound_px(caption.unwrap_or(&style.caption));
        SameSize::add(&mut self.size, version, data, bound_px, || cursor.member_place("data"));
        Ok(())
    }

    #[cold]
    fn note(&mut self, error: FitError, has_caption: bool, cursor: &Cursor<'_, '_>) {
        let (max_issues, most) = (self.request.limits.max_issues, self.request.limits.max_side_px);
        match error {
            FitError::DataTooLong { bytes, most_bytes, level, version } => {
                self.data_too_long.add(max_issues, || {
                    let kind =
                        version.map_or(String::new(), |version| format!(" of version {}", version.number()));
                    let message = format!(
                        "is {} bytes; a QR code{kind} at level {} holds at most {} (byte mode)",
                        grouped(bytes),
                        letter(level),
                        grouped(most_bytes)
                    );
                    Issue::new(cursor.member_place("data"), IssueCode::DataTooLong, message)
                });
            }
            FitError::TooWide { side_px } => self.qr_too_large.add(max_issues, || {
                let message =
                    format!("its picture would be {side_px} px wide; at most {most} px are allowed");
                Issue::new(cursor.member_place("data"), IssueCode::QrTooLarge, message)
            }),
            FitError::TooHigh { height_px } => {
                self.highest = self.highest.max(Some((height_px, self.seen())));
                self.qr_too_large.add(max_issues, || {
                let message = format!(
                    "its picture with the caption would be {height_px} px high; at most {most} px are allowed"
                );
                let member = if has_caption { "caption" } else { "data" };
                Issue::new(cursor.member_place(member), IssueCode::QrTooLarge, message)
            });
            }
        }
    }

    /// The reason for which the whole body is refused.
    fn refusal(&mut self) -> Option<Refusal> {
        let limits = &self.request.limits;
        if self.request.form == BodyForm::Ndjson && self.seen() > limits.max_items {
            let message =
                format!("The job has {} items; at most {} are allowed.", self.seen(), limits.max_items);
            return Some(Refusal {
                code: RefusalCode::TooManyItems,
                line: None,
                message,
                issues: Issues::default(),
            });
        }
        if self.total == 0 && self.skipped > 0 {
            self.invalid = mem::take(&mut self.faults);
        } else if self.total == 0 && self.invalid.count == 0 {
            let message = "must have at least 1 item".to_owned();
            let issue = Issue { path: "/items".to_owned(), code: IssueCode::TooShort, message, line: None };
            self.invalid.add(limits.max_issues, || issue);
        }
        let kinds = [
            (RefusalCode::InvalidInput, mem::take(&mut self.invalid), "The items are not valid"),
            (
                RefusalCode::DataTooLong,
                mem::take(&mut self.data_too_long),
                "The data does not fit into a QR code",
            ),
            (RefusalCode::QrTooLarge, mem::take(&mut self.qr_too_large), "The pictures would be too large"),
        ];
        kinds.into_iter().find(|(_, issues, _)| issues.count > 0).map(|(code, issues, problem)| Refusal {
            code,
            line: None,
            message: format!("{problem}: {}", issues.summary()),
            issues,
        })
    }
}

/// Reads the item that is all of a line.
#[inline]
fn read_line<'a>(
    cursor: &mut Cursor<'a, '_>,
    limits: &ItemLimits,
    issues: &mut Issues,
) -> Result<Item<'a>, JsonError> {
    let first = cursor.next_token()?;
    let item = read_item(cursor, first, limits, issues)?;
    cursor.next_token()?;
    Ok(item)
}

fn refuse_line(number: u64, issues: Issues) -> Refusal {
    let reason = issues.listed.first().map_or("", |issue| issue.message.as_str());
    let message = format!("Line {number} is not an item: {reason}.");
    Refusal { code: RefusalCode::InvalidJsonLine, line: Some(number), message, issues }
}
