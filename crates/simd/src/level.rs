//! The CPU levels that code is compiled for, and the choice among them at run time.

#[cfg(target_arch = "x86_64")]
use crate::{Avx2, Avx512};
use crate::{Portable, WithSimd};

use std::sync::OnceLock;

/// A level of CPU instructions that this CPU has. All levels give the same results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SimdLevel {
    /// The instructions that every CPU of the architecture has.
    Portable(Portable),
    /// x86-64 with AVX2, BMI1, BMI2, LZCNT and POPCNT.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// x86-64 with all of `Avx2`, GFNI and AVX-512 F, BW, DQ, VL and VPOPCNTDQ.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl SimdLevel {
    /// The level that every CPU has.
    pub const PORTABLE: Self = Self::Portable(Portable);

    /// The names of all levels of all architectures, the widest last.
    pub const NAMES: [&str; 3] = ["portable", "avx2", "avx512"];

    /// The widest level that this CPU has.
    pub fn detect() -> Self {
        static WIDEST: OnceLock<SimdLevel> = OnceLock::new();
        *WIDEST.get_or_init(|| Self::available().last().unwrap_or(Self::PORTABLE))
    }

    /// The levels that this CPU has, the widest last.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::NAMES.into_iter().filter_map(Self::named)
    }

    /// The level of that name, when this CPU has it.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "portable" => Some(Self::PORTABLE),
            #[cfg(target_arch = "x86_64")]
            "avx2" => Avx2::detect().map(Self::Avx2),
            #[cfg(target_arch = "x86_64")]
            "avx512" => Avx512::detect().map(Self::Avx512),
            _ => None,
        }
    }

    /// `portable`, `avx2` or `avx512`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Portable(_) => "portable",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => "avx512",
        }
    }

    /// Runs work as it was compiled for the level.
    #[inline]
    pub fn dispatch<W: WithSimd>(self, work: W) -> W::Output {
        match self {
            Self::Portable(simd) => work.with_simd(simd),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(simd) => simd.dispatch(work),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(simd) => simd.dispatch(work),
        }
    }

    /// Runs work as it was compiled for the level, for AVX2 at most: what the compiler makes of loops with vectors of 64 bytes,
    /// their shuffles and scatters, is slower.
    #[inline]
    pub fn dispatch_narrow<W: WithSimd>(self, work: W) -> W::Output {
        match self {
            Self::Portable(simd) => work.with_simd(simd),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(simd) => simd.dispatch(work),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(simd) => simd.dispatch_narrow(work),
        }
    }
}

impl Default for SimdLevel {
    /// The widest level that this CPU has.
    fn default() -> Self {
        Self::detect()
    }
}
