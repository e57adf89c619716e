//! The labels that items take: which of them is on which page, and in which part of the file.

use std::ops::Range;

use crate::{LabelError, Sheet};

/// The place of captions on their labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptionPlace {
    /// Below the code.
    Below,
    /// On the right of the code.
    Beside,
    /// Captions are left out.
    Nowhere,
}

/// The labels of some items of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels {
    /// The sheets.
    pub sheet: Sheet,
    /// Labels of the first sheet that are used up.
    pub used: u64,
    /// The items that get a label, by index in the job: one at least, in ranges that follow one another. None of them is empty.
    pub items: Vec<Range<u64>>,
    /// The edge of every code without its quiet zone; none: as large as the label allows.
    pub size_um: Option<u32>,
    /// The place of captions.
    pub caption: CaptionPlace,
    /// The size of their letters, in tenths of a point; none: one that suits their place.
    pub caption_size: Option<u32>,
    /// The largest step of a caption, where no sizes are given; [`STEPS`](crate::STEPS).
    pub largest_step: u32,
    /// The edge that no code exceeds, without its quiet zone, where no size is given; none: each is as large as its label allows.
    pub largest_um: Option<u32>,
    /// Draws crosses at the corners of the labels.
    pub has_cut_marks: bool,
    /// Moves everything on the page to the right and down.
    pub shift_um: [i32; 2],
}

/// The labels of a part, unless a page has more: a thread has a few milliseconds of work with them.
const LABELS_OF_PART: u64 = 2048;
/// More items than any job has, whose pages and contents have numbers of 31 bits.
const MAX_ITEMS: u64 = 1 << 29;

impl Labels {
    /// Refuses labels that lie on no page.
    ///
    /// # Errors
    /// [`LabelError::NoSheet`].
    pub fn check(&self) -> Result<(), LabelError> {
        self.sheet.check()?;
        let mut end = 0;
        let are_in_order = self.items.iter().all(|range| {
            let is_next = range.start >= end && !range.is_empty();
            end = range.end;
            is_next
        });
        let is_placed = self.used < self.sheet.labels() && end > 0;
        if is_placed && are_in_order && end <= MAX_ITEMS { Ok(()) } else { Err(LabelError::NoSheet) }
    }

    /// Number of items.
    fn count(&self) -> u64 {
        self.items.iter().map(|range| range.end - range.start).sum()
    }

    /// Number of pages.
    pub(crate) fn pages(&self) -> u64 {
        (self.used + self.count()).div_ceil(self.sheet.labels())
    }

    /// Number of parts, one at least.
    pub fn parts(&self) -> u64 {
        self.pages().div_ceil(self.pages_of_part())
    }

    /// Pages of every part but the last, which may have fewer.
    pub(crate) fn pages_of_part(&self) -> u64 {
        (LABELS_OF_PART / self.sheet.labels()).max(1)
    }

    /// The pages of a part.
    pub(crate) fn pages_in(&self, part: u64) -> Range<u64> {
        let length = self.pages_of_part();
        part * length..((part + 1) * length).min(self.pages())
    }

    /// The items of a part.
    pub fn items_in(&self, part: u64) -> Vec<Range<u64>> {
        let pages = self.pages_in(part);
        let place = |page: u64| (page * self.sheet.labels()).saturating_sub(self.used);
        let (start, end) = (place(pages.start), place(pages.end));
        let mut before = 0;
        let taken = self.items.iter().map(|range| {
            // The places of its items among all.
            let places = start.max(before)..end.min(before + range.end - range.start);
            let first = range.start + places.start - before;
            before += range.end - range.start;
            first..first + places.end.saturating_sub(places.start)
        });
        taken.filter(|range| !range.is_empty()).collect()
    }

    /// The page, and the label on it, of the item that has `before` others before it in its part.
    pub(crate) fn place(&self, part: u64, before: u64) -> (u64, u64) {
        let free = if part == 0 { self.used } else { 0 };
        let label = self.pages_in(part).start * self.sheet.labels() + free + before;
        (label / self.sheet.labels(), label % self.sheet.labels())
    }
}
