//! Colours that a logo is drawn in.

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use qrpress_logo::{Logo, LogoPicture};

use qrpress_testkit::{assert_recorded, fnv1a};

use crate::support::{Random, rgba};

const CODE: [[u8; 4]; 2] = [[0, 0, 80, 255], [250, 250, 240, 255]];
const BACKGROUND: Option<[u8; 3]> = Some([250, 250, 240]);

/// A blue and red disc on transparency, 512 pixels wide.
fn flat() -> Logo {
    let file = rgba(512, 512, |x, y| {
        let square = x.abs_diff(256).pow(2) + y.abs_diff(256).pow(2);
        match (square < 250 * 250, (x + y) % 150 < 40) {
            (false, _) => [0; 4],
            (_, true) => [20, 60, 160, 255],
            _ => [220, 30, 40, 255],
        }
    });
    Logo::from_png(&file).unwrap()
}

/// Soft shades in three channels, with a little noise.
fn photographic() -> Logo {
    let mut random = Random(3);
    let mut noise: Vec<u8> = Vec::new();
    noise.resize_with(400 * 400, || random.below(16) as u8);
    let wave = |at: u32, length: u32| (at % length).abs_diff(length / 2) * 400 / length;
    let file = rgba(400, 400, |x, y| {
        let noise = noise[(y * 400 + x) as usize];
        [
            wave(x + y, 310) as u8 + noise,
            wave(2 * x + 400 - y, 420) as u8 + noise,
            wave(y + 50, 240) as u8 + noise,
            255,
        ]
    });
    Logo::from_png(&file).unwrap()
}

/// The place of this colour in the four-bit palette.
fn index(picture: &LogoPicture, colour: [u8; 4]) -> Option<u8> {
    picture.palette.iter().position(|&found| found == colour).map(|index| index as u8)
}

#[test]
fn flat_logos_keep_their_colours_in_four_bits() {
    for plate in [BACKGROUND, None] {
        let picture = flat().quantise(82, 82, plate, &CODE, 128);
        assert_eq!(picture.palette[..2], [[0, 0, 80, 255], CODE[1]]);
        assert_eq!((picture.palette.len(), picture.bit_depth()), (16, 4));
        let [red, blue] =
            [[220, 30, 40, 255], [20, 60, 160, 255]].map(|colour| index(&picture, colour).unwrap());
        let share = |wanted: u8| picture.indices.iter().map(|&index| u32::from(index == wanted)).sum::<u32>();
        assert!(share(red) > 2000 && share(blue) > 700, "{} {}", share(red), share(blue));
        // The corners are the plate's.
        let corner = if plate.is_none() { index(&picture, [0; 4]).unwrap() } else { 1 };
        assert_eq!(picture.indices[0], corner);
    }
}

#[test]
fn photographic_logos_use_what_they_may() {
    for max_colours in [3, 16, 17, 60, 128, 256] {
        let picture = photographic().quantise(82, 82, BACKGROUND, &CODE, max_colours);
        assert!(picture.palette.len() <= max_colours && picture.palette.len() * 10 >= max_colours * 9);
        assert!(picture.indices.iter().all(|&index| usize::from(index) < picture.palette.len()));
    }
}

#[test]
fn more_colours_are_nearer_to_the_truth() {
    let truth = photographic().quantise(82, 82, BACKGROUND, &[], 256);
    let level = |picture: &LogoPicture, at: usize| picture.palette[usize::from(picture.indices[at])];
    let mut latest = u64::MAX;
    for max_colours in [4, 8, 16, 32, 64, 128] {
        let picture = photographic().quantise(82, 82, BACKGROUND, &CODE, max_colours);
        let squares = (0..truth.indices.len()).flat_map(|at| {
            level(&picture, at)
                .into_iter()
                .zip(level(&truth, at))
                .map(|(one, other)| u64::from(one.abs_diff(other)).pow(2))
        });
        let error = squares.sum::<u64>() / truth.indices.len() as u64;
        assert!(error < latest, "{max_colours}: {error}, before {latest}");
        latest = error;
    }
    assert!(latest < 300, "{latest}");
}

#[test]
fn no_room_but_for_the_code() {
    let picture = flat().quantise(20, 20, BACKGROUND, &CODE, 2);
    assert_eq!(picture.palette.len(), 2);
}

#[test]
fn pictures_are_as_recorded() {
    let mut current = String::new();
    for (name, logo) in [("flat", flat()), ("photographic", photographic())] {
        for (width, height) in [(82, 82), (11, 7), (300, 150), (1228, 1228)] {
            for (ground, plate) in [("plate", BACKGROUND), ("transparency", None)] {
                let picture = logo.quantise(width, height, plate, &CODE, 64);
                let (palette, indices) = (fnv1a(picture.palette.as_flattened()), fnv1a(&picture.indices));
                writeln!(
                    current,
                    "{name} {width} × {height} on {ground}: palette {palette:016x} indices {indices:016x}"
                )
                .unwrap();
            }
        }
        writeln!(current, "{name} data URL {:016x}", fnv1a(logo.data_url(82, 41, |_, _| true).as_bytes()))
            .unwrap();
    }
    assert_recorded(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/logo/golden.txt"), &current);
}

#[test]
fn the_embedded_file_is_the_logo() {
    for (logo, drawn, size) in [
        (flat(), (82, 82), [164, 164]),
        (flat(), (300, 150), [512, 256]),
        (photographic(), (300, 150), [400, 200]),
        (photographic(), (1000, 10), [400, 4]),
        (flat(), (1, 1), [2, 2]),
    ] {
        let url = logo.data_url(drawn.0, drawn.1, |_, _| true);
        let file = STANDARD.decode(url.strip_prefix("data:image/png;base64,").unwrap()).unwrap();
        let mut decoder = png::Decoder::new(std::io::Cursor::new(file));
        decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::ALPHA);
        let mut reader = decoder.read_info().unwrap();
        assert_eq!([reader.info().width, reader.info().height], size);
        let mut found = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut found).unwrap();
        let picture = logo.quantise(size[0], size[1], None, &[], 128);
        let expected = picture.indices.iter().flat_map(|&index| picture.palette[usize::from(index)]);
        assert!(found.into_iter().eq(expected), "{size:?}");
    }
    assert!(
        flat().data_url(82, 82, |_, _| true).len() < 3000
            && photographic().data_url(82, 82, |_, _| true).len() < 12_000
    );
}
