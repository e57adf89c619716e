//! The level that every CPU has: a word at a time.

use crate::{SQUARE, Simd, Words};

/// The instructions that every CPU of the architecture has. A vector is one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Portable;

impl Simd for Portable {
    type Words = u64;

    #[inline(always)]
    fn splat(self, word: u64) -> u64 {
        word
    }

    #[inline(always)]
    fn load(self, words: &[u64]) -> u64 {
        words[0]
    }

    #[inline(always)]
    fn deposit(self, bits: u64, places: u64) -> u64 {
        deposit(bits, places)
    }

    #[inline(always)]
    fn transpose(self, from: &[u64; SQUARE], to: &mut [u64; SQUARE]) {
        transpose(from, to);
    }

    #[inline(always)]
    fn transpose_pairs(self, square: &mut [u64; SQUARE]) {
        transpose_pairs(square);
    }
}

impl Words for u64 {
    const LANES: usize = 1;

    #[inline(always)]
    fn count_ones(self) -> Self {
        Self::count_ones(self).into()
    }

    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        words[0] = self;
    }
}

/// [`Simd::deposit`], a run of places at a time: there are few.
#[inline(always)]
pub(crate) fn deposit(mut bits: u64, mut places: u64) -> u64 {
    let mut deposited = 0;
    while places != 0 {
        let start = places.trailing_zeros();
        // The carry clears the run.
        let carried = places.wrapping_add(1 << start);
        deposited |= bits << start & places & !carried;
        bits = bits.wrapping_shr(carried.trailing_zeros() - start);
        places &= carried;
    }
    deposited
}

/// [`Simd::transpose`] in six steps, each of which exchanges quarters of half the size.
#[inline(always)]
pub(crate) fn transpose(from: &[u64; SQUARE], to: &mut [u64; SQUARE]) {
    *to = *from;
    exchange_quarters::<32, 32>(to);
    exchange_quarters::<16, 16>(to);
    exchange_quarters::<8, 8>(to);
    exchange_quarters::<4, 4>(to);
    exchange_quarters::<2, 2>(to);
    exchange_quarters::<1, 1>(to);
}

/// [`Simd::transpose_pairs`]: the same without the step of single bits, in half the words.
#[inline(always)]
pub(crate) fn transpose_pairs(square: &mut [u64; SQUARE]) {
    exchange_quarters::<16, 32>(square);
    exchange_quarters::<8, 16>(square);
    exchange_quarters::<4, 8>(square);
    exchange_quarters::<2, 4>(square);
    exchange_quarters::<1, 2>(square);
}

/// Exchanges the off-diagonal quarters, `WORDS` high and `BITS` wide, of every square of twice the size.
///
/// ```text
///           low bits  high bits                  low bits  high bits
/// word 0       A          B          word 0         A          C
/// word 1       C          D          word 1         B          D
/// ```
#[inline(always)]
fn exchange_quarters<const WORDS: usize, const BITS: usize>(square: &mut [u64; SQUARE]) {
    let low = u64::MAX / ((1 << BITS) + 1);
    for pair in square.chunks_exact_mut(2 * WORDS) {
        for i in 0..WORDS {
            let (a, b) = (pair[i], pair[i + WORDS]);
            let exchanged = (a >> BITS ^ b) & low;
            pair[i] = a ^ exchanged << BITS;
            pair[i + WORDS] = b ^ exchanged;
        }
    }
}
