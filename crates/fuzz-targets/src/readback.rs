//! The reader of finished files: pictures as they are, and symbols with wrong modules.

use qrpress_readback::{FileFormat, Geometry, Modules, ReadError, Reader, opaque_pictures};
use qrpress_symbol::{Encoder, ErrorCorrectionLevel, Symbol};

/// A picture of one pixel a module, without a quiet zone.
const PLAIN: Geometry = Geometry { pixels_per_module: 1, quiet_zone_modules: 0 };

/// Reads a file whose geometry the first two bytes say: pixels of a module and modules of the quiet zone.
///
/// # Panics
/// When a law is broken.
pub fn picture(bytes: &[u8]) {
    let Some((&[pixels_per_module, quiet_zone_modules], file)) = bytes.split_first_chunk() else { return };
    let geometry = Geometry {
        pixels_per_module: u32::from(pixels_per_module % 40) + 1,
        quiet_zone_modules: u32::from(quiet_zone_modules % 17),
    };
    let format = if file.first() == Some(&b'<') { FileFormat::Svg } else { FileFormat::Png };
    let mut reader = Reader::new(geometry);
    let outcome =
        reader.read(file, format).map(|reading| (reading.data.to_vec(), reading.unused_thousandths));
    let seen = reader.modules(file, format);
    assert!(seen.iter().all(|modules| (21..=177).contains(&modules.size())));
    // What is left of an earlier file changes nothing.
    let again = reader.read(file, format).map(|reading| (reading.data.to_vec(), reading.unused_thousandths));
    assert!(outcome == again, "{outcome:?}, then {again:?}");
    let shown = opaque_pictures(file, format, geometry);
    if let Ok((_, unused_thousandths)) = outcome {
        assert!(unused_thousandths <= 1000 && seen.is_ok());
        assert!(shown.is_ok_and(|pictures| (1..=2).contains(&pictures.len())));
    }
}

/// Reads a symbol, of the level and the length of data that the first two bytes say, whose modules are turned round where the
/// others have a bit.
///
/// # Panics
/// When a law is broken.
pub fn modules(bytes: &[u8]) {
    let Some((&[first, second], flips)) = bytes.split_first_chunk() else { return };
    let levels = [
        ErrorCorrectionLevel::Low,
        ErrorCorrectionLevel::Medium,
        ErrorCorrectionLevel::Quartile,
        ErrorCorrectionLevel::High,
    ];
    let data: Vec<u8> = (0..first).map(|place| b'a' + place % 26).chain([second]).collect();
    let data = String::from_utf8_lossy(&data).into_owned();
    let mut encoder = Encoder::new();
    let Ok(symbol) = encoder.encode(data.as_bytes(), levels[usize::from(second) % 4]) else { return };
    let is_flipped = |place: usize| flips.get(place / 8).is_some_and(|byte| byte >> (place % 8) & 1 == 1);
    let size = symbol.size();
    let modules = Modules::new(size, |x, y| is_dark(symbol, x, y) != is_flipped(y * size + x));
    let file = png_of(&modules);
    let mut reader = Reader::new(PLAIN);
    match reader.modules(&file, FileFormat::Png) {
        // Of the other colour are all modules where most of the finder patterns' are.
        Ok(seen) => assert!(seen == modules || seen == Modules::new(size, |x, y| !modules.is_dark(x, y))),
        Err(error) => assert_eq!(error, ReadError::Contrast),
    }
    let outcome = reader.read(&file, FileFormat::Png);
    assert!(outcome.iter().all(|reading| reading.unused_thousandths <= 1000));
    if flips.iter().all(|&byte| byte == 0) {
        let reading = outcome.expect("a symbol without errors is read");
        assert_eq!((reading.data, reading.unused_thousandths), (data.as_bytes(), 1000));
    }
}

fn is_dark(symbol: &Symbol, x: usize, y: usize) -> bool {
    symbol.row(y)[x / 64] >> (x % 64) & 1 == 1
}

fn png_of(modules: &Modules) -> Vec<u8> {
    let size = modules.size();
    let greys: Vec<u8> = (0..size * size)
        .map(|place| if modules.is_dark(place % size, place / size) { 0 } else { 255 })
        .collect();
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, size as u32, size as u32);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fastest);
    encoder
        .write_header()
        .and_then(|mut writer| writer.write_image_data(&greys))
        .expect("memory takes every picture");
    file
}
