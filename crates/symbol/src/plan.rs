//! What is computed once for a version and level.

use std::sync::OnceLock;

use crate::capacity::Blocks;
use crate::fold::Fold;
use crate::layout::Layout;
use crate::lines::line_words;
use crate::mask::inverts;
use crate::penalty::Lanes;
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
    /// For each mask, strip by strip and line by line, what turns the placed codewords' lines, by exclusive or, into those of
    /// the masked variant: the function patterns, its format information and its mask.
    overlays: [Vec<u64>; 8],
    /// The same, the masks side by side.
    pub(crate) overlay: Vec<Lanes>,
    pub(crate) fold: Option<Fold>,
}

/// The plan of that version and level.
pub(crate) fn plan(version: Version, level: ErrorCorrectionLevel) -> &'static Plan {
    static PLANS: [OnceLock<Box<Plan>>; 160] = [const { OnceLock::new() }; 160];
    let index = 40 * level as usize + usize::from(version.number()) - 1;
    PLANS[index].get_or_init(|| Box::new(Plan::new(version, level)))
}

impl Plan {
    fn new(version: Version, level: ErrorCorrectionLevel) -> Self {
        let blocks = Blocks::new(version, level);
        let overlays =
            Mask::ALL.map(|mask| overlay(&Layout::new(version, level, mask), mask, version.size()));
        let words = line_words(version) * version.size();
        let overlay: Vec<Lanes> =
            (0..words).map(|word| Lanes(std::array::from_fn(|mask| overlays[mask][word]))).collect();
        let fold = Fold::new(version, &overlay);
        let placement = Placement::new(version, &Layout::new(version, level, Mask::ALL[0]));
        Self { version, level, blocks, divisor: divisor(blocks.ec), placement, overlays, overlay, fold }
    }

    /// What makes a mask's variant, strip by strip and line by line.
    pub(crate) fn overlay_of(&self, mask: Mask) -> &[u64] {
        &self.overlays[usize::from(mask.number())]
    }
}

/// What turns lines of placed codewords into those of the variant with that mask.
fn overlay(layout: &Layout, mask: Mask, size: usize) -> Vec<u64> {
    let mut overlay = vec![0; (2 * size).div_ceil(64) * size];
    for (x, y) in (0..size * size).map(|module| (module % size, module / size)) {
        let inverted = layout.is_free(x, y) && inverts(mask.number(), x, y);
        if inverted || layout.is_dark(x, y) {
            // In the row and in the column.
            for (line, bit) in [(y, x), (x, size + y)] {
                overlay[bit / 64 * size + line] |= 1 << (bit % 64);
            }
        }
    }
    overlay
}
