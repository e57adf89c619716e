//! The glyphs of one font size as bitmaps, each made once per quarter-pixel position.

use rustc_hash::FxHashMap;

use crate::glyph_outline::{FRACTIONS, Point, Segment, outline};
use crate::raster::{Bitmap, PixelPoint, Rasteriser};
use crate::units::{PX, Size};
use crate::{Coverage, FontSet};

/// Pen positions are told apart to quarters of a pixel, in both directions.
const PHASE: i32 = PX / 4;

/// Bytes of bitmaps that are kept; past it, all are let go.
const MAX_BYTES: usize = 4 << 20;
/// The memory of an entry beside its rows.
const ENTRY_BYTES: usize = 96;

/// No glyph is larger than 16 × 4 em.
const MAX_EM_SQUARES: usize = 64;

pub(crate) struct Glyphs {
    size: Size,
    bitmaps: FxHashMap<u64, Bitmap>,
    bytes: usize,
    rasteriser: Rasteriser,
    path: Vec<Segment>,
}

impl Glyphs {
    pub(crate) fn new(size: Size) -> Self {
        Self {
            size,
            bitmaps: FxHashMap::default(),
            bytes: 0,
            rasteriser: Rasteriser::default(),
            path: Vec::new(),
        }
    }

    /// Adds a glyph whose pen stands at `at` (1/256 px from the band's top left corner) to `out`.
    pub(crate) fn draw(&mut self, fonts: &FontSet, face: u8, glyph: u32, at: PixelPoint, out: &mut Coverage) {
        let quarter = |length: i32| length.saturating_add(PHASE / 2) / PHASE;
        let (x, y) = (quarter(at.0), quarter(at.1));
        let phase = (x.rem_euclid(4), y.rem_euclid(4));
        let key = u64::from(face) << 40 | u64::from(glyph) << 4 | (phase.1 << 2 | phase.0) as u64;
        let bitmap = if let Some(bitmap) = self.bitmaps.get(&key) {
            bitmap
        } else {
            let bitmap = self.make(fonts, face, glyph, phase);
            if self.bytes >= MAX_BYTES {
                self.bitmaps.clear();
                self.bytes = 0;
            }
            self.bytes += bitmap.rows.len() + ENTRY_BYTES;
            self.bitmaps.entry(key).or_insert(bitmap)
        };
        out.add(bitmap, x.div_euclid(4), y.div_euclid(4));
    }

    fn make(&mut self, fonts: &FontSet, face: u8, glyph: u32, phase: (i32, i32)) -> Bitmap {
        let face = fonts.face(face);
        outline(face, glyph, &mut self.path);
        let em = face.units_per_em * FRACTIONS;
        let place = |(x, y): Point| -> PixelPoint {
            (self.size.scale(x, em) + phase.0 * PHASE, self.size.scale(-y, em) + phase.1 * PHASE)
        };
        let (mut start, mut pen) = ((0, 0), (0, 0));
        for &segment in &self.path {
            match segment {
                Segment::Move(to) => {
                    self.rasteriser.line(pen, start);
                    start = place(to);
                    pen = start;
                }
                Segment::Line(to) => {
                    let to = place(to);
                    self.rasteriser.line(pen, to);
                    pen = to;
                }
                Segment::Quadratic(control, to) => {
                    let to = place(to);
                    self.rasteriser.quadratic(pen, place(control), to);
                    pen = to;
                }
                Segment::Cubic(first, second, to) => {
                    let to = place(to);
                    self.rasteriser.cubic([pen, place(first), place(second), to]);
                    pen = to;
                }
            }
        }
        self.rasteriser.line(pen, start);
        self.rasteriser.fill(MAX_EM_SQUARES * (self.size.px() as usize + 1).pow(2))
    }
}
