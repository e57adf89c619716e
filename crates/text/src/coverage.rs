//! The caption band as coverage: how much of each pixel the text takes.

use crate::raster::Bitmap;

/// Bytes that are added at once; buffers end with as many spare ones.
const LANES: usize = 16;

/// A band of pixels, 0 (background) to 255 (text) each. Reused from caption to caption, it does not allocate.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    width: usize,
    height: usize,
    /// Rows of `width` bytes, then spare ones, always zero outside of `add`'s reach.
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
        let columns = (-left).clamp(0, bitmap.width as i64)..(width - left).clamp(0, bitmap.width as i64);
        let rows = (-top).clamp(0, bitmap.height as i64)..(height - top).clamp(0, bitmap.height as i64);
        if columns.is_empty() {
            return;
        }
        let columns_len = (columns.end - columns.start) as usize;
        for row in rows {
            let from = row as usize * bitmap.width + columns.start as usize;
            let to = (top + row) as usize * self.width + (left + columns.start) as usize;
            add_saturating(&mut self.bytes[to..to + columns_len], &bitmap.rows[from..from + columns_len]);
        }
    }
}

fn add_saturating(to: &mut [u8], from: &[u8]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = to.saturating_add(*from);
    }
}
