//! From data codewords to the rows of a symbol: the part that is compiled for each CPU level.

use crate::capacity::MAX_CODEWORDS;
use crate::codewords::interleave;
use crate::finder_like::Variant;
use crate::lanes::{Lanes, Line, lanes};
use crate::penalty::{LIGHT_ROWS, N3, penalties};
use crate::placement::{MAX_PAIR_WORDS, READ_AHEAD};
use crate::plan::{Plan, row_words};
use crate::{Mask, ROW_WORDS, Symbol, Version};

/// Rows that the masked variants take, light ones around them included.
const MAX_LINES: usize = Version::MAX.size() + 2 * LIGHT_ROWS;

/// Memory for drawing, kept from symbol to symbol.
pub(crate) struct Scratch {
    /// The data codewords; the caller fills as many as the plan has.
    pub(crate) data: [u8; MAX_CODEWORDS],
    codewords: [u8; MAX_CODEWORDS + READ_AHEAD],
    pairs: [u64; MAX_PAIR_WORDS],
    rows: [u64; ROW_WORDS * Version::MAX.size()],
    lines: Vec<Lanes>,
    variant: Variant,
}

impl Scratch {
    pub(crate) fn new() -> Self {
        Self {
            data: [0; MAX_CODEWORDS],
            codewords: [0; MAX_CODEWORDS + READ_AHEAD],
            pairs: [0; MAX_PAIR_WORDS],
            rows: [0; ROW_WORDS * Version::MAX.size()],
            lines: vec![Lanes::ZERO; ROW_WORDS * MAX_LINES],
            variant: Variant::BLANK,
        }
    }
}

/// Draws the data codewords in `scratch`, with the mask of least penalty unless one is given.
#[inline(always)]
pub(crate) fn draw(plan: &Plan, mask: Option<Mask>, scratch: &mut Scratch, symbol: &mut Symbol) {
    match row_words(plan.version) {
        1 => draw_rows::<1>(plan, mask, scratch, symbol),
        2 => draw_rows::<2>(plan, mask, scratch, symbol),
        _ => draw_rows::<3>(plan, mask, scratch, symbol),
    }
}

#[inline(always)]
fn draw_rows<const W: usize>(plan: &Plan, mask: Option<Mask>, scratch: &mut Scratch, symbol: &mut Symbol) {
    let Scratch { data, codewords, pairs, rows, lines, variant } = scratch;
    let size = plan.version.size();
    let data = &data[..plan.blocks.data_codewords()];
    let count = data.len() + plan.blocks.count * plan.blocks.ec;
    interleave(&plan.blocks, plan.divisor, data, &mut codewords[..count]);
    let rows = &mut rows.as_chunks_mut::<W>().0[..size];
    plan.placement.place(codewords, pairs, rows);
    let overlay = plan.overlay.as_chunks::<W>().0;
    variant.resize::<W>(size);
    let mask = if let Some(mask) = mask {
        mask_one(rows, overlay, mask, variant);
        mask
    } else {
        let lines = &mut lines.as_chunks_mut::<W>().0[..size + 2 * LIGHT_ROWS];
        mask_all(rows, overlay, lines);
        least_penalty(rows, overlay, &penalties(lines), variant)
    };
    for (y, finished) in symbol.redraw(plan.version, plan.level, mask).iter_mut().enumerate() {
        let mut words = [0; ROW_WORDS + 1];
        words[..W].copy_from_slice(&variant.row::<W>(y));
        for word in 0..ROW_WORDS {
            finished[word] = words[word] >> 1 | words[word + 1] << 63;
        }
    }
}

/// Makes one masked variant of the placed codewords.
#[inline(always)]
fn mask_one<const W: usize>(rows: &[[u64; W]], overlay: &[Line<W>], mask: Mask, variant: &mut Variant) {
    let lane = usize::from(mask.number());
    for (y, (row, overlay)) in rows.iter().zip(overlay).enumerate() {
        let mut masked = *row;
        for word in 0..W {
            masked[word] ^= overlay[word].0[lane];
        }
        variant.set_row(y, &masked);
    }
}

/// Makes the eight masked variants of the placed codewords.
#[inline(always)]
fn mask_all<const W: usize>(rows: &[[u64; W]], overlay: &[Line<W>], lines: &mut [Line<W>]) {
    let size = rows.len();
    lines[..LIGHT_ROWS].fill([Lanes::ZERO; W]);
    lines[LIGHT_ROWS + size..].fill([Lanes::ZERO; W]);
    for ((line, row), overlay) in lines[LIGHT_ROWS..].iter_mut().zip(rows).zip(overlay) {
        let row = row.map(|word| Lanes([word; 8]));
        *line = lanes!(|row, overlay| row ^ overlay);
    }
}

/// The mask of the variant with the least penalty, the first of equals; leaves that variant in `variant`.
#[inline(always)]
fn least_penalty<const W: usize>(
    rows: &[[u64; W]],
    overlay: &[Line<W>],
    penalties: &Lanes,
    variant: &mut Variant,
) -> Mask {
    let mut penalties = penalties.0;
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
            mask_one(rows, overlay, mask, variant);
            drawn = Some(mask);
        }
        if complete[best] {
            return mask;
        }
        // Others' penalties may lack wide patterns, which could only add to them.
        penalties[best] += N3 * variant.count_wide::<W>();
        complete[best] = true;
    }
}
