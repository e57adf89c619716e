//! The place of a logo in a picture, and the modules that are cleared for it.

use std::ops::Range;
use std::sync::Arc;

use qrpress_logo::{Logo, Outline};
use qrpress_symbol::{ErrorCorrectionLevel, ROW_WORDS, Version};

use crate::{Style, damage};

/// A rectangle of whole pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PixelRect {
    /// Pixels left of it.
    pub x: u32,
    /// Pixels above it.
    pub y: u32,
    /// Its width, 1 or more.
    pub width: u32,
    /// Its height, 1 or more.
    pub height: u32,
}

/// A logo that is drawn over the middle of every code.
#[derive(Clone, Copy, Debug)]
pub struct PlacedLogo<L> {
    /// The logo.
    pub logo: L,
    /// Its longer edge, 50,000 to 300,000 millionths of the symbol's edge without quiet zone.
    pub ratio_millionths: u32,
    /// The level of the symbols: it decides how closely modules are cleared.
    pub level: ErrorCorrectionLevel,
}

impl PlacedLogo<Arc<Logo>> {
    /// The same without a share in the logo.
    pub(crate) fn borrowed(&self) -> PlacedLogo<&Logo> {
        let Self { ref logo, ratio_millionths, level } = *self;
        PlacedLogo { logo, ratio_millionths, level }
    }
}

/// A module is cleared when the outline covers more than 1/256 of it: less is not seen.
const TOUCHED: u64 = 256;
/// The same where error correction would not bear that.
const MOSTLY_COVERED: u64 = 2;
/// A logo of which less than a twentieth is not shown looks whole.
const CUT_OFF_PARTS: u64 = 20;
/// The part of its error correction that each block keeps below a logo that suits the level, one of so many.
const SAFE_PARTS: usize = 4;

/// The place of a logo in the pictures of a style, version and level.
///
/// The logo shows on the modules that are cleared for it, and nowhere else: every other module is drawn whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogoPlacement {
    /// The logo itself.
    pub logo: PixelRect,
    /// The first of the symbol's rows with cleared modules.
    first_row: usize,
    /// The cleared columns of that row and those that follow, none of them empty. No row where nothing of the logo shows.
    columns: Vec<Range<usize>>,
    /// Pixels left of the symbol, and above it.
    corner: u32,
    pixels_per_module: u32,
}

impl LogoPlacement {
    /// The longer edge of a logo of that outline is `ratio_millionths` (50,000 to 300,000) of the symbol's edge
    /// without its quiet zone, and its middle is the symbol's.
    ///
    /// Cleared are the modules that the logo's outline touches. Where that hides too much, only those are cleared that are
    /// covered by half and more, unless a third of the logo would be lost.
    ///
    /// # Panics
    /// When the ratio is above 1,000,000, or both sides are 0.
    pub fn new(
        style: &Style,
        version: Version,
        level: ErrorCorrectionLevel,
        outline: &Outline,
        ratio_millionths: u32,
    ) -> Self {
        let touched = Self::clearing(style, version, outline, ratio_millionths, TOUCHED);
        if !touched.hides_too_much(version, level) {
            return touched;
        }
        let covered = Self::clearing(style, version, outline, ratio_millionths, MOSTLY_COVERED);
        let [all, shown] = [&touched, &covered].map(|placement| placement.shown(outline));
        if 3 * shown < 2 * all { touched } else { covered }
    }

    /// Clears the modules of which the outline covers more than one of so many parts.
    fn clearing(
        style: &Style,
        version: Version,
        outline: &Outline,
        ratio_millionths: u32,
        parts: u64,
    ) -> Self {
        let logo = centred(style, version, outline.size_px(), ratio_millionths);
        let (module, corner) = (style.pixels_per_module, style.quiet_zone_modules * style.pixels_per_module);
        let touched = |start: u32, length: u32| {
            ((start - corner) / module) as usize..(start + length - corner).div_ceil(module) as usize
        };
        let (columns, rows) = (touched(logo.x, logo.width), touched(logo.y, logo.height));
        let mut placement =
            Self { logo, first_row: rows.start, columns: Vec::new(), corner, pixels_per_module: module };
        let [width, height] = outline.size_px().map(u64::from);
        let module_area = u64::from(module).pow(2) * width * height;
        let (mut latest, mut end) = (None, 0);
        for row in rows {
            let is_cleared =
                |column: &usize| parts * placement.area(outline, *column..column + 1, row) > module_area;
            let first = columns.clone().find(is_cleared);
            let last = columns.clone().rfind(is_cleared);
            match (first.zip(last), &latest) {
                (None, None) => placement.first_row = row + 1,
                // Between two parts of a logo that lie apart.
                (None, Some(above)) => placement.columns.push(Range::clone(above)),
                (Some((first, last)), _) => {
                    latest = Some(first..last + 1);
                    placement.columns.push(first..last + 1);
                    end = placement.columns.len();
                }
            }
        }
        placement.columns.truncate(end);
        placement
    }

    /// The rows with cleared modules, in the symbol.
    pub fn rows(&self) -> Range<usize> {
        self.first_row..self.first_row + self.columns.len()
    }

    /// The cleared columns of a row of the symbol.
    pub fn columns(&self, row: usize) -> Range<usize> {
        let place = row.checked_sub(self.first_row);
        place.and_then(|place| self.columns.get(place)).cloned().unwrap_or_default()
    }

    /// The cleared modules as rows of a symbol.
    pub fn cleared_modules(&self) -> ClearedModules {
        ClearedModules::new(self.first_row, &self.columns)
    }

    /// Returns true if some block has less than a quarter of its error correction left beside what is cleared.
    pub fn hides_too_much(&self, version: Version, level: ErrorCorrectionLevel) -> bool {
        damage(version, level, |column, row| self.columns(row).contains(&column))
            .iter()
            .any(|block| SAFE_PARTS * block.lost > (SAFE_PARTS - 1) * block.repairable)
    }

    /// Returns true if so much of the logo lies on modules that are not cleared that it does not look whole.
    pub fn is_cut_off(&self, outline: &Outline) -> bool {
        let PixelRect { width, height, .. } = self.logo;
        let whole = outline.area([width, height], 0..width, 0..height);
        CUT_OFF_PARTS * (whole - self.shown(outline)) > whole
    }

    /// Returns true if a pixel of the logo, by its column and row in the logo, lies on a module that is cleared.
    pub fn shows(&self, column: u32, row: u32) -> bool {
        let module = |px: u32| ((px - self.corner) / self.pixels_per_module) as usize;
        self.columns(module(self.logo.y + row)).contains(&module(self.logo.x + column))
    }

    /// The pixels of these columns of the symbol, in a line of the picture.
    pub(crate) fn pixels(&self, columns: &Range<usize>) -> Range<usize> {
        let pixel = |column: usize| self.corner as usize + column * self.pixels_per_module as usize;
        pixel(columns.start)..pixel(columns.end)
    }

    /// The area of the outline in some columns of a row, in the units of [`Outline::area`].
    fn area(&self, outline: &Outline, columns: Range<usize>, row: usize) -> u64 {
        let within = |modules: Range<usize>, start: u32, length: u32| {
            let pixels = self.pixels(&modules);
            let px = |place: usize| (place as u32).saturating_sub(start).min(length);
            px(pixels.start)..px(pixels.end)
        };
        let PixelRect { x, y, width, height } = self.logo;
        outline.area([width, height], within(columns, x, width), within(row..row + 1, y, height))
    }

    /// The area of the outline on cleared modules.
    fn shown(&self, outline: &Outline) -> u64 {
        self.rows().map(|row| self.area(outline, self.columns(row), row)).sum()
    }
}

/// Modules that are left out for a logo.
#[derive(Clone, Debug, Default)]
pub struct ClearedModules {
    first_row: usize,
    /// The columns of that row and those that follow, as in a row of the symbol.
    columns: Vec<[u64; ROW_WORDS]>,
}

impl ClearedModules {
    /// The columns that are left out in a row of the symbol and in those that follow it.
    pub fn new(first_row: usize, columns: &[Range<usize>]) -> Self {
        Self { first_row, columns: columns.iter().map(row_of_columns).collect() }
    }

    /// Returns true if no module is left out.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// The columns of a row of the symbol that are left out, a bit each as in the symbol's row.
    #[inline]
    pub fn row(&self, row: usize) -> [u64; ROW_WORDS] {
        let place = row.checked_sub(self.first_row);
        place.and_then(|place| self.columns.get(place)).copied().unwrap_or([0; ROW_WORDS])
    }
}

/// The row of which these columns are set.
pub(crate) fn row_of_columns(columns: &Range<usize>) -> [u64; ROW_WORDS] {
    std::array::from_fn(|word| {
        let bit = |column: usize| u64::from(columns.contains(&(64 * word + column))) << column;
        (0..64).map(bit).sum()
    })
}

/// Asserts that a logo is not larger than its symbol.
pub(crate) fn assert_ratio(ratio_millionths: u32) {
    assert!(ratio_millionths <= 1_000_000, "a logo of {ratio_millionths} millionths of its symbol");
}

/// The rectangle of a logo of `width` : `height` in the middle of the symbol.
fn centred(style: &Style, version: Version, [width, height]: [u32; 2], ratio_millionths: u32) -> PixelRect {
    assert_ratio(ratio_millionths);
    let module = style.pixels_per_module;
    let symbol = version.size() as u32 * module;
    let rounded = |dividend: u64, divisor: u64| ((dividend + divisor / 2) / divisor).max(1) as u32;
    let edge = u64::from(rounded(u64::from(symbol) * u64::from(ratio_millionths), 1_000_000));
    let longer = u64::from(width.max(height));
    let [width, height] = [width, height].map(|side| rounded(edge * u64::from(side), longer));
    let corner = style.quiet_zone_modules * module;
    PixelRect { x: corner + (symbol - width) / 2, y: corner + (symbol - height) / 2, width, height }
}
