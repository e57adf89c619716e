//! The bundled fonts.

use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use qrpress_text::FontSet;

/// Opened once per program.
pub(crate) static FONTS: LazyLock<Arc<FontSet>> = LazyLock::new(|| {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fonts");
    Arc::new(FontSet::open(&[folder]).expect("the bundled fonts open"))
});
