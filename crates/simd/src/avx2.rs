//! AVX2: vectors of four words.

#![allow(clippy::wildcard_imports, reason = "the names of intrinsics say where they come from")]

use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Shl, Shr};

use crate::operations::Sealed;
use crate::{Simd, WithSimd, Words};

/// AVX2, BMI1, BMI2, LZCNT and POPCNT. A value proves that this CPU has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Avx2(());

/// Four words. Made by an [`Avx2`] alone.
#[derive(Clone, Copy, Debug)]
pub struct Words4(__m256i);

impl Avx2 {
    /// The proof, when this CPU has the level.
    pub fn detect() -> Option<Self> {
        let is_available = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        is_available.then_some(Self(()))
    }

    #[inline]
    pub(crate) fn dispatch<W: WithSimd>(self, work: W) -> W::Output {
        // SAFETY: the value proves the level.
        unsafe { compiled_for_avx2(self, work) }
    }
}

/// Work with the operations of one level, compiled for AVX2.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn compiled_for_avx2<S: Simd, W: WithSimd>(simd: S, work: W) -> W::Output {
    work.with_simd(simd)
}

impl Sealed for Avx2 {}

impl Simd for Avx2 {
    type Words = Words4;

    #[inline(always)]
    fn splat(self, word: u64) -> Words4 {
        // SAFETY: the value proves the level.
        Words4(unsafe { _mm256_set1_epi64x(word.cast_signed()) })
    }

    #[inline(always)]
    fn load(self, words: &[u64]) -> Words4 {
        let words: *const [u64] = &raw const words[..Words4::LANES];
        // SAFETY: the value proves the level; the slice has the words, and they may lie at any address.
        Words4(unsafe { _mm256_loadu_si256(words.cast()) })
    }
}

impl Sealed for Words4 {}

impl Words for Words4 {
    const LANES: usize = 4;

    #[inline(always)]
    fn count_ones(self) -> Self {
        // SAFETY: a vector exists only where the CPU has its level.
        unsafe {
            // The number of ones of every nibble, then of bytes, then of words.
            let counts = _mm256_setr_epi8(
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3,
                4,
            );
            let nibble = _mm256_set1_epi8(15);
            let low = _mm256_shuffle_epi8(counts, _mm256_and_si256(self.0, nibble));
            let high = _mm256_and_si256(_mm256_srli_epi16::<4>(self.0), nibble);
            let bytes = _mm256_add_epi8(low, _mm256_shuffle_epi8(counts, high));
            Self(_mm256_sad_epu8(bytes, _mm256_setzero_si256()))
        }
    }

    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        let words: *mut [u64] = &raw mut words[..Self::LANES];
        // SAFETY: a vector exists only where the CPU has its level; the slice has room, at whatever address.
        unsafe { _mm256_storeu_si256(words.cast(), self.0) }
    }
}

/// Implements an operator of a vector by an intrinsic.
macro_rules! operator {
    ($vector:ident, $operator:ident, $method:ident, $intrinsic:ident) => {
        impl $operator for $vector {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: a vector exists only where the CPU has its level.
                Self(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    };
}

/// Implements a shift of every word by an intrinsic.
macro_rules! shift {
    ($vector:ident, $operator:ident, $method:ident, $intrinsic:ident) => {
        impl $operator<u32> for $vector {
            type Output = Self;

            #[inline(always)]
            fn $method(self, count: u32) -> Self {
                // SAFETY: a vector exists only where the CPU has its level.
                Self(unsafe { $intrinsic(self.0, _mm_cvtsi32_si128(count.cast_signed())) })
            }
        }
    };
}

pub(crate) use {operator, shift};

operator!(Words4, Add, add, _mm256_add_epi64);
operator!(Words4, BitAnd, bitand, _mm256_and_si256);
operator!(Words4, BitOr, bitor, _mm256_or_si256);
operator!(Words4, BitXor, bitxor, _mm256_xor_si256);
shift!(Words4, Shl, shl, _mm256_sll_epi64);
shift!(Words4, Shr, shr, _mm256_srl_epi64);

impl Not for Words4 {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: a vector exists only where the CPU has its level.
        Self(unsafe { _mm256_xor_si256(self.0, _mm256_set1_epi64x(-1)) })
    }
}
