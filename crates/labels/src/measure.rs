//! The narrowest module that items would have on their labels, found before anything is drawn.

use std::ops::Range;
use std::sync::Arc;

use qrpress_batch::{BatchError, FontSet};
use qrpress_symbol::Version;

use crate::picture::style_on_labels;
use crate::placement::{LEAST_MODULE_NM, Placement, Placer, STEPS, around};
use crate::source::{SpoolChunk, for_each_record, header};
use crate::{LabelError, Labels};

/// The items that have the least room on their labels; the first of those that have equally little.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelFit {
    /// The item with the narrowest modules.
    pub narrowest_item: u64,
    /// Its modules, in nanometres, rounded down.
    pub module_nm: u64,
    /// Its modules without its caption.
    pub bare_module_nm: u64,
    /// Modules of an edge of its symbol.
    pub modules: u32,
    /// Modules of each side of its quiet zone.
    pub quiet_zone_modules: u32,
    /// The item whose label has room for the smallest code.
    pub tightest_item: u64,
    /// The edge of that code without its quiet zone, in micrometres, rounded down.
    pub largest_edge_um: u64,
    /// The first item whose code is the smallest of those that stand on their labels. None of them does: the first item.
    pub smallest_item: u64,
    /// The edges of the smallest and the largest code that stand on their labels, without quiet zones, in micrometres, rounded down.
    pub edges_um: Option<[u64; 2]>,
    /// The corners of what is printed on a label, from its corner: of the symbols without their quiet zones and the texts of all
    /// items together, in nanometres.
    pub printed_nm: [[i64; 2]; 2],
    /// The first item whose caption finds no room.
    pub crowded_item: Option<u64>,
    /// The items that cannot stand on their labels: the caption finds no room, or the modules are too narrow, or the size is too large.
    pub misfits: ItemList,
    /// The items whose caption has a line that ends inside a word.
    pub broken: ItemList,
    /// The captions of each step, of those whose size is not given.
    pub captions: [u64; STEPS as usize],
    /// The contrast of the codes on white paper, in hundredths, rounded down.
    pub contrast_hundredths: u32,
}

/// The ranges of a list of items, `labelRanges` of `src/contract/limits.ts`.
const MOST_RANGES: usize = 500;

/// Some items: all of them are counted, and the first ranges are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ItemList {
    /// Number of items.
    pub count: u64,
    /// The first of them, 500 ranges at most.
    pub ranges: Vec<Range<u64>>,
}

impl ItemList {
    /// Adds an item that comes after the others.
    fn push(&mut self, item: u64) {
        self.count += 1;
        if let Some(last) = self.ranges.last_mut().filter(|last| last.end == item) {
            last.end += 1;
        } else if self.ranges.len() < MOST_RANGES {
            self.ranges.push(item..item + 1);
        }
    }
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
    let (mut misfits, mut broken) = (ItemList::default(), ItemList::default());
    let mut captions = [0; STEPS as usize];
    for_each_record(chunks, items, |item, record| {
        let corrupt = BatchError::CorruptSpool { offset: 0, reason: "data that no symbol holds" };
        let version = style.version_of(record.data.as_bytes()).ok_or(corrupt)?;
        let caption = record.caption.unwrap_or(&style.caption);
        let placement = placer.place(version, caption);
        let printed_nm = placement.printed_nm(version, style.picture.quiet_zone_modules);
        let own = fit_of(item, version, &placement, printed_nm);
        let is_too_large = labels.size_um.is_some_and(|size| u64::from(size) > own.largest_edge_um);
        let is_misfit = placement.lacks_room || placement.module_nm < LEAST_MODULE_NM || is_too_large;
        let own = if is_misfit { LabelFit { edges_um: None, ..own } } else { own };
        if is_misfit {
            misfits.push(item);
        }
        if placement.breaks_words {
            broken.push(item);
        }
        if let Some(step) = placement.step {
            captions[step as usize] += 1;
        }
        fit = Some(match fit.take() {
            Some(least) => least.and(own),
            None => own,
        });
        Ok(())
    })?;
    // One at least was measured: the items are checked.
    let fit = fit.ok_or(LabelError::NoSheet)?;
    let quiet_zone_modules = style.picture.quiet_zone_modules;
    Ok(LabelFit { quiet_zone_modules, misfits, broken, captions, contrast_hundredths, ..fit })
}

fn fit_of(item: u64, version: Version, placement: &Placement, printed_nm: [[i64; 2]; 2]) -> LabelFit {
    LabelFit {
        narrowest_item: item,
        module_nm: placement.module_nm,
        bare_module_nm: placement.bare_module_nm,
        modules: version.size() as u32,
        tightest_item: item,
        largest_edge_um: placement.largest_module_nm * version.size() as u64 / 1000,
        smallest_item: item,
        edges_um: Some([placement.module_nm * version.size() as u64 / 1000; 2]),
        printed_nm,
        crowded_item: placement.lacks_room.then_some(item),
        // Of all items together.
        misfits: ItemList::default(),
        broken: ItemList::default(),
        captions: [0; STEPS as usize],
        quiet_zone_modules: 0,
        contrast_hundredths: 0,
    }
}

impl LabelFit {
    /// The fit of these items and those after them.
    fn and(self, later: Self) -> Self {
        let crowded_item = self.crowded_item.or(later.crowded_item);
        let printed_nm = around(self.printed_nm, later.printed_nm);
        let (tightest_item, largest_edge_um) = if later.largest_edge_um < self.largest_edge_um {
            (later.tightest_item, later.largest_edge_um)
        } else {
            (self.tightest_item, self.largest_edge_um)
        };
        let (smallest_item, edges_um) = match (self.edges_um, later.edges_um) {
            (Some([least, most]), Some([later_least, later_most])) => {
                let item = if later_least < least { later.smallest_item } else { self.smallest_item };
                (item, Some([least.min(later_least), most.max(later_most)]))
            }
            (None, Some(edges)) => (later.smallest_item, Some(edges)),
            (edges, None) => (self.smallest_item, edges),
        };
        let narrowest = if later.module_nm < self.module_nm { later } else { self };
        Self {
            tightest_item,
            largest_edge_um,
            smallest_item,
            edges_um,
            printed_nm,
            crowded_item,
            ..narrowest
        }
    }
}
