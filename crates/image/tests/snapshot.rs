//! What files hold and how large they are, against records that only `QRPRESS_BLESS=1` rewrites.

#![allow(clippy::unwrap_used, reason = "tests unwrap")]

mod support;

use std::fmt::Write;
use std::path::Path;

use qrcodegen::QrCodeEcc;
use qrpress_image::{PngRenderer, Style, SvgRenderer};
use support::{COLOURS, decoded_png, encoded, url};

/// The record `name`, made anew from `current` if that is asked for.
fn recorded(name: &str, current: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name);
    if std::env::var_os("QRPRESS_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&path, current).unwrap();
    }
    std::fs::read_to_string(path).unwrap()
}

/// FNV-1a of 64 bits.
fn hash(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[test]
fn pixels_and_svg_text_are_as_recorded() {
    let mut current = String::new();
    for (index, (foreground, background)) in COLOURS.into_iter().enumerate() {
        for (scale, margin) in [(10, 4), (1, 0), (3, 1), (7, 16)] {
            let style = Style::new(scale, margin, foreground, background).unwrap();
            let symbol = encoded(&url(60 + 40 * index, index as u64), QrCodeEcc::Medium);
            let (mut png, mut svg) = (Vec::new(), Vec::new());
            PngRenderer::new(style.clone()).render(&symbol, None, &mut png);
            SvgRenderer::new(style).render(&symbol, None, &mut svg);
            let pixels = hash(decoded_png(&png).rgba.as_flattened());
            let version = symbol.version().number();
            writeln!(
                current,
                "version {version} scale {scale} margin {margin} colours {index}: pixels {pixels:016x} svg {:016x}",
                hash(&svg)
            )
            .unwrap();
        }
    }
    assert_eq!(current, recorded("golden.txt", &current));
}

/// Bytes of twenty files on average, for a workload of `length` bytes of text.
fn sizes(length: usize, level: QrCodeEcc, scale: u32) -> (usize, usize) {
    let style = Style::new(scale, 4, COLOURS[0].0, COLOURS[0].1).unwrap();
    let (mut png, mut svg) = (Vec::new(), Vec::new());
    let (mut png_renderer, mut svg_renderer) = (PngRenderer::new(style.clone()), SvgRenderer::new(style));
    for number in 0..20 {
        let symbol = encoded(&url(length, number), level);
        png_renderer.render(&symbol, None, &mut png);
        svg_renderer.render(&symbol, None, &mut svg);
    }
    (png.len() / 20, svg.len() / 20)
}

#[test]
fn files_do_not_grow() {
    let mut current = String::new();
    for (length, scale) in
        [(60, 10), (300, 10), (2000, 4), (60, 1), (60, 3), (60, 5), (60, 8), (60, 16), (60, 20), (60, 40)]
    {
        let (png, svg) = sizes(length, QrCodeEcc::Medium, scale);
        writeln!(current, "{length} bytes, scale {scale}: png {png} svg {svg}").unwrap();
    }
    let record = recorded("sizes.txt", &current);
    let figures = |text: &str| -> Vec<usize> {
        text.split_whitespace().filter_map(|word| word.trim_end_matches(':').parse().ok()).collect()
    };
    let grown = figures(&current).iter().zip(figures(&record)).any(|(now, then)| *now > then);
    assert!(
        !grown && current.lines().count() == record.lines().count(),
        "recorded:\n{record}now:\n{current}"
    );
}
