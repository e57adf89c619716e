//! Codes of every kind, as an independent decoder reads them. `test/cli/kinds.test.ts` has another one read the files.

#![allow(clippy::unwrap_used, reason = "tests unwrap")]

use std::fs;
use std::path::Path;

use qrpress_symbol::{Encoder, ErrorCorrectionLevel};
use serde_json::Value;

#[test]
fn codes_of_every_kind_are_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/kinds/cases.json");
    let cases: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let right = cases["cases"].as_array().unwrap().iter().filter_map(|case| case["data"].as_str());
    let mut read = 0;
    for data in right {
        let mut encoder = Encoder::new();
        let symbol = encoder.encode(data.as_bytes(), ErrorCorrectionLevel::Medium).unwrap();
        let side = symbol.size();
        let (scale, quiet) = (4, 4);
        let width = (side + 2 * quiet) * scale;
        let mut image = rqrr::PreparedImage::prepare_from_greyscale(width, width, |x, y| {
            let inside = |at: usize| (at / scale).checked_sub(quiet).filter(|&module| module < side);
            match (inside(x), inside(y)) {
                (Some(x), Some(y)) if symbol.is_dark(x, y) => 0,
                _ => 255,
            }
        });
        let grids = image.detect_grids();
        assert_eq!(grids.len(), 1, "{data}");
        assert_eq!(grids[0].decode().unwrap().1, data);
        read += 1;
    }
    assert!(read > 30);
}
