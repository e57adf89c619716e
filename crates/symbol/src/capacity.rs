//! The codewords of each version and level, and their blocks (ISO/IEC 18004, tables 1, 7 and 9).

use crate::segment::VersionRange;
use crate::{ErrorCorrectionLevel, Version};

/// Codewords of the largest symbol.
pub(crate) const MAX_CODEWORDS: usize = total_codewords(Version::MAX);

/// Blocks that a symbol has at most.
pub(crate) const MAX_BLOCKS: usize = 81;

/// Error correction codewords of a block, by level and version − 1 (table 9).
const EC_PER_BLOCK: [[u8; 40]; 4] = [
    [
        7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26,
        28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ],
    [
        10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28,
        28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
    ],
    [
        13, 22, 18, 26, 18, 24, 18, 22, 20, 24, 28, 26, 24, 20, 30, 24, 28, 28, 26, 30, 28, 30, 30, 30, 30,
        28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ],
    [
        17, 28, 22, 16, 22, 28, 26, 26, 24, 28, 24, 28, 22, 24, 24, 30, 28, 28, 26, 28, 30, 24, 30, 30, 30,
        30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ],
];

/// Blocks, by level and version − 1 (table 9).
const BLOCKS: [[u8; 40]; 4] = [
    [
        1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16,
        17, 18, 19, 19, 20, 21, 22, 24, 25,
    ],
    [
        1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28,
        29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
    ],
    [
        1, 1, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10, 12, 16, 12, 17, 16, 18, 21, 20, 23, 23, 25, 27, 29, 34, 34, 35,
        38, 40, 43, 45, 48, 51, 53, 56, 59, 62, 65, 68,
    ],
    [
        1, 1, 2, 4, 4, 4, 5, 6, 8, 8, 11, 11, 16, 16, 18, 16, 19, 21, 25, 25, 25, 34, 30, 32, 35, 37, 40, 42,
        45, 48, 51, 54, 57, 60, 63, 66, 70, 74, 77, 81,
    ],
];

/// Bits of data, by level and version − 1.
const DATA_BITS: [[u16; 40]; 4] = {
    let mut bits = [[0; 40]; 4];
    let mut index = 0;
    while index < 160 {
        let level = ErrorCorrectionLevel::ALL[index / 40];
        if let Some(version) = Version::new(index as u8 % 40 + 1) {
            bits[index / 40][index % 40] = 8 * Blocks::new(version, level).data_codewords() as u16;
        }
        index += 1;
    }
    bits
};

/// Bits of data that a version holds at a level.
pub(crate) const fn data_capacity_bits(version: Version, level: ErrorCorrectionLevel) -> usize {
    DATA_BITS[level as usize][version.number() as usize - 1] as usize
}

/// The smallest version of that range that holds so many bits of data at that level.
pub(crate) fn smallest_in_range(
    versions: VersionRange,
    level: ErrorCorrectionLevel,
    bits: usize,
) -> Option<Version> {
    let (first, last) = versions.numbers();
    let capacities = &DATA_BITS[level as usize][usize::from(first) - 1..usize::from(last)];
    let below = capacities.partition_point(|&capacity| usize::from(capacity) < bits);
    if below < capacities.len() { Version::new(first + below as u8) } else { None }
}

/// Alignment patterns on a side of the symbol, 0 in version 1 (annex E).
pub(crate) const fn alignment_patterns_on_side(version: Version) -> usize {
    if version.number() == 1 { 0 } else { version.number() as usize / 7 + 2 }
}

/// Codewords of a version, data and error correction: the modules that no function pattern takes, in eights.
pub(crate) const fn total_codewords(version: Version) -> usize {
    let size = version.size();
    // Three finder patterns with separators, the two timing patterns between them, format information and the dark module.
    let mut taken = 3 * 64 + 2 * (size - 16) + 31;
    let patterns = alignment_patterns_on_side(version);
    if patterns > 0 {
        // All but the three under finder patterns; those on a timing pattern share five modules with it.
        taken += 25 * (patterns * patterns - 3) - 2 * 5 * (patterns - 2);
    }
    if version.number() >= 7 {
        taken += 2 * 18;
    }
    (size * size - taken) / 8
}

/// The split of a symbol's codewords: short blocks first, then blocks of one more data codeword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// Blocks, 1 to 81.
    pub count: usize,
    /// Blocks with the smaller number of data codewords, at least 1.
    pub short_count: usize,
    /// Data codewords of a short block.
    pub short_data: usize,
    /// Error correction codewords of every block, 7 to 30.
    pub ec: usize,
}

impl Blocks {
    /// The blocks of a version at a level (tables 7 and 9).
    pub const fn new(version: Version, level: ErrorCorrectionLevel) -> Self {
        let total = total_codewords(version);
        let column = version.number() as usize - 1;
        let count = BLOCKS[level as usize][column] as usize;
        let ec = EC_PER_BLOCK[level as usize][column] as usize;
        Self { count, short_count: count - total % count, short_data: total / count - ec, ec }
    }

    /// The start of the data codewords of a block, or after the last block, their end.
    pub const fn start(&self, block: usize) -> usize {
        block * self.short_data + block.saturating_sub(self.short_count)
    }

    /// Data codewords of all blocks.
    pub const fn data_codewords(&self) -> usize {
        self.start(self.count)
    }
}
