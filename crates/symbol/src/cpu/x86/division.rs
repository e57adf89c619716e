//! Error correction codewords of many blocks at once: a block in each byte of a vector, a codeword of all of them at a time.
//!
//! That is the order in which codewords are interleaved, so that they are read and written where they lie. With few blocks, a
//! vector has room for several powers of their remainders: each has a group of bytes. Where there is room for four, four
//! codewords of each block are taken at once, by what the powers that they have mod g come to: then nothing is to be shifted
//! but by whole vectors.

use std::arch::x86_64::*;

use crate::capacity::Blocks;
use crate::reed_solomon::{Divisor, LARGEST_GENERATOR, WITH_MATRICES};

/// With fewer blocks, tables are faster.
pub(super) const FEWEST_BLOCKS: usize = 4;
/// Bytes of a vector.
const BYTES: usize = 64;
/// Bytes of a group of which a vector has as many as there are polynomials with matrices.
const QUARTER: usize = BYTES / WITH_MATRICES;

/// Finds the `corrections` of the blocks' `data`, both interleaved.
#[target_feature(enable = "avx512f,avx512bw,gfni")]
pub(super) fn correct_interleaved(blocks: &Blocks, divisor: &Divisor, data: &[u8], corrections: &mut [u8]) {
    match (blocks.count, blocks.ec) {
        (..=16, ..=24) => correct::<16, 6>(blocks, divisor, data, corrections),
        (..=16, _) => correct::<16, 8>(blocks, divisor, data, corrections),
        (17..=32, _) => correct::<32, 15>(blocks, divisor, data, corrections),
        _ => correct::<64, LARGEST_GENERATOR>(blocks, divisor, data, corrections),
    }
}

/// The same in groups of that many bytes, 16, 32 or 64, with vectors enough for all powers of the remainders.
#[target_feature(enable = "avx512f,avx512bw,gfni")]
fn correct<const GROUP: usize, const VECTORS: usize>(
    blocks: &Blocks,
    divisor: &Divisor,
    data: &[u8],
    corrections: &mut [u8],
) {
    let count = blocks.count;
    let (rows, last_row) = data.split_at(blocks.short_data * count);
    let matrices = matrices::<GROUP, VECTORS>(divisor, 0);
    for first in (0..count).step_by(GROUP) {
        let end = count.min(first + GROUP);
        // The coefficients of the blocks' remainders, the highest power first; powers that the degree excludes are zero.
        let mut remainders = [_mm512_setzero_si512(); VECTORS];
        let mut left = rows;
        if GROUP == QUARTER {
            let of_powers = [
                matrices,
                self::matrices::<GROUP, VECTORS>(divisor, 1),
                self::matrices::<GROUP, VECTORS>(divisor, 2),
                self::matrices::<GROUP, VECTORS>(divisor, 3),
            ];
            let fours = rows.chunks_exact(4 * count);
            left = fours.remainder();
            for four in fours {
                remainders = next_four::<VECTORS>(&remainders, &of_powers, load_four(four, count));
            }
        }
        for row in left.chunks_exact(count) {
            remainders = next::<GROUP, VECTORS>(&remainders, &matrices, load(&row[first..end]));
        }
        // Longer blocks, which are the last, have one codeword more.
        let first_long = blocks.short_count.clamp(first, end);
        let mut last = [0; GROUP];
        last[first_long - first..end - first].copy_from_slice(
            &last_row[first_long - blocks.short_count.min(first_long)..][..end - first_long],
        );
        let longer = next::<GROUP, VECTORS>(&remainders, &matrices, load(&last));
        let is_long = in_every_group::<GROUP>(u64::MAX.checked_shl((first_long - first) as u32).unwrap_or(0));
        let mut coefficients = [[0; BYTES]; VECTORS];
        for vector in 0..VECTORS {
            let remainder = _mm512_mask_mov_epi8(remainders[vector], is_long, longer[vector]);
            store(remainder, &mut coefficients[vector]);
        }
        let powers = coefficients.as_flattened().chunks_exact(GROUP);
        for (power, row) in powers.zip(corrections.chunks_exact_mut(count)) {
            store(load(&power[..end - first]), &mut row[first..end]);
        }
    }
}

/// The remainders after one codeword more of each block.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,gfni")]
fn next<const GROUP: usize, const VECTORS: usize>(
    remainders: &[__m512i; VECTORS],
    matrices: &[__m512i; VECTORS],
    codewords: __m512i,
) -> [__m512i; VECTORS] {
    let factors = _mm512_xor_si512(remainders[0], codewords);
    let factors = match GROUP {
        16 => _mm512_shuffle_i64x2::<0b00_00_00_00>(factors, factors),
        32 => _mm512_shuffle_i64x2::<0b01_00_01_00>(factors, factors),
        _ => factors,
    };
    let mut next = *remainders;
    for vector in 0..VECTORS {
        let product = _mm512_gf2p8affine_epi64_epi8::<0>(factors, matrices[vector]);
        let after = if vector + 1 < VECTORS { remainders[vector + 1] } else { _mm512_setzero_si512() };
        let shifted = match GROUP {
            16 => _mm512_alignr_epi64::<2>(after, remainders[vector]),
            32 => _mm512_alignr_epi64::<4>(after, remainders[vector]),
            _ => after,
        };
        next[vector] = _mm512_xor_si512(shifted, product);
    }
    next
}

/// The remainders after four codewords more of each block, which are in a quarter of the vector each.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,gfni")]
fn next_four<const VECTORS: usize>(
    remainders: &[__m512i; VECTORS],
    matrices: &[[__m512i; VECTORS]; WITH_MATRICES],
    codewords: __m512i,
) -> [__m512i; VECTORS] {
    let factors = _mm512_xor_si512(remainders[0], codewords);
    // The last codeword has the lowest power.
    let factors = [
        _mm512_shuffle_i64x2::<0b11_11_11_11>(factors, factors),
        _mm512_shuffle_i64x2::<0b10_10_10_10>(factors, factors),
        _mm512_shuffle_i64x2::<0b01_01_01_01>(factors, factors),
        _mm512_shuffle_i64x2::<0b00_00_00_00>(factors, factors),
    ];
    let mut next = *remainders;
    for vector in 0..VECTORS {
        let mut sum = if vector + 1 < VECTORS { remainders[vector + 1] } else { _mm512_setzero_si512() };
        for power in (0..WITH_MATRICES).step_by(2) {
            let a = _mm512_gf2p8affine_epi64_epi8::<0>(factors[power], matrices[power][vector]);
            let b = _mm512_gf2p8affine_epi64_epi8::<0>(factors[power + 1], matrices[power + 1][vector]);
            // The exclusive or of all three.
            sum = _mm512_ternarylogic_epi64::<0x96>(sum, a, b);
        }
        next[vector] = sum;
    }
    next
}

/// What multiplies by the coefficients of one of the polynomials, each in its power's group.
#[inline]
#[target_feature(enable = "avx512f")]
fn matrices<const GROUP: usize, const VECTORS: usize>(
    divisor: &Divisor,
    polynomial: usize,
) -> [__m512i; VECTORS] {
    let of_words = match GROUP {
        16 => _mm512_setr_epi64(0, 0, 1, 1, 2, 2, 3, 3),
        32 => _mm512_setr_epi64(0, 0, 0, 0, 1, 1, 1, 1),
        _ => _mm512_setzero_si512(),
    };
    let mut matrices = [of_words; VECTORS];
    for vector in 0..VECTORS {
        let words = &raw const divisor.matrices[polynomial][vector * BYTES / GROUP..][..BYTES / 8];
        // SAFETY: the slice has as many words as are read, at whatever address.
        let loaded = unsafe { _mm512_loadu_si512(words.cast()) };
        matrices[vector] = _mm512_permutexvar_epi64(of_words, loaded);
    }
    matrices
}

/// The lowest bits of a mask for every group of that many bytes.
fn in_every_group<const GROUP: usize>(mask: u64) -> u64 {
    let group = u64::MAX >> (BYTES - GROUP);
    (mask & group) * (u64::MAX / group)
}

/// Up to [`BYTES`] bytes, zeros after them.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load(bytes: &[u8]) -> __m512i {
    // SAFETY: only bytes of the slice are read.
    unsafe { _mm512_maskz_loadu_epi8(first_bytes(bytes.len()), bytes.as_ptr().cast()) }
}

/// Four rows of so many bytes, one in each quarter, zeros after it.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load_four(rows: &[u8], count: usize) -> __m512i {
    let mut vector = _mm512_setzero_si512();
    for (quarter, row) in rows.chunks_exact(count).take(4).enumerate() {
        let place = quarter * QUARTER;
        // As if the vector began where the row would be in its place.
        let start = row.as_ptr().wrapping_sub(place);
        // SAFETY: only bytes of the row are read.
        vector = unsafe { _mm512_mask_loadu_epi8(vector, first_bytes(row.len()) << place, start.cast()) };
    }
    vector
}

/// Writes as many bytes as the slice has, at most [`BYTES`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn store(vector: __m512i, bytes: &mut [u8]) {
    // SAFETY: only bytes of the slice are written.
    unsafe { _mm512_mask_storeu_epi8(bytes.as_mut_ptr().cast(), first_bytes(bytes.len()), vector) }
}

/// A mask of that many bytes, 1 to [`BYTES`].
fn first_bytes(count: usize) -> u64 {
    debug_assert!((1..=BYTES).contains(&count));
    u64::MAX >> (BYTES - count)
}
