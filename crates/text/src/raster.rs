//! Outlines to coverage: exact areas per pixel, in integers.
//!
//! Every edge leaves in each pixel it crosses its height (`cover`) and twice the area between itself and the pixel's left
//! side (`area`). A row's running sum of covers, less the pixel's area, is then the signed area of the outline inside that
//! pixel. Where contours of one direction overlap the sum passes a whole pixel, and is cut there.

use crate::units::PX;

/// A point in 1/256 px, y downwards.
pub(crate) type PixelPoint = (i32, i32);

/// The coverage of one glyph, 0 to 255 a pixel.
pub(crate) struct Bitmap {
    /// Of the top left pixel, relative to the pen's pixel on the baseline.
    pub(crate) left: i32,
    pub(crate) top: i32,
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Rows of `stride` bytes, zero behind the first `width`.
    pub(crate) rows: Vec<u8>,
}

/// Rows are as long as whole groups of this many bytes, so that a row is added in steps of a vector.
pub(crate) const LANES: usize = 16;

impl Bitmap {
    pub(crate) fn stride(&self) -> usize {
        self.width.next_multiple_of(LANES)
    }
}

/// Collects the straight edges of an outline, then fills it.
#[derive(Default)]
pub(crate) struct Rasteriser {
    edges: Vec<(PixelPoint, PixelPoint)>,
    /// `(cover, area)` of each pixel of the bitmap in work, row by row.
    cells: Vec<(i32, i32)>,
}

impl Rasteriser {
    pub(crate) fn line(&mut self, from: PixelPoint, to: PixelPoint) {
        if from != to {
            self.edges.push((from, to));
        }
    }

    pub(crate) fn quadratic(&mut self, from: PixelPoint, control: PixelPoint, to: PixelPoint) {
        let n = pieces(deviation(from, control, to));
        let at = |i: i64, a: i32, b: i32, c: i32| {
            let j = n - i;
            round_div(j * j * i64::from(a) + 2 * i * j * i64::from(b) + i * i * i64::from(c), n * n)
        };
        self.polyline(from, n, |i| (at(i, from.0, control.0, to.0), at(i, from.1, control.1, to.1)));
    }

    pub(crate) fn cubic(&mut self, points: [PixelPoint; 4]) {
        let [from, first, second, to] = points;
        let n = pieces(deviation(from, first, second).max(deviation(first, second, to)) * 3);
        let at = |i: i64, axis: fn(PixelPoint) -> i32| {
            let j = n - i;
            let weights = [j * j * j, 3 * i * j * j, 3 * i * i * j, i * i * i];
            let weighted = weights.into_iter().zip(points);
            round_div(weighted.map(|(weight, point)| weight * i64::from(axis(point))).sum(), n * n * n)
        };
        self.polyline(from, n, |i| (at(i, |point| point.0), at(i, |point| point.1)));
    }

    fn polyline(&mut self, from: PixelPoint, pieces: i64, at: impl Fn(i64) -> PixelPoint) {
        let mut previous = from;
        for i in 1..=pieces {
            let next = at(i);
            self.edges.push((previous, next));
            previous = next;
        }
    }

    /// Fills what the edges enclose, and forgets them. A bitmap larger than `max_px` pixels is left empty: no glyph of
    /// a sound font is.
    pub(crate) fn fill(&mut self, max_px: usize) -> Bitmap {
        let (mut min, mut max) = ((i32::MAX, i32::MAX), (i32::MIN, i32::MIN));
        for &(from, to) in &self.edges {
            for point in [from, to] {
                min = (min.0.min(point.0), min.1.min(point.1));
                max = (max.0.max(point.0), max.1.max(point.1));
            }
        }
        let empty = Bitmap { left: 0, top: 0, width: 0, height: 0, rows: Vec::new() };
        if min.0 >= max.0 || min.1 >= max.1 {
            self.edges.clear();
            return empty;
        }
        let (left, top) = (min.0.div_euclid(PX), min.1.div_euclid(PX));
        // A vertical edge on a pixel's left side leaves its cover in that pixel: hence one column more.
        let width = (max.0.div_euclid(PX) - left + 1) as usize;
        let height = ((max.1 - 1).div_euclid(PX) - top + 1) as usize;
        if width.saturating_mul(height) > max_px {
            self.edges.clear();
            return empty;
        }
        self.cells.clear();
        self.cells.resize(width * height, (0, 0));
        let origin = (left * PX, top * PX);
        for i in 0..self.edges.len() {
            let (from, to) = self.edges[i];
            self.edge((from.0 - origin.0, from.1 - origin.1), (to.0 - origin.0, to.1 - origin.1), width);
        }
        self.edges.clear();
        let mut bitmap = Bitmap { left, top, width, height, rows: Vec::new() };
        let stride = bitmap.stride();
        bitmap.rows.resize(stride * height, 0);
        for (cells, row) in self.cells.chunks_exact(width).zip(bitmap.rows.chunks_exact_mut(stride)) {
            let mut cover = 0;
            for (&(own_cover, area), pixel) in cells.iter().zip(row) {
                cover += own_cover;
                *pixel = coverage(cover * 2 * PX - area);
            }
        }
        bitmap
    }

    /// Cuts an edge at the rows it crosses.
    fn edge(&mut self, from: PixelPoint, to: PixelPoint, width: usize) {
        if from.1 == to.1 {
            return;
        }
        let down = if from.1 < to.1 { 1 } else { -1 };
        let (upper, lower) = if down == 1 { (from, to) } else { (to, from) };
        let (dx, dy) = (i64::from(lower.0 - upper.0), i64::from(lower.1 - upper.1));
        let x_at = |y: i32| upper.0 + round_div(i64::from(y - upper.1) * dx, dy);
        let mut y = upper.1;
        let mut x = upper.0;
        while y < lower.1 {
            let row = y / PX;
            let next_y = ((row + 1) * PX).min(lower.1);
            let next_x = if next_y == lower.1 { lower.0 } else { x_at(next_y) };
            self.piece((x, y), (next_x, next_y), down, row as usize * width);
            (x, y) = (next_x, next_y);
        }
    }

    /// Cuts a piece inside one row at the columns it crosses. Both points' y belong to the row whose first cell is
    /// `first`; `from` is above `to`.
    fn piece(&mut self, from: PixelPoint, to: PixelPoint, sign: i32, first: usize) {
        let (left, right) = if from.0 <= to.0 { (from, to) } else { (to, from) };
        let (dx, dy) = (i64::from(right.0 - left.0), i64::from(right.1 - left.1));
        let mut add = |column: i32, height: i32, inside: i32| {
            let cell = &mut self.cells[first + column as usize];
            cell.0 += sign * height;
            cell.1 += sign * height * inside;
        };
        let (mut x, mut y) = left;
        loop {
            let column = x / PX;
            let edge = (column + 1) * PX;
            if right.0 <= edge {
                add(column, (right.1 - y).abs(), x + right.0 - 2 * column * PX);
                return;
            }
            let next_y = left.1 + round_div(i64::from(edge - left.0) * dy, dx);
            add(column, (next_y - y).abs(), x + edge - 2 * column * PX);
            (x, y) = (edge, next_y);
        }
    }
}

/// The distance by which a control point bends a curve away from its chord, in 1/256 px, times four.
fn deviation(a: PixelPoint, b: PixelPoint, c: PixelPoint) -> i64 {
    let bend = |a: i32, b: i32, c: i32| (i64::from(a) - 2 * i64::from(b) + i64::from(c)).abs();
    bend(a.0, b.0, c.0).max(bend(a.1, b.1, c.1))
}

/// The straight pieces of a curve: as many as keep it within 1/32 px, 1 to 64.
fn pieces(deviation: i64) -> i64 {
    // n pieces bend 1/n² as far as one: deviation / 4 / n² ≤ 8.
    ((deviation / 32).isqrt() + 1).min(64)
}

/// `dividend / divisor` to the nearest, halves up; the divisor is positive.
fn round_div(dividend: i64, divisor: i64) -> i32 {
    (dividend + divisor / 2).div_euclid(divisor) as i32
}

/// Twice a signed area in 1/256 px squared to 0 to 255, rounded.
fn coverage(area: i32) -> u8 {
    const FULL: u64 = 2 * PX as u64 * PX as u64;
    ((u64::from(area.unsigned_abs()) * 255 + FULL / 2) / FULL).min(255) as u8
}
