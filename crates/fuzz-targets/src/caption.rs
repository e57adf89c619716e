//! Captions, through shaping, breaking and drawing.

use std::cell::RefCell;
use std::sync::Arc;

use qrpress_testkit::fonts;
use qrpress_text::{Coverage, Typesetter};

thread_local! {
    /// One that has met all inputs before, as a job's has met the captions before.
    static USED: RefCell<Typesetter> = RefCell::new(Typesetter::new(Arc::clone(fonts()), 16));
}

/// Draws a text of at most 120 characters in an image whose width the first byte says.
///
/// # Panics
/// When a law is broken.
pub fn caption(bytes: &[u8]) {
    let Some((&first, bytes)) = bytes.split_first() else { return };
    let text: String = String::from_utf8_lossy(bytes).chars().take(120).collect();
    let width_px = 21 + 4 * u32::from(first);
    let draw = |typesetter: &mut Typesetter| {
        let bound = typesetter.height_bound(&text);
        let layout = typesetter.lay_out(&text, width_px);
        assert!(
            layout.width_px() == width_px && layout.height_px() <= bound,
            "{} > {bound}",
            layout.height_px()
        );
        let (mut coverage, mut outline) = (Coverage::new(), Vec::new());
        typesetter.rasterise(&mut coverage);
        typesetter.outline(10, &mut outline);
        assert!(str::from_utf8(&outline).is_ok_and(str::is_ascii));
        (coverage.bytes().to_vec(), outline)
    };
    let drawn = USED.with_borrow_mut(draw);
    assert!(drawn == draw(&mut Typesetter::new(Arc::clone(fonts()), 16)), "what was drawn before matters");
}
