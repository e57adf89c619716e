//! Vectors of x86-64.

#![allow(clippy::wildcard_imports, reason = "two dozen intrinsics whose names say where they come from")]

mod division;
mod transpose;

use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Shl, Shr};

use crate::capacity::Blocks;
use crate::classes::{CLASSIFIED, Classes};
use crate::reed_solomon::Divisor;
use crate::vector::{Level, SQUARE, Used, Vector};
use division::{FEWEST_BLOCKS, correct_interleaved};
use transpose::{transpose, transpose_pairs};

/// AVX2, proven to be there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

/// AVX-512, proven to be there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(());

/// Four words. Made from [`Avx2`] alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words4(__m256i);

/// Eight words. Made from [`Avx512`] alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words8(__m512i);

impl Avx2 {
    /// # Safety
    /// The CPU has AVX2.
    pub(super) unsafe fn assume() -> Self {
        Self(())
    }
}

impl Avx512 {
    /// # Safety
    /// The CPU has BMI2, GFNI and AVX-512 F, BW and VPOPCNTDQ.
    pub(super) unsafe fn assume() -> Self {
        Self(())
    }
}

/// Implements an operator by an intrinsic.
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

operator!(Words4, Add, add, _mm256_add_epi64);
operator!(Words4, BitAnd, bitand, _mm256_and_si256);
operator!(Words4, BitOr, bitor, _mm256_or_si256);
operator!(Words4, BitXor, bitxor, _mm256_xor_si256);
shift!(Words4, Shl, shl, _mm256_sll_epi64);
shift!(Words4, Shr, shr, _mm256_srl_epi64);

operator!(Words8, Add, add, _mm512_add_epi64);
operator!(Words8, BitAnd, bitand, _mm512_and_si512);
operator!(Words8, BitOr, bitor, _mm512_or_si512);
operator!(Words8, BitXor, bitxor, _mm512_xor_si512);
shift!(Words8, Shl, shl, _mm512_sll_epi64);
shift!(Words8, Shr, shr, _mm512_srl_epi64);

impl Not for Words4 {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: a vector exists only where the CPU has its level.
        Self(unsafe { _mm256_xor_si256(self.0, _mm256_set1_epi64x(-1)) })
    }
}

impl Not for Words8 {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: a vector exists only where the CPU has its level.
        Self(unsafe { _mm512_xor_si512(self.0, _mm512_set1_epi64(-1)) })
    }
}

impl Level for Avx2 {
    type Vector = Words4;

    #[inline(always)]
    fn splat(self, word: u64) -> Words4 {
        // SAFETY: the value proves the level.
        Words4(unsafe { _mm256_set1_epi64x(word.cast_signed()) })
    }

    #[inline(always)]
    fn load(self, words: &[u64]) -> Words4 {
        let words: *const [u64] = &raw const words[..Words4::WORDS];
        // SAFETY: the value proves the level; the slice has the words, and they may lie at any address.
        Words4(unsafe { _mm256_loadu_si256(words.cast()) })
    }

    #[inline(always)]
    fn classify(self, characters: &[u8; CLASSIFIED]) -> Classes {
        // SAFETY: the value proves the level.
        unsafe { classify(characters) }
    }
}

impl Level for Avx512 {
    type Vector = Words8;

    #[inline(always)]
    fn splat(self, word: u64) -> Words8 {
        // SAFETY: the value proves the level.
        Words8(unsafe { _mm512_set1_epi64(word.cast_signed()) })
    }

    #[inline(always)]
    fn load(self, words: &[u64]) -> Words8 {
        let words: *const [u64] = &raw const words[..Words8::WORDS];
        // SAFETY: the value proves the level; the slice has the words, and they may lie at any address.
        Words8(unsafe { _mm512_loadu_si512(words.cast()) })
    }

    #[inline(always)]
    fn correct_interleaved(
        self,
        blocks: &Blocks,
        divisor: &Divisor,
        data: &[u8],
        corrections: &mut [u8],
    ) -> bool {
        let enough = blocks.count >= FEWEST_BLOCKS;
        if enough {
            // SAFETY: the value proves the level.
            unsafe { correct_interleaved(blocks, divisor, data, corrections) }
        }
        enough
    }

    #[inline(always)]
    fn deposit(self, bits: u64, places: u64) -> u64 {
        // SAFETY: the value proves the level. Among CPUs with AVX2 alone, some take a hundred times as long for this.
        unsafe { _pdep_u64(bits, places) }
    }

    #[inline(always)]
    fn transpose(self, from: &[u64; SQUARE], to: &mut [u64; SQUARE], used: Used) {
        // SAFETY: the value proves the level.
        unsafe {
            match (used.columns <= Words8::WORDS, used.rows <= Words8::WORDS) {
                (false, false) => transpose::<8, 8>(self, from, to),
                (true, false) => transpose::<8, 1>(self, from, to),
                (false, true) => transpose::<1, 8>(self, from, to),
                (true, true) => transpose::<1, 1>(self, from, to),
            }
        }
    }

    #[inline(always)]
    fn transpose_pairs(self, square: &mut [u64; SQUARE], used: Used) {
        // SAFETY: the value proves the level.
        unsafe {
            match (used.columns <= 2 * Words8::WORDS, used.rows <= SQUARE / 2) {
                (false, false) => transpose_pairs::<4, 2>(self, square),
                (true, false) => transpose_pairs::<1, 2>(self, square),
                (false, true) => transpose_pairs::<4, 1>(self, square),
                (true, true) => transpose_pairs::<1, 1>(self, square),
            }
        }
    }
}

impl Vector for Words4 {
    const WORDS: usize = 4;

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
        let words: *mut [u64] = &raw mut words[..Self::WORDS];
        // SAFETY: a vector exists only where the CPU has its level; the slice has room, at whatever address.
        unsafe { _mm256_storeu_si256(words.cast(), self.0) }
    }
}

impl Vector for Words8 {
    const WORDS: usize = 8;

    #[inline(always)]
    fn count_ones(self) -> Self {
        // SAFETY: a vector exists only where the CPU has its level.
        Self(unsafe { _mm512_popcnt_epi64(self.0) })
    }

    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        let words: *mut [u64] = &raw mut words[..Self::WORDS];
        // SAFETY: a vector exists only where the CPU has its level; the slice has room, at whatever address.
        unsafe { _mm512_storeu_si512(words.cast(), self.0) }
    }
}

/// [`Level::classify`] by looking nibbles up.
#[inline]
#[target_feature(enable = "avx2")]
fn classify(data: &[u8; CLASSIFIED]) -> Classes {
    // A character is of the sets that both its nibbles allow: 16 for digits, one bit for each high nibble that others have.
    // The low nibble of a byte that is not ASCII is looked up as zero.
    let by_low = _mm256_broadcastsi128_si256(_mm_setr_epi8(
        0x1B, 0x1E, 0x1E, 0x1E, 0x1F, 0x1F, 0x1E, 0x1E, 0x1E, 0x1E, 0x0F, 0x05, 0x04, 0x05, 0x05, 0x05,
    ));
    let by_high = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 0, 1, 18, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    let (halves, _) = data.as_chunks::<32>();
    // SAFETY: a half has 32 bytes, which may lie at any address.
    let [low, high] = [0, 1].map(|half| unsafe { _mm256_loadu_si256((&raw const halves[half]).cast()) });
    let [low, high] = [low, high].map(|bytes| {
        let high_nibbles = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), _mm256_set1_epi8(15));
        let sets =
            _mm256_and_si256(_mm256_shuffle_epi8(by_low, bytes), _mm256_shuffle_epi8(by_high, high_nibbles));
        let digits = _mm256_movemask_epi8(_mm256_slli_epi16::<3>(sets));
        let others = _mm256_movemask_epi8(_mm256_cmpeq_epi8(sets, _mm256_setzero_si256()));
        [digits.cast_unsigned(), !others.cast_unsigned()].map(u64::from)
    });
    Classes { digits: low[0] | high[0] << 32, characters: low[1] | high[1] << 32 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::first_bits;
    use crate::vector::Portable;

    /// Words that look random.
    fn words() -> [u64; SQUARE] {
        let mut state = 1_u64;
        [0; SQUARE].map(|_: u64| {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            state ^ state >> 29
        })
    }

    fn assert_as_words<L: Level>(level: L) {
        let words = words();
        let (a, b) = words.split_at(32);
        let vectors = [level.load(a), level.load(b)];
        let assert_same = |vector: L::Vector, word: &dyn Fn(u64, u64) -> u64| {
            let mut stored = [0; 8];
            vector.store(&mut stored);
            for i in 0..L::Vector::WORDS {
                assert_eq!(stored[i], word(a[i], b[i]));
            }
        };
        let [x, y] = vectors;
        assert_same(x + y, &u64::wrapping_add);
        assert_same(x & y, &|x, y| x & y);
        assert_same(x | y, &|x, y| x | y);
        assert_same(x ^ y, &|x, y| x ^ y);
        assert_same(!x, &|x, _| !x);
        assert_same(x << 5, &|x, _| x << 5);
        assert_same(x >> 63, &|x, _| x >> 63);
        assert_same(x.count_ones(), &|x, _| x.count_ones().into());
        assert_same(level.splat(words[0]), &|_, _| words[0]);
        for places in [0, 1, 1 << 63, u64::MAX, u64::MAX << 63, a[0], b[0]] {
            let mut bits = 0..64;
            let deposited = (0..64).filter(|place| places >> place & 1 == 1).zip(&mut bits);
            let expected = deposited.fold(0, |sum, (place, bit)| sum | (a[1] >> bit & 1) << place);
            assert_eq!(level.deposit(a[1], places), expected);
        }
        let every_byte: Vec<u8> = (0..=u8::MAX).collect();
        for bytes in every_byte.as_chunks().0 {
            assert_eq!(level.classify(bytes), Portable.classify(bytes));
        }
        for rows in [1, 8, 9, 32, 33, 64] {
            for columns in [1, 8, 9, 16, 17, 64] {
                assert_transposes(level, &words, Used { columns, rows });
            }
        }
    }

    fn assert_transposes<L: Level>(level: L, words: &[u64; SQUARE], used: Used) {
        let mut from = *words;
        from[used.rows..].fill(0);
        for word in &mut from {
            *word &= first_bits(used.columns, 0);
        }
        let mut square = *words;
        level.transpose(&from, &mut square, used);
        for (y, word) in square[..used.columns].iter().enumerate() {
            assert!((0..SQUARE).all(|x| word >> x & 1 == from[x] >> y & 1));
        }
        let mut from = *words;
        for half in from.as_chunks_mut::<32>().0 {
            half[used.columns.div_ceil(2)..].fill(0);
        }
        if used.rows <= 32 {
            from[32..].fill(0);
        }
        let mut square = from;
        level.transpose_pairs(&mut square, used);
        for (y, word) in square.iter().enumerate() {
            let (half, y) = (y & 32, y & 31);
            assert!((0..32).all(|x| word >> (2 * x) & 3 == from[half + x] >> (2 * y) & 3));
        }
    }

    #[test]
    fn vectors_do_what_words_do() {
        assert_as_words(Portable);
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the CPU was found to have it.
            assert_as_words(unsafe { Avx2::assume() });
        }
        if crate::CpuPath::Avx512.is_available() {
            // SAFETY: as above.
            assert_as_words(unsafe { Avx512::assume() });
        }
    }
}
