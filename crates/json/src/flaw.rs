//! The flaws of a text: the grammar allows them, a body does not.

/// The place of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValuePlace {
    /// JSON Pointer (RFC 6901) to the value.
    pub pointer: String,
    /// The line of an NDJSON body, from 1.
    pub line: Option<u64>,
}

/// The kind of a flaw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlawKind {
    /// A member whose name the object has already had.
    DuplicateMember,
    /// A string or name with a surrogate without its other half.
    UnpairedSurrogate,
}

/// One flaw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// Its place.
    pub place: ValuePlace,
    /// Its kind.
    pub kind: FlawKind,
}

/// The first flaws of a text, and the number of all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flaws {
    /// The first flaws in the order in which they were noticed.
    pub listed: Vec<Flaw>,
    /// The full number.
    pub count: u64,
}
