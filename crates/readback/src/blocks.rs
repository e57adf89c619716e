//! The error correction blocks of each version and level (ISO/IEC 18004, table 9).

/// Error correction codewords of a block, by level (L, M, Q, H) and version.
#[rustfmt::skip]
const CORRECTION_CODEWORDS: [[u8; 40]; 4] = [
    [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28,
     28, 28, 30, 30, 26, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30],
    [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26,
     26, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28],
    [13, 22, 18, 26, 18, 24, 18, 22, 20, 24, 28, 26, 24, 20, 30, 24, 28, 28, 26, 30,
     28, 30, 30, 30, 30, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30],
    [17, 28, 22, 16, 22, 28, 26, 26, 24, 28, 24, 28, 22, 24, 24, 30, 28, 28, 26, 28,
     30, 24, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30],
];

/// Number of blocks, by level and version.
#[rustfmt::skip]
const COUNTS: [[u8; 40]; 4] = [
    [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8,
     8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25],
    [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16,
     17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49],
    [1, 1, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10, 12, 16, 12, 17, 16, 18, 21, 20,
     23, 23, 25, 27, 29, 34, 34, 35, 38, 40, 43, 45, 48, 51, 53, 56, 59, 62, 65, 68],
    [1, 1, 2, 4, 4, 4, 5, 6, 8, 8, 11, 11, 16, 16, 18, 16, 19, 21, 25, 25,
     25, 34, 30, 32, 35, 37, 40, 42, 45, 48, 51, 54, 57, 60, 63, 66, 70, 74, 77, 81],
];

/// The levels in the order of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    Low,
    Medium,
    Quartile,
    High,
}

/// The blocks of a symbol, and the codewords of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Blocks {
    pub count: usize,
    /// Error correction codewords of each block: d of the standard.
    pub correction: usize,
    /// Of these, codewords that are kept against misdecoding: p of the standard.
    pub detection: usize,
    /// Data codewords of the shorter blocks, which come first; the others have one more.
    pub short_data: usize,
    pub short_count: usize,
}

impl Blocks {
    /// The blocks of a version, 1 to 40, that has so many codewords.
    pub fn new(version: usize, level: Level, codewords: usize) -> Self {
        let count = usize::from(COUNTS[level as usize][version - 1]);
        let correction = usize::from(CORRECTION_CODEWORDS[level as usize][version - 1]);
        let detection = match (version, level) {
            (1, Level::Low) => 3,
            (1, Level::Medium) | (2, Level::Low) => 2,
            (1, _) | (3, Level::Low) => 1,
            _ => 0,
        };
        Self {
            count,
            correction,
            detection,
            short_data: codewords / count - correction,
            short_count: count - codewords % count,
        }
    }

    /// Data codewords of a block.
    pub fn data(&self, block: usize) -> usize {
        self.short_data + usize::from(block >= self.short_count)
    }

    /// Data codewords of all blocks.
    pub fn all_data(&self) -> usize {
        self.short_data * self.count + self.count - self.short_count
    }

    /// The share of error correction that is left in a block after `corrected` codewords, in thousandths: 1 − 2t/(d − p)
    /// (ISO/IEC 15415, clause 7.8.8), and not below 0.
    pub fn unused_thousandths(&self, corrected: usize) -> u16 {
        let capacity = self.correction - self.detection;
        let left = capacity.saturating_sub(2 * corrected);
        ((1000 * left + capacity / 2) / capacity) as u16
    }
}
