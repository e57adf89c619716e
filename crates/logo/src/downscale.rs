//! Averages blocks of pixels while a picture is decoded, so that only the small picture is ever in memory.

use crate::raster::{Pixel, Raster, premultiplied};

/// A picture reduced by a whole factor. Pixels may come in any order, as those of interlaced files do.
#[derive(Debug)]
pub(crate) struct Reducer {
    /// Of the picture that comes in.
    width: usize,
    height: usize,
    /// Pixels per side of a block, 1 to 256.
    factor: usize,
    /// Blocks in a row.
    columns: usize,
    /// Sums over the pixels of each block.
    sums: Vec<[u32; 4]>,
}

impl Reducer {
    pub fn new(width: usize, height: usize, factor: usize) -> Self {
        let columns = width.div_ceil(factor);
        let sums = vec![[0; 4]; columns * height.div_ceil(factor)];
        Self { width, height, factor, columns, sums }
    }

    /// Takes a part of row `y`: the pixels at `x`, `x + step` and so on, in sRGB with straight alpha.
    pub fn add(&mut self, y: usize, mut x: usize, step: usize, pixels: impl Iterator<Item = [u8; 4]>) {
        let row = &mut self.sums[y / self.factor * self.columns..][..self.columns];
        // Neighbours are often the same.
        let (mut latest, mut linear) = ([0; 4], [0; 4]);
        for pixel in pixels {
            if pixel != latest {
                (latest, linear) = (pixel, premultiplied(pixel));
            }
            for (sum, channel) in row[x / self.factor].iter_mut().zip(linear) {
                *sum += u32::from(channel);
            }
            x += step;
        }
    }

    /// The averages. Blocks at the right and the bottom edge have what pixels there are.
    pub fn finish(self) -> Raster {
        let Self { width, height, factor, columns, sums } = self;
        let share = |block: usize, whole: usize| factor.min(whole - block * factor);
        let average = |(block, sums): (usize, [u32; 4])| -> Pixel {
            let count = (share(block % columns, width) * share(block / columns, height)) as u32;
            sums.map(|sum| ((sum + count / 2) / count) as u16)
        };
        let rows = sums.len() / columns;
        let pixels = sums.into_iter().enumerate().map(average).collect();
        Raster { width: columns, height: rows, pixels }
    }
}
