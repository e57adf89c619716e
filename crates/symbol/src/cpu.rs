//! Chooses among the CPU levels that the drawing is compiled for: the one module with unsafe code.
//!
//! On other architectures than x86-64, aarch64 among them, all is done a word at a time; the unsafe code is not compiled there.
//! Miri runs the AVX2 vectors when it is given the target features; AVX-512 it does not know.
#![allow(
    unsafe_code,
    reason = "a function for a CPU level may be called once the CPU is known to have that level"
)]

#[cfg(target_arch = "x86_64")]
mod x86;

use std::sync::OnceLock;

use crate::draw::{Scratch, finish, mask, place};
use crate::plan::Plan;
use crate::segmentation::{Choice, choose};
#[cfg(target_arch = "x86_64")]
use crate::vector::Level;
use crate::vector::Portable;
use crate::{DataTooLong, ErrorCorrectionLevel, Mask, Symbol};

/// A level of CPU instructions. All levels draw the same symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CpuPath {
    /// What every CPU of the architecture has.
    Portable,
    /// x86-64 with AVX2, BMI1, BMI2, LZCNT and POPCNT.
    Avx2,
    /// x86-64 with AVX2's companions, GFNI and AVX-512 F, BW, DQ, VL and VPOPCNTDQ.
    Avx512,
}

impl CpuPath {
    /// All paths, the widest last.
    const ALL: [Self; 3] = [Self::Portable, Self::Avx2, Self::Avx512];

    /// The widest path that this CPU has.
    pub fn detect() -> Self {
        Self::available().last().unwrap_or(Self::Portable)
    }

    /// The paths that this CPU has, the widest last; the portable one is always there.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|path| path.is_available())
    }

    /// `portable`, `avx2` or `avx512`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// Whether this CPU has it.
    #[cfg(target_arch = "x86_64")]
    pub fn is_available(self) -> bool {
        let avx2 = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        let avx512 = is_x86_feature_detected!("gfni")
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vpopcntdq");
        match self {
            Self::Portable => true,
            Self::Avx2 => avx2,
            Self::Avx512 => avx2 && avx512,
        }
    }

    /// Whether this CPU has it.
    #[cfg(not(target_arch = "x86_64"))]
    pub fn is_available(self) -> bool {
        self == Self::Portable
    }
}

/// Work that is worth compiling for each CPU level.
pub trait Work {
    /// What it comes to.
    type Outcome;

    /// Does it. This and what it calls has to be inlined: what is not, is compiled for what every CPU has.
    fn run(self) -> Self::Outcome;
}

/// A path that this CPU has.
#[derive(Clone, Copy, Debug)]
pub struct AvailablePath(CpuPath);

impl AvailablePath {
    /// The path, or the widest there is when this CPU lacks it.
    pub fn or_widest(path: CpuPath) -> Self {
        Self(if path.is_available() { path } else { CpuPath::detect() })
    }

    /// The widest there is.
    pub fn widest() -> Self {
        static WIDEST: OnceLock<AvailablePath> = OnceLock::new();
        *WIDEST.get_or_init(|| Self(CpuPath::detect()))
    }

    /// What it is.
    pub fn path(self) -> CpuPath {
        self.0
    }

    /// Does work as it was compiled for the path, without vectors wider than AVX2's.
    #[inline]
    pub fn run<W: Work>(self, work: W) -> W::Outcome {
        match self.0 {
            // SAFETY: a value of this type exists only for a path that the CPU was found to have.
            #[cfg(target_arch = "x86_64")]
            CpuPath::Avx2 | CpuPath::Avx512 => unsafe { run_avx2(work) },
            _ => work.run(),
        }
    }

    /// Chooses a version and modes.
    ///
    /// # Errors
    /// When no version holds the data.
    pub(crate) fn choose(self, data: &[u8], level: ErrorCorrectionLevel) -> Result<Choice, DataTooLong> {
        match self.0 {
            // SAFETY: a value of this type exists only for a path that the CPU was found to have.
            #[cfg(target_arch = "x86_64")]
            CpuPath::Avx2 | CpuPath::Avx512 => unsafe { choose_avx2(data, level) },
            _ => choose(Portable, data, level),
        }
    }

    /// Draws the data codewords in `scratch`, with the mask of least penalty unless one is given.
    pub(crate) fn draw(self, plan: &Plan, given: Option<Mask>, scratch: &mut Scratch, symbol: &mut Symbol) {
        match self.0 {
            // SAFETY: a value of this type exists only for a path that the CPU was found to have.
            #[cfg(target_arch = "x86_64")]
            CpuPath::Avx512 => unsafe {
                // Where the compiler makes the vectors, its shuffles and scatters of 64 bytes are slower than those of 32.
                place_avx2(x86::Avx512::assume(), plan, scratch);
                let chosen = mask_avx512(plan, given, scratch);
                finish_avx2(plan, chosen, scratch, symbol);
            },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            CpuPath::Avx2 => unsafe {
                place_avx2(x86::Avx2::assume(), plan, scratch);
                let chosen = mask_avx2(plan, given, scratch);
                finish_avx2(plan, chosen, scratch, symbol);
            },
            _ => {
                place(Portable, plan, scratch);
                let chosen = mask(Portable, plan, given, scratch);
                finish(plan, chosen, scratch, symbol);
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_avx2<W: Work>(work: W) -> W::Outcome {
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn choose_avx2(data: &[u8], level: ErrorCorrectionLevel) -> Result<Choice, DataTooLong> {
    // SAFETY: this function is called only where the CPU has its level.
    choose(unsafe { x86::Avx2::assume() }, data, level)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn place_avx2<L: Level>(level: L, plan: &Plan, scratch: &mut Scratch) {
    place(level, plan, scratch);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn mask_avx2(plan: &Plan, given: Option<Mask>, scratch: &mut Scratch) -> Mask {
    // SAFETY: this function is called only where the CPU has its level.
    mask(unsafe { x86::Avx2::assume() }, plan, given, scratch)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn finish_avx2(plan: &Plan, chosen: Mask, scratch: &Scratch, symbol: &mut Symbol) {
    finish(plan, chosen, scratch, symbol);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq")]
fn mask_avx512(plan: &Plan, given: Option<Mask>, scratch: &mut Scratch) -> Mask {
    // SAFETY: this function is called only where the CPU has its level.
    mask(unsafe { x86::Avx512::assume() }, plan, given, scratch)
}
