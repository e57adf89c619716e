//! Measures encoding on every path of this CPU against other crates in the same run: `cargo bench -p qrpress-symbol`.
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run has nothing to recover")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use fast_qr::{ECL, QRBuilder};
use qrcode_fast::{QRCode, QRErrorCorrectLevel};
use qrcodegen::{QrCode, QrCodeEcc, QrSegment};
use qrpress_symbol::{CpuPath, Encoder, ErrorCorrectionLevel, smallest_version};

/// Distinct texts of a workload.
const TEXTS: u32 = 500;
/// Turns of all contestants; each has its fastest one counted.
const TURNS: usize = 20;
/// Least time of a contestant's turn.
const TURN: Duration = Duration::from_millis(4);

/// A name, what it does to a text, and nanoseconds for one text so far.
type Contestant<'a> = (String, Box<dyn FnMut(&str) + 'a>, f64);

fn main() {
    for (workload, length) in [("W1", 60), ("W5", 300), ("W6", 2000)] {
        let texts: Vec<String> = (0..TEXTS).map(|number| text(length, number)).collect();
        let mut contestants = contestants();
        for _ in 0..TURNS {
            for (_, encode, fastest) in &mut contestants {
                *fastest = fastest.min(turn(&texts, encode));
            }
        }
        println!("{workload}: {length} bytes, level M");
        println!("{:<24} {:>9}  × fast_qr  × qrcode-fast  × qrcodegen", "", "ns");
        let peers = contestants[contestants.len() - 3..].iter().map(|contestant| contestant.2);
        let peers: Vec<f64> = peers.collect();
        for (name, _, fastest) in &contestants {
            let [fast_qr, qrcode_fast, qrcodegen] = [0, 1, 2].map(|peer| peers[peer] / fastest);
            println!("{name:<24} {fastest:>9.0} {fast_qr:>10.1} {qrcode_fast:>14.1} {qrcodegen:>12.1}");
        }
    }
}

fn contestants<'a>() -> Vec<Contestant<'a>> {
    let mut contestants: Vec<Contestant> = Vec::new();
    let mut enter = |name: String, encode: Box<dyn FnMut(&str) + 'a>| {
        contestants.push((name, encode, f64::INFINITY));
    };
    for path in CpuPath::available() {
        let mut encoder = Encoder::with_path(path);
        enter(
            format!("encode, {}", path.name()),
            Box::new(move |text| {
                black_box(encoder.encode(text.as_bytes(), ErrorCorrectionLevel::Medium).unwrap());
            }),
        );
    }
    enter(
        "smallest_version".into(),
        Box::new(|text| {
            black_box(smallest_version(text.as_bytes(), ErrorCorrectionLevel::Medium).unwrap());
        }),
    );
    enter(
        "fast_qr".into(),
        Box::new(|text| {
            black_box(QRBuilder::new(text).ecl(ECL::M).build().unwrap());
        }),
    );
    enter(
        "qrcode-fast".into(),
        Box::new(|text| {
            let mut code = QRCode::with_options(QRErrorCorrectLevel::M);
            code.make_code(text);
            black_box(code);
        }),
    );
    enter(
        "qrcodegen".into(),
        Box::new(|text| {
            let segments = [QrSegment::make_bytes(text.as_bytes())];
            let (first, last) = (qrcodegen::Version::MIN, qrcodegen::Version::MAX);
            let level = QrCodeEcc::Medium;
            black_box(QrCode::encode_segments_advanced(&segments, level, first, last, None, false).unwrap());
        }),
    );
    contestants
}

/// Nanoseconds for one text, over as many as take the time of a turn.
fn turn(texts: &[String], encode: &mut dyn FnMut(&str)) -> f64 {
    let start = Instant::now();
    let mut count = 0_u32;
    for text in texts.iter().cycle() {
        encode(black_box(text));
        count += 1;
        if count.is_multiple_of(16) && start.elapsed() >= TURN {
            break;
        }
    }
    start.elapsed().as_secs_f64() * 1e9 / f64::from(count)
}

/// A URL of exactly that many bytes, different for each number.
fn text(length: usize, number: u32) -> String {
    let mut text = format!("https://example.com/t/{number:06}?s=");
    let mut state = u64::from(number) * 0x9E37_79B9_7F4A_7C15 + 1;
    while text.len() < length {
        state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        text.push(char::from(b"abcdefghijklmnopqrstuvwxyz0123456789"[(state >> 33) as usize % 36]));
    }
    text
}
