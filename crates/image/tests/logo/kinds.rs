//! Every colour type, depth and interlacing gives the pixels that it says.

use qrpress_image::{Colour, Logo};

use crate::support::{Chunks, Kind, chunks};

/// The pixels of a file at its own size, as they are drawn on transparency.
fn pixels(file: &[u8]) -> Vec<[u8; 4]> {
    let logo = Logo::from_png(file).unwrap();
    let [width, height] = logo.size_px();
    let picture = logo.quantise(width, height, Colour::Transparent, &[], 256);
    picture.indices.iter().map(|&index| picture.palette[usize::from(index)]).collect()
}

/// The colour types and depths of PNG (third edition), table 8.
const KINDS: [(u8, &[u8]); 5] =
    [(0, &[1, 2, 4, 8, 16]), (2, &[8, 16]), (3, &[1, 2, 4, 8]), (4, &[8, 16]), (6, &[8, 16])];

/// Few enough values that they are all drawn exactly.
fn sample(x: u32, y: u32, channel: usize) -> u16 {
    u16::from(x > 2) ^ u16::from(y > 3) ^ u16::from(channel == 1 && x == y)
}

#[test]
fn every_kind_of_pixel() {
    for (colour_type, depths) in KINDS {
        for &depth in depths {
            for interlaced in [false, true] {
                for size in [(1, 1), (2, 5), (5, 3), (8, 8), (13, 9)] {
                    let kind = Kind { colour_type, depth, interlaced };
                    let full = if colour_type == 3 { 1 } else { ((1_u32 << depth) - 1) as u16 };
                    let value = |x, y, channel| {
                        if channel % 2 == 1 && kind.channels() % 2 == 0 && channel + 1 == kind.channels() {
                            // Alpha: never so low that the colours under it are lost.
                            if sample(x, y, 0) == 1 { full } else { full / 5 * 4 }
                        } else {
                            full * sample(x, y, channel)
                        }
                    };
                    let mut file = chunks(kind, size.0, size.1, value);
                    if colour_type == 3 {
                        file = file.with(b"PLTE", &[10, 20, 30, 200, 100, 50], b"IDAT");
                    }
                    let expected: Vec<[u8; 4]> = (0..size.0 * size.1)
                        .map(|at| {
                            let (x, y) = (at % size.0, at / size.0);
                            let level =
                                |channel| (u32::from(value(x, y, channel)) * 255 / u32::from(full)) as u8;
                            match colour_type {
                                0 => [level(0), level(0), level(0), 255],
                                2 => [level(0), level(1), level(2), 255],
                                3 => [[10, 20, 30, 255], [200, 100, 50, 255]][usize::from(value(x, y, 0))],
                                4 => [level(0), level(0), level(0), level(1)],
                                _ => [level(0), level(1), level(2), level(3)],
                            }
                        })
                        .collect();
                    assert_eq!(pixels(&file.file()), expected, "{kind:?} {size:?}");
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
    let grey = two_pixels(0, 1).with(b"tRNS", &[0, 1], b"IDAT");
    assert_eq!(pixels(&grey.file()), [[0, 0, 0, 255], [0; 4]]);
    let deep = two_pixels(0, 16).with(b"tRNS", &[0, 1], b"IDAT");
    assert_eq!(pixels(&deep.file()), [[0, 0, 0, 255], [0; 4]], "compared in all its bits");
    let red = two_pixels(2, 8).with(b"tRNS", &[0, 0, 0, 0, 0, 0], b"IDAT");
    assert_eq!(pixels(&red.file()), [[0; 4], [1, 1, 1, 255]]);
    let palette = two_pixels(3, 8).with(b"PLTE", &[9, 8, 7, 6, 5, 4], b"IDAT").with(b"tRNS", &[0], b"IDAT");
    assert_eq!(pixels(&palette.file()), [[0; 4], [6, 5, 4, 255]]);
}
