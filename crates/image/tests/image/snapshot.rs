//! The pixels, texts and sizes of files, against records that only `QRPRESS_BLESS=1` rewrites.

use std::fmt::Write;
use std::sync::Arc;

use crate::support::{
    COLOURS, colourful_logo, decoded_png, encoded, flat_logo, placed, random_coverage, url,
};
use qrcodegen::QrCodeEcc;
use qrpress_image::{
    CAPTION_SAMPLE, CaptionOutline, CaptionPixels, PngRenderer, Style, SvgRenderer, image_side_px,
};
use qrpress_logo::Logo;
use qrpress_symbol::Symbol;
use qrpress_testkit::{fnv1a, fonts, recorded};
use qrpress_text::{Coverage, Typesetter};

/// The extras on and under a code.
#[derive(Clone, Copy, Debug)]
enum Extra {
    Nothing,
    Caption,
    FlatLogo,
    ColourfulLogo,
    FlatLogoAndCaption,
}

impl Extra {
    fn logo(self) -> Option<Arc<Logo>> {
        match self {
            Self::Nothing | Self::Caption => None,
            Self::FlatLogo | Self::FlatLogoAndCaption => Some(Arc::new(flat_logo())),
            Self::ColourfulLogo => Some(Arc::new(colourful_logo(60, 40))),
        }
    }

    fn has_caption(self) -> bool {
        matches!(self, Self::Caption | Self::FlatLogoAndCaption)
    }
}

fn renderers(style: &Style, logo: Option<Arc<Logo>>) -> (PngRenderer, SvgRenderer) {
    let (png, svg) = (PngRenderer::new(style.clone()), SvgRenderer::new(style.clone()));
    match logo {
        Some(logo) => (png.with_logo(placed(&logo, 200_000)), svg.with_logo(placed(&logo, 200_000))),
        None => (png, svg),
    }
}

/// Hashes of a picture's pixels and of its SVG.
fn hashes(style: &Style, symbol: &Symbol, extra: Extra) -> (u64, u64) {
    let (mut png_renderer, mut svg_renderer) = renderers(style, extra.logo());
    let side = image_side_px(style, symbol.version());
    let coverage = random_coverage(side as usize, 10, u64::from(side));
    let pixels = extra.has_caption().then(|| CaptionPixels::new(side, &coverage));
    let path = format!("M2 {side}h9v9h-9z");
    let outline = CaptionOutline { text: "A <caption>", height_px: 10, path: path.as_bytes() };
    let (mut png, mut svg) = (Vec::new(), Vec::new());
    png_renderer.render(symbol, pixels, &mut png);
    svg_renderer.render(symbol, pixels.map(|_| outline), &mut svg);
    (fnv1a(decoded_png(&png).rgba.as_flattened()), fnv1a(&svg))
}

// Clauses: picture/same-bytes
#[test]
fn pixels_and_svg_text_are_as_recorded() {
    let mut current = String::new();
    let mut record = |index: usize, scale: u32, margin: u32, extra: Extra| {
        let (foreground, background) = COLOURS[index];
        let style = Style::new(scale, margin, foreground, background).unwrap();
        let symbol = encoded(&url(60 + 40 * index, index as u64), QrCodeEcc::Medium);
        let (pixels, svg) = hashes(&style, &symbol, extra);
        let version = symbol.version().number();
        write!(current, "version {version} scale {scale} margin {margin} colours {index}").unwrap();
        if !matches!(extra, Extra::Nothing) {
            write!(current, " {extra:?}").unwrap();
        }
        writeln!(current, ": pixels {pixels:016x} svg {svg:016x}").unwrap();
    };
    let looks = [(10, 4), (1, 0), (3, 1), (7, 16)];
    for index in 0..COLOURS.len() {
        for (scale, margin) in looks {
            record(index, scale, margin, Extra::Nothing);
        }
    }
    for extra in [Extra::Caption, Extra::FlatLogo, Extra::ColourfulLogo, Extra::FlatLogoAndCaption] {
        for index in 0..COLOURS.len() {
            let (scale, margin) = looks[index % looks.len()];
            record(index, scale, margin, extra);
        }
    }
    assert_eq!(current, recorded(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden.txt"), &current));
}

/// Bytes of twenty files on average, for a workload of `length` bytes of text.
fn sizes(length: usize, level: QrCodeEcc, scale: u32, logo: Option<Logo>) -> (usize, usize) {
    let style = Style::new(scale, 4, COLOURS[0].0, COLOURS[0].1).unwrap();
    let (mut png, mut svg) = (Vec::new(), Vec::new());
    let (mut png_renderer, mut svg_renderer) = renderers(&style, logo.map(Arc::new));
    for number in 0..20 {
        let symbol = encoded(&url(length, number), level);
        png_renderer.render(&symbol, None, &mut png);
        svg_renderer.render(&symbol, None, &mut svg);
    }
    (png.len() / 20, svg.len() / 20)
}

fn pixels(coverage: &Coverage) -> CaptionPixels<'_> {
    CaptionPixels::new(coverage.width_px(), coverage.bytes())
}

/// The same with a caption of twenty letters each, 16 pixels at scale 10.
fn sizes_with_caption(scale: u32, style: &Style) -> (usize, usize) {
    let mut typesetter = Typesetter::new(Arc::clone(fonts()), 16 * scale / 10);
    let (mut sample, mut coverage, mut path) = (Coverage::new(), Coverage::new(), Vec::new());
    typesetter.lay_out(CAPTION_SAMPLE, 10_000);
    typesetter.rasterise(&mut sample);
    let mut png_renderer = PngRenderer::new(style.clone()).with_captions_like(pixels(&sample));
    let mut svg_renderer = SvgRenderer::new(style.clone());
    let (mut png, mut svg) = (Vec::new(), Vec::new());
    for number in 0..20 {
        let symbol = encoded(&url(60, number), QrCodeEcc::Medium);
        let side_px = image_side_px(style, symbol.version());
        let text = format!("Shelf {number:05} row {:05}", number * 7919);
        let height_px = typesetter.lay_out(&text, side_px).height_px();
        typesetter.rasterise(&mut coverage);
        path.clear();
        typesetter.outline(side_px, &mut path);
        png_renderer.render(&symbol, Some(pixels(&coverage)), &mut png);
        svg_renderer.render(&symbol, Some(CaptionOutline { text: &text, height_px, path: &path }), &mut svg);
    }
    (png.len() / 20, svg.len() / 20)
}

#[test]
fn files_do_not_grow() {
    let mut current = String::new();
    let mut record = |name: &str, (png, svg): (usize, usize)| {
        writeln!(current, "{name}: png {png} svg {svg}").unwrap();
    };
    for (length, scale) in
        [(60, 10), (300, 10), (2000, 4), (60, 1), (60, 3), (60, 5), (60, 8), (60, 16), (60, 20), (60, 40)]
    {
        record(&format!("{length} bytes, scale {scale}"), sizes(length, QrCodeEcc::Medium, scale, None));
    }
    for scale in [10, 40] {
        let style = Style::new(scale, 4, COLOURS[0].0, COLOURS[0].1).unwrap();
        record(&format!("caption, scale {scale}"), sizes_with_caption(scale, &style));
        let style = style.with_caption_colour([200, 0, 0]);
        record(&format!("red caption, scale {scale}"), sizes_with_caption(scale, &style));
        let logo_sizes = |logo| sizes(60, QrCodeEcc::High, scale, Some(logo));
        record(&format!("flat logo, scale {scale}"), logo_sizes(flat_logo()));
        record(&format!("colourful logo, scale {scale}"), logo_sizes(colourful_logo(300, 300)));
    }
    let record = recorded(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sizes.txt"), &current);
    let figures = |text: &str| -> Vec<usize> {
        text.split_whitespace().filter_map(|word| word.trim_end_matches(':').parse().ok()).collect()
    };
    let grown = figures(&current).iter().zip(figures(&record)).any(|(now, then)| *now > then);
    assert!(
        !grown && current.lines().count() == record.lines().count(),
        "recorded:\n{record}now:\n{current}"
    );
}
