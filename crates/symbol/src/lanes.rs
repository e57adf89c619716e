//! Words of eight variants of a symbol, one for each mask, side by side.
//!
//! The loops over lanes are plain: the compiler makes vector instructions of them, as wide as the CPU level it compiles for.

/// A word of each variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Lanes(pub(crate) [u64; 8]);

/// A row of each variant: bit `x + 1` is column `x`, so that there is a light module on either side.
pub(crate) type Line<const W: usize> = [Lanes; W];

impl Lanes {
    pub(crate) const ZERO: Self = Self([0; 8]);
}

/// Applies an expression to the words of lines: `lanes!(|a, b| a & !b)`.
macro_rules! lanes {
    (|$($line:ident),+| $expression:expr) => {{
        let mut result = [$crate::lanes::Lanes::ZERO; W];
        let mut word = 0;
        while word < W {
            let mut lane = 0;
            while lane < 8 {
                $(let $line = $line[word].0[lane];)+
                result[word].0[lane] = $expression;
                lane += 1;
            }
            word += 1;
        }
        result
    }};
}
pub(crate) use lanes;

/// Every module takes the place of the one `N` columns to its left; light modules come in. `N` is 1 to 63.
#[inline(always)]
pub(crate) fn from_right<const W: usize, const N: u32>(line: &Line<W>) -> Line<W> {
    let mut result = [Lanes::ZERO; W];
    for word in 0..W {
        for lane in 0..8 {
            result[word].0[lane] = line[word].0[lane] >> N;
            if word + 1 < W {
                result[word].0[lane] |= line[word + 1].0[lane] << (64 - N);
            }
        }
    }
    result
}

/// Every module takes the place of the one `N` columns to its right; light modules come in. `N` is 1 to 63.
#[inline(always)]
pub(crate) fn from_left<const W: usize, const N: u32>(line: &Line<W>) -> Line<W> {
    let mut result = [Lanes::ZERO; W];
    for word in 0..W {
        for lane in 0..8 {
            result[word].0[lane] = line[word].0[lane] << N;
            if word > 0 {
                result[word].0[lane] |= line[word - 1].0[lane] >> (64 - N);
            }
        }
    }
    result
}

/// Adds each variant's number of set bits.
#[inline(always)]
pub(crate) fn add_count<const W: usize>(counts: &mut Lanes, line: &Line<W>) {
    for words in line {
        for lane in 0..8 {
            counts.0[lane] += u64::from(words.0[lane].count_ones());
        }
    }
}
