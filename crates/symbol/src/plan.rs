//! What is computed once for a version and level.

use std::sync::OnceLock;

use crate::capacity::Blocks;
use crate::lanes::Lanes;
use crate::layout::Layout;
use crate::mask::inverts;
use crate::placement::Placement;
use crate::reed_solomon::{Divisor, divisor};
use crate::{ErrorCorrectionLevel, Mask, Version};

/// Everything about a version and level that does not depend on the data.
pub(crate) struct Plan {
    pub(crate) version: Version,
    pub(crate) level: ErrorCorrectionLevel,
    pub(crate) blocks: Blocks,
    pub(crate) divisor: &'static Divisor,
    pub(crate) placement: Placement,
    /// For each row, word by word, what turns the placed codewords, by exclusive or, into the eight masked variants: the
    /// function patterns, each variant's format information and its mask. Column `x` is bit `x + 1`.
    pub(crate) overlay: Vec<Lanes>,
}

/// Words of a row of that version, a module on either side of the symbol included.
pub(crate) const fn row_words(version: Version) -> usize {
    (version.size() + 2).div_ceil(64)
}

/// The plan of that version and level.
pub(crate) fn plan(version: Version, level: ErrorCorrectionLevel) -> &'static Plan {
    static PLANS: [OnceLock<Box<Plan>>; 160] = [const { OnceLock::new() }; 160];
    let index = 40 * level as usize + usize::from(version.number()) - 1;
    PLANS[index].get_or_init(|| Box::new(Plan::new(version, level)))
}

impl Plan {
    fn new(version: Version, level: ErrorCorrectionLevel) -> Self {
        let words = row_words(version);
        let blocks = Blocks::new(version, level);
        let layouts = Mask::ALL.map(|mask| Layout::new(version, level, mask));
        let mut overlay = vec![Lanes::ZERO; version.size() * words];
        for (lane, layout) in layouts.iter().enumerate() {
            for y in 0..version.size() {
                for x in 0..version.size() {
                    let inverted = layout.is_free(x, y) && inverts(lane as u8, x, y);
                    if inverted || layout.is_dark(x, y) {
                        overlay[y * words + (x + 1) / 64].0[lane] |= 1 << ((x + 1) % 64);
                    }
                }
            }
        }
        let placement = Placement::new(version, &layouts[0], words);
        Self { version, level, blocks, divisor: divisor(blocks.ec), placement, overlay }
    }
}
