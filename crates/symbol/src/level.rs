//! The four error correction levels.

/// The share of a symbol that may be lost, so that it can still be read (ISO/IEC 18004, table 8 and clause 6.5.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ErrorCorrectionLevel {
    /// Level L, about 7 % of the codewords.
    Low,
    /// Level M, about 15 %.
    Medium,
    /// Level Q, about 25 %.
    Quartile,
    /// Level H, about 30 %.
    High,
}

impl ErrorCorrectionLevel {
    /// All levels, weakest first: the order of the tables by level.
    pub const ALL: [Self; 4] = [Self::Low, Self::Medium, Self::Quartile, Self::High];
}
