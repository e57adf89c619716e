//! The caption band as coverage: how much of each pixel the text takes.

use crate::raster::{Bitmap, LANES};

/// A band of pixels, 0 (background) to 255 (text) each. Reused from caption to caption, it does not allocate.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    width: usize,
    height: usize,
    /// Rows of `width` bytes, then `LANES` spare ones.
    bytes: Vec<u8>,
}

impl Coverage {
    /// An empty band.
    pub fn new() -> Self {
        Self::default()
    }

    /// Width in pixels.
    pub fn width_px(&self) -> u32 {
        self.width as u32
    }

    /// Height in pixels.
    pub fn height_px(&self) -> u32 {
        self.height as u32
    }

    /// All rows from the top, `width_px` bytes each.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.width * self.height]
    }

    /// Clears the band and gives it a size.
    pub(crate) fn reset(&mut self, width_px: u32, height_px: u32) {
        (self.width, self.height) = (width_px as usize, height_px as usize);
        self.bytes.clear();
        self.bytes.resize(self.width * self.height + LANES, 0);
    }

    /// Adds a glyph whose pen stands on pixel (x, y). What is outside of the band is cut off.
    pub(crate) fn add(&mut self, bitmap: &Bitmap, x: i32, y: i32) {
        let (left, top) = (i64::from(x) + i64::from(bitmap.left), i64::from(y) + i64::from(bitmap.top));
        let (width, height) = (self.width as i64, self.height as i64);
        let rows = (-top).clamp(0, bitmap.height as i64)..(height - top).clamp(0, bitmap.height as i64);
        let columns = (-left).clamp(0, bitmap.width as i64)..(width - left).clamp(0, bitmap.width as i64);
        let is_whole = columns == (0..bitmap.width as i64);
        // A whole row may be added with the zeros behind it: they change nothing in the next row, or in the spare bytes.
        let len = if is_whole { bitmap.stride() } else { columns.clone().count() };
        for row in rows {
            if len == 0 {
                return;
            }
            let from = row as usize * bitmap.stride() + columns.start as usize;
            let to = (top + row) as usize * self.width + (left + columns.start) as usize;
            let (to, from) = (&mut self.bytes[to..to + len], &bitmap.rows[from..from + len]);
            if is_whole { add_lanes(to, from) } else { add_each(to, from) }
        }
    }
}

/// Adds whole groups of `LANES` bytes: one instruction each where the machine has vectors.
fn add_lanes(to: &mut [u8], from: &[u8]) {
    for (to, from) in to.as_chunks_mut::<LANES>().0.iter_mut().zip(from.as_chunks::<LANES>().0) {
        add_each(to, from);
    }
}

#[inline]
fn add_each(to: &mut [u8], from: &[u8]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = to.saturating_add(*from);
    }
}
