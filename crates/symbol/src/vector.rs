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
