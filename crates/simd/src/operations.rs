//! The operations of a CPU level, and the work that is written with them.

use std::fmt::Debug;
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// Keeps the traits from types of other crates: a method that is added to them breaks nobody's code.
pub trait Sealed {}

/// Bytes of a row of [`Simd::combine`].
pub const ROW: usize = 32;

/// A CPU level. A value proves that this CPU has it.
///
/// Left to itself, the compiler makes vector code of a loop that carries two dozen words from step to step only by
/// chance. Hence explicit vectors, with operators.
///
/// Sealed: the levels are those of this crate.
pub trait Simd: Copy + Debug + Sealed {
    /// The words that fit in a register.
    type Words: Words;

    /// A vector of that word in every lane.
    fn splat(self, word: u64) -> Self::Words;

    /// The first [`LANES`](Words::LANES) words of a slice.
    ///
    /// # Panics
    /// When the slice has fewer.
    fn load(self, words: &[u64]) -> Self::Words;

    /// Sums over GF(2⁸) of rows, each multiplied by a factor: for each list of factors one sum. The last factor multiplies the
    /// last row, the factor before it the row before, and so on. `None` where the level has no instruction for it.
    ///
    /// Element `f` of `products` is the matrix over bits that multiplies by `f`: byte `7 - i` has the bits that make bit `i` of
    /// the product.
    ///
    /// # Panics
    /// When there are more factors than rows.
    #[inline(always)]
    fn combine<const N: usize>(
        self,
        _factors: [&[u8]; N],
        _rows: &[[u8; ROW]],
        _products: &[u64; 256],
    ) -> Option<[[u8; ROW]; N]> {
        None
    }
}

/// A vector of 64-bit words. Operators work on every lane by itself; sums wrap.
pub trait Words:
    Copy
    + Debug
    + Sealed
    + Add<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// Words of a vector: 1, 4 or 8.
    const LANES: usize;

    /// The number of ones in every lane.
    #[must_use]
    fn count_ones(self) -> Self;

    /// Writes the lanes to the beginning of a slice.
    ///
    /// # Panics
    /// When the slice has fewer than [`LANES`](Words::LANES) words.
    fn store(self, words: &mut [u64]);
}

/// Work that is compiled once for every CPU level.
pub trait WithSimd {
    /// The result of the work.
    type Output;

    /// Does the work. This function and those that it calls have to be `#[inline(always)]`: a function that is not inlined
    /// is compiled for the CPU level that all CPUs have.
    fn with_simd<S: Simd>(self, simd: S) -> Self::Output;
}
