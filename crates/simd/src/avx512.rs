//! AVX-512: vectors of eight words, and products over GF(2⁸) that take one instruction.

#![allow(clippy::wildcard_imports, reason = "the names of intrinsics say where they come from")]

use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Shl, Shr};

use crate::avx2::{compiled_for_avx2, operator, shift};
use crate::operations::Sealed;
use crate::{Avx2, ROW, Simd, WithSimd, Words};

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

impl Sealed for Avx512 {}

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

impl Sealed for Words8 {}

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

/// [`Simd::combine`], with a sum in each vector.
#[target_feature(enable = "avx2,gfni")]
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
        *factors = last;
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
