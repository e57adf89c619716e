//! What a caption costs: `cargo bench -p qrpress-text`. Nanoseconds a caption, the least of several rounds, in one thread.

#![forbid(unsafe_code)]
#![allow(clippy::cast_precision_loss, reason = "durations and counts for people")]

use std::hint::black_box;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use qrpress_text::{Coverage, FontSet, Typesetter};

const ROUNDS: usize = 15;
const WIDTH_PX: u32 = 410;

/// Script and place name, tab between.
const SAMPLES: &str = include_str!("../tests/samples.txt");

fn main() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fonts");
    let start = Instant::now();
    let fonts = FontSet::open(std::slice::from_ref(&folder));
    let fonts = Arc::new(fonts.expect("the bundled fonts open"));
    println!("open: {} fonts in {:.1} ms", fonts.len(), start.elapsed().as_secs_f64() * 1e3);

    let distinct: Vec<String> =
        (0..2000).map(|n| format!("Shelf {n:05} row {:05}", n * 7919 % 99_991)).collect();
    let long: Vec<String> = (0..500)
        .map(|n| format!("Number {n} of a long caption that is wrapped, since it does not fit the image"))
        .collect();
    let place_names: Vec<String> =
        SAMPLES.lines().filter_map(|line| line.split_once('\t')).map(|(_, name)| name.to_owned()).collect();

    println!("{:<34}{:>9}{:>9}{:>9}{:>9}", "ns a caption, 16 px", "lay out", "+ pixels", "+ SVG", "check");
    for (name, captions) in [
        ("20 Latin characters, distinct", &distinct),
        ("wrapped Latin", &long),
        ("place names, warm", &place_names),
    ] {
        let mut typesetter = Typesetter::new(Arc::clone(&fonts), 16);
        let mut coverage = Coverage::new();
        let mut path = Vec::new();
        let lay_out = nanoseconds(captions, |caption| {
            black_box(typesetter.lay_out(caption, WIDTH_PX).height_px());
        });
        let pixels = nanoseconds(captions, |caption| {
            typesetter.lay_out(caption, WIDTH_PX);
            typesetter.rasterise(&mut coverage);
            black_box(coverage.bytes());
        });
        let svg = nanoseconds(captions, |caption| {
            typesetter.lay_out(caption, WIDTH_PX);
            path.clear();
            typesetter.outline(WIDTH_PX, &mut path);
            black_box(&path);
        });
        let check = nanoseconds(captions, |caption| {
            black_box((fonts.first_uncovered(caption), typesetter.height_bound(caption)));
        });
        println!("{name:<34}{lay_out:>9.0}{pixels:>9.0}{svg:>9.0}{check:>9.0}");
    }
    let mut cold = f64::MAX;
    for _ in 0..3 {
        let mut typesetter = Typesetter::new(Arc::clone(&fonts), 16);
        let mut coverage = Coverage::new();
        let start = Instant::now();
        for caption in &place_names {
            typesetter.lay_out(caption, WIDTH_PX);
            typesetter.rasterise(&mut coverage);
        }
        cold = cold.min(start.elapsed().as_nanos() as f64 / place_names.len() as f64);
    }
    println!("place names, cold, with pixels: {cold:.0}");
}

fn nanoseconds(captions: &[String], mut each: impl FnMut(&str)) -> f64 {
    let mut least = f64::MAX;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for caption in captions {
            each(caption);
        }
        least = least.min(start.elapsed().as_nanos() as f64 / captions.len() as f64);
    }
    least
}
