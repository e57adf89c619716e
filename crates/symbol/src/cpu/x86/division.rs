//! Error correction codewords of many blocks at once: a block in each byte of a vector, a codeword of all of them at a time.
//!
//! That is the order in which codewords are interleaved, so that they are read and written where they lie.

use std::arch::x86_64::*;

use crate::capacity::Blocks;
use crate::reed_solomon::{Divisor, LARGEST_GENERATOR};

/// With fewer blocks, tables are faster.
pub(super) const FEWEST_BLOCKS: usize = 4;
/// Blocks that fit in a vector.
const LANES: usize = 64;

/// The coefficients of some blocks' remainders, the highest power first; powers that the degree excludes are zero.
type Remainders = [__m512i; LARGEST_GENERATOR];

/// Finds the `corrections` of the blocks' `data`, both interleaved.
#[target_feature(enable = "avx512f,avx512bw,gfni")]
pub(super) fn correct_interleaved(blocks: &Blocks, divisor: &Divisor, data: &[u8], corrections: &mut [u8]) {
    let count = blocks.count;
    let (rows, last_row) = data.split_at(blocks.short_data * count);
    for first in (0..count).step_by(LANES) {
        let end = count.min(first + LANES);
        let mut remainders = [_mm512_setzero_si512(); LARGEST_GENERATOR];
        for row in rows.chunks_exact(count) {
            remainders = next(&remainders, divisor, load(&row[first..end]));
        }
        // Longer blocks, which are the last, have one codeword more.
        let first_long = blocks.short_count.clamp(first, end);
        let mut last = [0; LANES];
        last[first_long - first..end - first].copy_from_slice(
            &last_row[first_long - blocks.short_count.min(first_long)..][..end - first_long],
        );
        let longer = next(&remainders, divisor, load(&last));
        let is_long = u64::MAX.checked_shl((first_long - first) as u32).unwrap_or(0);
        for (power, row) in corrections.chunks_exact_mut(count).enumerate() {
            store(_mm512_mask_mov_epi8(remainders[power], is_long, longer[power]), &mut row[first..end]);
        }
    }
}

/// The remainders after one codeword more of each block.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,gfni")]
fn next(remainders: &Remainders, divisor: &Divisor, codewords: __m512i) -> Remainders {
    let factors = _mm512_xor_si512(remainders[0], codewords);
    let mut next = *remainders;
    for power in 0..LARGEST_GENERATOR {
        let matrix = _mm512_set1_epi64(divisor.matrices[power].cast_signed());
        let product = _mm512_gf2p8affine_epi64_epi8::<0>(factors, matrix);
        let shifted = remainders.get(power + 1).copied().unwrap_or(_mm512_setzero_si512());
        next[power] = _mm512_xor_si512(shifted, product);
    }
    next
}

/// Up to [`LANES`] bytes, zeros after them.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load(bytes: &[u8]) -> __m512i {
    // SAFETY: only bytes of the slice are read.
    unsafe { _mm512_maskz_loadu_epi8(first_lanes(bytes.len()), bytes.as_ptr().cast()) }
}

/// Writes as many lanes as the slice has bytes, at most [`LANES`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn store(lanes: __m512i, bytes: &mut [u8]) {
    // SAFETY: only bytes of the slice are written.
    unsafe { _mm512_mask_storeu_epi8(bytes.as_mut_ptr().cast(), first_lanes(bytes.len()), lanes) }
}

/// A mask of that many lanes, 1 to [`LANES`].
fn first_lanes(count: usize) -> u64 {
    debug_assert!((1..=LANES).contains(&count));
    u64::MAX >> (LANES - count)
}
