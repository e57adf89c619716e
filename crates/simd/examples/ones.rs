//! Counts ones on every CPU level that this processor has: `cargo run --release --example ones`.
#![allow(clippy::inline_always, reason = "a function that is not inlined is not compiled for its level")]

use qrpress_simd::{Simd, SimdLevel, WithSimd, Words};

/// Counts the ones of 512 words. Their number is a multiple of every level's lanes.
struct CountOnes<'a>(&'a [u64; 512]);

impl WithSimd for CountOnes<'_> {
    type Output = u64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> u64 {
        let mut sums = [0; 8];
        let mut sum = simd.splat(0);
        for first in (0..self.0.len()).step_by(S::Words::LANES) {
            sum = sum + simd.load(&self.0[first..]).count_ones();
        }
        sum.store(&mut sums);
        sums[..S::Words::LANES].iter().sum()
    }
}

fn main() {
    let words: [u64; 512] = std::array::from_fn(|index| (index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    for level in SimdLevel::available() {
        println!("{level:?}: {} ones", level.dispatch(CountOnes(&words)));
    }
}
