//! The eight masked variants of a symbol, in the lanes of vectors.
//!
//! ```text
//! word of a line of the placed codewords           w
//! overlay, that word of mask 0 to 7                m0    m1    m2    m3    m4    m5    m6    m7
//! variants, one in each lane of a vector of eight  w^m0  w^m1  w^m2  w^m3  w^m4  w^m5  w^m6  w^m7
//! ```
//!
//! The overlay of a mask also has the dark function modules and the format information of that mask. A level whose vectors
//! have fewer words takes lanes 0 to 3 first and lanes 4 to 7 then, or one lane after another.

use qrpress_simd::Simd;

use crate::bit_matrix::BitMatrix;

/// Variants, one for each mask.
pub(super) const VARIANTS: usize = 8;

/// A word of each variant, or of each mask's overlay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct MaskLanes(pub(crate) [u64; VARIANTS]);

/// Some of the variants: as many as a vector has words.
#[derive(Clone, Copy)]
pub(super) struct Variants<'a, S> {
    pub(super) simd: S,
    /// The placed codewords, without function patterns and mask.
    pub(super) matrix: &'a BitMatrix,
    /// The overlay, strip by strip and line by line.
    pub(super) overlay: &'a [MaskLanes],
    /// The lane of the first of the variants.
    pub(super) first: usize,
}

impl<S: Simd> Variants<'_, S> {
    /// The modules of the variants, from a word of the matrix and the overlay there.
    #[inline(always)]
    pub(super) fn mask(&self, word: u64, overlay: &MaskLanes) -> S::Words {
        self.simd.splat(word) ^ self.simd.load(&overlay.0[self.first..])
    }

    /// The words of a strip and the overlay there, line by line.
    #[inline(always)]
    pub(super) fn strip(&self, strip: usize) -> (&[u64], &[MaskLanes]) {
        let size = self.size();
        (&self.matrix.strip(strip)[..size], &self.overlay[strip * size..][..size])
    }

    /// The first word of a line.
    #[inline(always)]
    pub(super) fn word(&self, line: usize) -> S::Words {
        self.mask(self.matrix.strip(0)[line], &self.overlay[line])
    }

    #[inline(always)]
    pub(super) fn size(&self) -> usize {
        self.matrix.version().size()
    }
}
