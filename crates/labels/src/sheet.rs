//! The geometry of a sheet of labels, in micrometres.

use crate::LabelError;

/// A page with labels in columns and rows. Widths come before heights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// The page.
    pub page_um: [u32; 2],
    /// A label.
    pub label_um: [u32; 2],
    /// Labels beside and below one another.
    pub columns: u32,
    /// Labels below one another.
    pub rows: u32,
    /// The page's edges to the first label: left, top.
    pub margin_um: [u32; 2],
    /// Between two labels: beside, below one another.
    pub gap_um: [u32; 2],
}

impl Sheet {
    /// The longest side of a page: 10 m.
    const MAX_SIDE_UM: u64 = 10_000_000;
    /// The most labels of a page, whose content is in memory while it is drawn.
    const MAX_LABELS: u64 = 100_000;

    /// Refuses a sheet whose labels do not lie on its page.
    pub(crate) fn check(&self) -> Result<(), LabelError> {
        let counts = [self.columns, self.rows].map(u64::from);
        let labels = counts[0].saturating_mul(counts[1]);
        let fits = (0..2).all(|axis| {
            let [page, label, margin, gap] = [self.page_um, self.label_um, self.margin_um, self.gap_um]
                .map(|lengths| u64::from(lengths[axis]));
            let gaps = counts[axis].saturating_sub(1) * gap;
            label > 0 && page <= Self::MAX_SIDE_UM && margin + counts[axis] * label + gaps <= page
        });
        if fits && (1..=Self::MAX_LABELS).contains(&labels) { Ok(()) } else { Err(LabelError::NoSheet) }
    }

    /// Labels of a page.
    pub(crate) fn labels(&self) -> u64 {
        u64::from(self.columns) * u64::from(self.rows)
    }

    /// The top left corner of a label, row by row from 0.
    pub(crate) fn corner_um(&self, label: u64) -> [u32; 2] {
        let place = [label % u64::from(self.columns), label / u64::from(self.columns)];
        [0, 1]
            .map(|axis| self.margin_um[axis] + place[axis] as u32 * (self.label_um[axis] + self.gap_um[axis]))
    }

    /// The edges of all labels along an axis, in order, each once.
    pub(crate) fn edges_um(&self, axis: usize) -> Vec<u32> {
        let count = [self.columns, self.rows][axis];
        let start = |place: u32| self.margin_um[axis] + place * (self.label_um[axis] + self.gap_um[axis]);
        let mut edges: Vec<u32> =
            (0..count).flat_map(|place| [start(place), start(place) + self.label_um[axis]]).collect();
        edges.dedup();
        edges
    }
}
