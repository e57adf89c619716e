//! The fonts that the project bundles.

use std::path::PathBuf;

/// The folder of the bundled fonts.
pub fn fonts_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fonts")
}

/// The bundled fonts, opened once per program.
#[cfg(feature = "fonts")]
pub fn fonts() -> &'static std::sync::Arc<qrpress_text::FontSet> {
    use std::sync::{Arc, LazyLock};

    use qrpress_text::FontSet;

    static FONTS: LazyLock<Arc<FontSet>> =
        LazyLock::new(|| Arc::new(FontSet::open(&[fonts_folder()]).expect("the bundled fonts open")));
    &FONTS
}
