//! The pixels and paths of sample captions, held by their hashes. `QRPRESS_BLESS=1` writes the file anew.

mod support;

use std::fmt::Write;
use std::sync::Arc;

use qrpress_testkit::{assert_recorded, fnv1a, fonts};
use qrpress_text::{Coverage, Typesetter};
use support::samples;

/// Captions beside the place names: what they are for, the text.
const OTHERS: [(&str, &str); 10] = [
    ("kerning", "AVATAR To. \"Type\" ff fi ffi"),
    ("wrapping", "The quick brown fox jumps over the lazy dog and does not look back."),
    ("long word", "https://example.org/a/very/long/path/withoutanyopportunitytobreakit/at/all"),
    ("mixed direction", "Hello שלום עולם (123) world مرحبا 456"),
    ("marks", "Ệ e\u{301}\u{323} k\u{308}\u{30b}"),
    ("emoji", "😀 👨\u{200d}👩\u{200d}👧 1\u{fe0f}\u{20e3} ❤\u{fe0f}"),
    ("wide ligature", "﷽"),
    ("han and hangul", "東京都 서울특별시 北京市 「日本」"),
    ("Thai words", "กรุงเทพมหานคร อมรรัตนโกสินทร์ มหินทรายุธยา"),
    ("line ends", "first\r\n\nthird\u{2028}fourth"),
];

#[test]
fn pixels_and_paths_are_as_recorded() {
    let mut lines = String::from("# size, height, hash of the coverage, hash of the path, what\n");
    let (mut coverage, mut path) = (Coverage::new(), Vec::new());
    for size in [11, 16, 80] {
        let mut typesetter = Typesetter::new(Arc::clone(fonts()), size);
        for (what, text) in samples().chain(OTHERS) {
            let height = typesetter.lay_out(text, 20 * size).height_px();
            typesetter.rasterise(&mut coverage);
            path.clear();
            typesetter.outline(7, &mut path);
            let (pixels, outline) = (fnv1a(coverage.bytes()), fnv1a(&path));
            writeln!(lines, "{size} {height} {pixels:016x} {outline:016x} {what}").unwrap();
        }
    }
    assert_recorded(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden.txt"), &lines);
}
