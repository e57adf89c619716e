//! The code that other crates need to make the same pictures.

use fast_qr::{ECL, QRBuilder, QRCode};
use qrcode_fast::QRErrorCorrectLevel;

use crate::logos::LogoKind;

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

/// A picture at level H with a logo of a fifth of the symbol's edge pasted over its middle, in RGB as it needs to be. The
/// logo is drawn in its size once and kept in `pasted`: the peer is spared decoding and resizing.
pub(crate) fn with_logo(
    text: &str,
    scale: usize,
    kind: LogoKind,
    pasted: &mut Option<Vec<u8>>,
    compression: png::Compression,
    out: &mut Vec<u8>,
) {
    let code = QRBuilder::new(text).ecl(ECL::H).build().ok().unwrap();
    let edge = (code.size + 2 * MARGIN) * scale;
    let mut pixels = vec![0xff; 3 * edge * edge];
    for y in 0..code.size {
        let first = 3 * (y + MARGIN) * scale * edge;
        for x in (0..code.size).filter(|&x| code[y][x].value()) {
            let left = first + 3 * (x + MARGIN) * scale;
            pixels[left..left + 3 * scale].fill(0);
        }
        for repeated in 1..scale {
            pixels.copy_within(first..first + 3 * edge, first + 3 * repeated * edge);
        }
    }
    let logo_edge = code.size * scale / 5;
    let logo = pasted.get_or_insert_with(|| kind.pixels(logo_edge));
    let (corner, rim) = ((edge - logo_edge) / 2, scale / 2);
    for y in corner - rim..corner + logo_edge + rim {
        pixels[3 * (y * edge + corner - rim)..3 * (y * edge + corner + logo_edge + rim)].fill(0xff);
    }
    for (y, row) in logo.chunks_exact(3 * logo_edge).enumerate() {
        let left = 3 * ((corner + y) * edge + corner);
        pixels[left..left + row.len()].copy_from_slice(row);
    }
    let mut encoder = png::Encoder::new(out, edge as u32, edge as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(compression);
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
}
