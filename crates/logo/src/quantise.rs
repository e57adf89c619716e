//! Chooses the colours that a picture is drawn with, in integers: the same on every machine.
//!
//! Colours that are given or that cover an area stay exact. What is left, the edges between areas and whatever is as
//! colourful as a photograph, is cut at the mean of its widest channel, the part with the largest error first, and
//! each part's mean is then moved to the middle of what is nearest to it (k-means).

use crate::k_means::{Cluster, Point, Targets, distance, split_clusters};

/// A colour covers an area when it has this share of the pixels.
const AREA_SHARE: usize = 64;
/// Most colours of areas.
const MAX_AREAS: usize = 16;
/// The difference up to which a colour is taken for an exact one: two levels in each channel.
const INDISTINGUISHABLE: u32 = 4 * (2 + 4 + 3);
/// As many colours as four bits tell apart.
const FOUR_BITS: usize = 16;
/// The error per pixel at which they are enough. Flat logos, whose edges alone have errors, stay below it; what is
/// shaded softly is above it, and would show bands.
const ENOUGH_IN_FOUR_BITS: u64 = 300;
/// Rounds of k-means.
const ROUNDS: usize = 3;
/// More different colours than these are first merged with their neighbours.
const MAX_CLUSTERS: usize = 1024;

/// Neighbours in a row of one colour. Sorted, runs of similar colours are together.
#[derive(Clone, Copy)]
struct Run {
    /// The bits of all channels from the highest to the lowest, those of equal rank together (Morton order).
    key: u32,
    colour: [u8; 4],
    start: u32,
    length: u32,
}

/// The source of a colour's pixels.
#[derive(Clone, Copy)]
enum Source {
    Exact(usize),
    Cluster(usize),
}

/// A palette that starts with `reserved`, in their order, and has at most `max_colours`, and the index into it of each of
/// `pixels`. Colours are red, green, blue and straight alpha.
pub(crate) fn quantised(
    pixels: &[[u8; 4]],
    reserved: &[[u8; 4]],
    max_colours: usize,
) -> (Vec<[u8; 4]>, Vec<u8>) {
    let runs = sorted_runs(pixels);
    let colours: Vec<&[Run]> = runs.chunk_by(|one, other| one.key == other.key).collect();
    let mut palette = reserved.to_vec();
    add_areas(&mut palette, &colours, pixels.len(), max_colours);

    let exact: Vec<Point> = palette.iter().copied().map(point).collect();
    let (clusters, sources) = clustered(&colours, &exact);
    let means: Vec<Point> = clusters.iter().map(Cluster::mean).collect();
    let pixel_count = pixels.len() as u64;
    let is_enough = |parts: usize, error: u64| {
        let colours = palette.len() + parts;
        colours >= max_colours || colours == FOUR_BITS && error <= ENOUGH_IN_FOUR_BITS * pixel_count
    };
    let mut centres = Vec::new();
    if !clusters.is_empty() && palette.len() < max_colours {
        let counts = clusters.iter().map(Cluster::count);
        centres = split_clusters(means.iter().copied().zip(counts).collect(), is_enough);
    }
    for _ in 0..ROUNDS {
        centres = moved(&clusters, &means, &exact, &centres);
    }
    centres.sort_unstable();
    centres.dedup();
    palette.extend(centres.iter().copied().map(colour));

    let targets = Targets::new(&[exact, centres].concat());
    let drawn: Vec<usize> = means.iter().map(|&mean| targets.nearest(mean)).collect();
    let mut indices = vec![0; pixels.len()];
    for (colour, source) in colours.iter().zip(sources) {
        let index = match source {
            Source::Exact(index) => index,
            Source::Cluster(cluster) => drawn[cluster],
        };
        for run in *colour {
            indices[run.start as usize..][..run.length as usize].fill(index as u8);
        }
    }
    (palette, indices)
}

fn sorted_runs(pixels: &[[u8; 4]]) -> Vec<Run> {
    let mut start = 0;
    let mut runs: Vec<Run> = pixels
        .chunk_by(|one, other| one == other)
        .map(|run| {
            let (colour, length) = (run[0], run.len() as u32);
            start += length;
            Run { key: morton(colour), colour, start: start - length, length }
        })
        .collect();
    // One number is compared faster than fields in turn.
    runs.sort_unstable_by_key(|run| u64::from(run.key) << 32 | u64::from(run.start));
    runs
}

fn morton(colour: [u8; 4]) -> u32 {
    colour.iter().fold(0, |key, &value| {
        let bits = u32::from(value);
        let bits = (bits | bits << 12) & 0x000f_000f;
        let bits = (bits | bits << 6) & 0x0303_0303;
        key << 1 | (bits | bits << 3) & 0x1111_1111
    })
}

/// The number of a colour's pixels.
fn count(colour: &[Run]) -> u64 {
    colour.iter().map(|run| u64::from(run.length)).sum()
}

/// Adds the colours of areas to `palette`, the largest first.
fn add_areas(palette: &mut Vec<[u8; 4]>, colours: &[&[Run]], pixel_count: usize, max_colours: usize) {
    let smallest = pixel_count.div_ceil(AREA_SHARE) as u64;
    let mut areas: Vec<(u64, [u8; 4])> = colours
        .iter()
        .map(|colour| (count(colour), colour[0].colour))
        .filter(|&(count, _)| count >= smallest)
        .collect();
    areas.sort_unstable_by(|one, other| other.cmp(one));
    for (_, area) in areas.into_iter().take(MAX_AREAS) {
        let is_new = palette.iter().all(|&other| distance(point(area), point(other)) > INDISTINGUISHABLE);
        if is_new && palette.len() < max_colours {
            palette.push(area);
        }
    }
}

/// The colours that are told apart from all of `exact`, neighbours merged in cubes of the colour space that are just
/// large enough for few clusters; and for each colour where it went.
fn clustered(colours: &[&[Run]], exact: &[Point]) -> (Vec<Cluster>, Vec<Source>) {
    let mut sources: Vec<Source> = Vec::with_capacity(colours.len());
    let mut left = Vec::new();
    let targets = Targets::new(exact);
    for (position, colour) in colours.iter().enumerate() {
        let found = point(colour[0].colour);
        let closest = targets.nearest(found);
        let is_exact = exact.get(closest).is_some_and(|&other| distance(found, other) <= INDISTINGUISHABLE);
        sources.push(Source::Exact(closest));
        if !is_exact {
            left.push((position, colour[0].key, Cluster::new(found, count(colour))));
        }
    }
    // Colours are sorted by their bits: those of a cube follow each other.
    let cube_count = |shift: u32| left.chunk_by(|one, other| one.1 >> shift == other.1 >> shift).count();
    let shift = (0..32).step_by(4).find(|&shift| cube_count(shift) <= MAX_CLUSTERS).unwrap_or(28);
    let mut clusters = Vec::new();
    for cube in left.chunk_by(|one, other| one.1 >> shift == other.1 >> shift) {
        let mut sum = Cluster::default();
        for (position, _, cluster) in cube {
            sum.merge(cluster);
            sources[*position] = Source::Cluster(clusters.len());
        }
        clusters.push(sum);
    }
    (clusters, sources)
}

/// Each centre in the middle of the clusters, whose means are `means`, that are nearest to it; those with none are
/// dropped.
fn moved(clusters: &[Cluster], means: &[Point], exact: &[Point], centres: &[Point]) -> Vec<Point> {
    let targets = Targets::new(&[exact, centres].concat());
    let mut gathered = vec![Cluster::default(); exact.len() + centres.len()];
    for (cluster, &mean) in clusters.iter().zip(means) {
        gathered[targets.nearest(mean)].merge(cluster);
    }
    gathered[exact.len()..].iter().filter(|cluster| cluster.count() > 0).map(Cluster::mean).collect()
}

/// A colour in the space in which distances are measured: premultiplied, so that the less is seen of it, the less
/// its colour counts.
fn point([red, green, blue, alpha]: [u8; 4]) -> Point {
    let channel = |value: u8| ((u32::from(value) * u32::from(alpha) + 127) / 255) as u8;
    [channel(red), channel(green), channel(blue), alpha]
}

/// The colour at a point.
fn colour([red, green, blue, alpha]: Point) -> [u8; 4] {
    let divisor = u32::from(alpha);
    let channel = |value: u8| {
        let straight = (u32::from(value) * 255 + divisor / 2).checked_div(divisor);
        straight.unwrap_or(0).min(255) as u8
    };
    [channel(red), channel(green), channel(blue), alpha]
}
