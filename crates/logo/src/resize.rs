//! Resamples pictures to any size, in integers.
//!
//! The kernel is the cubic 1 − 3t² + 2t³: never negative, so that flat areas stay flat and no halo appears around
//! them; it smooths where a picture is enlarged, and averages what falls together where it is reduced.

use crate::raster::{Pixel, Raster};

/// `source` as `width` × `height` pixels, each 1 or more. `extent` is the size that `source` stands for, in pixels of
/// which each of its own covers `cell` × `cell`; those at its right and bottom edge may stick out.
pub(crate) fn resized(
    source: &Raster,
    extent: [usize; 2],
    cell: usize,
    width: usize,
    height: usize,
) -> Vec<Pixel> {
    let columns = Taps::new(source.width, extent[0], cell, width);
    let rows = Taps::new(source.height, extent[1], cell, height);
    let mut narrow = Vec::with_capacity(width * source.height);
    for row in source.pixels.chunks_exact(source.width) {
        narrow.extend(columns.iter().map(|(first, weights)| {
            let mut sums = ROUND;
            for (pixel, &weight) in row[first..].iter().zip(weights) {
                accumulate(&mut sums, *pixel, weight);
            }
            sums.map(|sum| (sum >> 16) as u16)
        }));
    }
    let mut pixels = Vec::with_capacity(width * height);
    let mut line = vec![ROUND; width];
    for (first, weights) in rows.iter() {
        line.fill(ROUND);
        for (row, &weight) in narrow[first * width..].chunks_exact(width).zip(weights) {
            for (sums, pixel) in line.iter_mut().zip(row) {
                accumulate(sums, *pixel, weight);
            }
        }
        pixels.extend(line.iter().map(|sums| sums.map(|sum| (sum >> 16) as u16)));
    }
    pixels
}

/// The start of a sum, so that cutting their lower 16 bits rounds to the nearest.
const ROUND: [u32; 4] = [1 << 15; 4];

/// Weights sum up to 65,536 and channels are at most 65,535: a sum stays below 2³².
#[inline]
fn accumulate(sums: &mut [u32; 4], pixel: Pixel, weight: u32) {
    for (sum, channel) in sums.iter_mut().zip(pixel) {
        *sum += u32::from(channel) * weight;
    }
}

/// The source pixels of the pixels along one axis.
struct Taps {
    /// For each pixel: its first source pixel, and where its weights end.
    spans: Vec<(usize, usize)>,
    /// In units of 1/65,536; those of a pixel sum up to one.
    weights: Vec<u32>,
}

impl Taps {
    /// `length` source pixels of `cell` units each, which stand for `extent` units, become `count`.
    fn new(length: usize, extent: usize, cell: usize, count: usize) -> Self {
        // A unit is divided so finely that everything is whole: pixels that come out are 2·extent apart, those of the
        // source 2·cell·count, and the kernel reaches as far as the wider of both.
        let (source_step, step) = (2 * cell * count, 2 * extent);
        let reach = source_step.max(step);
        let mut taps = Self { spans: Vec::with_capacity(count), weights: Vec::new() };
        for position in 0..count {
            let centre = position * step + extent;
            let first = (centre.saturating_sub(reach) / source_step).min(length - 1);
            let end = ((centre + reach) / source_step + 1).min(length);
            let kernel = |source: usize| {
                let distance = (source * source_step + source_step / 2).abs_diff(centre);
                let t = (distance << 16) as u64 / reach as u64;
                let rest = (1_u64 << 16).saturating_sub(t);
                // 1 − 3t² + 2t³ is (1 − t)²(1 + 2t).
                (rest * rest * ((1 << 16) + 2 * t)) >> 24
            };
            let sum: u64 = (first..end).map(kernel).sum();
            let start = taps.weights.len();
            // Rounding the running sum keeps the whole exact.
            let (mut running, mut given) = (0, 0);
            for source in first..end {
                running += kernel(source);
                let due = ((running << 16) / sum) as u32;
                taps.weights.push(due - given);
                given = due;
            }
            debug_assert!(given == 1 << 16 && taps.weights.len() > start);
            taps.spans.push((first, taps.weights.len()));
        }
        taps
    }

    fn iter(&self) -> impl Iterator<Item = (usize, &[u32])> {
        let mut start = 0;
        self.spans.iter().map(move |&(first, end)| {
            let weights = &self.weights[start..end];
            start = end;
            (first, weights)
        })
    }
}
