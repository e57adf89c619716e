//! The characters of numeric and of alphanumeric mode, 64 at a time, and the runs of them.

/// Characters of a step: a bit each.
pub(crate) const CLASSIFIED: usize = 64;

/// The classes of [`CLASSIFIED`] characters; the first one is the lowest bit.
///
/// ```text
/// characters   O R D E R / 0 4 2
/// digits       . . . . . . 1 1 1
/// characters   1 1 1 1 1 1 1 1 1    of alphanumeric mode
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Classes {
    pub(crate) digits: u64,
    /// The characters of alphanumeric mode, digits among them.
    pub(crate) characters: u64,
}

impl Classes {
    /// The classes of the characters from `start` on. Places past the end of the data are in no class.
    #[inline(always)]
    pub(crate) fn of(data: &[u8], start: usize) -> Self {
        let [digits, characters] = flags(data, start);
        Self { digits: pack(&digits), characters: pack(&characters) }
    }
}

/// The numbers of digits and of characters of alphanumeric mode.
#[inline(always)]
pub(crate) fn count(data: &[u8]) -> [usize; 2] {
    let mut counts = [0; 2];
    for start in (0..data.len()).step_by(CLASSIFIED) {
        for (count, flags) in counts.iter_mut().zip(flags(data, start)) {
            *count += usize::from(flags.iter().sum::<u8>());
        }
    }
    counts
}

/// For each of the characters from `start` on, 1 where it is a digit, and 1 where it is a character of alphanumeric mode.
#[inline(always)]
fn flags(data: &[u8], start: usize) -> [[u8; CLASSIFIED]; 2] {
    let rest = &data[start..];
    if let Some(whole) = rest.first_chunk() {
        return flags_of_whole(whole);
    }
    let mut padded = [0; CLASSIFIED];
    padded[..rest.len()].copy_from_slice(rest);
    flags_of_whole(&padded)
}

#[inline(always)]
fn flags_of_whole(data: &[u8; CLASSIFIED]) -> [[u8; CLASSIFIED]; 2] {
    let (mut digits, mut characters) = ([0; CLASSIFIED], [0; CLASSIFIED]);
    // Comparisons of bytes in a plain loop become vector code; tables and branches do not.
    for ((&byte, digit), character) in data.iter().zip(&mut digits).zip(&mut characters) {
        *digit = among(byte, b'0', b'9');
        *character = among(byte, b'A', b'Z')
            | among(byte, b'-', b':')
            | among(byte, b'*', b'+')
            | among(byte, b'$', b'%')
            | among(byte, b' ', b' ');
    }
    [digits, characters]
}

/// 1 for a byte from `first` to `last`, else 0.
#[inline(always)]
fn among(byte: u8, first: u8, last: u8) -> u8 {
    u8::from(byte.wrapping_sub(first) <= last - first)
}

/// One bit for each byte, which is 0 or 1; the first is the lowest.
#[inline(always)]
fn pack(flags: &[u8; CLASSIFIED]) -> u64 {
    // Moves bit 8i to bit 56 + i for every i, and nothing else to the topmost byte.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let (words, _) = flags.as_chunks();
    let mut packed = 0;
    for (index, word) in words.iter().enumerate() {
        packed |= u64::from_le_bytes(*word).wrapping_mul(GATHER) >> 56 << (8 * index);
    }
    packed
}

/// The runs of one class that are worth a segment of their own.
#[derive(Default)]
pub(crate) struct Runs {
    members: u64,
    previous: u64,
    /// The length of the run that the characters before `members` end with.
    open: usize,
}

impl Runs {
    /// Goes on to the next [`CLASSIFIED`] characters, which are members of the class or not.
    #[inline(always)]
    pub(crate) fn advance(&mut self, members: u64) {
        self.open = self.length_before(u64::BITS);
        self.previous = self.members;
        self.members = members;
    }

    /// The characters that follow runs of six or more, and runs of four or more that end at one of `edges`. Shorter runs
    /// save less than a segment's header, and between bytes less than two headers: a digit 4 bits and two thirds over a
    /// byte, another character 2 and a half.
    #[inline(always)]
    pub(crate) fn long_ends(&self, edges: u64) -> u64 {
        let before = |distance: u32| self.members << distance | self.previous >> (u64::BITS - distance);
        let fours = !self.members & before(1) & before(2) & before(3) & before(4);
        fours & (before(5) & before(6) | edges)
    }

    /// The length of the run before that character, 0 to 64.
    #[inline(always)]
    pub(crate) fn length_before(&self, character: u32) -> usize {
        let above = u64::BITS - character;
        let run = self.members.checked_shl(above).unwrap_or(0).leading_ones();
        if run == character { run as usize + self.open } else { run as usize }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segment::Mode;

    #[test]
    fn every_byte_is_classified_as_its_modes_say() {
        let bytes: Vec<u8> = (0..=u8::MAX).collect();
        for start in (0..256).step_by(CLASSIFIED) {
            let classes = Classes::of(&bytes, start);
            for (bit, &byte) in bytes[start..][..CLASSIFIED].iter().enumerate() {
                assert_eq!(classes.digits >> bit & 1 == 1, Mode::Numeric.holds(byte), "{byte}");
                assert_eq!(classes.characters >> bit & 1 == 1, Mode::Alphanumeric.holds(byte), "{byte}");
            }
        }
    }

    #[test]
    fn what_lies_past_the_end_is_in_no_class() {
        assert_eq!(Classes::of(b"12A", 0), Classes { digits: 0b011, characters: 0b111 });
        assert_eq!(Classes::of(b"", 0), Classes { digits: 0, characters: 0 });
    }

    #[test]
    fn runs_are_found_across_words() {
        for (first, length) in [(0, 4), (60, 4), (62, 5), (61, 6), (10, 200), (64, 64), (0, 3), (63, 3)] {
            for edges in [0, u64::MAX] {
                let mut runs = Runs::default();
                let mut found = Vec::new();
                for word in 0..5 {
                    let member = |bit: usize| (first..first + length).contains(&(64 * word + bit));
                    runs.advance((0..64).map(|bit| u64::from(member(bit)) << bit).sum());
                    let ends = (0..64).filter(|bit| runs.long_ends(edges) >> bit & 1 == 1);
                    found.extend(ends.map(|bit| (64 * word + bit as usize, runs.length_before(bit))));
                }
                let shortest = if edges == 0 { 6 } else { 4 };
                let expected = if length >= shortest { vec![(first + length, length)] } else { Vec::new() };
                assert_eq!(found, expected);
            }
        }
    }
}
