//! Items with the same data as others.

use std::collections::HashMap;

use super::group::MOST_LISTED;

/// The number of hashes that occur more than once, and the places of the first [`MOST_LISTED`] of them; none where each occurs
/// once.
pub(super) fn duplicates(hashes: &[u64]) -> Option<(u64, Vec<u64>)> {
    // A hash has one bit in each of two sets, with 16 bits or more for every hash: most hashes that are alone are found to be so
    // without a look-up.
    let bits = (16 * hashes.len()).next_power_of_two();
    let position = |hash: u64| (hash >> 20) as usize & (bits - 1);
    let mut seen = vec![0_u64; bits.div_ceil(64)];
    // Keyed at random: nobody can choose data whose hashes all have the same place in it.
    let mut twice: HashMap<u64, u64> = HashMap::new();
    let mut suspected = vec![0_u64; bits.div_ceil(64)];
    for &hash in hashes {
        let (word, bit) = (position(hash) / 64, 1 << (position(hash) % 64));
        if seen[word] & bit != 0 {
            suspected[word] |= bit;
            twice.insert(hash, 0);
        }
        seen[word] |= bit;
    }
    let is_suspected = |hash: u64| suspected[position(hash) / 64] >> (position(hash) % 64) & 1 == 1;
    for hash in hashes.iter().filter(|&&hash| is_suspected(hash)) {
        if let Some(count) = twice.get_mut(hash) {
            *count += 1;
        }
    }
    let is_double = |hash: &u64| is_suspected(*hash) && twice.get(hash).is_some_and(|&count| count > 1);
    let places = hashes.iter().enumerate().filter(|(_, hash)| is_double(hash));
    let listed: Vec<u64> = places.map(|(place, _)| place as u64).take(MOST_LISTED).collect();
    (!listed.is_empty()).then(|| (twice.values().filter(|&&count| count > 1).sum(), listed))
}

#[cfg(test)]
mod tests {
    use std::hash::BuildHasher;

    use super::*;

    #[test]
    fn duplicates_are_counted_as_a_naive_twin_counts_them() {
        let mut state = 1_u64;
        for count in [0, 1, 2, 3, 10, 100, 5000] {
            for kinds in [1, 2, 7, 400, u64::MAX] {
                let hashes: Vec<u64> = (0..count)
                    .map(|_| {
                        state = state
                            .wrapping_mul(6_364_136_223_846_793_005)
                            .wrapping_add(1_442_695_040_888_963_407);
                        ((state >> 20) % kinds) << 25
                    })
                    .collect();
                let mut naive: HashMap<u64, u64> = HashMap::new();
                for &hash in &hashes {
                    *naive.entry(hash).or_default() += 1;
                }
                let places = (0..).zip(&hashes).filter(|(_, hash)| naive[hash] > 1);
                let listed: Vec<u64> = places.map(|(place, _)| place).take(MOST_LISTED).collect();
                let items = naive.values().filter(|&&count| count > 1).sum();
                let expected = (items > 0).then_some((items, listed));
                assert_eq!(duplicates(&hashes), expected, "{count} of {kinds}");
            }
        }
    }

    /// Hashes of data that somebody chose: in a table without a key all of them would have the same place, and each would be
    /// compared with all others, which takes minutes.
    #[test]
    fn chosen_hashes_are_counted_as_fast_as_others() {
        const KINDS: u64 = 300_000;
        // The inverse of the multiplier of `FxHasher`, by Newton's rule.
        let multiplier = 0xf135_7aea_2e62_a9c5_u64;
        let inverse = (0..5).fold(multiplier, |inverse, _| {
            inverse.wrapping_mul(2_u64.wrapping_sub(multiplier.wrapping_mul(inverse)))
        });
        let chosen = |kind: u64| (kind << 20).rotate_right(26).wrapping_mul(inverse);
        assert_eq!(rustc_hash::FxBuildHasher.hash_one(chosen(7)), 7 << 20);
        let hashes: Vec<u64> = (0..2 * KINDS).map(|place| chosen(place % KINDS)).collect();
        assert_eq!(duplicates(&hashes), Some((2 * KINDS, (0..100).collect())));
    }
}
