//! SVG files, rasterised by an independent renderer, against pictures made pixel by pixel.

#![allow(clippy::unwrap_used, reason = "tests unwrap")]

mod support;

use std::sync::Arc;

use proptest::prelude::*;
use qrpress_image::{CaptionOutline, CaptionPixels, LogoPlacement, Style, SvgRenderer, image_side_px};
use qrpress_symbol::{ErrorCorrectionLevel, Mask, Symbol};
use support::{
    COLOURS, add_caption, clear_plate, flat_logo, naive_picture, random_symbol, rasterised_svg, version,
};

fn assert_drawn(style: &Style, symbol: &Symbol) {
    let mut file = Vec::new();
    SvgRenderer::new(style.clone()).render(symbol, None, &mut file);
    assert!(
        rasterised_svg(&file) == naive_picture(symbol, style),
        "{style:?} version {}",
        symbol.version().number()
    );
}

#[test]
fn several_scales_and_margins_in_every_colour() {
    for scale in [1, 2, 3, 10, 25] {
        for margin in [0, 1, 4, 16] {
            for (index, (foreground, background)) in COLOURS.into_iter().enumerate() {
                let style = Style::new(scale, margin, foreground, background).unwrap();
                assert_drawn(&style, &random_symbol(version(1), index as u64));
            }
        }
    }
}

#[test]
fn captions_stand_under_the_code_and_in_the_title() {
    let symbol = random_symbol(version(2), 2);
    for (index, (foreground, background)) in COLOURS.into_iter().enumerate() {
        let style = Style::new(1 + index as u32, 2, foreground, background).unwrap();
        let style = if index % 2 == 1 { style.with_caption_colour([9, 99, 199]) } else { style };
        let (side, height_px) = (image_side_px(&style, symbol.version()), 9);
        let mut renderer = SvgRenderer::new(style.clone());
        // A box of 20 × 4 pixels in the place of letters.
        let path = format!("M3 {}h20v4h-20z", side + 2);
        let text = "Fish & <chips>\n\u{7}東京";
        let caption = CaptionOutline { text, height_px, path: path.as_bytes() };
        let mut file = Vec::new();
        renderer.render(&symbol, Some(CaptionOutline { height_px: 50, ..caption }), &mut file);
        file.clear();
        renderer.render(&symbol, Some(caption), &mut file);

        let mut coverage = vec![0; (side * height_px) as usize];
        for row in 2..6 {
            coverage[row * side as usize + 3..][..20].fill(255);
        }
        let mut expected = naive_picture(&symbol, &style);
        add_caption(&mut expected, &style, false, CaptionPixels::new(side, &coverage), &coverage);
        assert!(rasterised_svg(&file) == expected, "{style:?}");
        let document = resvg::usvg::roxmltree::Document::parse(str::from_utf8(&file).unwrap()).unwrap();
        let title = document.root_element().first_element_child().unwrap();
        assert_eq!((title.tag_name().name(), title.text()), ("title", Some("Fish & <chips>\n\u{fffd}東京")));

        // Without a band there is no title either.
        let (mut none, mut empty) = (Vec::new(), Vec::new());
        renderer.render(&symbol, None, &mut none);
        renderer.render(&symbol, Some(CaptionOutline { height_px: 0, ..caption }), &mut empty);
        assert!(none == empty);
    }
}

#[test]
fn logos_lie_on_a_plate_and_are_embedded() {
    let logo = Arc::new(flat_logo());
    for (index, (foreground, background)) in COLOURS.into_iter().enumerate() {
        let style = Style::new(3 + index as u32, 2, foreground, background).unwrap();
        let symbol = random_symbol(version(1 + index as u8), 4);
        let side = image_side_px(&style, symbol.version());
        let placement = LogoPlacement::new(&style, symbol.version(), logo.size_px(), 250_000);
        let path = format!("M3 {}h20v4h-20z", side + 2);
        let caption = CaptionOutline { text: "Box", height_px: 9, path: path.as_bytes() };
        let mut file = Vec::new();
        SvgRenderer::new(style.clone()).with_logo(Arc::clone(&logo), 250_000).render(
            &symbol,
            Some(caption),
            &mut file,
        );
        let document = resvg::usvg::roxmltree::Document::parse(str::from_utf8(&file).unwrap()).unwrap();
        let images: Vec<_> = document.descendants().filter(|node| node.has_tag_name("image")).collect();
        let [image] = images[..] else { panic!("{} images", images.len()) };
        let number = |name: &str| image.attribute(name).unwrap().parse::<u32>().unwrap();
        let place = placement.logo;
        assert_eq!(["x", "y", "width", "height"].map(number), [place.x, place.y, place.width, place.height]);
        assert_eq!(image.attribute("href"), Some(&*logo.data_url(place.width, place.height)));

        // The rasteriser of this test leaves embedded pictures out.
        let mut coverage = vec![0; (side * 9) as usize];
        for row in 2..6 {
            coverage[row * side as usize + 3..][..20].fill(255);
        }
        let mut expected = naive_picture(&symbol, &style);
        clear_plate(&mut expected, &style, &placement);
        add_caption(&mut expected, &style, true, CaptionPixels::new(side, &coverage), &coverage);
        assert!(rasterised_svg(&file) == expected, "{style:?}");
    }
}

#[test]
fn every_version() {
    for number in 1..=40 {
        let (foreground, background) = COLOURS[usize::from(number) % COLOURS.len()];
        let style = Style::new(1 + u32::from(number) % 4, 4, foreground, background).unwrap();
        assert_drawn(&style, &random_symbol(version(number), number.into()));
    }
}

#[test]
fn rows_without_a_dark_module_and_rows_of_nothing_else() {
    for modules in [0, 1, 1 << 20, u64::MAX >> (64 - 21)] {
        let mut rows = [[modules, 0, 0]; 21];
        rows[7] = [0; 3];
        let symbol = Symbol::from_rows(version(1), ErrorCorrectionLevel::Low, Mask::new(0).unwrap(), &rows);
        for (foreground, background) in COLOURS {
            assert_drawn(&Style::new(4, 2, foreground, background).unwrap(), &symbol);
        }
    }
}

#[test]
fn what_was_drawn_before_does_not_matter() {
    let style = Style::default();
    let mut used = SvgRenderer::new(style.clone());
    let mut file = Vec::new();
    for number in [3, 7, 3, 40, 3] {
        file = b"kept".to_vec();
        used.render(&random_symbol(version(number), 5), None, &mut file);
    }
    let mut fresh = b"kept".to_vec();
    SvgRenderer::new(style).render(&random_symbol(version(3), 5), None, &mut fresh);
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
        prop_assume!(image_side_px(&style, version(number)) <= 1000);
        assert_drawn(&style, &random_symbol(version(number), seed));
    }
}
