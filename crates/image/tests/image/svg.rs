//! SVG files, rasterised by an independent renderer, against pictures made pixel by pixel.

use std::sync::Arc;

use crate::support::{
    COLOURS, add_caption, clear_modules, decoded_png, flat_logo, logo, naive_picture, placed, placement,
    random_symbol, rasterised_svg, version,
};
use proptest::prelude::*;
use qrpress_image::{
    CaptionOutline, CaptionPixels, Colour, PixelRect, PngRenderer, Style, SvgRenderer, image_side_px,
};
use qrpress_symbol::{ErrorCorrectionLevel, Mask, Symbol};

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

// Clauses: picture/caption
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
fn logos_lie_on_cleared_modules_and_are_embedded() {
    let logo = Arc::new(flat_logo());
    for (index, (foreground, background)) in COLOURS.into_iter().enumerate() {
        let style = Style::new(3 + index as u32, 2, foreground, background).unwrap();
        let symbol = random_symbol(version(1 + index as u8), 4);
        let side = image_side_px(&style, symbol.version());
        let placement = placement(&style, &symbol, &logo, 250_000);
        let path = format!("M3 {}h20v4h-20z", side + 2);
        let caption = CaptionOutline { text: "Box", height_px: 9, path: path.as_bytes() };
        let mut file = Vec::new();
        SvgRenderer::new(style.clone()).with_logo(placed(&logo, 250_000)).render(
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
        let url = logo.data_url(place.width, place.height, |column, row| placement.shows(column, row));
        // Adobe Illustrator and old versions of CairoSVG know the attribute of SVG 1.1 alone.
        assert_eq!(image.attribute(("http://www.w3.org/1999/xlink", "href")), Some(&*url));

        let place = image.range();
        let file = [&file[..place.start], &file[place.end..]].concat();
        let mut coverage = vec![0; (side * 9) as usize];
        for row in 2..6 {
            coverage[row * side as usize + 3..][..20].fill(255);
        }
        let mut expected = naive_picture(&symbol, &style);
        clear_modules(&mut expected, &style, &placement);
        add_caption(&mut expected, &style, true, CaptionPixels::new(side, &coverage), &coverage);
        assert!(rasterised_svg(&file) == expected, "{style:?}");
    }
}

/// A half-transparent logo, whose colours PNG files hold blended, and which a reader of an SVG file blends itself.
#[test]
fn logos_have_the_colours_of_the_png() {
    let logo = Arc::new(logo(90, 60, |x, _| if x < 45 { [255, 0, 0, 128] } else { [20, 90, 200, 60] }));
    for (foreground, background) in
        [(Colour::BLACK, Colour::WHITE), (Colour::WHITE, Colour::Rgb([10, 40, 30]))]
    {
        let style = Style::new(6, 2, foreground, background).unwrap();
        let symbol = random_symbol(version(4), 9);
        let (mut png, mut svg) = (Vec::new(), Vec::new());
        PngRenderer::new(style.clone()).with_logo(placed(&logo, 300_000)).render(&symbol, None, &mut png);
        SvgRenderer::new(style.clone()).with_logo(placed(&logo, 300_000)).render(&symbol, None, &mut svg);
        let (png, svg) = (decoded_png(&png), rasterised_svg(&svg));
        let placement = placement(&style, &symbol, &logo, 300_000);
        let PixelRect { x, y, width, height } = placement.logo;
        // Of the logo, of its two halves, and of the modules that it is cut off at.
        let module = |place: usize| (style.quiet_zone_modules + place as u32) * style.pixels_per_module;
        let (rows, columns) = (placement.rows(), placement.columns(placement.rows().start));
        let edges = [x, x + width / 2, x + width, module(columns.start), module(columns.end)];
        let row_edges = [y, y + height, module(rows.start), module(rows.end)];
        for (at, (one, other)) in png.rgba.iter().zip(&svg.rgba).enumerate() {
            let (column, row) = ((at % png.width) as u32, (at / png.width) as u32);
            if edges.into_iter().any(|edge| column.abs_diff(edge) < 3)
                || row_edges.into_iter().any(|edge| row.abs_diff(edge) < 3)
            {
                continue;
            }
            let difference = one.iter().zip(other).map(|(one, other)| one.abs_diff(*other)).max();
            assert!(difference <= Some(2), "{column}, {row}: {one:?} in the PNG, {other:?} in the SVG");
        }
    }
}

/// A stroke turns into thin lines when a picture is scaled without its strokes.
#[test]
fn codes_are_closed_outlines_without_strokes_or_links() {
    for number in 1..=40 {
        let mut file = Vec::new();
        SvgRenderer::new(Style::default()).render(&random_symbol(version(number), 7), None, &mut file);
        let file = String::from_utf8(file).unwrap();
        assert!(!file.contains("stroke") && !file.contains("xlink"), "{file}");
        let document = resvg::usvg::roxmltree::Document::parse(&file).unwrap();
        let code = document.root_element().last_element_child().unwrap();
        assert_eq!((code.attribute("fill"), code.attribute("fill-rule")), (Some("#000"), Some("evenodd")));
        let path = code.attribute("d").unwrap();
        let outlines: Vec<_> = path.split_inclusive('z').collect();
        assert!(outlines.iter().all(|outline| outline.starts_with('M') && outline.ends_with('z')), "{path}");
        assert!(path.chars().all(|character| "0123456789 -Mhvz".contains(character)), "{path}");
    }
}

#[test]
fn printed_sizes_are_in_millimetres() {
    let size = |scale, dots| {
        let style =
            Style::new(scale, 4, Colour::BLACK, Colour::WHITE).unwrap().with_dots_per_inch(dots).unwrap();
        let mut file = Vec::new();
        SvgRenderer::new(style).render(&random_symbol(version(1), 1), None, &mut file);
        let document = resvg::usvg::roxmltree::Document::parse(str::from_utf8(&file).unwrap()).unwrap();
        ["width", "height", "viewBox"].map(|name| document.root_element().attribute(name).unwrap().to_owned())
    };
    // 29 modules of 10 pixels.
    assert_eq!(size(10, 254), ["29mm", "29mm", "0 0 290 290"]);
    assert_eq!(size(10, 300), ["24.553mm", "24.553mm", "0 0 290 290"]);
    assert_eq!(size(1, 2400), ["0.307mm", "0.307mm", "0 0 29 29"]);
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
        let symbol =
            Symbol::from_rows(version(1), ErrorCorrectionLevel::Low, Mask::new(0).unwrap(), &rows).unwrap();
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
