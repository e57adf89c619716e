//! The version is the smallest that any segmentation reaches, and each version is filled to the last bit.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::cast_possible_wrap, reason = "a symbol has 177 modules a side at most")]

use proptest::prelude::*;
use qrcodegen::{QrCode, QrCodeEcc, QrSegment};
use qrpress_symbol::{
    DataSegment, Eci, Encoder, ErrorCorrectionLevel, Mode, Symbol, Version, smallest_version,
};

/// Table 7's data codewords of versions 1, 9, 10, 26, 27 and 40, levels L, M, Q and H.
const DATA_CODEWORDS: [(u8, [usize; 4]); 6] = [
    (1, [19, 16, 13, 9]),
    (9, [232, 182, 132, 100]),
    (10, [274, 216, 154, 122]),
    (26, [1370, 1062, 754, 596]),
    (27, [1468, 1128, 808, 628]),
    (40, [2956, 2334, 1666, 1276]),
];

fn versions() -> impl Iterator<Item = Version> {
    (1..=40).filter_map(Version::new)
}

fn oracle_level(level: ErrorCorrectionLevel) -> QrCodeEcc {
    match level {
        ErrorCorrectionLevel::Low => QrCodeEcc::Low,
        ErrorCorrectionLevel::Medium => QrCodeEcc::Medium,
        ErrorCorrectionLevel::Quartile => QrCodeEcc::Quartile,
        ErrorCorrectionLevel::High => QrCodeEcc::High,
    }
}

/// Bits of data in a version, found by filling it.
fn capacity_bits(version: Version, level: ErrorCorrectionLevel) -> usize {
    let data = [0; 3000];
    let segment = DataSegment::new(Mode::Byte, &data).unwrap();
    Encoder::new().encode_segments(&[segment], Eci::Absent, version, level, None).unwrap_err().capacity_bits
}

/// Bits of the best segmentation in that version, by trying every last segment of every beginning.
fn least_bits(data: &[u8], version: Version) -> usize {
    let range = match version.number() {
        1..=9 => 0,
        10..=26 => 1,
        _ => 2,
    };
    let mut least = vec![0];
    for end in 1..=data.len() {
        let mut best = usize::MAX;
        for start in 0..end {
            let part = &data[start..end];
            let length = part.len();
            let mut bits = 4 + [8, 16, 16][range] + 8 * length;
            if DataSegment::new(Mode::Alphanumeric, part).is_some() {
                bits = bits.min(4 + [9, 11, 13][range] + length / 2 * 11 + length % 2 * 6);
            }
            if DataSegment::new(Mode::Numeric, part).is_some() {
                bits = bits.min(4 + [10, 12, 14][range] + length / 3 * 10 + [0, 4, 7][length % 3]);
            }
            best = best.min(least[start] + bits);
        }
        least.push(best);
    }
    least[data.len()]
}

/// Texts with runs of digits and of capitals among other characters.
fn text() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof!["[0-9]{1,25}", "[A-Z0-9 $%*+./:-]{1,30}", "[a-zé]{1,12}", "[0-9a-z]{1,20}"];
    prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat().into_bytes())
}

fn level() -> impl Strategy<Value = ErrorCorrectionLevel> {
    prop::sample::select(ErrorCorrectionLevel::ALL.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    // Clauses: picture/segmentation
    #[test]
    fn the_version_is_the_smallest_that_segments_reach(text in text(), level in level()) {
        let expected = versions().find(|&version| {
            !text.is_empty() && least_bits(&text, version) <= capacity_bits(version, level)
        });
        let expected = if text.is_empty() { Some(Version::MIN) } else { expected };
        prop_assert_eq!(smallest_version(&text, level, Eci::Absent).ok(), expected);
        let mut encoder = Encoder::new();
        prop_assert_eq!(encoder.encode(&text, level).ok().map(Symbol::version), expected);
    }

    // Clauses: additions/eci
    #[test]
    fn the_designator_of_utf8_is_counted_where_it_is_written(text in text(), level in level()) {
        let designator = if text.is_ascii() { 0 } else { 12 };
        let fits = |version: &Version| {
            text.is_empty() || designator + least_bits(&text, *version) <= capacity_bits(*version, level)
        };
        let expected = versions().find(fits);
        prop_assert_eq!(smallest_version(&text, level, Eci::Utf8).ok(), expected);
        let (mut encoder, mut plain) = (Encoder::new(), Encoder::new());
        let symbol = encoder.encode_designated(&text, level, Eci::Utf8).ok();
        prop_assert_eq!(symbol.map(Symbol::version), expected);
        if text.is_ascii() {
            prop_assert_eq!(symbol, plain.encode(&text, level).ok());
        }
    }

    #[test]
    fn an_encoder_keeps_nothing_of_the_symbol_before(texts in prop::collection::vec((text(), level()), 2..5)) {
        let mut encoder = Encoder::new();
        for (text, level) in texts {
            let mut fresh = Encoder::new();
            prop_assert_eq!(encoder.encode(&text, level), fresh.encode(&text, level));
        }
    }
}

#[test]
fn the_capacities_are_those_of_the_standard() {
    for (version, codewords) in DATA_CODEWORDS {
        let capacities =
            ErrorCorrectionLevel::ALL.map(|level| capacity_bits(Version::new(version).unwrap(), level));
        assert_eq!(capacities, codewords.map(|count| 8 * count), "version {version}");
    }
}

#[test]
fn every_cell_is_filled_and_one_more_character_takes_the_next() {
    let modes: [(Mode, u8); 3] = [(Mode::Numeric, b'7'), (Mode::Alphanumeric, b'Q'), (Mode::Byte, b'q')];
    for (mode, character) in modes {
        for version in versions() {
            for level in ErrorCorrectionLevel::ALL {
                let capacity = capacity_bits(version, level);
                let fits = |length: usize| least_bits_of_run(mode, length, version) <= capacity;
                let length = (1..8000).take_while(|&length| fits(length)).last().unwrap();
                let full = vec![character; length];
                let over = vec![character; length + 1];
                let next = Version::new(version.number() + 1);
                assert_eq!(smallest_version(&full, level, Eci::Absent), Ok(version), "{length} of {mode:?}");
                match (smallest_version(&over, level, Eci::Absent), next) {
                    (Ok(larger), next) => assert_eq!(Some(larger), next, "{} of {mode:?}", length + 1),
                    (Err(error), next) => {
                        assert_eq!(next, None);
                        assert_eq!(error.capacity_bits, capacity);
                        assert_eq!(error.used_bits, least_bits_of_run(mode, length + 1, version));
                    }
                }
            }
        }
    }
}

fn least_bits_of_run(mode: Mode, length: usize, version: Version) -> usize {
    let range = usize::from(version.number() > 9) + usize::from(version.number() > 26);
    match mode {
        Mode::Numeric => 4 + [10, 12, 14][range] + length / 3 * 10 + [0, 4, 7][length % 3],
        Mode::Alphanumeric => 4 + [9, 11, 13][range] + length / 2 * 11 + length % 2 * 6,
        Mode::Byte => 4 + [8, 16, 16][range] + 8 * length,
        mode => unreachable!("the encoder writes no {mode:?}"),
    }
}

#[test]
fn a_text_is_in_several_modes_where_that_is_smaller() {
    let (text, digits) = ("order/", "1234567890".repeat(6));
    let data = format!("{text}{digits}");
    let segments = [QrSegment::make_bytes(text.as_bytes()), QrSegment::make_numeric(&digits)];
    for level in ErrorCorrectionLevel::ALL {
        let oracle = QrCode::encode_segments_advanced(
            &segments,
            oracle_level(level),
            qrcodegen::Version::MIN,
            qrcodegen::Version::MAX,
            None,
            false,
        );
        let oracle = oracle.unwrap();
        let mut encoder = Encoder::new();
        let symbol = encoder.encode(data.as_bytes(), level).unwrap();
        assert_eq!(i32::try_from(symbol.size()), Ok(oracle.size()), "{level:?}");
        for i in 0..symbol.size() * symbol.size() {
            let (x, y) = (i % symbol.size(), i / symbol.size());
            assert_eq!(symbol.is_dark(x, y), oracle.get_module(x as _, y as _), "{level:?}");
        }
    }
}

/// Asserts that a text is written as those segments, the designator of UTF-8 among them.
fn assert_designated(text: &str, segments: &[QrSegment]) {
    for level in ErrorCorrectionLevel::ALL {
        let (least, most) = (qrcodegen::Version::MIN, qrcodegen::Version::MAX);
        let oracle =
            QrCode::encode_segments_advanced(segments, oracle_level(level), least, most, None, false)
                .unwrap();
        let mut encoder = Encoder::new();
        let symbol = encoder.encode_designated(text.as_bytes(), level, Eci::Utf8).unwrap();
        assert_eq!(i32::try_from(symbol.size()), Ok(oracle.size()), "{text} {level:?}");
        for i in 0..symbol.size() * symbol.size() {
            let (x, y) = (i % symbol.size(), i / symbol.size());
            assert_eq!(symbol.is_dark(x, y), oracle.get_module(x as _, y as _), "{text} {level:?}");
        }
    }
}

// Clauses: additions/eci
#[test]
fn the_designator_comes_before_the_first_bytes_that_are_not_ascii() {
    let utf8 = || QrSegment::make_eci(26);
    let bytes = |text: &str| QrSegment::make_bytes(text.as_bytes());
    assert_designated("Café", &[utf8(), bytes("Café")]);
    assert_designated("Cafe", &[bytes("Cafe")]);
    assert_designated("0123456789", &[QrSegment::make_numeric("0123456789")]);
    let digits = "1234567890".repeat(6);
    let (one, two) = (format!("{digits}é{digits}ü"), QrSegment::make_numeric(&digits));
    assert_designated(&one, &[two.clone(), utf8(), bytes("é"), two.clone(), bytes("ü")]);
    assert_designated(&format!("a{digits}é"), &[bytes("a"), two, utf8(), bytes("é")]);
}

// Clauses: additions/eci
#[test]
fn the_largest_symbol_holds_a_byte_less_with_the_designator() {
    let (full, over) = ("é".repeat(1476), format!("{}a", "é".repeat(1476)));
    let version = |text: &str, eci| smallest_version(text.as_bytes(), ErrorCorrectionLevel::Low, eci);
    assert_eq!(version(&full, Eci::Utf8), Ok(Version::MAX));
    assert_eq!(version(&over, Eci::Absent), Ok(Version::MAX));
    let refused = version(&over, Eci::Utf8).unwrap_err();
    assert_eq!((refused.used_bits, refused.capacity_bits), (4 + 16 + 8 * 2953 + 12, 8 * 2956));
}
