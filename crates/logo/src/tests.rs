//! Resampling, before colours are chosen, against a naive twin in floats.

#![allow(clippy::disallowed_methods, clippy::cast_precision_loss, reason = "the naive twin uses floats")]

use proptest::prelude::*;

use super::*;
use crate::raster::premultiplied;

/// A logo of these pixels, as if it had been read.
fn logo(width: usize, pixels: &[[u8; 4]]) -> Logo {
    let height = pixels.len() / width;
    let mut levels =
        vec![Raster { width, height, pixels: pixels.iter().copied().map(premultiplied).collect() }];
    while levels[levels.len() - 1].pixels.len() > 1 {
        levels.push(levels[levels.len() - 1].halved());
    }
    let [width_px, height_px] = [width as u32, height as u32];
    let outline = Outline::of_raster(&levels[0], [width_px, height_px], 1);
    Logo { width_px, height_px, levels, factor: 1, outline }
}

fn linear(value: u8) -> f64 {
    let value = f64::from(value) / 255.0;
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

fn srgb(linear: f64) -> f64 {
    255.0 * if linear <= 0.04045 / 12.92 { linear * 12.92 } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

/// The weight of each of `length` pixels in the pixel at `position` of `count`.
fn weights(length: usize, count: usize, position: usize) -> Vec<f64> {
    let scale = length as f64 / count as f64;
    let centre = (position as f64 + 0.5) * scale;
    let weight = |source: usize| {
        let t = ((source as f64 + 0.5 - centre) / scale.max(1.0)).abs().min(1.0);
        1.0 - 3.0 * t * t + 2.0 * t * t * t
    };
    let sum: f64 = (0..length).map(weight).sum();
    (0..length).map(|source| weight(source) / sum).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// Less than four to one, where the picture itself is resampled and not one of its halves.
    #[test]
    fn resampling_is_that_of_floats(
        greys in prop::collection::vec(any::<u8>(), 12 * 9),
        width in 4..40_usize,
        height in 3..30_usize,
    ) {
        let pixels: Vec<[u8; 4]> = greys.iter().map(|&grey| [grey, grey, grey, 255]).collect();
        let found = logo(12, &pixels).resized(width, height);
        for y in 0..height {
            let rows = weights(9, height, y);
            for x in 0..width {
                let columns = weights(12, width, x);
                let light: f64 = (0..12 * 9).map(|at| rows[at / 12] * columns[at % 12] * linear(greys[at])).sum();
                let [red, .., alpha] = straight(found[y * width + x]);
                prop_assert!((f64::from(red) - srgb(light)).abs() < 1.0 && alpha == 255);
            }
        }
    }

    #[test]
    fn a_logo_at_its_own_size_is_itself(pixels in prop::collection::vec(any::<[u8; 4]>(), 1..200)) {
        for (found, [red, green, blue, alpha]) in logo(1, &pixels).resized(1, pixels.len()).into_iter().zip(&pixels) {
            let found = straight(found);
            prop_assert_eq!(found[3], *alpha);
            if *alpha == 255 {
                prop_assert_eq!(found, [*red, *green, *blue, 255]);
            }
        }
    }
}

/// A smooth picture through all its halves: what they blur is below the levels of a byte.
#[test]
fn halves_keep_what_is_smooth() {
    let pixels: Vec<[u8; 4]> = (0..301 * 301_u32)
        .map(|at| [(at % 301 * 255 / 300) as u8, (at / 301 * 255 / 300) as u8, 90, 255])
        .collect();
    let logo = logo(301, &pixels);
    for side in [10, 37, 75, 76, 150, 151] {
        for (at, found) in logo.resized(side, side).into_iter().enumerate() {
            let weighted = |position: usize| -> f64 {
                let weights = weights(301, side, position);
                srgb((0..301).map(|source| weights[source] * linear((source * 255 / 300) as u8)).sum())
            };
            let [red, green, ..] = straight(found);
            let near = |found: u8, position: usize| (f64::from(found) - weighted(position)).abs() <= 2.0;
            assert!(
                near(red, at % side) && near(green, at / side),
                "{side}: {at} {red} {} {green} {}",
                weighted(at % side),
                weighted(at / side)
            );
        }
    }
}

#[test]
fn a_logo_that_is_asked_for_again_is_not_decoded_again() {
    let url = |red| logo(2, &[[red, 0, 0, 255]; 4]).data_url(2, 2, |_, _| true);
    let first = Logo::shared(&url(1)).expect("a logo");
    assert!(Arc::ptr_eq(&first, &Logo::shared(&url(1)).expect("the same logo")));
    assert!(Logo::shared("data:,").is_err());
    let other = Logo::shared(&url(2)).expect("another logo");
    assert!(
        !Arc::ptr_eq(&first, &other)
            && !Arc::ptr_eq(&first, &Logo::shared(&url(1)).expect("the first again"))
    );
}
