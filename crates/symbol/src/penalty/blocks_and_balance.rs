//! Rules N2 and N4: blocks of 2 × 2 modules of one colour, and the number of dark modules.

use std::ops::Range;

use qrpress_simd::{Simd, Words};

use super::variants::Variants;
use crate::bit_matrix::{first_bits, row_words};

/// Counts the blocks of rule N2 and the dark modules of rule N4.
#[inline(always)]
pub(super) fn blocks_and_dark<S: Simd>(variants: &Variants<S>) -> [S::Words; 2] {
    let size = variants.size();
    // The last columns are few in some versions, and then rather lines of their own than a word of every row.
    let few = size % 64 <= 32;
    match row_words(variants.matrix.version()) {
        1 => blocks_and_dark_in::<S, 1, false>(variants, &Area::whole(size)),
        2 if few => {
            let left = blocks_and_dark_in::<S, 1, false>(variants, &Area::left_of(64, size));
            let right = blocks_and_dark_in::<S, 2, true>(variants, &Area::right_of(64, size));
            [left[0] + right[0], left[1] + right[1]]
        }
        2 => blocks_and_dark_in::<S, 2, false>(variants, &Area::whole(size)),
        _ if few => {
            let left = blocks_and_dark_in::<S, 2, false>(variants, &Area::left_of(128, size));
            let right = blocks_and_dark_in::<S, 3, true>(variants, &Area::right_of(128, size));
            [left[0] + right[0], left[1] + right[1]]
        }
        _ => blocks_and_dark_in::<S, 3, false>(variants, &Area::whole(size)),
    }
}

/// A part of the symbol in which blocks and dark modules are counted.
struct Area {
    lines: Range<usize>,
    /// The strip in which its bits begin.
    strip: usize,
    /// Bits, counted from the strip's first, of modules that are counted where they are dark.
    modules: Range<usize>,
    /// Bits of modules that begin a block with the next bit and the line above.
    pairs: Range<usize>,
}

impl Area {
    fn whole(size: usize) -> Self {
        Self { lines: 0..size, strip: 0, modules: 0..size, pairs: 0..size - 1 }
    }

    /// The columns before the last one that is left of `edge`, and the blocks with that one.
    fn left_of(edge: usize, size: usize) -> Self {
        Self { lines: 0..size, strip: 0, modules: 0..edge - 1, pairs: 0..edge - 1 }
    }

    /// The columns that [`left_of`](Self::left_of) leaves, as lines.
    fn right_of(edge: usize, size: usize) -> Self {
        let first = size % 64;
        Self {
            lines: edge - 1..size,
            strip: size / 64,
            modules: first..first + size,
            pairs: first..first + size - 1,
        }
    }
}

/// Counts those of an area whose bits are in `WORDS` words; `INSIDE` when the area begins inside of the first word.
#[inline(always)]
fn blocks_and_dark_in<S: Simd, const WORDS: usize, const INSIDE: bool>(
    variants: &Variants<S>,
    area: &Area,
) -> [S::Words; 2] {
    let simd = variants.simd;
    let none = simd.splat(0);
    let last = WORDS - 1;
    let mut counted = [none; WORDS];
    let mut pairs = [none; WORDS];
    let mut strips = [variants.strip(area.strip); WORDS];
    for word in 0..WORDS {
        let bits = |bits: &Range<usize>| first_bits(bits.end, word) & !first_bits(bits.start, word);
        counted[word] = simd.splat(bits(&area.modules));
        pairs[word] = simd.splat(bits(&area.pairs));
        strips[word] = variants.strip(area.strip + word);
    }
    let (mut blocks, mut dark) = (none, none);
    // Of the line above: all modules, and the pairs of equal neighbours.
    let (mut above, mut equal_above) = ([none; WORDS], [none; WORDS]);
    for line in area.lines.clone() {
        let mut modules = [none; WORDS];
        for word in 0..WORDS {
            let (words, overlay) = strips[word];
            modules[word] = variants.mask(words[line], &overlay[line]);
        }
        for word in 0..WORDS {
            let mut next = modules[word] >> 1;
            if word < last {
                next = next | modules[word + 1] << 63;
            }
            let mut equal = !(modules[word] ^ next);
            let mut inside = modules[word];
            if word == last || INSIDE && word == 0 {
                equal = equal & pairs[word];
                inside = inside & counted[word];
            }
            let same_as_above = !(modules[word] ^ above[word]);
            blocks = blocks + (equal & equal_above[word] & same_as_above).count_ones();
            dark = dark + inside.count_ones();
            equal_above[word] = equal;
        }
        above = modules;
    }
    [blocks, dark]
}
