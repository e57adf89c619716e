//! Every colour type, depth and interlacing gives the pixels that it says.

use qrpress_logo::Logo;

use crate::support::{Chunks, Kind, chunks};

/// The pixels of a file at its own size, as they are drawn on transparency.
fn pixels(file: &[u8]) -> Vec<[u8; 4]> {
    let logo = Logo::from_png(file).unwrap();
    let [width, height] = logo.size_px();
    let picture = logo.quantise(width, height, None, &[], 256);
    picture.indices.iter().map(|&index| picture.palette[usize::from(index)]).collect()
}

/// The colour types and depths of PNG (third edition), table 8.
const KINDS: [(u8, &[u8]); 5] =
    [(0, &[1, 2, 4, 8, 16]), (2, &[8, 16]), (3, &[1, 2, 4, 8]), (4, &[8, 16]), (6, &[8, 16])];

/// True when a sample is full. The combinations are so few that every colour is drawn exactly.
fn is_full(x: u32, y: u32, channel: usize) -> bool {
    (x > 2) ^ (y > 3) ^ (channel == 1 && x == y)
}

fn assert_pixels(kind: Kind, width: u32, height: u32) {
    let has_alpha = matches!(kind.colour_type, 4 | 6);
    let full = if kind.colour_type == 3 { 1 } else { ((1_u32 << kind.depth) - 1) as u16 };
    let value = |x, y, channel| match is_full(x, y, channel) {
        true => full,
        // Alpha is never so low that the colours under it are lost.
        false if has_alpha && channel + 1 == kind.channels() => full / 5 * 4,
        false => 0,
    };
    let mut file = chunks(kind, width, height, value);
    if kind.colour_type == 3 {
        file = file.with(*b"PLTE", &[10, 20, 30, 200, 100, 50], *b"IDAT");
    }
    let pixel = |at: u32| {
        let (x, y) = (at % width, at / width);
        let level = |channel| (u32::from(value(x, y, channel)) * 255 / u32::from(full)) as u8;
        match kind.colour_type {
            0 => [level(0), level(0), level(0), 255],
            2 => [level(0), level(1), level(2), 255],
            3 => [[10, 20, 30, 255], [200, 100, 50, 255]][usize::from(value(x, y, 0))],
            4 => [level(0), level(0), level(0), level(1)],
            _ => [level(0), level(1), level(2), level(3)],
        }
    };
    let expected: Vec<[u8; 4]> = (0..width * height).map(pixel).collect();
    assert_eq!(pixels(&file.file()), expected, "{kind:?} {width} × {height}");
}

#[test]
fn every_kind_of_pixel() {
    for (colour_type, depths) in KINDS {
        for &depth in depths {
            for interlaced in [false, true] {
                for (width, height) in [(1, 1), (2, 5), (5, 3), (8, 8), (13, 9)] {
                    assert_pixels(Kind { colour_type, depth, interlaced }, width, height);
                }
            }
        }
    }
}

fn two_pixels(colour_type: u8, depth: u8) -> Chunks {
    chunks(Kind { colour_type, depth, interlaced: false }, 2, 1, |x, _, _| x as u16)
}

#[test]
fn transparent_colours() {
    let grey = two_pixels(0, 1).with(*b"tRNS", &[0, 1], *b"IDAT");
    assert_eq!(pixels(&grey.file()), [[0, 0, 0, 255], [0; 4]]);
    let deep = two_pixels(0, 16).with(*b"tRNS", &[0, 1], *b"IDAT");
    assert_eq!(pixels(&deep.file()), [[0, 0, 0, 255], [0; 4]], "compared in all its bits");
    let red = two_pixels(2, 8).with(*b"tRNS", &[0, 0, 0, 0, 0, 0], *b"IDAT");
    assert_eq!(pixels(&red.file()), [[0; 4], [1, 1, 1, 255]]);
    let palette =
        two_pixels(3, 8).with(*b"PLTE", &[9, 8, 7, 6, 5, 4], *b"IDAT").with(*b"tRNS", &[0], *b"IDAT");
    assert_eq!(pixels(&palette.file()), [[0; 4], [6, 5, 4, 255]]);
}
