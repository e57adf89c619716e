//! PNG files, decoded by an independent reader, against pictures made pixel by pixel.

use crate::support::{
    COLOURS, add_caption, decoded_png, naive_picture, random_coverage, random_symbol, version,
};
use proptest::prelude::*;
use qrpress_image::{CaptionPixels, Colour, MAX_SIDE_PX, PngRenderer, Style, image_side_px};
use qrpress_symbol::{ErrorCorrectionLevel, Mask, Symbol};

fn assert_drawn(style: &Style, symbol: &Symbol) {
    let mut file = Vec::new();
    PngRenderer::new(style.clone()).render(symbol, None, &mut file);
    assert!(
        decoded_png(&file) == naive_picture(symbol, style),
        "{style:?} version {}",
        symbol.version().number()
    );
}

fn assert_drawn_with_caption(style: &Style, symbol: &Symbol, width: usize, coverage: &[u8]) {
    let caption = CaptionPixels::new(width as u32, coverage);
    let mut file = Vec::new();
    PngRenderer::new(style.clone()).render(symbol, Some(caption), &mut file);
    let mut expected = naive_picture(symbol, style);
    add_caption(&mut expected, style, false, caption, coverage);
    assert!(
        decoded_png(&file) == expected,
        "{style:?} version {} caption of {width} px",
        symbol.version().number()
    );
}

#[test]
fn files_state_their_density() {
    let density = |dots: Option<u32>| {
        let style = Style::new(3, 4, Colour::BLACK, Colour::WHITE).unwrap();
        let style = match dots {
            Some(dots) => style.with_dots_per_inch(dots).unwrap(),
            None => style,
        };
        let mut file = Vec::new();
        PngRenderer::new(style).render(&random_symbol(version(1), 1), None, &mut file);
        let reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        reader.info().pixel_dims.map(|dims| {
            assert_eq!((dims.xppu, dims.unit), (dims.yppu, png::Unit::Meter));
            dims.xppu
        })
    };
    assert_eq!(
        [None, Some(72), Some(300), Some(2400)].map(density),
        [None, Some(2835), Some(11_811), Some(94_488)]
    );
}

#[test]
fn captions_at_every_scale_in_every_colour() {
    for scale in 1..=40 {
        for (index, (foreground, background)) in
            COLOURS.into_iter().enumerate().skip(scale as usize % 3).step_by(3)
        {
            let number = scale * 11 + index as u32;
            let style = Style::new(scale, number % 6, foreground, background).unwrap();
            let style =
                if number.is_multiple_of(3) { style.with_caption_colour([9, 99, 199]) } else { style };
            let symbol = random_symbol(version(1 + number as u8 % 2), number.into());
            let side = image_side_px(&style, symbol.version()) as usize;
            let width = if number.is_multiple_of(5) { side / 3 } else { side };
            let coverage = random_coverage(width, number as usize % 50, number.into());
            assert_drawn_with_caption(&style, &symbol, width, &coverage);
        }
    }
}

#[test]
fn captions_without_ink_of_ink_alone_and_wider_than_the_picture() {
    let style = Style::new(3, 1, Colour::BLACK, Colour::WHITE).unwrap();
    let symbol = random_symbol(version(1), 1);
    let side = image_side_px(&style, symbol.version()) as usize;
    for value in [0, 255, 42, 43] {
        assert_drawn_with_caption(&style, &symbol, side, &vec![value; side * 20]);
        assert_drawn_with_caption(&style, &symbol, 1, &[value; 7]);
    }
    let (narrow, wide) = (random_coverage(side, 5, 1), 3);
    let mut padded = Vec::new();
    for row in narrow.chunks_exact(side) {
        padded.extend([255; 3].into_iter().chain(row.iter().copied()).chain([255; 3]));
    }
    let file_of = |width: usize, coverage: &[u8]| {
        let mut file = Vec::new();
        let caption = CaptionPixels::new(width as u32, coverage);
        PngRenderer::new(style.clone()).render(&symbol, Some(caption), &mut file);
        file
    };
    assert!(file_of(side, &narrow) == file_of(side + 2 * wide, &padded));
}

#[test]
#[ignore = "long: run by `npm run nightly`"]
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
                Symbol::from_rows(version(1), ErrorCorrectionLevel::Low, Mask::new(0).unwrap(), &rows)
                    .unwrap();
            assert_drawn(&Style::new(scale, 4, Colour::BLACK, Colour::WHITE).unwrap(), &symbol);
        }
    }
}

#[test]
fn large_letters_are_copied_from_line_to_line() {
    let symbol = random_symbol(version(1), 1);
    let style = Style::new(20, 4, Colour::BLACK, Colour::WHITE).unwrap();
    for style in [style.clone(), style.with_caption_colour([9, 99, 199])] {
        let side = image_side_px(&style, symbol.version());
        // Strokes that are twenty lines high.
        let strokes = random_coverage(side as usize, 6, 4);
        let rows = strokes.chunks_exact(side as usize);
        let coverage: Vec<u8> = rows.flat_map(|row| row.repeat(20)).collect();
        let caption = CaptionPixels::new(side, &coverage);
        let mut tuned = PngRenderer::new(style.clone()).with_captions_like(caption);
        let (mut large, mut straight) = (Vec::new(), Vec::new());
        tuned.render(&symbol, Some(caption), &mut large);
        PngRenderer::new(style.clone()).render(&symbol, Some(caption), &mut straight);
        assert!(2 * large.len() < straight.len(), "{} and {} bytes", large.len(), straight.len());

        let mut expected = naive_picture(&symbol, &style);
        add_caption(&mut expected, &style, false, caption, &coverage);
        assert!(decoded_png(&large) == expected);
        // Captions unlike the sample.
        for seed in 0..20 {
            let coverage = random_coverage(side as usize, seed as usize, seed);
            let caption = CaptionPixels::new(side, &coverage);
            let mut file = Vec::new();
            tuned.render(&symbol, Some(caption), &mut file);
            let mut expected = naive_picture(&symbol, &style);
            add_caption(&mut expected, &style, false, caption, &coverage);
            assert!(decoded_png(&file) == expected, "seed {seed}");
        }
    }
}

#[test]
fn a_sample_changes_bytes_but_not_pixels() {
    let (style, symbol) = (Style::default(), random_symbol(version(2), 7));
    let coverage = random_coverage(200, 20, 7);
    let caption = CaptionPixels::new(200, &coverage);
    let (mut plain, mut tuned) = (Vec::new(), Vec::new());
    PngRenderer::new(style.clone()).render(&symbol, Some(caption), &mut plain);
    PngRenderer::new(style).with_captions_like(caption).render(&symbol, Some(caption), &mut tuned);
    assert!(tuned != plain);
    assert!(decoded_png(&tuned) == decoded_png(&plain));
}

#[test]
fn what_was_drawn_before_does_not_matter() {
    let style = Style::default();
    let mut used = PngRenderer::new(style.clone());
    let mut file = Vec::new();
    for number in [3, 7, 3, 40, 3] {
        file = b"kept".to_vec();
        used.render(&random_symbol(version(number), 5), None, &mut file);
    }
    let mut fresh = b"kept".to_vec();
    PngRenderer::new(style).render(&random_symbol(version(3), 5), None, &mut fresh);
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
