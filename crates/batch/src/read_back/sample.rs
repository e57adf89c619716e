//! Items that are spread evenly over a job.

/// So many items of a job, spread evenly over it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Items of the sample; all of the job where there are as many.
    pub items: u64,
    /// Items of the job.
    pub total: u64,
}

impl Sample {
    /// Tells whether the sample has that item.
    pub fn includes(self, item: u64) -> bool {
        let before = |item: u64| u128::from(item) * u128::from(self.items) / u128::from(self.total.max(1));
        before(item + 1) > before(item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_items_are_spread_evenly_over_the_job() {
        for total in [1, 2, 7, 999, 1000, 1001, 34_006] {
            for items in [1, 2, 7, 999, 1000].map(|items: u64| items.min(total)) {
                let sample = Sample { items, total };
                let included: Vec<u64> = (0..total).filter(|&item| sample.includes(item)).collect();
                assert_eq!(included.len() as u64, items, "{items} of {total}");
                let gaps = included.windows(2).map(|pair| pair[1] - pair[0]);
                assert!(gaps.into_iter().all(|gap| gap.abs_diff(total / items) <= 1), "{items} of {total}");
            }
        }
    }

    #[test]
    fn a_sample_of_a_sample_of_all_is_in_it() {
        let (all, some) = (Sample { items: 5000, total: 5000 }, Sample { items: 1000, total: 5000 });
        assert!((0..5000).all(|item| all.includes(item) || !some.includes(item)));
    }
}
