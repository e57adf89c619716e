//! Words side by side, as many as a CPU level's registers hold.
//!
//! Left to itself, the compiler makes vector code of a loop that carries two dozen words from step to step only by chance. Hence
//! explicit vectors, with operators.

use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Shl, Shr};

use crate::capacity::Blocks;
use crate::reed_solomon::Divisor;

/// A CPU level; a value proves that this CPU has it.
pub(crate) trait Level: Copy {
    /// Words that fit in a register.
    type Vector: Vector;

    /// That word everywhere.
    fn splat(self, word: u64) -> Self::Vector;

    /// The first words of a slice, which has as many at least.
    fn load(self, words: &[u64]) -> Self::Vector;

    /// Finds the error correction codewords of many blocks at once, from interleaved data codewords to interleaved ones;
    /// false where the level has no means to, or there are too few blocks.
    #[inline(always)]
    fn correct_interleaved(
        self,
        _blocks: &Blocks,
        _divisor: &Divisor,
        _data: &[u8],
        _corrections: &mut [u8],
    ) -> bool {
        false
    }

    /// The bits of [`EVEN`] of two words, and those of [`ODD`], in their order.
    #[inline(always)]
    fn part(self, first: u64, second: u64) -> [u64; 2] {
        [gather(first & EVEN | (second & EVEN) >> 1), gather((first & ODD) << 1 | second & ODD)]
    }

    /// Moves the lowest bits to where `places` is set, in their order.
    #[inline(always)]
    fn deposit(self, mut bits: u64, mut places: u64) -> u64 {
        let mut deposited = 0;
        // A run of places at a time: there are few.
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

    /// Exchanges bit `i` of word `j` with bit `j` of word `i`.
    #[inline(always)]
    fn transpose(self, square: &mut [u64; SQUARE]) {
        transpose_step::<32, 0x0000_0000_FFFF_FFFF>(square);
        transpose_step::<16, 0x0000_FFFF_0000_FFFF>(square);
        transpose_step::<8, 0x00FF_00FF_00FF_00FF>(square);
        transpose_step::<4, 0x0F0F_0F0F_0F0F_0F0F>(square);
        transpose_step::<2, 0x3333_3333_3333_3333>(square);
        transpose_step::<1, 0x5555_5555_5555_5555>(square);
    }
}

/// The first and every other bit of a word, from the top; and those between.
pub(crate) const EVEN: u64 = 0xAAAA_AAAA_AAAA_AAAA;
pub(crate) const ODD: u64 = !EVEN;

/// The bits of [`EVEN`] in the upper half of a word, those of [`ODD`] in the lower, each in their order.
#[inline(always)]
fn gather(word: u64) -> u64 {
    let word = swap_bits::<1>(word, 0x2222_2222_2222_2222);
    let word = swap_bits::<2>(word, 0x0C0C_0C0C_0C0C_0C0C);
    let word = swap_bits::<4>(word, 0x00F0_00F0_00F0_00F0);
    let word = swap_bits::<8>(word, 0x0000_FF00_0000_FF00);
    swap_bits::<16>(word, 0x0000_0000_FFFF_0000)
}

/// Swaps the masked bits with those `BY` places above.
#[inline(always)]
fn swap_bits<const BY: u32>(word: u64, mask: u64) -> u64 {
    let different = (word ^ word >> BY) & mask;
    word ^ different ^ different << BY
}

/// Modules on a side of the squares that are transposed at once.
pub(crate) const SQUARE: usize = 64;

/// Exchanges the off-diagonal quarters, `HALF` modules wide, of the squares twice as wide.
#[inline(always)]
fn transpose_step<const HALF: usize, const LOW: u64>(square: &mut [u64; SQUARE]) {
    for pair in square.chunks_exact_mut(2 * HALF) {
        for i in 0..HALF {
            let (a, b) = (pair[i], pair[i + HALF]);
            let exchanged = (a >> HALF ^ b) & LOW;
            pair[i] = a ^ exchanged << HALF;
            pair[i + HALF] = b ^ exchanged;
        }
    }
}

/// Words that take part in an operation side by side. A value proves that this CPU has the level.
pub(crate) trait Vector:
    Copy
    + Add<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// Words, a power of two, at most eight.
    const WORDS: usize;

    /// Each word's number of set bits.
    fn count_ones(self) -> Self;

    /// Writes the words to the beginning of a slice, which has as many at least.
    fn store(self, words: &mut [u64]);
}

/// What every CPU has: a word at a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Level for Portable {
    type Vector = u64;

    #[inline(always)]
    fn splat(self, word: u64) -> u64 {
        word
    }

    #[inline(always)]
    fn load(self, words: &[u64]) -> u64 {
        words[0]
    }
}

impl Vector for u64 {
    const WORDS: usize = 1;

    #[inline(always)]
    fn count_ones(self) -> Self {
        Self::count_ones(self).into()
    }

    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        words[0] = self;
    }
}
