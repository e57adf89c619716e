//! Tokens of a deflate stream and the dynamic block that codes them (RFC 1951, clause 3.2).

pub(crate) mod adler32;
pub(crate) mod bit_writer;
pub(crate) mod huffman;
pub(crate) mod optimal_parse;

use bit_writer::{BitString, Bits};
use huffman::{code_lengths, codewords};

/// A byte, or a copy of earlier bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Literal(u8),
    /// A copy of `length` bytes, 3 to 258, that begin `distance` bytes earlier, 1 to 32,768.
    Match {
        length: u16,
        distance: u16,
    },
}

/// The longest match.
pub(crate) const LONGEST_MATCH: usize = 258;
/// The shortest match.
pub(crate) const SHORTEST_MATCH: usize = 3;

/// The lengths of matches that make up as many of `count` bytes as they can: all, where there are enough for a match.
pub(crate) fn match_lengths(count: usize) -> impl Iterator<Item = usize> {
    let mut left = count;
    std::iter::from_fn(move || {
        // The bytes that a match leaves must be enough for another.
        let most = if left > LONGEST_MATCH { left - SHORTEST_MATCH } else { left };
        let length = most.min(LONGEST_MATCH);
        (left >= SHORTEST_MATCH).then(|| {
            left -= length;
            length
        })
    })
}

/// Most bits of a codeword.
pub(crate) const LONGEST_CODEWORD: u8 = 15;

const END_OF_BLOCK: usize = 256;
const LITERAL_SYMBOLS: usize = 286;
const DISTANCE_SYMBOLS: usize = 30;

/// A symbol and the number and value of the extra bits that follow it.
struct Coded {
    symbol: usize,
    extra: Bits,
}

/// Both kinds of match symbols come in runs of `2^run_bits` with equally many extra bits, one more from run to run.
fn coded(value: u32, run_bits: u32) -> Coded {
    let extra_bits = (value >> run_bits).checked_ilog2().unwrap_or(0);
    let symbol = (value >> extra_bits) + (extra_bits << run_bits);
    Coded {
        symbol: symbol as usize,
        extra: Bits { value: u64::from(value & ((1 << extra_bits) - 1)), length: extra_bits },
    }
}

fn coded_length(length: u16) -> Coded {
    if usize::from(length) == LONGEST_MATCH {
        return Coded { symbol: 285, extra: Bits::default() };
    }
    let coded = coded(u32::from(length) - 3, 2);
    Coded { symbol: 257 + coded.symbol, ..coded }
}

fn coded_distance(distance: u16) -> Coded {
    coded(u32::from(distance) - 1, 1)
}

/// The number of times that each symbol occurs in the tokens that a code is made for.
#[derive(Clone, Debug)]
pub(crate) struct Frequencies {
    literals: [u64; LITERAL_SYMBOLS],
    distances: [u64; DISTANCE_SYMBOLS],
}

impl Frequencies {
    /// No token yet, and one end of block that counts as `once`.
    pub(crate) fn new(once: u64) -> Self {
        let mut literals = [0; LITERAL_SYMBOLS];
        literals[END_OF_BLOCK] = once;
        Self { literals, distances: [0; DISTANCE_SYMBOLS] }
    }

    /// Counts `bytes` as literals, `times` each.
    pub(crate) fn add_literals(&mut self, bytes: &[u8], times: u64) {
        // Runs are long: one addition each instead of many that wait for one another.
        for run in bytes.chunk_by(|one, other| one == other) {
            self.literals[usize::from(run[0])] += times * run.len() as u64;
        }
    }

    /// Counts `tokens`, `times` each.
    pub(crate) fn add(&mut self, tokens: &[Token], times: u64) {
        for &token in tokens {
            match token {
                Token::Literal(byte) => self.literals[usize::from(byte)] += times,
                Token::Match { length, distance } => {
                    self.literals[coded_length(length).symbol] += times;
                    self.distances[coded_distance(distance).symbol] += times;
                }
            }
        }
    }
}

/// The two prefix codes of a dynamic block.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    literals: Vec<Bits>,
    distances: Vec<Bits>,
}

impl Code {
    /// The code that suits these frequencies, with literals and lengths of at most `longest` bits, 9 to 15.
    pub(crate) fn new(frequencies: &Frequencies, longest: u8) -> Self {
        Self {
            literals: codewords(&code_lengths(&frequencies.literals, longest)),
            distances: codewords(&code_lengths(&frequencies.distances, LONGEST_CODEWORD)),
        }
    }

    /// The codeword of a literal; empty if it has none.
    pub(crate) fn literal(&self, byte: u8) -> Bits {
        self.literals[usize::from(byte)]
    }

    /// Bits that the literal takes, or `unused` if it has no codeword.
    pub(crate) fn literal_cost(&self, byte: u8, unused: u32) -> u32 {
        let codeword = self.literals[usize::from(byte)].length;
        if codeword == 0 { unused } else { codeword }
    }

    /// Bits that a match's length takes, or `unused` if its symbol has no codeword.
    pub(crate) fn length_cost(&self, length: u16, unused: u32) -> u32 {
        let coded = coded_length(length);
        let codeword = self.literals[coded.symbol].length;
        coded.extra.length + if codeword == 0 { unused } else { codeword }
    }

    /// Bits that a match's distance takes, or `unused` if its symbol has no codeword.
    pub(crate) fn distance_cost(&self, distance: u16, unused: u32) -> u32 {
        let coded = coded_distance(distance);
        let codeword = self.distances[coded.symbol].length;
        coded.extra.length + if codeword == 0 { unused } else { codeword }
    }

    /// Appends the coded `tokens`. Every symbol must have been counted when the code was made.
    pub(crate) fn encode(&self, tokens: &[Token], out: &mut BitString) {
        let mut push = |bits: Bits| out.push(bits.value, bits.length);
        for &token in tokens {
            match token {
                Token::Literal(byte) => push(self.literals[usize::from(byte)]),
                Token::Match { length, distance } => {
                    let (length, distance) = (coded_length(length), coded_distance(distance));
                    push(self.literals[length.symbol]);
                    push(length.extra);
                    push(self.distances[distance.symbol]);
                    push(distance.extra);
                }
            }
        }
    }

    /// The coded `tokens` alone.
    pub(crate) fn encoded(&self, tokens: &[Token]) -> BitString {
        let mut out = BitString::default();
        self.encode(tokens, &mut out);
        out
    }

    /// Appends the end of the block.
    pub(crate) fn encode_end(&self, out: &mut BitString) {
        let end = self.literals[END_OF_BLOCK];
        out.push(end.value, end.length);
    }

    /// The header of a block in this code, the last of its stream or not (clause 3.2.7).
    pub(crate) fn header(&self, is_last: bool) -> BitString {
        /// The order in which the lengths of the code lengths' own code are written.
        const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
        let used = |codewords: &[Bits], at_least: usize| {
            codewords
                .iter()
                .rposition(|codeword| codeword.length > 0)
                .map_or(at_least, |last| at_least.max(last + 1))
        };
        let literals = &self.literals[..used(&self.literals, 257)];
        let distances = &self.distances[..used(&self.distances, 1)];
        let lengths: Vec<u8> =
            literals.iter().chain(distances).map(|codeword| codeword.length as u8).collect();
        let runs = length_runs(&lengths);

        let mut frequencies = [0; 19];
        for run in &runs {
            frequencies[run.symbol] += 1;
        }
        let code = codewords(&code_lengths(&frequencies, 7));
        let written =
            ORDER.iter().rposition(|&symbol| code[symbol].length > 0).map_or(4, |last| 4.max(last + 1));

        let mut out = BitString::default();
        out.push(0b100 | u64::from(is_last), 3);
        out.push(literals.len() as u64 - 257, 5);
        out.push(distances.len() as u64 - 1, 5);
        out.push(written as u64 - 4, 4);
        for &symbol in &ORDER[..written] {
            out.push(code[symbol].length.into(), 3);
        }
        for run in runs {
            out.push(code[run.symbol].value, code[run.symbol].length);
            out.push(run.extra.value, run.extra.length);
        }
        out
    }
}

/// Code lengths as symbols 0 to 15, 16 (repeat the last 3 to 6 times), 17 and 18 (3 to 10 and 11 to 138 zeros).
fn length_runs(lengths: &[u8]) -> Vec<Coded> {
    let mut runs = Vec::new();
    for equal in lengths.chunk_by(|a, b| a == b) {
        let single = usize::from(equal[0]);
        let mut left = equal.len();
        if single != 0 {
            runs.push(Coded { symbol: single, extra: Bits::default() });
            left -= 1;
        }
        while left > 0 {
            let (symbol, least, most, extra_bits) = match (single, left) {
                (_, ..3) => (single, 1, 1, 0),
                (0, ..11) => (17, 3, 10, 3),
                (0, _) => (18, 11, 138, 7),
                _ => (16, 3, 6, 2),
            };
            let count = left.min(most);
            runs.push(Coded { symbol, extra: Bits { value: (count - least) as u64, length: extra_bits } });
            left -= count;
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_and_distances_have_the_standards_symbols() {
        let length = |length| {
            let coded = coded_length(length);
            (coded.symbol, coded.extra.value, coded.extra.length)
        };
        let distance = |distance| {
            let coded = coded_distance(distance);
            (coded.symbol, coded.extra.value, coded.extra.length)
        };
        assert_eq!(
            [length(3), length(10), length(11), length(12)],
            [(257, 0, 0), (264, 0, 0), (265, 0, 1), (265, 1, 1)]
        );
        assert_eq!([length(115), length(257), length(258)], [(280, 0, 4), (284, 30, 5), (285, 0, 0)]);
        assert_eq!(
            [distance(1), distance(4), distance(5), distance(8)],
            [(0, 0, 0), (3, 0, 0), (4, 0, 1), (5, 1, 1)]
        );
        assert_eq!(
            [distance(53), distance(24_577), distance(32_768)],
            [(11, 4, 4), (29, 0, 13), (29, 8191, 13)]
        );
    }
}
