//! The report of an inspection.

use crate::{ActionCount, CutLogo, Issues, Spool, Warning};

/// The outcome of an inspection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InspectReport {
    /// Items seen, without those that were left out. Not all of the body's when a line is refused.
    pub total: u64,
    /// Items that were left out.
    pub skipped: u64,
    /// Their faults, in the order of the body.
    pub faults: Issues,
    /// The lines of the items of a person's list, in order: of an NDJSON body with distinct names. Lines behind the last of many
    /// runs are not known.
    pub lines: Vec<LineRun>,
    /// The reason why the body is refused.
    pub refusal: Option<Refusal>,
    /// The spool, which the caller has to sync. Absent when the body is refused, or no job was given.
    pub spool: Option<Spool>,
    /// The bytes of a spool that stays in memory. Empty for one that has a file.
    pub spool_content: Vec<u8>,
    /// Warnings about a body that is not refused, where a job was given.
    pub warnings: Vec<Warning>,
    /// Modules on a side of the smallest and the largest symbol of a body that is not refused, of a person's list, or
    /// where the job's style says how large modules are printed.
    pub sides: Option<[u32; 2]>,
    /// The codes of a person's list in which the logo does not look whole, and that the warnings do not name.
    pub cut_logo: Option<CutLogo>,
    /// The actions of phones on the codes of a person's list that is not refused.
    pub actions: Vec<ActionCount>,
}

/// Lines of an NDJSON body that follow one another, each an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineRun {
    /// The first line, from 1.
    pub first: u64,
    /// The number of lines.
    pub count: u64,
}

impl LineRun {
    /// Runs that a report has at most.
    const MOST: usize = 1_000;

    /// Adds a line behind all others.
    pub(super) fn add(runs: &mut Vec<Self>, line: u64) {
        let is_full = runs.len() == Self::MOST;
        match runs.last_mut() {
            Some(run) if run.first + run.count == line => run.count += 1,
            _ if is_full => {}
            _ => runs.push(Self { first: line, count: 1 }),
        }
    }
}

/// The reason why a body is refused: the first kind that occurs, in the order of [`RefusalCode`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The kind.
    pub code: RefusalCode,
    /// The line of an [`InvalidJsonLine`](RefusalCode::InvalidJsonLine), from 1.
    pub line: Option<u64>,
    /// The sentence for people.
    pub message: String,
    /// All issues of that kind.
    pub issues: Issues,
}

/// The kinds of refusals, in the order in which they are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum RefusalCode {
    /// A line is not UTF-8 or not JSON, names a member twice, or has a string that is no text.
    InvalidJsonLine,
    /// An NDJSON body has more items than allowed.
    TooManyItems,
    /// An item breaks a rule, or there is none, or a JSON body has more than allowed.
    InvalidInput,
    /// Data that no symbol holds.
    DataTooLong,
    /// A picture wider or higher than allowed.
    QrTooLarge,
}

impl RefusalCode {
    /// The code by which clients know it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidJsonLine => "invalid_json_line",
            Self::TooManyItems => "too_many_items",
            Self::InvalidInput => "invalid_input",
            Self::DataTooLong => "data_too_long",
            Self::QrTooLarge => "qr_too_large",
        }
    }
}
