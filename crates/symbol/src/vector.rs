//! Words side by side, as many as a CPU level's registers hold.
//!
//! Left to itself, the compiler makes vector code of a loop that carries two dozen words from step to step only by chance. Hence
//! explicit vectors, with operators.

use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Shl, Shr};

use crate::capacity::Blocks;
use crate::classes::{CLASSIFIED, Classes};
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

    /// Tells the classes of characters.
    #[inline(always)]
    fn classify(self, characters: &[u8; CLASSIFIED]) -> Classes {
        Classes::by_comparing(characters)
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

    /// Makes bit `i` of word `j`, a row, bit `j` of word `i`, a column. Words of columns that are not in use may stay as they
    /// are.
    #[inline(always)]
    fn transpose(self, from: &[u64; SQUARE], to: &mut [u64; SQUARE], _used: Used) {
        *to = *from;
        transpose_step::<32, 32>(to);
        transpose_step::<16, 16>(to);
        transpose_step::<8, 8>(to);
        transpose_step::<4, 4>(to);
        transpose_step::<2, 2>(to);
        transpose_step::<1, 1>(to);
    }

    /// In each half of the words, exchanges the two bits `2 * i` and `2 * i + 1` of word `j` with bits `2 * j` and `2 * j + 1` of
    /// word `i`. The words are pairs of columns, the halves 32 rows of them; where no row of a half is in use, it is 0.
    #[inline(always)]
    fn transpose_pairs(self, square: &mut [u64; SQUARE], _used: Used) {
        transpose_step::<16, 32>(square);
        transpose_step::<8, 16>(square);
        transpose_step::<4, 8>(square);
        transpose_step::<2, 4>(square);
        transpose_step::<1, 2>(square);
    }
}

/// Modules on a side of the squares that are transposed at once.
pub(crate) const SQUARE: usize = 64;

/// The first columns and rows of a square, in which all of its dark modules are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Used {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
}

/// Exchanges the off-diagonal quarters, `WORDS` high and `BITS` wide, of what is twice as high and wide.
#[inline(always)]
fn transpose_step<const WORDS: usize, const BITS: usize>(square: &mut [u64; SQUARE]) {
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
