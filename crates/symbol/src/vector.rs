//! Words side by side, as many as a CPU level's registers hold.
//!
//! Left to itself, the compiler makes vector code of a loop that carries two dozen words from step to step only by chance. Hence
//! explicit vectors, with operators.

use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// A CPU level; a value proves that this CPU has it.
pub(crate) trait Level: Copy {
    /// Words that fit in a register.
    type Vector: Vector;

    /// That word everywhere.
    fn splat(self, word: u64) -> Self::Vector;

    /// The first words of a slice, which has as many at least.
    fn load(self, words: &[u64]) -> Self::Vector;

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
