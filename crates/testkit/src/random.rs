//! Pseudo-random numbers that are the same on every run and machine.

/// The generator `SplitMix64`. The field is its seed, then its state.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to `end - 1`; `end` is at least 1.
    pub fn below(&mut self, end: u64) -> u64 {
        self.bits() % end
    }

    /// One of the elements of a slice, which has at least one.
    pub fn pick<T: Copy>(&mut self, elements: &[T]) -> T {
        elements[self.below(elements.len() as u64) as usize]
    }

    /// `count` of the elements, with repetition.
    pub fn picks<T: Copy>(&mut self, elements: &[T], count: usize) -> Vec<T> {
        (0..count).map(|_| self.pick(elements)).collect()
    }
}
