//! Pixels in premultiplied linear light, in which averages are what the eye sees from afar.

use crate::srgb::{LINEAR, ONE};

/// Red, green, blue, each times alpha, and alpha; 0 to 65,535.
pub(crate) type Pixel = [u16; 4];

/// A picture in premultiplied linear light, row by row.
#[derive(Clone, Debug)]
pub(crate) struct Raster {
    pub width: usize,
    pub height: usize,
    pub pixels: Vec<Pixel>,
}

impl Raster {
    /// Half as wide and high, rounded up: each pixel the average of four, or of the two or one that there are at the edges.
    pub fn halved(&self) -> Self {
        let (width, height) = (self.width.div_ceil(2), self.height.div_ceil(2));
        let mut pixels = Vec::with_capacity(width * height);
        for rows in self.pixels.chunks(2 * self.width) {
            let (upper, lower) = rows.split_at(self.width);
            let lower = if lower.is_empty() { upper } else { lower };
            for (above, below) in upper.chunks(2).zip(lower.chunks(2)) {
                let corners = [above[0], above[above.len() - 1], below[0], below[below.len() - 1]];
                pixels.push(std::array::from_fn(|channel| {
                    let sum: u32 = corners.iter().map(|corner| u32::from(corner[channel])).sum();
                    ((sum + 2) / 4) as u16
                }));
            }
        }
        Self { width, height, pixels }
    }
}

/// An sRGB pixel with straight alpha in premultiplied linear light.
pub(crate) fn premultiplied([red, green, blue, alpha]: [u8; 4]) -> Pixel {
    let channel = |value: u8| {
        let linear = u32::from(LINEAR[usize::from(value)]);
        ((linear * u32::from(alpha) + 127) / 255) as u16
    };
    [channel(red), channel(green), channel(blue), u16::from(alpha) * (ONE / 255) as u16]
}
