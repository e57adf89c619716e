//! What others' crates need to make the same pictures.

use fast_qr::{ECL, QRBuilder, QRCode};
use qrcode_fast::QRErrorCorrectLevel;

pub(crate) const MARGIN: usize = 4;

/// A symbol by `fast_qr`, which scores all eight masks.
pub(crate) fn fast_qr(text: &str) -> QRCode {
    QRBuilder::new(text).ecl(ECL::M).build().ok().unwrap()
}

/// A symbol by `qrcode-fast`, which takes mask 0 whatever the others would score.
pub(crate) fn qrcode_fast(text: &str) -> qrcode_fast::QRCode {
    let mut code = qrcode_fast::QRCode::with_options(QRErrorCorrectLevel::M);
    code.make_code(text);
    code
}

/// A grey picture of one bit per pixel, drawn row by row as a careful user of the `png` crate would.
pub(crate) struct Bitmap {
    edge: usize,
    stride: usize,
    pixels: Vec<u8>,
}

impl Bitmap {
    pub(crate) fn of_fast_qr(code: &QRCode, scale: usize) -> Self {
        Self::draw(code.size, scale, |x, y| code[y][x].value())
    }

    pub(crate) fn of_qrcode_fast(code: &qrcode_fast::QRCode, scale: usize) -> Self {
        let index = |i: usize| i32::try_from(i).unwrap();
        let size = usize::try_from(code.get_module_count()).unwrap();
        Self::draw(size, scale, |x, y| code.is_dark(index(y), index(x)))
    }

    fn draw(size: usize, scale: usize, is_dark: impl Fn(usize, usize) -> bool) -> Self {
        let edge = (size + 2 * MARGIN) * scale;
        let stride = edge.div_ceil(8);
        let mut pixels = vec![0xff; stride * edge];
        for y in 0..size {
            let first = (y + MARGIN) * scale * stride;
            for x in (0..size).filter(|&x| is_dark(x, y)) {
                for pixel in (x + MARGIN) * scale..(x + MARGIN + 1) * scale {
                    pixels[first + pixel / 8] &= !(0x80 >> (pixel % 8));
                }
            }
            for repeated in 1..scale {
                pixels.copy_within(first..first + stride, first + repeated * stride);
            }
        }
        Self { edge, stride, pixels }
    }

    pub(crate) fn write(&self, compression: png::Compression, filter: png::Filter, out: &mut Vec<u8>) {
        debug_assert_eq!(self.pixels.len(), self.stride * self.edge);
        let mut encoder = png::Encoder::new(out, self.edge as u32, self.edge as u32);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_depth(png::BitDepth::One);
        encoder.set_compression(compression);
        encoder.set_filter(filter);
        encoder.write_header().unwrap().write_image_data(&self.pixels).unwrap();
    }
}
