//! The parts that tests share: symbols to draw, and the slow, obvious picture that every file must equal.
#![allow(dead_code, clippy::unwrap_used, reason = "tests: each program uses its share, and unwraps")]

use std::sync::Arc;

use qrpress_image::{CaptionPixels, Colour, LogoPlacement, PixelRect, PlacedLogo, Style};
use qrpress_logo::{Logo, LogoPicture};
use qrpress_symbol::{ErrorCorrectionLevel, Mask, ROW_WORDS, Symbol, Version};
use qrpress_testkit::Random;

/// Red, green, blue and alpha of every pixel, row by row; all 0 where transparent.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    pub width: usize,
    pub rgba: Vec<[u8; 4]>,
}

/// Looks every pixel's module up.
pub fn naive_picture(symbol: &Symbol, style: &Style) -> Picture {
    let scale = style.pixels_per_module as usize;
    let margin = style.quiet_zone_modules as usize;
    let width = (symbol.size() + 2 * margin) * scale;
    let [foreground, background] = [style.foreground, style.background].map(rgba);
    let is_dark = |x: usize, y: usize| {
        let inside = |at: usize| (at / scale).checked_sub(margin).filter(|&module| module < symbol.size());
        inside(x).zip(inside(y)).is_some_and(|(column, row)| symbol.is_dark(column, row))
    };
    let pixels =
        (0..width * width).map(|at| if is_dark(at % width, at / width) { foreground } else { background });
    Picture { width, rgba: pixels.collect() }
}

/// Adds the band of a caption, drawn with the coverage rounded to a number of levels.
pub fn add_caption(
    picture: &mut Picture,
    style: &Style,
    has_logo: bool,
    caption: CaptionPixels<'_>,
    coverage: &[u8],
) {
    let caption_colour = Colour::Rgb(style.caption_colour);
    let levels = if style.foreground == caption_colour && !has_logo { 3 } else { 4 };
    let (caption_width, left) = (caption.width_px(), (picture.width - caption.width_px()) / 2);
    let [empty, full] = [style.background, caption_colour].map(rgba);
    for y in 0..caption.height_px() {
        for x in 0..picture.width {
            let column = x.checked_sub(left).filter(|&column| column < caption_width);
            let coverage = column.map_or(0, |column| u32::from(coverage[y * caption_width + column]));
            let level = (coverage * levels + 128) / 256;
            let blend = |from: u8, to: u8| {
                ((u32::from(from) * (levels - level) + u32::from(to) * level + levels / 2) / levels) as u8
            };
            picture.rgba.push(match style.background {
                Colour::Rgb(_) => [0, 1, 2, 3].map(|channel| blend(empty[channel], full[channel])),
                Colour::Transparent if level == 0 => empty,
                Colour::Transparent => [full[0], full[1], full[2], blend(0, 255)],
            });
        }
    }
}

/// Rows of something like letters: runs of ink with soft edges, and rows without any.
pub fn random_coverage(width: usize, height: usize, seed: u64) -> Vec<u8> {
    let mut random = Random(seed);
    let mut coverage = vec![0; width * height];
    for row in coverage.chunks_exact_mut(width.max(1)) {
        let mut at = 0;
        while random.below(6) > 0 {
            at += random.below(width as u64) as usize;
            for _ in 0..random.below(40) {
                if let Some(pixel) = row.get_mut(at) {
                    *pixel = [0, 255, random.below(256) as u8][random.below(3) as usize];
                }
                at += 1;
            }
        }
    }
    coverage
}

/// A logo of these pixels.
pub fn logo(width_px: u32, height_px: u32, mut rgba: impl FnMut(u32, u32) -> [u8; 4]) -> Logo {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width_px, height_px);
    encoder.set_color(png::ColorType::Rgba);
    let pixels: Vec<u8> =
        (0..width_px * height_px).flat_map(|at| rgba(at % width_px, at / width_px)).collect();
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    Logo::from_png(&file).unwrap()
}

/// A disc with a bar, transparent around it: five flat colours.
pub fn flat_logo() -> Logo {
    logo(200, 200, |x, y| {
        let (dx, dy) = (i64::from(x) - 100, i64::from(y) - 100);
        match dx * dx + dy * dy {
            10_000.. => [0; 4],
            8000.. => [20, 30, 90, 255],
            _ if dy.abs() < 20 => [255; 4],
            _ if dx > dy => [230, 40, 60, 255],
            _ => [250, 180, 20, 255],
        }
    })
}

/// As many colours as a photograph has.
pub fn colourful_logo(width_px: u32, height_px: u32) -> Logo {
    let mut random = Random(3);
    logo(width_px, height_px, |x, y| {
        let channel = |value: u32, random: &mut Random| (value % 240 + random.below(16) as u32) as u8;
        let alpha = if x < 3 { 100 } else { 255 };
        let red = channel(x * 240 / width_px, &mut random);
        let green = channel(y * 240 / height_px, &mut random);
        [red, green, channel(x + y, &mut random), alpha]
    })
}

/// A logo for symbols of level M.
pub fn placed(logo: &Arc<Logo>, ratio_millionths: u32) -> PlacedLogo<Arc<Logo>> {
    PlacedLogo { logo: Arc::clone(logo), ratio_millionths, level: ErrorCorrectionLevel::Medium }
}

/// The place of such a logo.
pub fn placement(style: &Style, symbol: &Symbol, logo: &Logo, ratio_millionths: u32) -> LogoPlacement {
    let level = ErrorCorrectionLevel::Medium;
    LogoPlacement::new(style, symbol.version(), level, logo.outline(), ratio_millionths)
}

/// Clears modules for a logo.
pub fn clear_modules(picture: &mut Picture, style: &Style, placement: &LogoPlacement) {
    let [scale, margin] = [style.pixels_per_module, style.quiet_zone_modules].map(|count| count as usize);
    for row in placement.rows() {
        let columns = placement.columns(row);
        for y in (margin + row) * scale..(margin + row + 1) * scale {
            let start = y * picture.width + (margin + columns.start) * scale;
            picture.rgba[start..start + columns.len() * scale].fill(rgba(style.background));
        }
    }
}

/// Puts a logo's pixels in their place, where modules are cleared for them.
pub fn add_logo(picture: &mut Picture, placement: &LogoPlacement, logo: &LogoPicture) {
    let PixelRect { x, y, width, height } = placement.logo;
    assert_eq!((logo.width_px, logo.height_px), (width, height));
    for (row, indices) in (0..).zip(logo.indices.chunks_exact(width as usize)) {
        for (column, &index) in (0..).zip(indices) {
            if placement.shows(column, row) {
                let at = (y + row) as usize * picture.width + (x + column) as usize;
                picture.rgba[at] = logo.palette[usize::from(index)];
            }
        }
    }
}

fn rgba(colour: Colour) -> [u8; 4] {
    match colour {
        Colour::Rgb([red, green, blue]) => [red, green, blue, 255],
        Colour::Transparent => [0; 4],
    }
}

/// Reads a PNG file, with its checksums.
pub fn decoded_png(file: &[u8]) -> Picture {
    let mut options = png::DecodeOptions::default();
    options.set_ignore_checksums(false);
    let mut decoder = png::Decoder::new_with_options(std::io::Cursor::new(file), options);
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().unwrap();
    let mut samples = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut samples).unwrap();
    reader.finish().unwrap();
    let visible = |rgba: [u8; 4]| if rgba[3] == 0 { [0; 4] } else { rgba };
    let rgba = match frame.color_type {
        png::ColorType::GrayscaleAlpha => {
            samples.as_chunks().0.iter().map(|&[grey, alpha]| visible([grey, grey, grey, alpha])).collect()
        }
        png::ColorType::Rgba => samples.as_chunks().0.iter().copied().map(visible).collect(),
        other => panic!("decoded to {other:?}"),
    };
    Picture { width: frame.width as usize, rgba }
}

/// Rasterises an SVG file at one pixel per user unit.
pub fn rasterised_svg(file: &[u8]) -> Picture {
    use resvg::{tiny_skia, usvg};
    let tree = usvg::Tree::from_data(file, &usvg::Options::default()).unwrap();
    let size = tree.size().to_int_size();
    let mut pixels = tiny_skia::Pixmap::new(size.width(), size.height()).unwrap();
    resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixels.as_mut());
    Picture { width: size.width() as usize, rgba: pixels.data().as_chunks().0.to_vec() }
}

/// Pairs of a foreground and a background, one of each kind that files tell apart.
pub const COLOURS: [(Colour, Colour); 11] = {
    const RED: Colour = Colour::Rgb([200, 16, 46]);
    const SAND: Colour = Colour::Rgb([0xee, 0xdd, 0xcc]);
    const GREY: Colour = Colour::Rgb([128; 3]);
    [
        (Colour::BLACK, Colour::WHITE),
        (Colour::WHITE, Colour::BLACK),
        (Colour::BLACK, Colour::Transparent),
        (Colour::WHITE, Colour::Transparent),
        (Colour::Transparent, Colour::BLACK),
        (Colour::Transparent, Colour::WHITE),
        (RED, SAND),
        (GREY, Colour::Transparent),
        (Colour::Transparent, SAND),
        (Colour::BLACK, GREY),
        (RED, RED),
    ]
};

/// A version by its number.
pub fn version(number: u8) -> Version {
    Version::new(number).unwrap()
}

/// The symbol of `data` as an independent encoder makes it.
pub fn encoded(data: &[u8], level: qrcodegen::QrCodeEcc) -> Symbol {
    let code = qrcodegen::QrCode::encode_binary(data, level).unwrap();
    symbol(version(code.version().value()), |x, y| {
        code.get_module(x.try_into().unwrap(), y.try_into().unwrap())
    })
}

/// A symbol of random modules: nothing that a scanner reads, but anything that a renderer must draw.
pub fn random_symbol(version: Version, seed: u64) -> Symbol {
    let mut random = Random(seed);
    symbol(version, |_, _| random.below(2) == 1)
}

fn symbol(version: Version, is_dark: impl FnMut(usize, usize) -> bool) -> Symbol {
    let mut is_dark = is_dark;
    let mut rows = vec![[0; ROW_WORDS]; version.size()];
    for (y, row) in rows.iter_mut().enumerate() {
        for x in 0..version.size() {
            row[x / 64] |= u64::from(is_dark(x, y)) << (x % 64);
        }
    }
    Symbol::from_rows(version, ErrorCorrectionLevel::Medium, Mask::new(0).unwrap(), &rows).unwrap()
}

/// A text of `length` bytes that starts as a URL does, another for each `number`.
pub fn url(length: usize, number: u64) -> Vec<u8> {
    let mut random = Random(number);
    let mut text = b"https://example.com/".to_vec();
    text.resize_with(length, || b"abcdefghijklmnopqrstuvwxyz0123456789-_/?=&"[random.below(42) as usize]);
    text
}
