//! The faults of a body, place by place.

use qrpress_json::{Flaw, FlawKind, Flaws, ValuePlace};

/// The kind of an issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum IssueCode {
    /// A member is missing.
    Required,
    /// A member that is not allowed.
    UnknownMember,
    /// A member whose name the object has already had.
    DuplicateMember,
    /// A value of another type than the one asked for.
    WrongType,
    /// Fewer characters or items than asked for.
    TooShort,
    /// More characters or items than allowed.
    TooLong,
    /// No JSON (RFC 8259).
    InvalidJson,
    /// No UTF-8, or a surrogate without its other half.
    InvalidUnicode,
    /// More bits than the largest symbol of the level holds.
    DataTooLong,
    /// A picture wider or higher than allowed.
    QrTooLarge,
    /// A logo that cannot be read.
    InvalidLogo,
    /// A character that no font draws.
    NoGlyph,
}

impl IssueCode {
    /// The code by which clients know it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::UnknownMember => "unknown_member",
            Self::DuplicateMember => "duplicate_member",
            Self::WrongType => "wrong_type",
            Self::TooShort => "too_short",
            Self::TooLong => "too_long",
            Self::InvalidJson => "invalid_json",
            Self::InvalidUnicode => "invalid_unicode",
            Self::DataTooLong => "data_too_long",
            Self::QrTooLarge => "qr_too_large",
            Self::InvalidLogo => "invalid_logo",
            Self::NoGlyph => "no_glyph",
        }
    }
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// JSON Pointer (RFC 6901) to the value, from the root of a JSON body or of an NDJSON line.
    pub path: String,
    /// The kind of thing.
    pub code: IssueCode,
    /// The rule and the value that breaks it, for people.
    pub message: String,
    /// The line of an NDJSON body, from 1.
    pub line: Option<u64>,
}

impl Issue {
    /// An issue at `place`.
    pub(crate) fn new(place: ValuePlace, code: IssueCode, message: impl Into<String>) -> Self {
        Self { path: place.pointer, code, message: message.into(), line: place.line }
    }
}

impl From<Flaw> for Issue {
    fn from(Flaw { place, kind }: Flaw) -> Self {
        let (code, message) = match kind {
            FlawKind::DuplicateMember => {
                (IssueCode::DuplicateMember, "the object has this member more than once")
            }
            FlawKind::UnpairedSurrogate => {
                (IssueCode::InvalidUnicode, "has half of a surrogate pair, which is no text")
            }
        };
        Self::new(place, code, message)
    }
}

/// The first issues of a body, and the number of all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Issues {
    /// The first issues in the order of the body, as many as are listed at most.
    pub listed: Vec<Issue>,
    /// The full number.
    pub count: u64,
}

impl Issues {
    /// The first issue with its place, and how many more there are.
    pub(crate) fn summary(&self) -> String {
        let Some(Issue { path, message, line, .. }) = self.listed.first() else { return String::new() };
        // An issue of a whole line has an empty path.
        let place = match line {
            Some(line) if path.is_empty() => format!("line {line}"),
            Some(line) => format!("line {line}, {path}"),
            None => path.clone(),
        };
        let rest = if self.count > 1 { format!(" (and {} more)", self.count - 1) } else { String::new() };
        format!("{place}: {message}{rest}")
    }

    /// Counts an issue, and makes and lists it while fewer than `max_issues` are listed.
    pub(crate) fn add(&mut self, max_issues: usize, make: impl FnOnce() -> Issue) {
        self.count += 1;
        if self.listed.len() < max_issues {
            self.listed.push(make());
        }
    }

    /// Counts an issue, and lists it before all others.
    pub(crate) fn put_first(&mut self, max_issues: usize, issue: Issue) {
        self.count += 1;
        self.listed.insert(0, issue);
        self.listed.truncate(max_issues);
    }

    /// Adds issues, or the flaws of a text, behind all others.
    pub(crate) fn append(&mut self, max_issues: usize, others: impl Into<Self>) {
        let others = others.into();
        self.count += others.count;
        self.listed.extend(others.listed);
        self.listed.truncate(max_issues);
    }
}

impl From<Flaws> for Issues {
    fn from(flaws: Flaws) -> Self {
        Self { listed: flaws.listed.into_iter().map(Issue::from).collect(), count: flaws.count }
    }
}
