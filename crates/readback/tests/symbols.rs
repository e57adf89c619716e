//! Symbols of an encoder of others, drawn as plain pictures: every version, level and mask, damaged and whole.
#![allow(clippy::cast_sign_loss, clippy::cast_possible_wrap, reason = "sides of symbols")]

use qrcodegen::{Mask, QrCode, QrCodeEcc, QrSegment, Version};
use qrpress_readback::{FileFormat, Geometry, Modules, ReadError, Reader, beside_modules};

const LEVELS: [QrCodeEcc; 4] = [QrCodeEcc::Low, QrCodeEcc::Medium, QrCodeEcc::Quartile, QrCodeEcc::High];

/// A grey picture of one pixel a module, without a quiet zone.
const PLAIN: Geometry = Geometry { pixels_per_module: 1, quiet_zone_modules: 0 };

fn encode(segments: &[QrSegment], level: QrCodeEcc, version: u8, mask: u8) -> Modules {
    let version = Version::new(version);
    let code =
        QrCode::encode_segments_advanced(segments, level, version, version, Some(Mask::new(mask)), false)
            .expect("data that fits");
    Modules::new(code.size() as usize, |x, y| code.get_module(x as i32, y as i32))
}

fn png(modules: &Modules) -> Vec<u8> {
    let size = modules.size();
    let greys: Vec<u8> = (0..size * size)
        .map(|place| if modules.is_dark(place % size, place / size) { 0 } else { 255 })
        .collect();
    grey_png(size, &greys)
}

fn grey_png(width: usize, greys: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width as u32, (greys.len() / width) as u32);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header().and_then(|mut writer| writer.write_image_data(greys)).expect("a picture");
    file
}

fn read(modules: &Modules) -> Result<(Vec<u8>, u16), ReadError> {
    let mut reader = Reader::new(PLAIN);
    let reading = reader.read(&png(modules), FileFormat::Png)?;
    Ok((reading.data.to_vec(), reading.unused_thousandths))
}

/// The symbol with some modules turned round.
fn flipped(modules: &Modules, is_flipped: impl Fn(usize, usize) -> bool) -> Modules {
    Modules::new(modules.size(), |x, y| modules.is_dark(x, y) != is_flipped(x, y))
}

#[test]
fn every_version_level_and_mask() {
    let text = b"qr";
    for number in 1..=40 {
        for (place, level) in LEVELS.into_iter().enumerate() {
            let mask = (number + place as u8) % 8;
            let modules = encode(&[QrSegment::make_bytes(text)], level, number, mask);
            assert_eq!(read(&modules), Ok((text.to_vec(), 1000)), "version {number}, level {level:?}");
        }
    }
}

#[test]
fn all_masks_of_a_version() {
    for mask in 0..8 {
        let modules = encode(&[QrSegment::make_bytes(b"mask")], QrCodeEcc::Quartile, 3, mask);
        assert_eq!(read(&modules), Ok((b"mask".to_vec(), 1000)), "mask {mask}");
    }
}

#[test]
fn segments_of_all_modes_in_all_lengths_of_their_counts() {
    for (number, level) in [(5, QrCodeEcc::Low), (12, QrCodeEcc::Medium), (30, QrCodeEcc::High)] {
        let utf8 = QrSegment::make_eci(26);
        let segments = [
            QrSegment::make_numeric("0123456789"),
            QrSegment::make_alphanumeric("AZ $%*+-./:09"),
            utf8,
            QrSegment::make_bytes("Grüße".as_bytes()),
            QrSegment::make_numeric("7"),
            QrSegment::make_numeric("07"),
        ];
        let expected = "0123456789AZ $%*+-./:09Grüße707".as_bytes().to_vec();
        assert_eq!(read(&encode(&segments, level, number, 2)), Ok((expected, 1000)), "version {number}");
    }
}

#[test]
fn segments_that_are_not_known() {
    let latin = [QrSegment::make_eci(3), QrSegment::make_bytes(b"x")];
    assert_eq!(read(&encode(&latin, QrCodeEcc::Low, 2, 0)), Err(ReadError::Segments));
}

#[test]
fn damage_is_counted_and_repaired_up_to_its_bound() {
    // d − p of table 9: small symbols keep some codewords against misdecoding.
    for (number, level, capacity) in [
        (1, QrCodeEcc::Low, 4),
        (1, QrCodeEcc::Medium, 8),
        (1, QrCodeEcc::Quartile, 12),
        (1, QrCodeEcc::High, 16),
        (2, QrCodeEcc::Low, 8),
        (3, QrCodeEcc::Low, 14),
    ] {
        let modules = encode(&[QrSegment::make_bytes(b"x")], level, number, 1);
        let size = modules.size();
        let damaged = |codewords: usize| {
            // Upwards in the last two columns: four rows are a codeword.
            flipped(&modules, |x, y| {
                x == size - 1 && (0..codewords).any(|codeword| y == size - 1 - 4 * codeword)
            })
        };
        // As many codewords as the columns hold beside the finder pattern.
        let most = (size - 9) / 4;
        for wrong in 0..=most.min(capacity / 2) {
            let left = capacity - 2 * wrong;
            let expected = (1000 * left + capacity / 2) / capacity;
            assert_eq!(
                read(&damaged(wrong)),
                Ok((b"x".to_vec(), expected as u16)),
                "{wrong} in version {number}, {level:?}"
            );
        }
    }
}

#[test]
fn what_is_broken_is_not_read() {
    let modules = encode(&[QrSegment::make_bytes(b"broken")], QrCodeEcc::Medium, 7, 4);
    let size = modules.size();
    let refused = |is_flipped: &dyn Fn(usize, usize) -> bool| read(&flipped(&modules, is_flipped)).err();
    assert_eq!(refused(&|x, y| (9..size - 9).contains(&x) && y > 8), Some(ReadError::Uncorrectable));
    assert_eq!(refused(&|x, y| x < 8 && y > size - 9), Some(ReadError::FinderPattern));
    // All light, the information is five bits from every level and mask.
    let is_format =
        |x: usize, y: usize| (x == 8 || y == 8) && x.min(y) != 6 && (x.max(y) < 9 || x.max(y) > size - 9);
    let without_format = Modules::new(size, |x, y| !is_format(x, y) && modules.is_dark(x, y));
    assert_eq!(read(&without_format).err(), Some(ReadError::Format));
    // Both copies of the version information.
    assert_eq!(
        refused(&|x, y| x.min(y) < 4 && (size - 11..size - 8).contains(&x.max(y))),
        Some(ReadError::Version)
    );
    let grey = Modules::new(size, |_, _| true);
    assert_eq!(read(&grey).err(), Some(ReadError::Contrast));
    let short = Modules::new(24, |_, _| true);
    assert_eq!(read(&short).err(), Some(ReadError::Size { width: 24, height: 24 }));
}

#[test]
fn a_picture_larger_than_any_code_takes_no_memory() {
    for (width, height) in [(4097, 1), (1, 4097)] {
        let file = grey_png(width as usize, &vec![0; (width * height) as usize]);
        let shown = beside_modules(&file, FileFormat::Png, PLAIN, None);
        assert_eq!(shown, Err(ReadError::Size { width, height }));
    }
}
