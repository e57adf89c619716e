//! Captions of 20 characters without a symbol: laid out, as pixels, as an SVG path, and checked.

use std::hint::black_box;
use std::sync::Arc;

use qrpress_testkit::fonts;
use qrpress_text::{Coverage, Typesetter};

use crate::comparison::Comparison;
use crate::texts::texts;
use crate::workloads::OWN;

const WIDTH_PX: u32 = 410;

pub(crate) fn captions() {
    let typesetter = || Typesetter::new(Arc::clone(fonts()), 16);
    let [mut laid_out, mut rasterised, mut outlined, checked] = [0; 4].map(|_| typesetter());
    let (mut coverage, mut path) = (Coverage::new(), Vec::new());
    // The end of a text is another one for each.
    let caption = |text: &str| text[20..40].to_owned();
    let captions = texts(60).iter().map(|text| caption(text)).collect();
    Comparison::new("caption text", captions)
        .add(format!("{OWN}, lay out"), move |text, _| {
            black_box(laid_out.lay_out(text, WIDTH_PX).height_px());
        })
        .add(format!("{OWN}, lay out and rasterise"), move |text, _| {
            rasterised.lay_out(text, WIDTH_PX);
            rasterised.rasterise(&mut coverage);
            black_box(coverage.bytes());
        })
        .add(format!("{OWN}, lay out and outline"), move |text, _| {
            outlined.lay_out(text, WIDTH_PX);
            path.clear();
            outlined.outline(WIDTH_PX, &mut path);
            black_box(&path);
        })
        .add(format!("{OWN}, check"), move |text, _| {
            black_box((fonts().first_uncovered(text), checked.height_bound(text)));
        })
        .run();
}
