//! The time of the first picture of a version: its template is built.

use std::hint::black_box;
use std::time::Instant;

use qrpress_image::PngRenderer;
use qrpress_symbol::{Encoder, ErrorCorrectionLevel};

use crate::comparison::print_result;
use crate::logos::LogoKind;
use crate::texts::texts;
use crate::workloads::{logo_renderer, style};

const TURNS: usize = 15;

pub(crate) fn first_images() {
    for (name, bytes, scale) in [("W1", 60, 10), ("W5", 300, 10), ("W6", 2000, 4), ("W1, scale 40", 60, 40)] {
        first_image(name, bytes, ErrorCorrectionLevel::Medium, || PngRenderer::new(style(scale)));
    }
    for (name, kind) in [("W3, flat", LogoKind::Flat), ("W3, photographic", LogoKind::Photographic)] {
        // A job's logo is read from its PNG file once, not for each template.
        first_image(name, 60, ErrorCorrectionLevel::High, || logo_renderer(kind));
    }
}

fn first_image(
    name: &str,
    bytes: usize,
    level: ErrorCorrectionLevel,
    mut renderer: impl FnMut() -> PngRenderer,
) {
    let mut encoder = Encoder::new();
    let symbol = encoder.encode(texts(bytes)[0].as_bytes(), level).unwrap();
    let turns = (0..TURNS).map(|_| {
        let mut renderer = renderer();
        let start = Instant::now();
        let mut out = Vec::new();
        renderer.render(symbol, None, &mut out);
        black_box(out.len());
        start.elapsed().as_secs_f64() * 1e9
    });
    print_result("first image", name, turns.fold(f64::INFINITY, f64::min), None);
}
