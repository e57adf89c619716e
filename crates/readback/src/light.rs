//! The light of a symbol's modules to dark and light ones.

use crate::{Modules, ReadError};

/// Modules on a side of a finder pattern with its separator.
const CORNER: usize = 8;

/// A finder pattern with its separator right of it and below: dark modules as bits, the left one the lowest.
const FINDER_ROWS: [u8; CORNER] =
    [0b111_1111, 0b100_0001, 0b101_1101, 0b101_1101, 0b101_1101, 0b100_0001, 0b111_1111, 0];

/// Wrong modules in a corner beside which it still has its finder pattern.
const MOST_WRONG: usize = 8;

/// The least difference of dark and light, of 255: below it no reader sees a code.
const LEAST_CONTRAST: u32 = 8;

/// The light that a colour with that alpha sends back over white and over black: luma of ITU-R BT.601, from 0 to 255.
pub(crate) fn light_of([red, green, blue]: [u8; 3], alpha: u8) -> [u8; 2] {
    let luma = (77 * u32::from(red) + 150 * u32::from(green) + 29 * u32::from(blue)) / 256;
    let alpha = u32::from(alpha);
    [255, 0].map(|behind| ((luma * alpha + behind * (255 - alpha) + 127) / 255) as u8)
}

/// The light that each module sends back, from 0 to 255, over white and over black.
#[derive(Debug, Default)]
pub(crate) struct Light {
    size: usize,
    /// Over white, over black, row by row.
    values: Vec<[u8; 2]>,
}

impl Light {
    /// Begins a symbol.
    pub fn clear(&mut self, size: usize) {
        self.size = size;
        self.values.clear();
    }

    /// Adds modules in their order.
    pub fn extend(&mut self, values: impl Iterator<Item = [u8; 2]>) {
        self.values.extend(values);
    }

    /// Tells whether some module looks different over white and over black.
    fn is_transparent(&self) -> bool {
        self.values.iter().fold(0, |differences, [white, black]| differences | white ^ black) != 0
    }

    /// The backdrops over which the symbol looks different: 0 for white, 1 for black.
    pub fn backdrops(&self) -> std::ops::Range<usize> {
        0..1 + usize::from(self.is_transparent())
    }

    /// The levels of light of the finder patterns over a backdrop.
    pub fn contrast(&self, backdrop: usize) -> Result<Contrast, ReadError> {
        let (mut sums, mut counts) = ([0_u32; 2], [0_u32; 2]);
        for (x, y, is_dark) in corners(self.size) {
            sums[usize::from(is_dark)] += u32::from(self.values[y * self.size + x][backdrop]);
            counts[usize::from(is_dark)] += 1;
        }
        let [light, dark] = [0, 1].map(|kind| sums[kind] / counts[kind]);
        if light.abs_diff(dark) < LEAST_CONTRAST {
            return Err(ReadError::Contrast);
        }
        Ok(Contrast { light, dark })
    }

    /// The modules over a backdrop, divided at a threshold.
    pub fn modules(&self, backdrop: usize, threshold: Threshold, modules: &mut Modules) {
        let Threshold { light, is_inverted } = threshold;
        let is_inverted = u8::from(is_inverted);
        let cells =
            self.values.iter().map(|values| u8::from(u32::from(values[backdrop]) < light) ^ is_inverted);
        modules.replace(self.size, cells);
    }
}

/// The light that is sent back on average by light and by dark modules of the finder patterns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contrast {
    light: u32,
    dark: u32,
}

/// A light below which modules are dark, or light in a symbol that is inverted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Threshold {
    light: u32,
    is_inverted: bool,
}

impl Contrast {
    /// The threshold so many eighths of the way from the darker to the lighter.
    pub fn threshold(self, eighths: u32) -> Threshold {
        let (darker, lighter) = (self.dark.min(self.light), self.dark.max(self.light));
        Threshold {
            light: darker + ((lighter - darker) * eighths).div_ceil(8),
            is_inverted: self.dark > self.light,
        }
    }
}

/// Checks that three corners have a finder pattern.
pub(crate) fn check_finder_patterns(modules: &Modules) -> Result<(), ReadError> {
    let mut wrong = [0; 3];
    for (place, (x, y, is_dark)) in corners(modules.size()).enumerate() {
        wrong[place / (CORNER * CORNER)] += usize::from(modules.is_dark(x, y) != is_dark);
    }
    if wrong.iter().all(|&wrong| wrong <= MOST_WRONG) { Ok(()) } else { Err(ReadError::FinderPattern) }
}

/// The modules of the finder patterns with their separators, corner by corner, and which of them are dark.
fn corners(size: usize) -> impl Iterator<Item = (usize, usize, bool)> {
    (0..3 * CORNER * CORNER).map(move |place| {
        let (corner, x, y) = (place / (CORNER * CORNER), place % CORNER, place / CORNER % CORNER);
        let turned = |place: usize, is_far: bool| if is_far { size - 1 - place } else { place };
        (turned(x, corner == 1), turned(y, corner == 2), FINDER_ROWS[y] >> x & 1 == 1)
    })
}
