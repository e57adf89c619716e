//! The picture from top to bottom: sections of module rows that are drawn in one way.

use std::ops::Range;

use super::adler::{Adler32, LineSums, LineWeight};
use super::lines::Lines;
use super::plate::Plate;

/// Module rows, or the part of one above or below a plate, of equally many lines each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Section {
    pub(super) rows: Range<usize>,
    /// Lines of each row.
    pub(super) height: usize,
    /// The picture's line in which it begins.
    pub(super) first_line: usize,
    /// Whether a plate lies in all of its lines.
    pub(super) has_plate: bool,
}

/// The sections of a picture of `size` module rows.
pub(super) fn sections(lines: &Lines, size: usize, plate: Option<&Plate>) -> Vec<Section> {
    let plate = plate.map_or(0..0, |plate| plate.rows.clone());
    let mut sections: Vec<Section> = Vec::new();
    for row in 0..size {
        let first = lines.margin_height + row * lines.pixels_per_module;
        let end = first + lines.pixels_per_module;
        // The plate's edges may cut a row.
        let cuts = [first, plate.start.clamp(first, end), plate.end.clamp(first, end), end];
        for part in cuts.windows(2).filter(|part| part[0] < part[1]) {
            let has_plate = plate.contains(&part[0]);
            let height = part[1] - part[0];
            match sections.last_mut() {
                Some(last)
                    if last.height == height && last.has_plate == has_plate && last.rows.end == row =>
                {
                    last.rows.end += 1;
                }
                _ => {
                    let rows = row..row + 1;
                    sections.push(Section { rows, height, first_line: part[0], has_plate });
                }
            }
        }
    }
    sections
}

impl Section {
    /// The weight of the lines of its row `index`, in a picture of `picture_lines`.
    pub(super) fn weight(&self, index: usize, lines: &Lines, picture_lines: usize) -> LineWeight {
        let first = self.first_line + index * self.height;
        LineWeight::of(first..first + self.height, lines.stride, picture_lines)
    }
}

/// The sums of everything in a picture of `picture_lines` that is the same for every symbol.
pub(super) fn static_sums(
    lines: &Lines,
    background: u8,
    plate: Option<&Plate>,
    picture_lines: usize,
) -> Adler32 {
    let mut line = vec![background; lines.stride];
    line[0] = 0;
    let margin = LineSums::of(&line);
    line[1 + lines.left..][..lines.data].fill(0);
    let sides = LineSums::of(&line);

    let mut sums = Adler32::of_zeros(lines.stride * picture_lines);
    let data = lines.margin_height..picture_lines - lines.margin_height;
    for (rows, line) in [(0..data.start, margin), (data.clone(), sides), (data.end..picture_lines, margin)] {
        sums.add(line, LineWeight::of(rows, lines.stride, picture_lines));
    }
    if let Some(plate) = plate {
        for (index, row) in plate.rows.clone().enumerate() {
            sums.add(plate.sums(index, lines), LineWeight::of(row..row + 1, lines.stride, picture_lines));
        }
    }
    sums
}
