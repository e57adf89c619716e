//! Clusters of colours, and how a set of them is cut into parts.

/// A colour as four channels of 0 to 255.
pub(crate) type Point = [u8; 4];

/// The weight of a difference in each channel: the eye sees green best. Alpha counts as blue does.
const CHANNEL_WEIGHTS: [u32; 4] = [2, 4, 3, 3];

/// The channel that counts most.
const GREEN: usize = 1;

/// The difference of two colours: the sum of weighted squares.
#[inline]
pub(crate) fn distance(one: Point, other: Point) -> u32 {
    let mut sum = 0;
    for channel in 0..4 {
        let difference = u32::from(one[channel].abs_diff(other[channel]));
        sum += CHANNEL_WEIGHTS[channel] * difference * difference;
    }
    sum
}

/// Points among which the nearest is looked for.
#[derive(Debug)]
pub(crate) struct Targets {
    /// With their positions, by how green they are.
    sorted: Vec<(Point, u32)>,
}

impl Targets {
    pub fn new(points: &[Point]) -> Self {
        let mut sorted: Vec<(Point, u32)> = points.iter().copied().zip(0..).collect();
        sorted.sort_unstable_by_key(|(point, _)| point[GREEN]);
        Self { sorted }
    }

    /// The position of the first of the nearest; 0 when there are none.
    #[inline]
    pub fn nearest(&self, point: Point) -> usize {
        let mut best = u64::from(u32::MAX) << 32;
        let (less, more) =
            self.sorted.split_at(self.sorted.partition_point(|(other, _)| other[GREEN] < point[GREEN]));
        best = better(best, point, more.iter());
        best = better(best, point, less.iter().rev());
        best as u32 as usize
    }
}

/// The nearest to `point` of `others` and the `best` so far. Each of `others` is as far away in green as the one before it,
/// or further.
///
/// Both are the distance in the upper half of a number and the position in the lower: numbers are compared without a
/// branch that no processor would foresee.
#[inline]
fn better<'t>(mut best: u64, point: Point, others: impl Iterator<Item = &'t (Point, u32)>) -> u64 {
    for &(other, position) in others {
        let green = u64::from(point[GREEN].abs_diff(other[GREEN]));
        if u64::from(CHANNEL_WEIGHTS[GREEN]) * green * green > best >> 32 {
            break;
        }
        best = best.min(u64::from(distance(point, other)) << 32 | u64::from(position));
    }
    best
}

/// Pixels of similar colours.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cluster {
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

    /// The pixels below the mean of the channel, and the rest. Both have something where there is an error.
    fn cut(self) -> (Self, Self) {
        let Self { clusters, whole, channel, .. } = self;
        let is_low = |(mean, _): &(Point, u64)| u64::from(mean[channel]) * whole.count < whole.sums[channel];
        let (low, high) = clusters.into_iter().partition(is_low);
        (Self::new(low), Self::new(high))
    }
}

/// The means of the parts that `clusters` are cut into, until `is_enough` says so of their number and of the error that
/// is left: weighted squares, summed over all pixels. Each cluster is its mean and the number of its pixels.
pub(crate) fn split_clusters(
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_is_the_first_of_the_nearest() {
        let mut state = 1_u32;
        // Few values, so that many are equally near.
        let mut random = || {
            std::array::from_fn(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 28) as u8 * 17
            })
        };
        for count in [1, 2, 16, 250] {
            let points: Vec<Point> = (0..count).map(|_| random()).collect();
            let targets = Targets::new(&points);
            for _ in 0..500 {
                let point = random();
                let expected = (0..count).min_by_key(|&position| distance(point, points[position]));
                assert_eq!(Some(targets.nearest(point)), expected);
            }
        }
        assert_eq!(Targets::new(&[]).nearest([1, 2, 3, 4]), 0);
    }
}
