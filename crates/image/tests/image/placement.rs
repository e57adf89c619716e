//! The place of logos: in the middle, as large as was asked for, and the modules that are cleared for them.

use crate::support::{flat_logo, logo};
use qrpress_image::{Colour, LogoPlacement, PixelRect, Style, damage};
use qrpress_logo::{Logo, Outline};
use qrpress_symbol::{ErrorCorrectionLevel, Version};

const HIGH: ErrorCorrectionLevel = ErrorCorrectionLevel::High;

fn style(scale: u32, margin: u32) -> Style {
    Style::new(scale, margin, Colour::BLACK, Colour::WHITE).unwrap()
}

fn of_rectangle(version: u8, level: ErrorCorrectionLevel, size: [u32; 2], ratio: u32) -> LogoPlacement {
    let version = Version::new(version).unwrap();
    LogoPlacement::new(&style(10, 4), version, level, &Outline::of_rectangle(size), ratio)
}

fn of_logo(version: u8, level: ErrorCorrectionLevel, logo: &Logo, ratio: u32) -> LogoPlacement {
    LogoPlacement::new(&style(10, 4), Version::new(version).unwrap(), level, logo.outline(), ratio)
}

/// The numbers of cleared modules in the rows, from the first.
fn cleared(placement: &LogoPlacement) -> Vec<usize> {
    placement.rows().map(|row| placement.columns(row).len()).collect()
}

#[test]
fn the_longer_edge_is_the_share_of_the_symbols() {
    // 41 modules of 10 pixels: 82 is a fifth; the margin of 4 modules comes before.
    let wide = of_rectangle(6, HIGH, [500, 250], 200_000);
    assert_eq!(wide.logo, PixelRect { x: 204, y: 224, width: 82, height: 41 });
    // Nine modules across and five down.
    assert_eq!(wide.rows(), 18..23);
    assert!(wide.rows().all(|row| wide.columns(row) == (16..25)));
    assert!(wide.columns(17).is_empty() && wide.columns(23).is_empty());
    let tall = of_rectangle(6, HIGH, [1, 4096], 200_000);
    assert_eq!((tall.logo.width, tall.logo.height), (1, 82));
    assert_eq!(cleared(&tall), [1; 9]);
}

#[test]
fn modules_that_the_outline_leaves_free_are_not_cleared() {
    // A disc of 8.2 modules: nine rows, of which the first and the last are touched in the middle.
    let disc = of_logo(6, HIGH, &flat_logo(), 200_000);
    assert_eq!(cleared(&disc), [5, 7, 9, 9, 9, 9, 9, 7, 5]);
    // A frame has nothing to be seen in its middle, which is cleared all the same.
    let frame = logo(90, 90, |x, y| {
        let edge = x.min(y).min(89 - x).min(89 - y);
        [0, 0, 0, if edge < 9 { 255 } else { 0 }]
    });
    assert_eq!(cleared(&of_logo(6, HIGH, &frame, 200_000)), [9; 9]);
    // Two bars that lie apart.
    let bars = logo(90, 90, |_, y| [0, 0, 0, if (30..60).contains(&y) { 0 } else { 255 }]);
    assert_eq!(cleared(&of_logo(6, HIGH, &bars, 200_000)), [9; 9]);
    let nothing = logo(9, 9, |_, _| [200, 0, 0, 0]);
    assert!(of_logo(6, HIGH, &nothing, 200_000).rows().is_empty());
}

#[test]
fn what_error_correction_cannot_bear_is_cleared_more_closely() {
    use ErrorCorrectionLevel::{Low, Medium};
    // 25 modules: 7.5 of them touch nine, and cover seven by half and more.
    assert_eq!(cleared(&of_rectangle(2, Medium, [1, 1], 300_000)), [7; 7]);
    // 37 modules: 11.1 of them, half a pixel left of the middle, touch twelve. Level H bears that.
    assert_eq!(cleared(&of_rectangle(5, HIGH, [1, 1], 300_000)), [12; 12]);
    // 7.4 of them. Level L does not bear nine.
    assert_eq!(cleared(&of_rectangle(5, HIGH, [1, 1], 200_000)), [9; 9]);
    assert_eq!(cleared(&of_rectangle(5, Low, [1, 1], 200_000)), [7; 7]);
    // A disc of 9.9 modules touches eleven, and covers nine by half and more. Level H bears that.
    assert_eq!(cleared(&of_logo(4, HIGH, &flat_logo(), 300_000)), [5, 7, 9, 11, 11, 11, 11, 11, 9, 7, 5]);
    let is_cut_off = |level, logo: &Logo| of_logo(1, level, logo, 200_000).is_cut_off(logo.outline());
    // Of a disc of 4.2 modules, a cross is shown at level L, and all of it at level H.
    assert_eq!([Low, HIGH].map(|level| is_cut_off(level, &flat_logo())), [true, false]);
    // A line of a third of a module would be lost.
    assert_eq!(cleared(&of_rectangle(2, Low, [24, 1], 300_000)).len(), 1);
}

#[test]
#[ignore = "long: run by `npm run nightly`"]
fn every_version_and_scale() {
    for (version, scale) in (1..=40).flat_map(|version| (1..=40).map(move |scale| (version, scale))) {
        for (ratio, size) in
            [50_000, 123_457, 200_000, 300_000].into_iter().zip([[1, 1], [4096, 1], [30, 70], [70, 69]])
        {
            let style = style(scale, 2);
            let symbol = Version::new(version).unwrap();
            let placement = LogoPlacement::new(&style, symbol, HIGH, &Outline::of_rectangle(size), ratio);
            let PixelRect { x, y, width, height } = placement.logo;
            let side = symbol.size() as u32 * scale;
            let exact = f64::from(side) * f64::from(ratio) / 1e6;
            let edge = width.max(height);
            assert!((f64::from(edge) - exact).abs() <= 0.5 || edge == 1);
            let before = [x - 2 * scale, y - 2 * scale];
            let after = [side - before[0] - width, side - before[1] - height];
            assert!(after[0] - before[0] <= 1 && after[1] - before[1] <= 1, "in the middle");

            // Every cleared module is touched, and what is not cleared is not half covered unless all is hidden.
            let touched = |start: u32, length: u32| {
                (start / scale - 2) as usize..((start + length).div_ceil(scale) - 2) as usize
            };
            let (columns, rows) = (touched(x, width), touched(y, height));
            assert!(!placement.rows().is_empty());
            for row in placement.rows() {
                let cleared = placement.columns(row);
                assert!(rows.contains(&row) && columns.start <= cleared.start && cleared.end <= columns.end);
                assert!(cleared.len() + 2 >= columns.len(), "{version} {scale} {ratio}");
            }
            let lost = damage(symbol, HIGH, |column, row| placement.columns(row).contains(&column));
            assert_eq!(
                placement.hides_too_much(symbol, HIGH),
                lost.iter().any(|block| 4 * block.lost > 3 * block.repairable)
            );
        }
    }
}
