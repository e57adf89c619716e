//! Clusters of colours, and how a set of them is cut into parts.

/// A colour as four channels of 0 to 255.
pub(super) type Point = [u8; 4];

/// How much a difference counts in each channel: the eye sees green best. Alpha counts as blue does.
const CHANNEL_WEIGHTS: [u32; 4] = [2, 4, 3, 3];

/// The error per pixel at which there are enough parts: two levels in each channel, which nobody sees.
const ENOUGH: u64 = 9 * 2 * 2;

/// How different two colours are: the sum of weighted squares.
#[inline]
pub(super) fn distance(one: Point, other: Point) -> u32 {
    let mut sum = 0;
    for channel in 0..4 {
        let difference = u32::from(one[channel].abs_diff(other[channel]));
        sum += CHANNEL_WEIGHTS[channel] * difference * difference;
    }
    sum
}

/// The position of the first of the nearest of `points`.
#[inline]
pub(super) fn nearest(point: Point, points: &[Point]) -> usize {
    let mut best = (u32::MAX, 0);
    for (position, &other) in points.iter().enumerate() {
        let found = distance(point, other);
        if found < best.0 {
            best = (found, position);
        }
    }
    best.1
}

/// Pixels of similar colours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cluster {
    count: u64,
    sums: [u64; 4],
}

impl Cluster {
    pub fn new(point: Point, count: usize) -> Self {
        Self { count: count as u64, sums: point.map(|value| u64::from(value) * count as u64) }
    }

    pub fn merge(&mut self, other: &Self) {
        self.count += other.count;
        for (sum, more) in self.sums.iter_mut().zip(other.sums) {
            *sum += more;
        }
    }

    pub fn mean(&self) -> Point {
        self.sums.map(|sum| ((sum + self.count / 2) / self.count) as u8)
    }
}

/// At least one cluster, and what cutting them would gain.
struct Part {
    clusters: Vec<Cluster>,
    whole: Cluster,
    /// Weighted squares of what the pixels differ from the mean.
    error: u64,
    /// The channel that has most of the error.
    channel: usize,
}

impl Part {
    fn new(clusters: Vec<Cluster>) -> Self {
        let mut whole = Cluster { count: 0, sums: [0; 4] };
        for cluster in &clusters {
            whole.merge(cluster);
        }
        let mean = whole.mean();
        let mut errors = [0; 4];
        for cluster in &clusters {
            for (channel, value) in cluster.mean().into_iter().enumerate() {
                let difference = u64::from(value.abs_diff(mean[channel]));
                errors[channel] +=
                    cluster.count * u64::from(CHANNEL_WEIGHTS[channel]) * difference * difference;
            }
        }
        let channel = (0..4).rev().max_by_key(|&channel| errors[channel]).unwrap_or(0);
        Self { clusters, whole, error: errors.iter().sum(), channel }
    }

    /// Below the mean and above it. Both have something, as there is an error.
    fn cut(self) -> (Self, Self) {
        let mean = self.whole.mean()[self.channel];
        // A mean that is rounded up may be above every value but one.
        let (low, high): (Vec<_>, Vec<_>) =
            self.clusters.into_iter().partition(|cluster| cluster.mean()[self.channel] < mean);
        (Self::new(low), Self::new(high))
    }
}

/// The means of at most `limit` parts that `clusters` are cut into: fewer when they are good enough.
pub(super) fn split_clusters(clusters: Vec<Cluster>, limit: usize) -> Vec<Point> {
    if clusters.is_empty() || limit == 0 {
        return Vec::new();
    }
    let mut parts = vec![Part::new(clusters)];
    let pixels = parts[0].whole.count;
    while parts.len() < limit {
        let error: u64 = parts.iter().map(|part| part.error).sum();
        if error <= ENOUGH * pixels {
            break;
        }
        let Some(worst) = (0..parts.len()).rev().max_by_key(|&part| parts[part].error) else { break };
        let (low, high) = parts.swap_remove(worst).cut();
        parts.extend([low, high].into_iter().filter(|part| !part.clusters.is_empty()));
    }
    parts.iter().map(|part| part.whole.mean()).collect()
}
