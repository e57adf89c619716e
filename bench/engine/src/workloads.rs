//! W1 to W6, and the symbols alone.

use std::hint::black_box;
use std::sync::Arc;

use png::{Compression, Filter};
use qrpress_image::{
    CAPTION_SAMPLE, CaptionPixels, Colour, PlacedLogo, PngRenderer, Style, SvgRenderer, image_side_px,
};
use qrpress_logo::Logo;
use qrpress_readback::{FileFormat, Geometry, Reader};
use qrpress_simd::SimdLevel;
use qrpress_symbol::{Encoder, ErrorCorrectionLevel};
use qrpress_testkit::fonts;
use qrpress_text::{Coverage, Typesetter};

use crate::comparison::Comparison;
use crate::logos::LogoKind;
use crate::peers::{Bitmap, MARGIN, fast_qr, qrcode_fast, with_logo};
use crate::texts::texts;

pub(crate) const OWN: &str = "qrpress";
/// The engine, and the decoder of `verify` behind it.
const READ_BACK: &str = "qrpress, read back";
const LEVEL: ErrorCorrectionLevel = ErrorCorrectionLevel::Medium;

/// The name of the engine on a CPU level: the widest is the one that runs.
fn own(level: SimdLevel) -> String {
    if level == SimdLevel::detect() { OWN.to_owned() } else { format!("{OWN}, {}", level.name()) }
}

/// Symbols without a picture, on every CPU level.
pub(crate) fn symbols() {
    for (workload, bytes) in [("symbol W1", 60), ("symbol W5", 300), ("symbol W6", 2000)] {
        let mut comparison = Comparison::new(workload, texts(bytes));
        for level in SimdLevel::available() {
            let mut encoder = Encoder::with_simd_level(level);
            comparison = comparison.add(own(level), move |text, _| {
                black_box(encoder.encode(text.as_bytes(), LEVEL).unwrap());
            });
        }
        comparison
            .add("fast_qr", |text, _| {
                black_box(fast_qr(text));
            })
            .add("qrcode-fast", |text, _| {
                black_box(qrcode_fast(text));
            })
            .add("qrcodegen", |text, _| {
                black_box(qrcodegen::QrCode::encode_text(text, qrcodegen::QrCodeEcc::Medium).unwrap());
            })
            .run();
    }
}

/// From text to the bytes of a file.
pub(crate) fn pictures() {
    png("W1 PNG", 60, 10);
    svg("W2 SVG", 60);
    logo("W3 logo, flat", LogoKind::Flat);
    logo("W3 logo, photographic", LogoKind::Photographic);
    caption("W4 caption", 60);
    png("W5 PNG", 300, 10);
    png("W6 PNG", 2000, 4);
}

fn png(workload: &'static str, bytes: usize, scale: usize) {
    let mut comparison = Comparison::new(workload, texts(bytes));
    for level in SimdLevel::available() {
        let mut encoder = Encoder::with_simd_level(level);
        let mut renderer = PngRenderer::new(style(scale)).with_simd_level(level);
        comparison = comparison.add(own(level), move |text, out| {
            renderer.render(encoder.encode(text.as_bytes(), LEVEL).unwrap(), None, out);
        });
    }
    let mut encoder = Encoder::new();
    let mut renderer = PngRenderer::new(style(scale));
    let mut read = reader(scale, FileFormat::Png);
    comparison
        .add(READ_BACK, move |text, out| {
            renderer.render(encoder.encode(text.as_bytes(), LEVEL).unwrap(), None, out);
            read(text, out);
        })
        .add("fast_qr + png, default", move |text, out| {
            Bitmap::of_fast_qr(&fast_qr(text), scale).write(Compression::default(), Filter::NoFilter, out);
        })
        .add("fast_qr + png, fastest", move |text, out| {
            Bitmap::of_fast_qr(&fast_qr(text), scale).write(Compression::Fastest, Filter::Up, out);
        })
        .add("qrcode-fast + png, fastest", move |text, out| {
            Bitmap::of_qrcode_fast(&qrcode_fast(text), scale).write(Compression::Fastest, Filter::Up, out);
        })
        .run();
}

/// Reads a file as `verify` does, and compares the text.
fn reader(scale: usize, format: FileFormat) -> impl FnMut(&str, &[u8]) {
    let geometry = Geometry { pixels_per_module: scale as u32, quiet_zone_modules: MARGIN as u32 };
    let mut reader = Reader::new(geometry);
    move |text, file| assert_eq!(reader.read(file, format).unwrap().data, text.as_bytes())
}

fn svg(workload: &'static str, bytes: usize) {
    let draw = || {
        let (mut encoder, mut renderer) = (Encoder::new(), SvgRenderer::new(style(10)));
        move |text: &str, out: &mut Vec<u8>| {
            renderer.render(encoder.encode(text.as_bytes(), LEVEL).unwrap(), None, out);
        }
    };
    let (mut draw_to_read, mut read) = (draw(), reader(10, FileFormat::Svg));
    Comparison::new(workload, texts(bytes))
        .add(OWN, draw())
        .add(READ_BACK, move |text, out| {
            draw_to_read(text, out);
            read(text, out);
        })
        .add("qrcode-fast", |text, out| out.extend_from_slice(qrcode_fast(text).get_svg().as_bytes()))
        .run();
}

fn logo(workload: &'static str, kind: LogoKind) {
    let level = ErrorCorrectionLevel::High;
    let mut encoder = Encoder::new();
    let mut renderer = logo_renderer(kind);
    let mut compressed = [Compression::Fastest, Compression::default()].map(|compression| {
        let mut pasted = None;
        move |text: &str, out: &mut Vec<u8>| with_logo(text, 10, kind, &mut pasted, compression, out)
    });
    let [fastest, default] = &mut compressed;
    Comparison::new(workload, texts(60))
        .add(OWN, move |text, out| {
            renderer.render(encoder.encode(text.as_bytes(), level).unwrap(), None, out);
        })
        .add("fast_qr + png with the logo pasted in, fastest", fastest)
        .add("fast_qr + png with the logo pasted in, default", default)
        .run();
}

/// Draws the logo at a fifth of the symbol's edge.
pub(crate) fn logo_renderer(kind: LogoKind) -> PngRenderer {
    let logo = Logo::from_png(&kind.png()).unwrap();
    PngRenderer::new(style(10)).with_logo(PlacedLogo {
        logo: Arc::new(logo),
        ratio_millionths: 200_000,
        level: ErrorCorrectionLevel::High,
    })
}

/// The whole of W4: the symbol, the caption's setting and its pixels. Its peer is npm's.
fn caption(workload: &'static str, bytes: usize) {
    let mut typesetter = Typesetter::new(Arc::clone(fonts()), 16);
    let mut coverage = Coverage::new();
    typesetter.lay_out(CAPTION_SAMPLE, 10_000);
    typesetter.rasterise(&mut coverage);
    let style = style(10);
    let sample = CaptionPixels::new(coverage.width_px(), coverage.bytes());
    let mut renderer = PngRenderer::new(style.clone()).with_captions_like(sample);
    let mut encoder = Encoder::new();
    Comparison::new(workload, texts(bytes))
        .add(OWN, move |text, out| {
            let symbol = encoder.encode(text.as_bytes(), LEVEL).unwrap();
            // Twenty characters, another twenty for each text: the end of the path and what follows it.
            typesetter.lay_out(&text[20..40], image_side_px(&style, symbol.version()));
            typesetter.rasterise(&mut coverage);
            let caption = CaptionPixels::new(coverage.width_px(), coverage.bytes());
            renderer.render(symbol, Some(caption), out);
        })
        .run();
}

pub(crate) fn style(scale: usize) -> Style {
    Style::new(scale as u32, MARGIN as u32, Colour::BLACK, Colour::WHITE).unwrap()
}
