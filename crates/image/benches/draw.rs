//! Measures drawing, given the modules, against other crates drawing the same modules in the same run:
//! `cargo bench -p qrpress-image`.
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run has nothing to recover")]

use std::{
    hint::black_box,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

#[path = "../tests/support/mod.rs"]
mod support;

use fast_qr::{ECL, QRBuilder, QRCode};
use qrcode_fast::QRErrorCorrectLevel;
use qrcodegen::QrCodeEcc;
use qrpress_image::{
    CAPTION_SAMPLE, CaptionPixels, Colour, Logo, PngRenderer, Style, SvgRenderer, image_side_px,
};
use qrpress_symbol::{ErrorCorrectionLevel, Mask, ROW_WORDS, Symbol, Version};
use qrpress_text::{Coverage, FontSet, Typesetter};
use support::{colourful_logo, encoded, flat_logo};

const MARGIN: usize = 4;
const IMAGES: u64 = 200;
const ROUNDS: usize = 5;
/// A fifth of the symbol's edge.
const LOGO_RATIO: u32 = 200_000;

fn main() {
    println!("{:<36} {:>9} {:>9} {:>10}", "drawing", "ns/image", "bytes", "slower by");
    for (name, length, scale) in [("W1", 60, 10), ("W5", 300, 10), ("W6", 2000, 4)] {
        png_workload(name, length, scale);
    }
    svg_workload("W2", 60, 10);
    logo_workload("W3 flat", flat_logo());
    logo_workload("W3 photographic", colourful_logo(300, 300));
    caption_workload("W4");
    println!("\n{:<36} {:>9}", "plan and first image", "µs");
    for (version, scale) in [(4, 10), (13, 10), (38, 4), (4, 1), (4, 20), (10, 39), (10, 40)] {
        plan("", version, scale, PngRenderer::new);
    }
    for (name, logo) in [("flat logo", flat_logo()), ("photographic logo", colourful_logo(300, 300))] {
        let logo = Arc::new(logo);
        plan(name, 7, 10, |style| PngRenderer::new(style).with_logo(Arc::clone(&logo), LOGO_RATIO));
    }
}

fn png_workload(name: &str, length: usize, scale: usize) {
    let codes = codes(length);
    let symbols: Vec<Symbol> = codes.iter().map(symbol).collect();
    let mut renderer = PngRenderer::new(style(scale));
    let mut table = Table::new(name);
    table.row("png", &symbols, |symbol, out| renderer.render(symbol, None, out));
    let peers = [
        ("fast_qr + png, default", png::Compression::default(), png::Filter::NoFilter),
        ("fast_qr + png, fastest", png::Compression::Fastest, png::Filter::NoFilter),
        ("fast_qr + png, fastest, Up filter", png::Compression::Fastest, png::Filter::Up),
    ];
    for (peer, compression, filter) in peers {
        table.row(peer, &codes, |code, out| with_png_crate(code, scale, compression, filter, out));
    }
}

fn svg_workload(name: &str, length: usize, scale: usize) {
    let symbols: Vec<Symbol> = codes(length).iter().map(symbol).collect();
    let mut renderer = SvgRenderer::new(style(scale));
    let mut table = Table::new(name);
    table.row("svg", &symbols, |symbol, out| renderer.render(symbol, None, out));
    let peers: Vec<_> = (0..IMAGES)
        .map(|number| {
            let mut code = qrcode_fast::QRCode::with_options(QRErrorCorrectLevel::M);
            code.make_code(&text(length, number));
            code
        })
        .collect();
    table.row("qrcode-fast", &peers, |code, out| out.extend_from_slice(code.get_svg().as_bytes()));
}

/// W1 at level H with a logo.
fn logo_workload(name: &str, logo: Logo) {
    let logo = Arc::new(logo);
    let symbols: Vec<Symbol> =
        (0..IMAGES).map(|number| encoded(text(60, number).as_bytes(), QrCodeEcc::High)).collect();
    let mut table = Table::new(name);
    let mut png = PngRenderer::new(style(10)).with_logo(Arc::clone(&logo), LOGO_RATIO);
    table.row("png", &symbols, |symbol, out| png.render(symbol, None, out));
    let mut svg = SvgRenderer::new(style(10)).with_logo(logo, LOGO_RATIO);
    table.row("svg", &symbols, |symbol, out| svg.render(symbol, None, out));
}

/// W1 with a caption of 20 characters, its typesetting left out and included.
fn caption_workload(name: &str) {
    let symbols: Vec<Symbol> = codes(60).iter().map(symbol).collect();
    let style = style(10);
    let (mut typesetter, mut coverage) = (typesetter(16), Coverage::new());
    let side_px = image_side_px(&style, symbols[0].version());
    let items: Vec<(Symbol, String, Coverage)> = (0..)
        .zip(symbols)
        .map(|(number, symbol)| {
            let text = format!("Shelf {number:05} row {:05}", number * 7919 % 99_991);
            typesetter.lay_out(&text, side_px);
            typesetter.rasterise(&mut coverage);
            (symbol, text, coverage.clone())
        })
        .collect();
    typesetter.lay_out(CAPTION_SAMPLE, 10_000);
    typesetter.rasterise(&mut coverage);
    let mut renderer = PngRenderer::new(style).with_captions_like(pixels(&coverage));
    let mut table = Table::new(name);
    table.row("png", &items, |(symbol, _, coverage), out| {
        renderer.render(symbol, Some(pixels(coverage)), out);
    });
    table.row("png, and typesetting", &items, |(symbol, text, _), out| {
        typesetter.lay_out(text, side_px);
        typesetter.rasterise(&mut coverage);
        renderer.render(symbol, Some(pixels(&coverage)), out);
    });
}

fn typesetter(font_size_px: u32) -> Typesetter {
    let fonts = FontSet::open(&[Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fonts")]).unwrap();
    Typesetter::new(fonts.into(), font_size_px)
}

fn pixels(coverage: &Coverage) -> CaptionPixels<'_> {
    CaptionPixels::new(coverage.width_px(), coverage.bytes())
}

fn plan(name: &str, version: u8, scale: usize, renderer: impl Fn(Style) -> PngRenderer) {
    let version = Version::new(version).unwrap();
    let rows = vec![[0; ROW_WORDS]; version.size()];
    let symbol = Symbol::from_rows(version, ErrorCorrectionLevel::Medium, Mask::new(0).unwrap(), &rows);
    let took = shortest(|| {
        let mut out = Vec::new();
        renderer(style(scale)).render(&symbol, None, &mut out);
        black_box(out.len());
    });
    println!(
        "{:<36} {:>9.0}",
        format!("version {}, scale {scale} {name}", version.number()),
        took.as_secs_f64() * 1e6
    );
}

/// Rows of one workload, the first of which the others are compared with.
struct Table {
    workload: String,
    first_seconds: Option<f64>,
}

impl Table {
    fn new(workload: &str) -> Self {
        Self { workload: workload.to_owned(), first_seconds: None }
    }

    fn row<T>(&mut self, name: &str, items: &[T], mut draw: impl FnMut(&T, &mut Vec<u8>)) {
        let mut out = Vec::new();
        let took = shortest(|| {
            out.clear();
            for item in items {
                draw(item, &mut out);
            }
            black_box(out.last());
        });
        let seconds = (took / items.len() as u32).as_secs_f64();
        let ratio = seconds / *self.first_seconds.get_or_insert(seconds);
        let name = format!("{} {name}", self.workload);
        println!("{name:<36} {:>9.0} {:>9} {ratio:>10.2}", seconds * 1e9, out.len() / items.len());
    }
}

/// The shortest of several runs; the more of them the shorter they are, since others use the machine too.
fn shortest(mut run: impl FnMut()) -> Duration {
    let begin = Instant::now();
    let mut shortest = Duration::MAX;
    for round in 0.. {
        if round >= ROUNDS && begin.elapsed() >= Duration::from_millis(500) {
            break;
        }
        let start = Instant::now();
        run();
        shortest = shortest.min(start.elapsed());
    }
    shortest
}

fn style(scale: usize) -> Style {
    Style::new(scale as u32, MARGIN as u32, Colour::BLACK, Colour::WHITE).unwrap()
}

/// A URL of `length` bytes, another for each `number`.
fn text(length: usize, number: u64) -> String {
    let mut text = format!("https://example.com/{number}/");
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    while text.len() < length {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        text.push(char::from(b"abcdefghijklmnopqrstuvwxyz0123456789-_/?=&"[(state >> 32) as usize % 42]));
    }
    text
}

fn codes(length: usize) -> Vec<QRCode> {
    (0..IMAGES).map(|number| QRBuilder::new(text(length, number)).ecl(ECL::M).build().ok().unwrap()).collect()
}

fn symbol(code: &QRCode) -> Symbol {
    let version = Version::new(((code.size - 17) / 4) as u8).unwrap();
    let mut rows = vec![[0; ROW_WORDS]; code.size];
    for (y, row) in rows.iter_mut().enumerate() {
        for x in 0..code.size {
            row[x / 64] |= u64::from(code[y][x].value()) << (x % 64);
        }
    }
    Symbol::from_rows(version, ErrorCorrectionLevel::Medium, Mask::new(0).unwrap(), &rows)
}

fn with_png_crate(
    code: &QRCode,
    scale: usize,
    compression: png::Compression,
    filter: png::Filter,
    out: &mut Vec<u8>,
) {
    let side = (code.size + 2 * MARGIN) * scale;
    let stride = side.div_ceil(8);
    let mut pixels = vec![0xff; stride * side];
    for y in 0..code.size {
        let first = (y + MARGIN) * scale * stride;
        for x in (0..code.size).filter(|&x| code[y][x].value()) {
            for pixel in (x + MARGIN) * scale..(x + MARGIN + 1) * scale {
                pixels[first + pixel / 8] &= !(0x80 >> (pixel % 8));
            }
        }
        for repeated in 1..scale {
            pixels.copy_within(first..first + stride, first + repeated * stride);
        }
    }
    let mut encoder = png::Encoder::new(out, side as u32, side as u32);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    encoder.set_compression(compression);
    encoder.set_filter(filter);
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
}
