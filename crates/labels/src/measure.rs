//! The narrowest module that items would have on their labels, found before anything is drawn.

use std::ops::Range;
use std::sync::Arc;

use qrpress_batch::{BatchError, FontSet};
use qrpress_image::image_side_px;

use crate::caption::CaptionLines;
use crate::picture::{Extent, style_on_labels};
use crate::source::{SpoolChunk, for_each_record, header};
use crate::{LabelError, Labels};

/// The items that have the least room on their labels; the first of those that have equally little.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LabelFit {
    /// The item with the narrowest modules.
    pub narrowest_item: u64,
    /// Its modules, in nanometres, rounded down.
    pub module_nm: u64,
    /// Modules of an edge of its symbol.
    pub modules: u32,
    /// The item whose label has room for the smallest code.
    pub tightest_item: u64,
    /// The edge of that code without its quiet zone, in micrometres, rounded down.
    pub largest_edge_um: u64,
    /// The contrast of the codes on white paper, in hundredths, rounded down.
    pub contrast_hundredths: u32,
}

/// Measures some of the items on their labels. The chunks hold them.
///
/// # Errors
/// [`LabelError`] when the spool cannot be read, or does not hold the items.
pub fn measure(
    labels: &Labels,
    chunks: &[SpoolChunk],
    items: &Range<u64>,
    fonts: &Arc<FontSet>,
) -> Result<LabelFit, LabelError> {
    labels.check()?;
    let style = style_on_labels(&header(chunks, items)?)?;
    let contrast_hundredths = style.picture.foreground.contrast_hundredths(style.picture.background);
    let mut captions = CaptionLines::new(fonts, &style);
    let mut fit: Option<LabelFit> = None;
    for_each_record(chunks, items, |item, record| {
        let corrupt = BatchError::CorruptSpool { offset: 0, reason: "data that no symbol holds" };
        let version = style.version_of(record.data.as_bytes()).ok_or(corrupt)?;
        let caption = record.caption.unwrap_or(&style.caption);
        let caption_px = captions.height_px(caption, image_side_px(&style.picture, version));
        let extent = Extent::new(&style.picture, version, caption_px);
        let own = LabelFit { contrast_hundredths, ..fit_of(item, extent, labels) };
        fit = Some(fit.map_or(own, |least| least.and(own)));
        Ok(())
    })?;
    fit.ok_or(LabelError::MissingItem { item: items.start })
}

fn fit_of(item: u64, extent: Extent, labels: &Labels) -> LabelFit {
    let edge_um = |um: u64, px: u64, factor: u64| factor * um * u64::from(extent.symbol_px) / px;
    let (scale, largest) = (extent.scale(labels), extent.largest(labels.sheet.label_um));
    LabelFit {
        narrowest_item: item,
        module_nm: edge_um(scale.um, scale.px, 1000) / u64::from(extent.modules),
        modules: extent.modules,
        tightest_item: item,
        largest_edge_um: edge_um(largest.um, largest.px, 1),
        contrast_hundredths: 0,
    }
}

impl LabelFit {
    /// The fit of these items and those after them.
    fn and(self, later: Self) -> Self {
        let mut both = self;
        if later.module_nm < self.module_nm {
            both = Self { tightest_item: self.tightest_item, largest_edge_um: self.largest_edge_um, ..later };
        }
        if later.largest_edge_um < self.largest_edge_um {
            (both.tightest_item, both.largest_edge_um) = (later.tightest_item, later.largest_edge_um);
        }
        both
    }
}
