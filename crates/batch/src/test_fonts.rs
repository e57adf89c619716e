//! The bundled fonts, opened once for all unit tests.

use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use qrpress_text::FontSet;

pub(crate) fn test_fonts() -> &'static Arc<FontSet> {
    static FONTS: LazyLock<Arc<FontSet>> = LazyLock::new(|| {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fonts");
        Arc::new(FontSet::open(&[folder]).expect("the bundled fonts open"))
    });
    &FONTS
}
