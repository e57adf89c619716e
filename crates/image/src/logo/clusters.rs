//! Clusters of colours, and how a set of them is cut into parts.

/// A colour as four channels of 0 to 255.
pub(super) type Point = [u8; 4];

/// How much a difference counts in each channel: the eye sees green best. Alpha counts as blue does.
const CHANNEL_WEIGHTS: [u32; 4] = [2, 4, 3, 3];

/// What a distance, of less than 2²⁰, leaves of 31 bits.
const POSITION_BITS: u32 = 11;

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

/// Points among which the nearest is looked for, channel by channel: compilers make vector instructions of that.
#[derive(Debug)]
pub(super) struct Targets {
    channels: [Vec<i16>; 4],
}

impl Targets {
    /// At most 2,048 points.
    pub fn new(points: &[Point]) -> Self {
        debug_assert!(points.len() <= 1 << POSITION_BITS);
        let channel = |channel: usize| points.iter().map(|point| i16::from(point[channel])).collect();
        Self { channels: [0, 1, 2, 3].map(channel) }
    }

    /// The position of the first of the nearest; 0 when there are none.
    #[inline]
    pub fn nearest(&self, point: Point) -> usize {
        let [reds, greens, blues, alphas] = &self.channels;
        let point = point.map(i16::from);
        let squared = |channel: usize, other: i16| {
            let difference = point[channel] - other;
            i32::from(difference * CHANNEL_WEIGHTS[channel] as i16) * i32::from(difference)
        };
        let mut best = i32::MAX;
        for ((((&red, &green), &blue), &alpha), position) in
            reds.iter().zip(greens).zip(blues).zip(alphas).zip(0..)
        {
            let distance = squared(0, red) + squared(1, green) + squared(2, blue) + squared(3, alpha);
            // The distance and the position are one number, whose minimum is found without a branch.
            best = best.min(distance << POSITION_BITS | position);
        }
        if reds.is_empty() { 0 } else { best.cast_unsigned() as usize & ((1 << POSITION_BITS) - 1) }
    }
}

/// Pixels of similar colours.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cluster {
    count: u64,
    sums: [u64; 4],
}

impl Cluster {
    pub fn new(point: Point, count: u64) -> Self {
        Self { count, sums: point.map(|value| u64::from(value) * count) }
    }

    pub fn merge(&mut self, other: &Self) {
        self.count += other.count;
        for (sum, more) in self.sums.iter_mut().zip(other.sums) {
            *sum += more;
        }
    }

    /// The number of pixels.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Of a cluster that is not empty.
    pub fn mean(&self) -> Point {
        self.sums.map(|sum| ((sum + self.count / 2) / self.count) as u8)
    }
}

/// Clusters by their means and counts, at least one, and what cutting them would gain.
struct Part {
    clusters: Vec<(Point, u64)>,
    whole: Cluster,
    /// Weighted squares of what the pixels differ from the mean.
    error: u64,
    /// The channel that has most of the error.
    channel: usize,
}

impl Part {
    fn new(clusters: Vec<(Point, u64)>) -> Self {
        let mut whole = Cluster::default();
        for &(mean, count) in &clusters {
            // Of what the clusters are cut by, so that a cut always has something on both sides.
            whole.merge(&Cluster::new(mean, count));
        }
        let mean = whole.mean();
        let mut errors = [0; 4];
        for &(point, count) in &clusters {
            for (channel, value) in point.into_iter().enumerate() {
                let difference = u64::from(value.abs_diff(mean[channel]));
                errors[channel] += count * u64::from(CHANNEL_WEIGHTS[channel]) * difference * difference;
            }
        }
        let channel = (0..4).rev().max_by_key(|&channel| errors[channel]).unwrap_or(0);
        Self { clusters, whole, error: errors.iter().sum(), channel }
    }

    /// What is below the mean of the channel, and the rest. Both have something where there is an error.
    fn cut(self) -> (Self, Self) {
        let Self { clusters, whole, channel, .. } = self;
        let is_low = |(mean, _): &(Point, u64)| u64::from(mean[channel]) * whole.count < whole.sums[channel];
        let (low, high) = clusters.into_iter().partition(is_low);
        (Self::new(low), Self::new(high))
    }
}

/// The means of the parts that `clusters` are cut into, until `is_enough` says so of their number and of the error that
/// is left: weighted squares, summed over all pixels. Each cluster is its mean and the number of its pixels.
pub(super) fn split_clusters(
    clusters: Vec<(Point, u64)>,
    is_enough: impl Fn(usize, u64) -> bool,
) -> Vec<Point> {
    let mut parts = vec![Part::new(clusters)];
    while let Some(worst) = (0..parts.len()).rev().max_by_key(|&part| parts[part].error)
        && parts[worst].error > 0
        && !is_enough(parts.len(), parts.iter().map(|part| part.error).sum())
    {
        let (low, high) = parts.swap_remove(worst).cut();
        parts.extend([low, high]);
    }
    parts.iter().map(|part| part.whole.mean()).collect()
}
