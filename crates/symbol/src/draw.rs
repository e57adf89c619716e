//! From data codewords to the rows of a symbol: the part that is compiled for each CPU level.

use crate::capacity::{MAX_BLOCKS, MAX_CODEWORDS};
use crate::codewords::{Corrections, interleave};
use crate::finder_like::count_wide;
use crate::fold::Folded;
use crate::lines::{Lines, Squares};
use crate::penalty::{N3, penalties};
use crate::placement::{Codewords, LEAD, Pairs};
use crate::plan::Plan;
use crate::reed_solomon::MAX_DEGREE;
use crate::vector::{Level, SQUARE};
use crate::{Mask, ROW_WORDS, Symbol};

/// Memory for drawing, kept from symbol to symbol. What vectors are read from comes first, where cache lines begin.
#[repr(C)]
pub(crate) struct Scratch {
    lines: Lines,
    variant: Lines,
    columns: Squares,
    rows: Squares,
    pairs: Pairs,
    /// The data codewords; the caller fills as many as the plan has, so that there are others after them.
    pub(crate) data: [u8; MAX_CODEWORDS],
    corrections: Corrections,
    codewords: Codewords,
    folded: Folded,
}

impl Scratch {
    pub(crate) fn new() -> Self {
        Self {
            data: [0; MAX_CODEWORDS],
            corrections: [[0; MAX_DEGREE]; MAX_BLOCKS],
            codewords: [0; LEAD + MAX_CODEWORDS],
            pairs: [[0; SQUARE]; ROW_WORDS * ROW_WORDS],
            columns: [[0; 64 * ROW_WORDS]; ROW_WORDS],
            rows: [[0; 64 * ROW_WORDS]; ROW_WORDS],
            lines: Lines::BLANK,
            variant: Lines::BLANK,
            folded: Folded::BLANK,
        }
    }
}

/// Appends error correction to the data codewords and places them all.
#[inline(always)]
pub(crate) fn place<L: Level>(level: L, plan: &Plan, scratch: &mut Scratch) {
    let Scratch { data, corrections, codewords, pairs, columns, rows, lines, .. } = scratch;
    let count = plan.blocks.data_codewords() + plan.blocks.count * plan.blocks.ec;
    interleave(level, &plan.blocks, plan.divisor, data, corrections, &mut codewords[LEAD..][..count]);
    plan.placement.place(level, codewords, pairs, columns, rows);
    lines.join(plan.version, rows, columns);
}

/// Masks the placed codewords, with the mask of least penalty unless one is given.
#[inline(always)]
pub(crate) fn mask<L: Level>(level: L, plan: &Plan, mask: Option<Mask>, scratch: &mut Scratch) -> Mask {
    let Scratch { lines, variant, folded, .. } = scratch;
    if let Some(mask) = mask {
        variant.overlay(lines, plan.overlay_of(mask));
        mask
    } else {
        least_penalty(level, plan, lines, variant, folded)
    }
}

/// Writes the masked rows.
#[inline(always)]
pub(crate) fn finish(plan: &Plan, mask: Mask, scratch: &Scratch, symbol: &mut Symbol) {
    scratch.variant.write_rows(symbol.redraw(plan.version, plan.level, mask));
}

/// The mask of the variant with the least penalty, the first of equals; leaves that variant in `variant`. `folded` is
/// memory.
#[inline(always)]
fn least_penalty<L: Level>(
    level: L,
    plan: &Plan,
    lines: &Lines,
    variant: &mut Lines,
    folded: &mut Folded,
) -> Mask {
    let folded = plan.fold.as_ref().map(|fold| fold.fold(lines, folded));
    let mut penalties = penalties(level, lines, &plan.overlay, folded);
    let mut drawn = None;
    let mut complete = [false; 8];
    loop {
        // The lane in the low bits makes the first of equals the least.
        let mut least = u64::MAX;
        for lane in 0..8 {
            least = least.min(penalties[lane] << 3 | lane as u64);
        }
        let best = (least & 7) as usize;
        let mask = Mask::ALL[best];
        if drawn != Some(mask) {
            variant.overlay(lines, plan.overlay_of(mask));
            drawn = Some(mask);
        }
        if complete[best] {
            return mask;
        }
        // Others' penalties may lack wide patterns, which could only add to them.
        let wide = count_wide(level, variant);
        if wide == 0 {
            return mask;
        }
        penalties[best] += N3 * wide;
        complete[best] = true;
    }
}
