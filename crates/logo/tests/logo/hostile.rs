//! Files that lie, end early, or unpack to more than they seem.

use qrpress_logo::{Logo, LogoError};

use crate::support::{Kind, chunks, rgba, zlib};

fn refusal(file: &[u8]) -> LogoError {
    Logo::from_png(file).unwrap_err()
}

fn assert_malformed(file: &[u8], reason: &str) {
    let LogoError::Malformed { reason: found } = refusal(file) else { panic!("{reason}: {}", refusal(file)) };
    assert!(found.contains(reason), "{reason}: {found}");
}

/// A file that says it has `width` × `height` pixels of `kind`, and has these bytes of them.
fn claim(kind: Kind, width: u32, height: u32, lines: &[u8]) -> Vec<u8> {
    let mut file = chunks(kind, 1, 1, |_, _, _| 0);
    file.data(*b"IHDR")[..4].copy_from_slice(&width.to_be_bytes());
    file.data(*b"IHDR")[4..8].copy_from_slice(&height.to_be_bytes());
    *file.data(*b"IDAT") = zlib(lines);
    file.file()
}

#[test]
fn what_is_no_png_data_url() {
    for url in [
        "",
        "https://example.com/logo.png",
        "data:image/jpeg;base64,AAAA",
        "data:image/png,AAAA",
        "DATA:image/png;base64,AAAA",
    ] {
        assert_eq!(Logo::from_data_url(url).unwrap_err(), LogoError::NotAPngDataUrl, "{url}");
    }
    for base64 in ["A", "AAA", "AA=A", "A A=", "AAé=", "AB==", "AAAA\n"] {
        let error = Logo::from_data_url(&format!("data:image/png;base64,{base64}")).unwrap_err();
        assert!(matches!(error, LogoError::NotBase64 { .. }), "{base64}: {error}");
    }
    assert_eq!(Logo::from_data_url("data:image/png;base64,").unwrap_err(), LogoError::NotAPng);
    assert_eq!(
        Logo::from_data_url("data:image/png;base64,/9j/4AAQSkZJRg==").unwrap_err(),
        LogoError::NotAPng
    );
}

#[test]
fn pictures_that_are_too_large() {
    for (width, height) in [(4097, 1), (1, 4097), (60_000, 60_000), (0x7fff_ffff, 0x7fff_ffff)] {
        let expected = LogoError::TooLarge { width_px: width, height_px: height };
        assert_eq!(refusal(&claim(Kind::RGBA, width, height, &[])), expected);
    }
    let deep = Kind { depth: 16, ..Kind::RGBA };
    let expected =
        LogoError::TooManyBytes { bytes: 4096 * (8 * 4096 + 1), limit_bytes: 4096 * (4 * 4096 + 1) };
    assert_eq!(refusal(&claim(deep, 4096, 4096, &[])), expected);
}

#[test]
fn the_largest_pictures_are_read() {
    for interlaced in [false, true] {
        let kind = Kind { colour_type: 0, depth: 1, interlaced };
        assert_eq!(
            Logo::from_png(&chunks(kind, 4096, 4096, |_, _, _| 1).file()).unwrap().size_px(),
            [4096; 2]
        );
    }
    let lines = vec![0; 4096 * (4 * 4096 + 1)];
    let file = claim(Kind::RGBA, 4096, 4096, &lines);
    assert!(file.len() < 100_000, "{}", file.len());
    assert_eq!(Logo::from_png(&file).unwrap().size_px(), [4096; 2]);
}

#[test]
fn headers_that_cannot_be() {
    for (width, height) in [(0, 1), (1, 0), (0, 0), (0x8000_0000, 1)] {
        let error = refusal(&claim(Kind::RGBA, width, height, &[0; 5]));
        assert!(matches!(error, LogoError::Malformed { .. } | LogoError::TooLarge { .. }), "{error}");
    }
    // Depth, colour type, compression, filter, interlacing.
    for (at, value) in [(8, 4), (8, 0), (8, 255), (9, 1), (9, 5), (9, 255), (10, 1), (11, 1), (12, 2)] {
        let mut file = chunks(Kind::RGBA, 2, 2, |_, _, _| 0);
        file.data(*b"IHDR")[at] = value;
        assert!(matches!(refusal(&file.file()), LogoError::Malformed { .. }), "{at} {value}");
    }
}

#[test]
fn every_truncation_before_the_last_pixel() {
    let file = rgba(9, 7, |x, y| [x as u8, y as u8, 3, 200]);
    // Only the end chunk follows the checksum of the last data.
    let pixels_end = file.len() - 12;
    for end in 0..file.len() {
        match Logo::from_png(&file[..end]) {
            Ok(_) => assert!(end >= pixels_end, "{end}"),
            Err(error) if end < 8 => assert_eq!(error, LogoError::NotAPng),
            Err(error) => assert!(end <= pixels_end + 8 && error == LogoError::Truncated, "{end}: {error}"),
        }
    }
}

#[test]
fn every_flipped_bit_of_the_pixels_is_noticed() {
    let file = rgba(9, 7, |x, y| [x as u8, y as u8, 3, 200]);
    // From the length of the header to the checksum of the data.
    for bit in 8 * 8..(file.len() - 12) * 8 {
        let mut damaged = file.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert!(Logo::from_png(&damaged).is_err(), "bit {bit}");
    }
}

#[test]
fn streams_that_do_not_fit_the_header() {
    assert_malformed(&claim(Kind::RGBA, 2, 2, &[0; 9]), "not have enough data");
    assert_malformed(&claim(Kind::RGBA, 2, 2, &[9; 18]), "filter");
    let mut file = chunks(Kind::RGBA, 2, 2, |_, _, _| 0);
    *file.data(*b"IDAT") = b"no zlib stream".to_vec();
    assert_malformed(&file.file(), "deflate");
    file.data(*b"IDAT").clear();
    assert_malformed(&file.file(), "deflate");
    file.0.remove(1);
    assert_malformed(&file.file(), "IDAT");
}

#[test]
fn palettes_that_end_within_a_colour() {
    for kind in [Kind { colour_type: 3, ..Kind::RGBA }, Kind::RGBA] {
        for bytes in [4, 5, 256, 767] {
            let file = chunks(kind, 1, 1, |_, _, _| 0).with(*b"PLTE", &vec![7; bytes], *b"IDAT");
            assert_malformed(&file.file(), "palette");
        }
    }
}

#[test]
fn palettes_that_are_missing_or_too_short() {
    let kind = Kind { colour_type: 3, depth: 8, interlaced: false };
    let file = chunks(kind, 2, 2, |_, _, _| 7);
    assert_malformed(&file.file(), "palette");
    // An index beyond the palette has no colour: decoders draw black.
    let short = file.with(*b"PLTE", &[1, 2, 3], *b"IDAT");
    assert!(Logo::from_png(&short.file()).is_ok());
}

#[test]
fn more_data_than_pixels_is_not_unpacked() {
    let mut lines = vec![0; 5];
    lines.resize(300_000_000, 0);
    let file = claim(Kind::RGBA, 1, 1, &lines);
    assert!(file.len() < 393_216, "fits a request: {}", file.len());
    let _ = Logo::from_png(&file);
}
