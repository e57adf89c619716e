//! Logos at other sizes: light is averaged as it is seen, and laws hold whatever is in the file.

use proptest::prelude::*;
use qrpress_logo::Logo;

use crate::support::rgba;

/// The logo's pixels on a plate; only for pictures of few enough colours.
fn drawn(file: &[u8], width: u32, height: u32, background: Option<[u8; 3]>) -> Vec<[u8; 4]> {
    let picture = Logo::from_png(file).unwrap().quantise(width, height, background, &[], 256);
    assert_eq!(picture.indices.len() as u32, width * height);
    picture.indices.iter().map(|&index| picture.palette[usize::from(index)]).collect()
}

#[test]
fn large_pictures_are_averaged_in_linear_light() {
    // A chequered board of black and white is half as bright: 188 in sRGB. Above 1,228 pixels it is reduced as it is read.
    for side in [64, 1228, 1230, 2458] {
        let board = rgba(side, side, |x, y| [[0, 0, 0, 255], [255; 4]][((x + y) % 2) as usize]);
        for pixel in drawn(&board, 5, 5, Some([255; 3])) {
            assert_eq!(pixel, [188, 188, 188, 255], "{side}");
        }
    }
}

#[test]
fn transparency_is_blended_in_srgb_as_viewers_do() {
    let file = rgba(8, 8, |_, _| [255, 0, 0, 128]);
    assert_eq!(drawn(&file, 3, 3, Some([255; 3])), [[255, 127, 127, 255]; 9]);
    assert_eq!(drawn(&file, 3, 3, None), [[255, 0, 0, 128]; 9]);
    assert_eq!(drawn(&rgba(8, 8, |_, _| [9, 9, 9, 0]), 3, 3, Some([1, 2, 3])), [[1, 2, 3, 255]; 9]);
    assert_eq!(drawn(&rgba(8, 8, |_, _| [9, 9, 9, 0]), 3, 3, None), [[0; 4]; 9]);
}

#[test]
fn what_is_hidden_does_not_bleed() {
    // Fully transparent green beside opaque red.
    let file = rgba(64, 64, |x, _| if x < 29 { [255, 0, 0, 255] } else { [0, 255, 0, 0] });
    for [red, green, _, alpha] in drawn(&file, 9, 9, None) {
        assert!(green == 0 && (alpha == 0 || red >= 254), "{red} {green} {alpha}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn one_colour_stays_itself(
        width in 1..90_u32, height in 1..90_u32, to_width in 1..60_u32, to_height in 1..60_u32, rgb: [u8; 3],
    ) {
        let file = rgba(width, height, |_, _| [rgb[0], rgb[1], rgb[2], 255]);
        let picture = Logo::from_png(&file).unwrap().quantise(to_width, to_height, Some([0; 3]), &[], 2);
        prop_assert_eq!(picture.palette, vec![[rgb[0], rgb[1], rgb[2], 255]]);
    }

    #[test]
    fn nothing_leaves_the_range_of_the_picture(seed: u64, to_width in 1..60_u32, to_height in 1..60_u32) {
        let level = |x: u32, y: u32| 60 + (u64::from(x * 31 + y * 17).wrapping_mul(seed | 1) >> 32) as u8 % 100;
        let file = rgba(23, 19, |x, y| [level(x, y), 77, 77, 255]);
        for [red, green, blue, alpha] in drawn(&file, to_width, to_height, Some([255; 3])) {
            prop_assert!((60..160).contains(&red) && green == 77 && blue == 77 && alpha == 255);
        }
    }
}
