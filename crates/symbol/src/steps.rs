//! The steps from data codewords to the rows of a symbol, each compiled for every CPU level: place, choose a mask, finish.

use qrpress_simd::{SQUARE, Simd, WithSimd};

use crate::bit_matrix::{BitMatrix, WordsOfRows};
use crate::capacity::{MAX_BLOCKS, MAX_CODEWORDS};
use crate::interleave::{Remainders, interleave};
use crate::penalty::{N3, count_wide, penalties};
use crate::placement::{BYTES_BEFORE, PaddedCodewords, PairSquares};
use crate::reed_solomon::MAX_DEGREE;
use crate::tables::SymbolTables;
use crate::{Mask, ROW_WORDS, Symbol};

/// The memory of the steps, kept from symbol to symbol. The memory that vectors are read from comes first, where cache
/// lines begin.
#[repr(C)]
pub(crate) struct Workspace {
    /// The placed codewords, without function patterns and mask.
    placed: BitMatrix,
    /// The finished modules.
    masked: BitMatrix,
    columns: WordsOfRows,
    rows: WordsOfRows,
    pairs: PairSquares,
    /// The data codewords. The caller fills as many as the version and level have; bytes of any value follow them.
    pub(crate) data: [u8; MAX_CODEWORDS],
    remainders: Remainders,
    codewords: PaddedCodewords,
}

impl Workspace {
    pub(crate) fn new() -> Self {
        Self {
            data: [0; MAX_CODEWORDS],
            remainders: [[0; MAX_DEGREE]; MAX_BLOCKS],
            codewords: [0; BYTES_BEFORE + MAX_CODEWORDS],
            pairs: [[0; SQUARE]; ROW_WORDS * ROW_WORDS],
            columns: [[0; 64 * ROW_WORDS]; ROW_WORDS],
            rows: [[0; 64 * ROW_WORDS]; ROW_WORDS],
            placed: BitMatrix::BLANK,
            masked: BitMatrix::BLANK,
        }
    }
}

/// The placement of the data codewords in a workspace, with their error correction codewords.
pub(crate) struct Place<'a> {
    pub(crate) tables: &'a SymbolTables,
    pub(crate) workspace: &'a mut Workspace,
}

impl WithSimd for Place<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { tables, workspace } = self;
        let Workspace { data, remainders, codewords, pairs, columns, rows, placed, .. } = workspace;
        let count = tables.blocks.data_codewords() + tables.blocks.count * tables.blocks.ec;
        interleave(
            simd,
            &tables.blocks,
            tables.divisor,
            data,
            remainders,
            &mut codewords[BYTES_BEFORE..][..count],
        );
        tables.placement.place(simd, codewords, pairs, columns, rows);
        placed.join(tables.version, rows, columns);
    }
}

/// The masking of placed codewords, with the mask of least penalty unless one is given. The output is the mask.
pub(crate) struct ChooseMask<'a> {
    pub(crate) tables: &'a SymbolTables,
    pub(crate) given: Option<Mask>,
    pub(crate) workspace: &'a mut Workspace,
}

impl WithSimd for ChooseMask<'_> {
    type Output = Mask;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Mask {
        let Self { tables, given, workspace } = self;
        let Workspace { placed, masked, .. } = workspace;
        if let Some(mask) = given {
            masked.overlay(placed, tables.overlay_of(mask));
            mask
        } else {
            least_penalty(simd, tables, placed, masked)
        }
    }
}

/// The writing of the masked rows.
pub(crate) struct Finish<'a> {
    pub(crate) tables: &'a SymbolTables,
    pub(crate) mask: Mask,
    pub(crate) workspace: &'a Workspace,
    pub(crate) symbol: &'a mut Symbol,
}

impl WithSimd for Finish<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { tables, mask, workspace, symbol } = self;
        workspace.masked.write_rows(symbol.redraw(tables.version, tables.level, mask));
    }
}

/// The mask with the least penalty, the first of equals. Leaves the modules with that mask in `masked`.
#[inline(always)]
fn least_penalty<S: Simd>(
    simd: S,
    tables: &SymbolTables,
    placed: &BitMatrix,
    masked: &mut BitMatrix,
) -> Mask {
    let mut penalties = penalties(simd, placed, &tables.overlay);
    let mut current = None;
    // Penalties to which the wide patterns were added.
    let mut complete = [false; 8];
    loop {
        // The lane in the low bits makes the first of equals the least.
        let mut least = u64::MAX;
        for lane in 0..8 {
            least = least.min(penalties[lane] << 3 | lane as u64);
        }
        let best = (least & 7) as usize;
        let mask = Mask::ALL[best];
        if current != Some(mask) {
            masked.overlay(placed, tables.overlay_of(mask));
            current = Some(mask);
        }
        if complete[best] {
            return mask;
        }
        // The penalties of the other masks may lack wide patterns, which could only add to them.
        let wide = count_wide(simd, masked);
        if wide == 0 {
            return mask;
        }
        penalties[best] += N3 * wide;
        complete[best] = true;
    }
}
