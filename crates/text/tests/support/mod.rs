//! The bundled fonts, opened once per test program, and the sample captions.

use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use qrpress_text::FontSet;

pub fn fonts_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fonts")
}

pub fn fonts() -> Arc<FontSet> {
    static FONTS: LazyLock<Arc<FontSet>> =
        LazyLock::new(|| Arc::new(FontSet::open(&[fonts_folder()]).expect("the bundled fonts open")));
    Arc::clone(&FONTS)
}

/// Script and caption.
#[allow(dead_code, reason = "not every test program draws them")]
pub fn samples() -> impl Iterator<Item = (&'static str, &'static str)> {
    include_str!("../samples.txt").lines().filter_map(|line| line.split_once('\t'))
}
