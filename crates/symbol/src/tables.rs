//! The tables of a version and level, computed once per process.

use std::sync::OnceLock;

use crate::bit_matrix::line_words;
use crate::capacity::Blocks;
use crate::function_patterns::FunctionPatterns;
use crate::penalty::MaskLanes;
use crate::placement::Placement;
use crate::reed_solomon::{Divisor, divisor};
use crate::{ErrorCorrectionLevel, Mask, Version};

/// The values of a version and level that do not depend on the data.
pub(crate) struct SymbolTables {
    pub(crate) version: Version,
    pub(crate) level: ErrorCorrectionLevel,
    pub(crate) blocks: Blocks,
    pub(crate) divisor: &'static Divisor,
    pub(crate) placement: Placement,
    /// The overlay of each mask: the modules that it inverts, its format information and the function patterns. The exclusive
    /// or with the placed codewords makes the finished symbol. In the order of strips, and of lines in a strip.
    pub(crate) overlays: [Vec<u64>; 8],
    /// The words of `overlays`, with those of the eight masks side by side.
    pub(crate) mask_lanes: Vec<MaskLanes>,
}

/// The tables of a version and level.
pub(crate) fn tables(version: Version, level: ErrorCorrectionLevel) -> &'static SymbolTables {
    static TABLES: [OnceLock<Box<SymbolTables>>; 160] = [const { OnceLock::new() }; 160];
    let index = 40 * level as usize + usize::from(version.number()) - 1;
    TABLES[index].get_or_init(|| Box::new(SymbolTables::new(version, level)))
}

impl SymbolTables {
    fn new(version: Version, level: ErrorCorrectionLevel) -> Self {
        let blocks = Blocks::new(version, level);
        let overlays =
            Mask::ALL.map(|mask| overlay(&FunctionPatterns::new(version, level, mask), mask, version.size()));
        let words = line_words(version) * version.size();
        let mask_lanes: Vec<MaskLanes> =
            (0..words).map(|word| MaskLanes(std::array::from_fn(|mask| overlays[mask][word]))).collect();
        let placement = Placement::new(version, &FunctionPatterns::new(version, level, Mask::ALL[0]));
        Self { version, level, blocks, divisor: divisor(blocks.ec), placement, overlays, mask_lanes }
    }
}

/// The overlay of a mask; see [`SymbolTables::overlays`].
fn overlay(patterns: &FunctionPatterns, mask: Mask, size: usize) -> Vec<u64> {
    let mut overlay = vec![0; (2 * size).div_ceil(64) * size];
    for (x, y) in (0..size * size).map(|module| (module % size, module / size)) {
        let inverted = patterns.is_free(x, y) && mask.inverts(x, y);
        if inverted || patterns.is_dark(x, y) {
            // The module as part of its row, and as part of its column.
            for (line, bit) in [(y, x), (x, size + y)] {
                overlay[bit / 64 * size + line] |= 1 << (bit % 64);
            }
        }
    }
    overlay
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use qrpress_testkit::assert_on_page;

    use super::*;

    /// The example of `docs/internals/engine.md`: line 10 of version 1, in which every free module is a codeword's.
    #[test]
    fn the_overlay_is_as_the_page_shows() {
        let tables = tables(Version::MIN, ErrorCorrectionLevel::Medium);
        let size = Version::MIN.size();
        let mut example = String::new();
        for (mask, word) in tables.mask_lanes[10].0.into_iter().enumerate() {
            let part = |first: usize| -> String {
                (first..first + size).map(|bit| if word >> bit & 1 == 1 { '1' } else { '.' }).collect()
            };
            writeln!(example, "m{mask}   {}   {}", part(0), part(size)).unwrap();
        }
        assert_on_page("docs/internals/engine.md", &example);
    }
}
