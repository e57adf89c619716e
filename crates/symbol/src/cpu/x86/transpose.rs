//! Squares of bits transposed in vectors.

use std::arch::x86_64::*;

use super::{Avx512, Words8};
use crate::vector::{Level, SQUARE, Vector};

/// [`Level::transpose`] without a stop in memory between the steps, of so many vectors to so many; others are light.
#[target_feature(enable = "avx512f")]
pub(super) fn transpose<const FROM: usize, const TO: usize>(
    level: Avx512,
    from: &[u64; SQUARE],
    to: &mut [u64; SQUARE],
) {
    let mut vectors = [level.splat(0).0; 8];
    load(level, from, &mut vectors[..FROM]);
    // The steps may be in any order.
    if FROM < TO {
        exchange_within::<4, 2, 1>(&mut vectors[..FROM]);
    }
    exchange::<4, 32>(&mut vectors);
    exchange::<2, 16>(&mut vectors);
    exchange::<1, 8>(&mut vectors);
    if FROM >= TO {
        exchange_within::<4, 2, 1>(&mut vectors[..TO]);
    }
    store(&vectors[..TO], to);
}

/// [`Level::transpose_pairs`] without a stop in memory between the steps, of the first vectors in so many halves; others
/// are light.
#[target_feature(enable = "avx512f")]
pub(super) fn transpose_pairs<const FROM: usize, const HALVES: usize>(
    level: Avx512,
    square: &mut [u64; SQUARE],
) {
    for half in square.as_chunks_mut::<{ SQUARE / 2 }>().0.iter_mut().take(HALVES) {
        let mut vectors = [level.splat(0).0; 4];
        load(level, half, &mut vectors[..FROM]);
        exchange_within::<8, 4, 2>(&mut vectors[..FROM]);
        exchange::<2, 32>(&mut vectors);
        exchange::<1, 16>(&mut vectors);
        store(&vectors, half);
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load(level: Avx512, words: &[u64], vectors: &mut [__m512i]) {
    for (vector, words) in vectors.iter_mut().zip(words.as_chunks::<{ Words8::WORDS }>().0) {
        *vector = level.load(words).0;
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store(vectors: &[__m512i], words: &mut [u64]) {
    for (&vector, words) in vectors.iter().zip(words.as_chunks_mut::<{ Words8::WORDS }>().0) {
        Words8(vector).store(words);
    }
}

/// Exchanges bits of the first vector of each two that are `APART` for those of the second `BITS` below.
#[inline]
#[target_feature(enable = "avx512f")]
fn exchange<const APART: usize, const BITS: u32>(vectors: &mut [__m512i]) {
    let low = low_bits(BITS.into());
    for pair in vectors.chunks_exact_mut(2 * APART) {
        for i in 0..APART {
            let (a, b) = (pair[i], pair[i + APART]);
            pair[i] = select(low, a, _mm512_slli_epi64::<BITS>(b));
            pair[i + APART] = select(low, _mm512_srli_epi64::<BITS>(a), b);
        }
    }
}

/// The same between words of each vector that are four, two and one apart, and those so many bits below.
#[inline]
#[target_feature(enable = "avx512f")]
fn exchange_within<const FOUR: i64, const TWO: i64, const ONE: i64>(vectors: &mut [__m512i]) {
    for vector in vectors {
        let partners = _mm512_shuffle_i64x2::<0x4E>(*vector, *vector);
        *vector = exchange_with(*vector, partners, 0b1111_0000, FOUR);
        let partners = _mm512_permutex_epi64::<0x4E>(*vector);
        *vector = exchange_with(*vector, partners, 0b1100_1100, TWO);
        let partners = _mm512_permutex_epi64::<0xB1>(*vector);
        *vector = exchange_with(*vector, partners, 0b1010_1010, ONE);
    }
}

/// Exchanges bits with those of the `partners`; `second` has a bit for the second word of each two.
#[inline]
#[target_feature(enable = "avx512f")]
fn exchange_with(vector: __m512i, partners: __m512i, second: __mmask8, bits: i64) -> __m512i {
    let low = low_bits(bits);
    let kept = _mm512_mask_xor_epi64(low, second, low, _mm512_set1_epi64(-1));
    let by = _mm512_mask_set1_epi64(_mm512_set1_epi64(bits), second, 64 - bits);
    // What a rotation brings in at the end is not taken.
    select(kept, vector, _mm512_rolv_epi64(partners, by))
}

/// The lower half of every `2 * bits` bits.
#[inline]
#[target_feature(enable = "avx512f")]
fn low_bits(bits: i64) -> __m512i {
    _mm512_set1_epi64((u64::MAX / ((1 << bits) + 1)).cast_signed())
}

/// The bits of `a` where `mask` is set, and those of `b` elsewhere.
#[inline]
#[target_feature(enable = "avx512f")]
fn select(mask: __m512i, a: __m512i, b: __m512i) -> __m512i {
    _mm512_ternarylogic_epi64::<0xCA>(mask, a, b)
}
