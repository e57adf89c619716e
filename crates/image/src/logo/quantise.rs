//! Chooses the colours that a picture is drawn with, in integers: the same on every machine.
//!
//! Colours that are given or that cover an area stay exact. What is left, the edges between areas and whatever is as
//! colourful as a photograph, is cut at the mean of its widest channel, the part with the largest error first, and
//! each part's mean is then moved to the middle of what is nearest to it (k-means).

use std::collections::HashMap;

use super::clusters::{Cluster, Point, distance, nearest, split_clusters};

/// A colour covers an area when it has this share of the pixels.
const AREA_SHARE: usize = 64;
/// Most colours of areas.
const MAX_AREAS: usize = 16;
/// What is as near as this to an exact colour is not told apart from it: two levels in each channel.
const INDISTINGUISHABLE: u32 = 4 * (2 + 4 + 3);
/// Rounds of k-means.
const ROUNDS: usize = 3;
/// More different colours than these are first merged with their neighbours.
const MAX_CLUSTERS: usize = 4096;

/// A palette that starts with `reserved`, in their order, and has at most `max_colours`, and the index into it of each of
/// `pixels`. Colours are red, green, blue and straight alpha.
pub(super) fn quantised(
    pixels: &[[u8; 4]],
    reserved: &[[u8; 4]],
    max_colours: usize,
) -> (Vec<[u8; 4]>, Vec<u8>) {
    let (colours, ids) = distinct(pixels);
    let mut palette = reserved.to_vec();
    add_areas(&mut palette, &colours, pixels.len(), max_colours);

    let exact: Vec<Point> = palette.iter().copied().map(point).collect();
    let is_left = |&(colour, _): &([u8; 4], usize)| {
        exact.iter().all(|&other| distance(point(colour), other) > INDISTINGUISHABLE)
    };
    let left: Vec<Cluster> = colours
        .iter()
        .filter(|entry| is_left(entry))
        .map(|&(colour, count)| Cluster::new(point(colour), count))
        .collect();
    let left = merged(left);
    let mut centres = split_clusters(left.clone(), max_colours - palette.len());
    for _ in 0..ROUNDS {
        centres = moved(&left, &exact, &centres);
    }
    centres.sort_unstable();
    centres.dedup();
    palette.extend(centres.iter().copied().map(colour));

    let points: Vec<Point> = palette.iter().copied().map(point).collect();
    let index_of: Vec<u8> =
        colours.iter().map(|&(colour, _)| nearest(point(colour), &points) as u8).collect();
    (palette, ids.into_iter().map(|id| index_of[id as usize]).collect())
}

/// Each colour with the number of its pixels, in the order in which they come, and the position of each pixel's colour.
fn distinct(pixels: &[[u8; 4]]) -> (Vec<([u8; 4], usize)>, Vec<u32>) {
    let mut colours: Vec<([u8; 4], usize)> = Vec::new();
    let mut positions = HashMap::new();
    let mut ids = Vec::with_capacity(pixels.len());
    let mut latest = 0;
    for &pixel in pixels {
        if colours.get(latest).is_none_or(|&(colour, _)| colour != pixel) {
            latest = *positions.entry(pixel).or_insert(colours.len());
            if latest == colours.len() {
                colours.push((pixel, 0));
            }
        }
        colours[latest].1 += 1;
        ids.push(latest as u32);
    }
    (colours, ids)
}

/// Adds the colours of areas to `palette`, the largest first.
fn add_areas(
    palette: &mut Vec<[u8; 4]>,
    colours: &[([u8; 4], usize)],
    pixel_count: usize,
    max_colours: usize,
) {
    let is_area = |&&(_, count): &&([u8; 4], usize)| count * AREA_SHARE >= pixel_count;
    let mut areas: Vec<_> = colours.iter().filter(is_area).collect();
    areas.sort_unstable_by_key(|&&(colour, count)| (usize::MAX - count, colour));
    for &&(colour, _) in areas.iter().take(MAX_AREAS) {
        let is_new = palette.iter().all(|&other| distance(point(colour), point(other)) > INDISTINGUISHABLE);
        if is_new && palette.len() < max_colours {
            palette.push(colour);
        }
    }
}

/// Merges neighbours, in ever larger cubes of the colour space, until few enough are left.
fn merged(mut clusters: Vec<Cluster>) -> Vec<Cluster> {
    let mut bits = 0;
    while clusters.len() > MAX_CLUSTERS {
        bits += 1;
        let mut cubes: Vec<Cluster> = Vec::new();
        let mut positions = HashMap::new();
        for cluster in clusters {
            let position = *positions.entry(cluster.mean().map(|value| value >> bits)).or_insert(cubes.len());
            match cubes.get_mut(position) {
                Some(cube) => cube.merge(&cluster),
                None => cubes.push(cluster),
            }
        }
        clusters = cubes;
    }
    clusters
}

/// Each centre in the middle of the clusters that are nearest to it; those with none are dropped.
fn moved(clusters: &[Cluster], exact: &[Point], centres: &[Point]) -> Vec<Point> {
    let all = [exact, centres].concat();
    let mut gathered: Vec<Option<Cluster>> = vec![None; all.len()];
    for cluster in clusters {
        match &mut gathered[nearest(cluster.mean(), &all)] {
            Some(sum) => sum.merge(cluster),
            none => *none = Some(*cluster),
        }
    }
    gathered[exact.len()..].iter().flatten().map(Cluster::mean).collect()
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
    let channel =
        |value: u8| (u32::from(value) * 255 + divisor / 2).checked_div(divisor).unwrap_or(0).min(255) as u8;
    [channel(red), channel(green), channel(blue), alpha]
}
