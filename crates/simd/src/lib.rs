#![doc = include_str!("../README.md")]
//!
//! # Safety
//!
//! All `unsafe` code of the project is in this crate. It is of two kinds: calls of intrinsics, which are sound because a
//! value of [`Avx2`] or [`Avx512`], and every vector made from it, exists only where the CPU was found to have the level;
//! and loads and stores through pointers, whose slices are checked first.
//!
//! On other architectures than x86-64 there is the portable level alone, and no `unsafe` code is compiled.
#![allow(
    clippy::inline_always,
    reason = "a function that is not inlined is not compiled for its caller's CPU level"
)]
#![allow(clippy::needless_range_loop, reason = "loops over words by number are what becomes vector code")]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod level;
mod operations;
mod portable;

#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub use avx512::Avx512;
pub use level::SimdLevel;
pub use operations::{ROW, Simd, WithSimd, Words};
pub use portable::Portable;
