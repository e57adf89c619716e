//! AVX-512: vectors of eight words, and operations on bits and bytes that take one instruction.

#![allow(clippy::wildcard_imports, reason = "the names of intrinsics say where they come from")]

use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Shl, Shr};

use crate::avx2::{compiled_for_avx2, operator, shift};
use crate::{Avx2, ROW, SQUARE, Simd, WithSimd, Words};

/// All of [`Avx2`], GFNI and AVX-512 F, BW, DQ, VL and VPOPCNTDQ. A value proves that this CPU has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Avx512(());

/// Eight words. Made by an [`Avx512`] alone.
#[derive(Clone, Copy, Debug)]
pub struct Words8(__m512i);

impl Avx512 {
    /// The proof, when this CPU has the level.
    pub fn detect() -> Option<Self> {
        let is_available = Avx2::detect().is_some()
            && is_x86_feature_detected!("gfni")
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vpopcntdq");
        is_available.then_some(Self(()))
    }

    #[inline]
    pub(crate) fn dispatch<W: WithSimd>(self, work: W) -> W::Output {
        // SAFETY: the value proves the level.
        unsafe { compiled_for_avx512(self, work) }
    }

    #[inline]
    pub(crate) fn dispatch_narrow<W: WithSimd>(self, work: W) -> W::Output {
        // SAFETY: the value proves the level, which includes AVX2's.
        unsafe { compiled_for_avx2(self, work) }
    }
}

/// Work compiled for AVX-512.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq")]
fn compiled_for_avx512<W: WithSimd>(simd: Avx512, work: W) -> W::Output {
    work.with_simd(simd)
}

impl Simd for Avx512 {
    type Words = Words8;

    #[inline(always)]
    fn splat(self, word: u64) -> Words8 {
        // SAFETY: the value proves the level.
        Words8(unsafe { _mm512_set1_epi64(word.cast_signed()) })
    }

    #[inline(always)]
    fn load(self, words: &[u64]) -> Words8 {
        let words: *const [u64] = &raw const words[..Words8::LANES];
        // SAFETY: the value proves the level; the slice has the words, and they may lie at any address.
        Words8(unsafe { _mm512_loadu_si512(words.cast()) })
    }

    #[inline(always)]
    fn deposit(self, bits: u64, places: u64) -> u64 {
        // SAFETY: the value proves the level.
        unsafe { _pdep_u64(bits, places) }
    }

    #[inline(always)]
    fn transpose(self, from: &[u64; SQUARE], to: &mut [u64; SQUARE]) {
        // SAFETY: the value proves the level.
        unsafe { transpose(self, from, to) }
    }

    #[inline(always)]
    fn transpose_pairs(self, square: &mut [u64; SQUARE]) {
        // SAFETY: the value proves the level.
        unsafe { transpose_pairs(self, square) }
    }

    #[inline(always)]
    fn combine<const N: usize>(
        self,
        factors: [&[u8]; N],
        rows: &[[u8; ROW]],
        products: &[u64; 256],
    ) -> Option<[[u8; ROW]; N]> {
        // SAFETY: the value proves the level.
        Some(unsafe { combine(factors, rows, products) })
    }
}

impl Words for Words8 {
    const LANES: usize = 8;

    #[inline(always)]
    fn count_ones(self) -> Self {
        // SAFETY: a vector exists only where the CPU has its level.
        Self(unsafe { _mm512_popcnt_epi64(self.0) })
    }

    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        let words: *mut [u64] = &raw mut words[..Self::LANES];
        // SAFETY: a vector exists only where the CPU has its level; the slice has room, at whatever address.
        unsafe { _mm512_storeu_si512(words.cast(), self.0) }
    }
}

operator!(Words8, Add, add, _mm512_add_epi64);
operator!(Words8, BitAnd, bitand, _mm512_and_si512);
operator!(Words8, BitOr, bitor, _mm512_or_si512);
operator!(Words8, BitXor, bitxor, _mm512_xor_si512);
shift!(Words8, Shl, shl, _mm512_sll_epi64);
shift!(Words8, Shr, shr, _mm512_srl_epi64);

impl Not for Words8 {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: a vector exists only where the CPU has its level.
        Self(unsafe { _mm512_xor_si512(self.0, _mm512_set1_epi64(-1)) })
    }
}

/// [`Simd::transpose`] without a stop in memory between the steps.
#[target_feature(enable = "avx512f")]
fn transpose(simd: Avx512, from: &[u64; SQUARE], to: &mut [u64; SQUARE]) {
    let mut vectors = [simd.splat(0).0; 8];
    load(simd, from, &mut vectors);
    exchange::<4, 32>(&mut vectors);
    exchange::<2, 16>(&mut vectors);
    exchange::<1, 8>(&mut vectors);
    exchange_within::<4, 2, 1>(&mut vectors);
    store(&vectors, to);
}

/// [`Simd::transpose_pairs`] without a stop in memory between the steps.
#[target_feature(enable = "avx512f")]
fn transpose_pairs(simd: Avx512, square: &mut [u64; SQUARE]) {
    for half in square.as_chunks_mut::<{ SQUARE / 2 }>().0 {
        let mut vectors = [simd.splat(0).0; 4];
        load(simd, half, &mut vectors);
        exchange_within::<8, 4, 2>(&mut vectors);
        exchange::<2, 32>(&mut vectors);
        exchange::<1, 16>(&mut vectors);
        store(&vectors, half);
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load(simd: Avx512, words: &[u64], vectors: &mut [__m512i]) {
    for (vector, words) in vectors.iter_mut().zip(words.as_chunks::<{ Words8::LANES }>().0) {
        *vector = simd.load(words).0;
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store(vectors: &[__m512i], words: &mut [u64]) {
    for (&vector, words) in vectors.iter().zip(words.as_chunks_mut::<{ Words8::LANES }>().0) {
        Words8(vector).store(words);
    }
}

/// Exchanges the high `BITS` bits of every `2 * BITS` bits of a vector for the low ones of the vector `APART` after it.
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

/// The same between words of each vector that are four, two and one apart; the parameters are numbers of bits.
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

/// Exchanges bits with those of the `partners`; `second` has a one for the second word of each two.
#[inline]
#[target_feature(enable = "avx512f")]
fn exchange_with(vector: __m512i, partners: __m512i, second: __mmask8, bits: i64) -> __m512i {
    let low = low_bits(bits);
    let kept = _mm512_mask_xor_epi64(low, second, low, _mm512_set1_epi64(-1));
    let by = _mm512_mask_set1_epi64(_mm512_set1_epi64(bits), second, 64 - bits);
    // The bits that a rotation brings in at the end are not taken.
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

/// [`Simd::combine`], with a sum in each vector.
#[target_feature(enable = "avx512f,avx512vl,gfni")]
fn combine<const N: usize>(factors: [&[u8]; N], rows: &[[u8; ROW]], products: &[u64; 256]) -> [[u8; ROW]; N] {
    let multiplied = |row: &[u8; ROW], factor: u8| {
        // SAFETY: the row has as many bytes as are read, at whatever address.
        let row = unsafe { _mm256_loadu_si256(row.as_ptr().cast()) };
        let matrix = _mm256_set1_epi64x(products[usize::from(factor)].cast_signed());
        _mm256_gf2p8affine_epi64_epi8::<0>(row, matrix)
    };
    let common = factors.iter().map(|factors| factors.len()).min().unwrap_or(0);
    let (rows_before, rows) = rows.split_at(rows.len() - common);
    let mut sums = [_mm256_setzero_si256(); N];
    let mut last_factors = factors;
    // The first factors of those that have more than others.
    for (sum, factors) in sums.iter_mut().zip(&mut last_factors) {
        let (first, last) = factors.split_at(factors.len() - common);
        for (row, &factor) in rows_before[rows_before.len() - first.len()..].iter().zip(first) {
            *sum = _mm256_xor_si256(*sum, multiplied(row, factor));
        }
        *factors = &last[..common];
    }
    for (index, row) in rows.iter().enumerate() {
        for (sum, factors) in sums.iter_mut().zip(&last_factors) {
            *sum = _mm256_xor_si256(*sum, multiplied(row, factors[index]));
        }
    }
    sums.map(|sum| {
        let mut bytes = [0; ROW];
        // SAFETY: the array has as many bytes as are written, at whatever address.
        unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), sum) };
        bytes
    })
}
