//! The level that every CPU has: a word at a time.

use crate::operations::Sealed;
use crate::{Simd, Words};

/// The instructions that every CPU of the architecture has. A vector is one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Portable;

impl Sealed for Portable {}

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
}

impl Sealed for u64 {}

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
