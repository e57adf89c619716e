//! The outline of a logo: what of its rectangle shows something, without holes.

use std::ops::Range;

use crate::raster::Raster;
use crate::srgb::ONE;

/// The least alpha of a pixel that shows: a 32nd. Fainter pixels are the ends of soft edges.
const LEAST_ALPHA: u16 = (ONE / 32) as u16;

/// The alpha that some pixel of a logo has at least, a quarter: nobody sees one that is fainter all over, and modules would be
/// cleared for nothing.
const LEAST_SEEN_ALPHA: u16 = (ONE / 4) as u16;

/// The part of a logo's rectangle that shows something: for each of its rows a range, from edge to edge. A point belongs to
/// it where something is visible in all four of its diagonal directions, so that holes and gaps belong to it and free
/// corners do not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// Of the picture in the logo's file.
    size_px: [u32; 2],
    /// Height of a row in pixels of the file; the last may be lower.
    row_px: u32,
    /// The columns of each row, in pixels of the file.
    rows: Vec<Range<u32>>,
}

impl Outline {
    /// The outline of a logo that fills its rectangle of `size_px`, width and height.
    pub fn of_rectangle(size_px: [u32; 2]) -> Self {
        let whole = 0..size_px[0];
        Self { size_px, row_px: size_px[1], rows: vec![whole] }
    }

    /// The outline of a picture of `size_px`, which is empty where the picture is nearly transparent all over, of which `raster` has a pixel for `factor` × `factor`.
    pub(crate) fn of_raster(raster: &Raster, size_px: [u32; 2], factor: u32) -> Self {
        let is_seen = raster.pixels.iter().any(|pixel| pixel[3] >= LEAST_SEEN_ALPHA);
        let visible = raster.pixels.chunks_exact(raster.width).map(|row| {
            let shows = |pixel: &[u16; 4]| is_seen && pixel[3] >= LEAST_ALPHA;
            let first = row.iter().position(shows)? as u32 * factor;
            let last = row.iter().rposition(shows)? as u32 * factor;
            Some(first..(last + factor).min(size_px[0]))
        });
        let visible: Vec<Option<Range<u32>>> = visible.collect();
        let below = widest(visible.iter().rev()).into_iter().rev();
        let rows = widest(visible.iter()).into_iter().zip(below);
        let rows = rows.map(|(above, below)| above.start.max(below.start)..above.end.min(below.end));
        Self { size_px, row_px: factor, rows: rows.collect() }
    }

    /// Width and height of the picture in the logo's file, in pixels.
    pub fn size_px(&self) -> [u32; 2] {
        self.size_px
    }

    /// The area of the outline in the given columns and rows of the logo drawn at `drawn_px`, width and height, as a share of
    /// one pixel that is cut into as many parts as the file has pixels.
    pub fn area(&self, drawn_px: [u32; 2], columns: Range<u32>, rows: Range<u32>) -> u64 {
        let [[width, height], [drawn_width, drawn_height]] =
            [self.size_px, drawn_px].map(|size| size.map(u64::from));
        // A drawn pixel is as many units wide as the file has columns, and one of the file as many as are drawn.
        let columns = u64::from(columns.start) * width..u64::from(columns.end) * width;
        let rows = u64::from(rows.start) * height..u64::from(rows.end) * height;
        let row_units = u64::from(self.row_px) * drawn_height;
        let first = (rows.start / row_units) as usize;
        let end = (rows.end.div_ceil(row_units) as usize).min(self.rows.len());
        let overlap = |one: Range<u64>, other: &Range<u64>| {
            one.end.min(other.end).saturating_sub(one.start.max(other.start))
        };
        (first..end)
            .map(|number| {
                let top = number as u64 * row_units;
                let bottom = (top + row_units).min(height * drawn_height);
                let Range { start, end } = self.rows[number];
                let visible = u64::from(start) * drawn_width..u64::from(end) * drawn_width;
                overlap(top..bottom, &rows) * overlap(visible, &columns)
            })
            .sum()
    }
}

/// For each row, from the smallest start to the largest end of the rows so far; nothing before the first that shows.
fn widest<'a>(rows: impl Iterator<Item = &'a Option<Range<u32>>>) -> Vec<Range<u32>> {
    let mut widest: Option<Range<u32>> = None;
    let next = rows.map(|row| {
        widest = match (widest.take(), row) {
            (Some(so_far), Some(row)) => Some(so_far.start.min(row.start)..so_far.end.max(row.end)),
            (so_far, row) => so_far.or_else(|| row.clone()),
        };
        widest.clone().unwrap_or(Range { start: u32::MAX, end: 0 })
    });
    next.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(rows: &[&str], factor: u32) -> Outline {
        let alpha = |byte: u8| [0, 0, 0, if byte == b'#' { u16::MAX } else { 0 }];
        let pixels = rows.iter().flat_map(|row| row.bytes().map(alpha)).collect();
        let raster = Raster { width: rows[0].len(), height: rows.len(), pixels };
        let size = [raster.width, raster.height].map(|side| side as u32 * factor);
        Outline::of_raster(&raster, size, factor)
    }

    #[test]
    fn holes_and_gaps_belong_to_it_and_free_corners_do_not() {
        let found = outline(&["..##..", "......", "#....#", "..#...", "..##.."], 1);
        assert_eq!(found.rows, [2..4, 2..4, 0..6, 2..4, 2..4]);
        assert!(outline(&["...", "..."], 1).rows.iter().all(Range::is_empty));
        let faint = |alpha: u16| {
            let raster = Raster { width: 2, height: 2, pixels: vec![[0, 0, 0, alpha]; 4] };
            Outline::of_raster(&raster, [2, 2], 1).rows.iter().all(Range::is_empty)
        };
        assert!(faint(9 * 257) && !faint(64 * 257));
        // Nothing connects these two.
        assert!(outline(&["#..", "...", "..#"], 1).rows[1].is_empty());
    }

    #[test]
    fn areas_are_those_of_the_pixels() {
        let found = outline(&["##..", "####", "####"], 2);
        assert_eq!(found.size_px(), [8, 6]);
        // Drawn at its own size, a pixel has 48 parts.
        assert_eq!(found.area([8, 6], 0..8, 0..6), 48 * (8 * 6 - 4 * 2));
        assert_eq!(found.area([8, 6], 3..6, 1..3), 48 * (1 + 3));
        // At three times the width and half the height.
        assert_eq!(found.area([24, 3], 0..24, 0..3), 48 * (24 * 3 - 12));
        assert_eq!(found.area([24, 3], 11..13, 0..1), 48);
        assert_eq!(Outline::of_rectangle([8, 6]).area([4, 3], 1..3, 0..3), 48 * 6);
    }
}
