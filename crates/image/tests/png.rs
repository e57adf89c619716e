//! PNG files, decoded by an independent reader, against pictures made pixel by pixel.

#![allow(clippy::unwrap_used, reason = "tests unwrap")]

mod support;

use proptest::prelude::*;
use qrpress_image::{Colour, MAX_SIDE_PX, PngRenderer, Style, image_side_px};
use qrpress_symbol::{ErrorCorrectionLevel, Mask, Symbol};
use support::{COLOURS, decoded_png, naive_picture, random_symbol, version};

fn assert_drawn(style: &Style, symbol: &Symbol) {
    let mut file = Vec::new();
    PngRenderer::new(style.clone()).render(symbol, &mut file);
    assert!(
        decoded_png(&file) == naive_picture(symbol, style),
        "{style:?} version {}",
        symbol.version().number()
    );
}

#[test]
fn every_scale_and_margin() {
    for scale in 1..=40 {
        for margin in 0..=16 {
            let number = scale * 17 + margin;
            let (foreground, background) = COLOURS[number as usize % COLOURS.len()];
            let style = Style::new(scale, margin, foreground, background).unwrap();
            assert_drawn(&style, &random_symbol(version(1 + number as u8 % 4), number.into()));
        }
    }
}

#[test]
fn every_version_in_every_colour() {
    for number in 1..=40 {
        for (index, (foreground, background)) in COLOURS.into_iter().enumerate() {
            let scale = 1 + (7 * u32::from(number) + 3 * index as u32) % 9;
            let style = Style::new(scale, index as u32, foreground, background).unwrap();
            assert_drawn(&style, &random_symbol(version(number), index as u64));
        }
    }
}

#[test]
fn pictures_beyond_the_cap_are_still_right() {
    for (number, scale, margin) in [(20, 40, 16), (40, 27, 0)] {
        let style = Style::new(scale, margin, Colour::BLACK, Colour::WHITE).unwrap();
        assert!(image_side_px(&style, version(number)) > MAX_SIDE_PX);
        assert_drawn(&style, &random_symbol(version(number), 1));
    }
}

#[test]
fn uniform_symbols() {
    for scale in [1, 8, 10, 40] {
        for modules in [0, u64::MAX >> (64 - 21)] {
            let rows = [[modules, 0, 0]; 21];
            let symbol =
                Symbol::from_rows(version(1), ErrorCorrectionLevel::Low, Mask::new(0).unwrap(), &rows);
            assert_drawn(&Style::new(scale, 4, Colour::BLACK, Colour::WHITE).unwrap(), &symbol);
        }
    }
}

#[test]
fn what_was_drawn_before_does_not_matter() {
    let style = Style::default();
    let mut used = PngRenderer::new(style.clone());
    let mut file = Vec::new();
    for number in [3, 7, 3, 40, 3] {
        file = b"kept".to_vec();
        used.render(&random_symbol(version(number), 5), &mut file);
    }
    let mut fresh = b"kept".to_vec();
    PngRenderer::new(style).render(&random_symbol(version(3), 5), &mut fresh);
    assert!(file == fresh);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_styles_and_symbols(
        scale in 1..=40_u32,
        margin in 0..=16_u32,
        colours in prop::sample::select(&COLOURS[..]),
        number in 1..=40_u8,
        seed: u64,
    ) {
        let style = Style::new(scale, margin, colours.0, colours.1).unwrap();
        prop_assume!(image_side_px(&style, version(number)) <= 2000);
        assert_drawn(&style, &random_symbol(version(number), seed));
    }
}
