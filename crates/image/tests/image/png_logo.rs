//! Logos in PNG files, decoded by an independent reader, against pictures made pixel by pixel.

use std::sync::Arc;

use crate::support::{
    COLOURS, add_caption, add_logo, clear_modules, colourful_logo, decoded_png, flat_logo, logo,
    naive_picture, placed, placement, random_coverage, random_symbol, version,
};
use proptest::prelude::*;
use qrpress_image::{CaptionPixels, Colour, PngRenderer, Style, image_side_px};
use qrpress_logo::Logo;
use qrpress_symbol::Symbol;

/// The pictures that a file may show: the logo is drawn in as many colours as there are entries, or in few if it is flat.
fn assert_drawn(style: &Style, symbol: &Symbol, logo: &Arc<Logo>, ratio: u32, coverage: Option<&[u8]>) {
    let side = image_side_px(style, symbol.version());
    let caption = coverage.map(|coverage| CaptionPixels::new(side, coverage));
    let mut file = Vec::new();
    PngRenderer::new(style.clone()).with_logo(placed(logo, ratio)).render(symbol, caption, &mut file);
    let drawn = decoded_png(&file);

    let placement = placement(style, symbol, logo, ratio);
    let mut expected = naive_picture(symbol, style);
    clear_modules(&mut expected, style, &placement);
    if let (Some(caption), Some(coverage)) = (caption, coverage) {
        add_caption(&mut expected, style, true, caption, coverage);
    }
    let levels = if caption.is_some() { 4 } else { 0 };
    let is_right = [256, 16].into_iter().any(|colours| {
        let (width, height) = (placement.logo.width, placement.logo.height);
        let rgb = |colour| if let Colour::Rgb(rgb) = colour { Some(rgb) } else { None };
        let reserved = [style.background, style.foreground]
            .map(|colour| rgb(colour).map_or([0; 4], |[red, green, blue]| [red, green, blue, 255]));
        let picture = logo.quantise(width, height, rgb(style.background), &reserved, colours - levels);
        let mut expected = expected.clone();
        add_logo(&mut expected, &placement, &picture);
        expected == drawn
    });
    assert!(is_right, "{style:?} version {} ratio {ratio}", symbol.version().number());
}

#[test]
#[ignore = "long: run by `npm run nightly`"]
fn every_scale_in_every_colour() {
    let logos = [flat_logo(), colourful_logo(90, 90), logo(1, 1, |_, _| [0, 0, 255, 255])].map(Arc::new);
    for scale in 1..=40 {
        for (index, (foreground, background)) in COLOURS.into_iter().enumerate() {
            let number = scale * 11 + index as u32;
            let style = Style::new(scale, number % 6, foreground, background).unwrap();
            let symbol = random_symbol(version(1 + number as u8 % 3), number.into());
            let ratio = [50_000, 200_000, 300_000, 123_456][number as usize % 4];
            assert_drawn(&style, &symbol, &logos[number as usize % 3], ratio, None);
        }
    }
}

#[test]
fn every_version_with_and_without_caption() {
    let logos = [flat_logo(), colourful_logo(300, 60), colourful_logo(40, 200)].map(Arc::new);
    for number in 1..=40 {
        let (foreground, background) = COLOURS[usize::from(number) % COLOURS.len()];
        let style =
            Style::new(1 + u32::from(number) * 7 % 12, u32::from(number) % 17, foreground, background);
        let style = style.unwrap().with_caption_colour([9, 99, 199]);
        let symbol = random_symbol(version(number), number.into());
        let side = image_side_px(&style, symbol.version()) as usize;
        let coverage = random_coverage(side, 12, number.into());
        let logo = &logos[usize::from(number) % 3];
        assert_drawn(&style, &symbol, logo, 210_000, Some(&coverage));
        assert_drawn(&style, &symbol, logo, 70_000 + 5000 * u32::from(number), None);
    }
}

#[test]
fn what_was_drawn_before_does_not_matter() {
    let logo = Arc::new(flat_logo());
    let fresh = || PngRenderer::new(Style::default()).with_logo(placed(&logo, 200_000));
    let (mut used, mut file, mut expected) = (fresh(), Vec::new(), Vec::new());
    for number in [3, 7, 3] {
        file.clear();
        used.render(&random_symbol(version(number), 5), None, &mut file);
    }
    fresh().render(&random_symbol(version(3), 5), None, &mut expected);
    assert!(file == expected);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn random_styles_and_logos(
        scale in 1..=40_u32,
        margin in 0..=16_u32,
        colours in prop::sample::select(&COLOURS[..]),
        number in 1..=40_u8,
        ratio in 50_000..=300_000_u32,
        width in 1..=120_u32,
        height in 1..=120_u32,
        band in 0..20_usize,
        seed: u64,
    ) {
        let style = Style::new(scale, margin, colours.0, colours.1).unwrap();
        let style = style.with_caption_colour([9, 99, 199]);
        let side = image_side_px(&style, version(number));
        prop_assume!(side <= 1000);
        let logo = if seed % 3 == 0 { flat_logo() } else { colourful_logo(width, height) };
        let coverage = (band > 0).then(|| random_coverage(side as usize, band, seed));
        assert_drawn(&style, &random_symbol(version(number), seed), &Arc::new(logo), ratio, coverage.as_deref());
    }
}
