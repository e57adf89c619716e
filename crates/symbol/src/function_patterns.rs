//! The function patterns of a version, and its format and version information (ISO/IEC 18004, clauses 6.3, 7.9 and 7.10, annex E).

use crate::capacity::alignment_patterns_on_side;
use crate::{ErrorCorrectionLevel, Mask, ROW_WORDS, Version};

/// One bit for each module of the largest symbol: column `x` of row `y` is bit `x % 64` of word `x / 64`.
type Bits = [[u64; ROW_WORDS]; Version::MAX.size()];

/// Column and row of every module that holds data, in the order of the bits of the codewords (ISO/IEC 18004, clause 7.7.3).
/// The remainder bits come last.
pub fn data_modules(version: Version) -> impl Iterator<Item = (usize, usize)> {
    // Function patterns lie in the same places whatever level and mask are.
    let patterns = FunctionPatterns::new(version, ErrorCorrectionLevel::Low, Mask::ALL[0]);
    let size = version.size();
    // Pairs of columns from the right, without the timing pattern's column, upwards and downwards in turn.
    let rights = (7..size).rev().step_by(2).chain([5, 3, 1]);
    let places = rights.enumerate().flat_map(move |(pair, right)| {
        (0..size).flat_map(move |step| {
            let y = if pair % 2 == 0 { size - 1 - step } else { step };
            [(right, y), (right - 1, y)]
        })
    });
    places.filter(move |&(x, y)| patterns.is_free(x, y))
}

/// The function patterns of a version and the format information of a level and mask.
pub(crate) struct FunctionPatterns {
    size: usize,
    /// Modules that no codeword may take.
    function: Bits,
    /// Function modules that are dark.
    dark: Bits,
}

impl FunctionPatterns {
    pub(crate) fn new(version: Version, level: ErrorCorrectionLevel, mask: Mask) -> Self {
        let empty = [[0; ROW_WORDS]; Version::MAX.size()];
        let mut patterns = Self { size: version.size(), function: empty, dark: empty };
        patterns.draw_timing_patterns();
        patterns.draw_finder_patterns();
        patterns.draw_alignment_patterns(version);
        patterns.draw_format_information(format_information(level, mask));
        if version.number() >= 7 {
            patterns.draw_version_information(version_information(version));
        }
        patterns
    }

    /// Returns true if a bit of a codeword may be at column `x` of row `y`.
    pub(crate) fn is_free(&self, x: usize, y: usize) -> bool {
        self.function[y][x / 64] >> (x % 64) & 1 == 0
    }

    /// Returns true if column `x` of row `y` is a dark function module.
    pub(crate) fn is_dark(&self, x: usize, y: usize) -> bool {
        self.dark[y][x / 64] >> (x % 64) & 1 == 1
    }

    fn set(&mut self, x: usize, y: usize, dark: bool) {
        let bit = 1 << (x % 64);
        self.function[y][x / 64] |= bit;
        if dark {
            self.dark[y][x / 64] |= bit;
        } else {
            self.dark[y][x / 64] &= !bit;
        }
    }

    fn draw_timing_patterns(&mut self) {
        for i in 0..self.size {
            self.set(6, i, i % 2 == 0);
            self.set(i, 6, i % 2 == 0);
        }
    }

    /// Three finder patterns, each with the part of its separator that lies in the symbol.
    fn draw_finder_patterns(&mut self) {
        let far = self.size - 4;
        for (center_x, center_y) in [(3, 3), (far, 3), (3, far)] {
            for y in center_y.saturating_sub(4)..(center_y + 5).min(self.size) {
                for x in center_x.saturating_sub(4)..(center_x + 5).min(self.size) {
                    let ring = x.abs_diff(center_x).max(y.abs_diff(center_y));
                    self.set(x, y, ring != 2 && ring != 4);
                }
            }
        }
    }

    fn draw_alignment_patterns(&mut self, version: Version) {
        let centers = alignment_centers(version);
        let last = centers.len().saturating_sub(1);
        for (i, &center_x) in centers.iter().enumerate() {
            for (j, &center_y) in centers.iter().enumerate() {
                if matches!((i, j), (0, 0)) || (i, j) == (0, last) || (i, j) == (last, 0) {
                    continue;
                }
                for y in center_y - 2..=center_y + 2 {
                    for x in center_x - 2..=center_x + 2 {
                        self.set(x, y, x.abs_diff(center_x).max(y.abs_diff(center_y)) != 1);
                    }
                }
            }
        }
    }

    /// Both copies of the format information, its lowest bit first, and the dark module.
    fn draw_format_information(&mut self, bits: u32) {
        for i in 0..15 {
            let dark = bits >> i & 1 == 1;
            // Down column 8 and then left along row 8, past the timing patterns.
            match i {
                0..6 => self.set(8, i, dark),
                6..8 => self.set(8, i + 1, dark),
                8 => self.set(7, 8, dark),
                _ => self.set(14 - i, 8, dark),
            }
            if i < 8 {
                self.set(self.size - 1 - i, 8, dark);
            } else {
                self.set(8, self.size - 15 + i, dark);
            }
        }
        self.set(8, self.size - 8, true);
    }

    /// Both copies of the version information, its lowest bit first.
    fn draw_version_information(&mut self, bits: u32) {
        for i in 0..18 {
            let (near, far) = (i / 3, self.size - 11 + i % 3);
            let dark = bits >> i & 1 == 1;
            self.set(near, far, dark);
            self.set(far, near, dark);
        }
    }
}

/// The rows and columns of alignment patterns' centres, ascending (table E.1).
fn alignment_centers(version: Version) -> Vec<usize> {
    let count = alignment_patterns_on_side(version);
    if count == 0 {
        return Vec::new();
    }
    let last = version.size() - 7;
    // Equal even steps from the last centre down; the rest is between the first two. Version 32 is the exception of the table.
    let gaps = count - 1;
    let step = if version.number() == 32 { 26 } else { (last - 6).div_ceil(2 * gaps) * 2 };
    let mut centers = vec![6];
    centers.extend((0..gaps).rev().map(|steps| last - steps * step));
    centers
}

/// The 15 bits of format information of a level and mask, its own mask pattern applied.
fn format_information(level: ErrorCorrectionLevel, mask: Mask) -> u32 {
    let indicator = match level {
        ErrorCorrectionLevel::Low => 0b01,
        ErrorCorrectionLevel::Medium => 0b00,
        ErrorCorrectionLevel::Quartile => 0b11,
        ErrorCorrectionLevel::High => 0b10,
    };
    append_bch(indicator << 3 | u32::from(mask.number()), 10, 0b101_0011_0111) ^ 0b101_0100_0001_0010
}

/// The 18 bits of version information, which versions from 7 on carry.
fn version_information(version: Version) -> u32 {
    append_bch(version.number().into(), 12, 0b1_1111_0010_0101)
}

/// `data` followed by its remainder modulo a generator of that degree.
fn append_bch(data: u32, degree: u32, generator: u32) -> u32 {
    let mut remainder = data << degree;
    while remainder >> degree != 0 {
        remainder ^= generator << (remainder.ilog2() - degree);
    }
    data << degree | remainder
}
