//! W1 to W6, and the symbols alone.

use std::hint::black_box;

use png::{Compression, Filter};
use qrpress_image::{Colour, PngRenderer, Style, SvgRenderer};
use qrpress_symbol::{CpuPath, Encoder, ErrorCorrectionLevel};

use crate::contest::Contest;
use crate::peers::{Bitmap, MARGIN, fast_qr, qrcode_fast};
use crate::texts::texts;

const OWN: &str = "qrpress";
const LEVEL: ErrorCorrectionLevel = ErrorCorrectionLevel::Medium;

/// Symbols without a picture, on every path of this CPU.
pub(crate) fn symbols() {
    for (workload, bytes) in [("symbol W1", 60), ("symbol W5", 300), ("symbol W6", 2000)] {
        let mut contest = Contest::new(workload, texts(bytes));
        for path in CpuPath::available() {
            let mut encoder = Encoder::with_path(path);
            let name =
                if path == CpuPath::detect() { OWN.to_owned() } else { format!("{OWN}, {}", path.name()) };
            contest = contest.enter(name, move |text, _| {
                black_box(encoder.encode(text.as_bytes(), LEVEL).unwrap());
            });
        }
        contest
            .enter("fast_qr", |text, _| {
                black_box(fast_qr(text));
            })
            .enter("qrcode-fast", |text, _| {
                black_box(qrcode_fast(text));
            })
            .enter("qrcodegen", |text, _| {
                black_box(qrcodegen::QrCode::encode_text(text, qrcodegen::QrCodeEcc::Medium).unwrap());
            })
            .hold();
    }
}

/// From text to the bytes of a file.
pub(crate) fn pictures() {
    png("W1 PNG", 60, 10);
    svg("W2 SVG", 60);
    png("W5 PNG", 300, 10);
    png("W6 PNG", 2000, 4);
}

fn png(workload: &'static str, bytes: usize, scale: usize) {
    let mut encoder = Encoder::new();
    let mut renderer = PngRenderer::new(style(scale));
    Contest::new(workload, texts(bytes))
        .enter(OWN, move |text, out| {
            renderer.render(encoder.encode(text.as_bytes(), LEVEL).unwrap(), None, out);
        })
        .enter("fast_qr + png, default", move |text, out| {
            Bitmap::of_fast_qr(&fast_qr(text), scale).write(Compression::default(), Filter::NoFilter, out);
        })
        .enter("fast_qr + png, fastest", move |text, out| {
            Bitmap::of_fast_qr(&fast_qr(text), scale).write(Compression::Fastest, Filter::Up, out);
        })
        .enter("qrcode-fast + png, fastest", move |text, out| {
            Bitmap::of_qrcode_fast(&qrcode_fast(text), scale).write(Compression::Fastest, Filter::Up, out);
        })
        .hold();
}

fn svg(workload: &'static str, bytes: usize) {
    let mut encoder = Encoder::new();
    let mut renderer = SvgRenderer::new(style(10));
    Contest::new(workload, texts(bytes))
        .enter(OWN, move |text, out| {
            renderer.render(encoder.encode(text.as_bytes(), LEVEL).unwrap(), None, out);
        })
        .enter("qrcode-fast", |text, out| out.extend_from_slice(qrcode_fast(text).get_svg().as_bytes()))
        .hold();
}

pub(crate) fn style(scale: usize) -> Style {
    Style::new(scale as u32, MARGIN as u32, Colour::BLACK, Colour::WHITE).unwrap()
}
