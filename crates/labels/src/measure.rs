//! The narrowest module that items would have on their labels, found before anything is drawn.

use std::sync::Arc;

use qrpress_batch::{BatchError, FontSet};
use qrpress_symbol::Version;

use crate::picture::style_on_labels;
use crate::placement::{Placement, Placer};
use crate::source::{SpoolChunk, for_each_record, header};
use crate::{LabelError, Labels};

/// The items that have the least room on their labels; the first of those that have equally little.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LabelFit {
    /// The item with the narrowest modules.
    pub narrowest_item: u64,
    /// Its modules, in nanometres, rounded down.
    pub module_nm: u64,
    /// Its modules without its caption.
    pub bare_module_nm: u64,
    /// Modules of an edge of its symbol.
    pub modules: u32,
    /// The item whose label has room for the smallest code.
    pub tightest_item: u64,
    /// The edge of that code without its quiet zone, in micrometres, rounded down.
    pub largest_edge_um: u64,
    /// The first item whose caption finds no room.
    pub crowded_item: Option<u64>,
    /// The first item whose caption has a line that ends inside a word.
    pub broken_item: Option<u64>,
    /// The contrast of the codes on white paper, in hundredths, rounded down.
    pub contrast_hundredths: u32,
}

/// Measures the items on their labels. The chunks hold them.
///
/// # Errors
/// [`LabelError`] when the spool cannot be read, or does not hold the items.
pub fn measure(labels: &Labels, chunks: &[SpoolChunk], fonts: &Arc<FontSet>) -> Result<LabelFit, LabelError> {
    labels.check()?;
    let items = &labels.items;
    let style = style_on_labels(&header(chunks, items)?)?;
    let contrast_hundredths = style.picture.foreground.contrast_hundredths(style.picture.background);
    let mut placer = Placer::new(labels, &style, fonts);
    let mut fit: Option<LabelFit> = None;
    for_each_record(chunks, items, |item, record| {
        let corrupt = BatchError::CorruptSpool { offset: 0, reason: "data that no symbol holds" };
        let version = style.version_of(record.data.as_bytes()).ok_or(corrupt)?;
        let caption = record.caption.unwrap_or(&style.caption);
        let own = LabelFit { contrast_hundredths, ..fit_of(item, version, &placer.place(version, caption)) };
        fit = Some(fit.map_or(own, |least| least.and(own)));
        Ok(())
    })?;
    // One at least was measured: the items are checked.
    fit.ok_or(LabelError::NoSheet)
}

fn fit_of(item: u64, version: Version, placement: &Placement) -> LabelFit {
    LabelFit {
        narrowest_item: item,
        module_nm: placement.module_nm,
        bare_module_nm: placement.bare_module_nm,
        modules: version.size() as u32,
        tightest_item: item,
        largest_edge_um: placement.largest_module_nm * version.size() as u64 / 1000,
        crowded_item: placement.lacks_room.then_some(item),
        broken_item: placement.breaks_words.then_some(item),
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
        Self {
            crowded_item: self.crowded_item.or(later.crowded_item),
            broken_item: self.broken_item.or(later.broken_item),
            ..both
        }
    }
}
