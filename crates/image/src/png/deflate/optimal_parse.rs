//! The cheapest tokens for known bytes under a given code, found as a shortest path.

use std::ops::Range;

use super::{Code, LONGEST_MATCH, SHORTEST_MATCH, Token};

/// Treatment of match symbols that have no codeword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unused {
    /// They cost somewhat more than most, so that the next code may have them.
    Allowed,
    /// They are never used.
    Forbidden,
}

impl Unused {
    /// Bits of a length and of a distance that have no codeword.
    fn costs(self) -> (u32, u32) {
        match self {
            Self::Allowed => (9, 4),
            Self::Forbidden => (1 << 20, 1 << 20),
        }
    }
}

/// Bits of a match that is too short or too long: more than any other path takes.
const IMPOSSIBLE: u32 = 1 << 28;
/// Bits of a literal that has no codeword: more than a line of pixels takes. No code could write it.
const UNUSED_LITERAL: u32 = 1 << 16;
/// Matches in rows that are longer than this are only tried in full.
const TRIED_LENGTH: usize = 8;

/// A match that may end at a stop.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    /// The stop at which it begins.
    from: u16,
    /// The possible distances, a bit for each of those of the parser.
    distances: u16,
}

/// The matches that strings of bytes allow.
///
/// Tokens begin and end at *stops*. All strings have the same; two strings that begin alike share what is known of the
/// stops up to where they differ.
#[derive(Debug, Default)]
pub(crate) struct MatchTable {
    /// Positions in a string, the first 0 and the last its end.
    stops: Vec<usize>,
    /// The first stop of each string that is not reached as in the string before, 1 or more.
    first_new: Vec<usize>,
    /// The number of candidates of each string, by stop from the first new one on.
    counts: Vec<usize>,
    /// The candidates of these stops in turn.
    candidates: Vec<Candidate>,
}

impl MatchTable {
    /// The matches of strings at `stops`, at distances of `distances`, at most 16. Of each of `strings`, the bytes before
    /// `start` are known, and may be copied.
    pub(crate) fn of_strings<'a>(
        strings: impl Iterator<Item = &'a [u8]>,
        start: usize,
        stops: Vec<usize>,
        distances: &[u16],
    ) -> Self {
        let mut table = Self { stops, ..Self::default() };
        // By stop, the place of the latest string's candidates.
        let mut latest = vec![0..0; table.stops.len()];
        let mut previous: &[u8] = &[];
        for string in strings {
            let same = string.iter().zip(previous).take_while(|(byte, other)| byte == other).count();
            let first = 1 + table.stops.iter().skip(1).take_while(|&stop| start + stop <= same).count();
            table.first_new.push(first);
            for to in first..table.stops.len() {
                let span = start + table.stops[to - 1]..start + table.stops[to];
                let repeating = (0..)
                    .zip(distances)
                    .filter(|&(_, &distance)| repeats(string, &span, distance.into()))
                    .fold(0, |set, (place, _)| set | 1 << place);
                let begin = table.candidates.len();
                if repeating != 0 {
                    table.candidates.push(Candidate { from: to as u16 - 1, distances: repeating });
                    // A match that ends at the stop before goes on where the span repeats too.
                    for index in latest[to - 1].clone() {
                        let Candidate { from, distances } = table.candidates[index];
                        if distances & repeating == 0 {
                            break;
                        }
                        table.candidates.push(Candidate { from, distances: distances & repeating });
                    }
                }
                latest[to] = begin..table.candidates.len();
                table.counts.push(latest[to].len());
            }
            previous = string;
        }
        table
    }

    /// Makes it the table of one string, a row of pixels, whose stops are all of its positions. The first distance is 1,
    /// the second that of the row `above`.
    pub(crate) fn set_row(&mut self, row: &[u8], above: Option<&[u8]>) {
        self.stops.clear();
        self.stops.extend(0..=row.len());
        self.first_new.clear();
        self.first_new.push(1);
        self.counts.clear();
        self.candidates.clear();
        // Bytes up to here that equal the one before each, and that equal those above.
        let (mut left_run, mut above_run) = (0, 0);
        for at in 0..row.len() {
            let repeats_left = at > 0 && row[at - 1] == row[at];
            let repeats_above = above.is_some_and(|above| above[at] == row[at]);
            left_run = (left_run + 1) * usize::from(repeats_left);
            above_run = (above_run + 1) * usize::from(repeats_above);
            let begin = self.candidates.len();
            for length in SHORTEST_MATCH..=TRIED_LENGTH.min(left_run.max(above_run)) {
                let distances = u16::from(length <= left_run) | u16::from(length <= above_run) << 1;
                self.candidates.push(Candidate { from: (at + 1 - length) as u16, distances });
            }
            for (run, distances) in [(left_run, 1), (above_run, 2)] {
                if run > TRIED_LENGTH {
                    let from = (at + 1 - run.min(LONGEST_MATCH)) as u16;
                    self.candidates.push(Candidate { from, distances });
                }
            }
            self.counts.push(self.candidates.len() - begin);
        }
    }
}

/// Returns true if a span of the string equals the bytes `distance` before it.
fn repeats(string: &[u8], span: &Range<usize>, distance: usize) -> bool {
    span.start >= distance
        // Most often the first byte tells.
        && string[span.start] == string[span.start - distance]
        && string[span.clone()] == string[span.start - distance..span.end - distance]
}

/// Finds tokens by the costs of one code.
pub(crate) struct OptimalParser {
    /// The bits of a literal, by byte.
    literals: Vec<u32>,
    /// The bits of a match's length, by length.
    lengths: Vec<u32>,
    /// The cheapest distance of a set of distances, with its cost, by set.
    distances: Vec<(u32, u16)>,
    /// The cheapest path to each stop.
    cheapest: Vec<Path>,
    /// The tokens of the latest string.
    tokens: Vec<Token>,
}

/// The cheapest path to a stop, and its last step, in one number, so that the lesser path is the better:
///
/// ```text
/// 63          32 31       16 15        0
/// | bits so far | from stop | distance |
/// ```
///
/// Of paths that cost the same, the one with the longer last step is taken. The distance of a step by literals is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Path(u64);

impl Path {
    fn new(bits: u32, from: usize, distance: u16) -> Self {
        Self(u64::from(bits) << 32 | (from as u64) << 16 | u64::from(distance))
    }

    fn bits(self) -> u32 {
        (self.0 >> 32) as u32
    }

    fn from(self) -> usize {
        usize::from((self.0 >> 16) as u16)
    }

    fn distance(self) -> u16 {
        self.0 as u16
    }
}

impl OptimalParser {
    /// A parser of strings of at most `longest` bytes, whose matches have one of `distances`.
    pub(crate) fn new(code: &Code, distances: &[u16], longest: usize, unused: Unused) -> Self {
        let (unused_length, unused_distance) = unused.costs();
        let lengths = (0..=longest).map(|length| match length {
            SHORTEST_MATCH..=LONGEST_MATCH => code.length_cost(length as u16, unused_length),
            _ => IMPOSSIBLE,
        });
        let mut sets = vec![(IMPOSSIBLE, 0)];
        for &distance in distances {
            let with = (code.distance_cost(distance, unused_distance), distance);
            let half = sets.len();
            sets.extend_from_within(..);
            for cheapest in &mut sets[half..] {
                *cheapest = with.min(*cheapest);
            }
        }
        let literals = (0..=255).map(|byte| code.literal_cost(byte, UNUSED_LITERAL)).collect();
        Self {
            literals,
            lengths: lengths.collect(),
            distances: sets,
            cheapest: Vec::new(),
            tokens: Vec::new(),
        }
    }

    /// Calls `each` with the number and the tokens of every string. `strings` are those of the table, from the first byte
    /// that is to be coded.
    pub(crate) fn parse<'a>(
        &mut self,
        table: &MatchTable,
        strings: impl Iterator<Item = &'a [u8]>,
        mut each: impl FnMut(usize, &[Token]),
    ) {
        self.cheapest.clear();
        self.cheapest.resize(table.stops.len(), Path::new(0, 0, 0));
        let (mut counts, mut candidates) = (table.counts.iter(), &table.candidates[..]);
        for (number, (data, &first)) in strings.zip(&table.first_new).enumerate() {
            for (to, &count) in (first..table.stops.len()).zip(&mut counts) {
                let (here, rest) = candidates.split_at(count);
                self.reach(to, data, &table.stops, here);
                candidates = rest;
            }
            self.read_back(data, &table.stops);
            each(number, &self.tokens);
        }
    }

    /// Finds the cheapest path to a stop, when those to the stops before are known.
    #[inline]
    fn reach(&mut self, to: usize, data: &[u8], stops: &[usize], candidates: &[Candidate]) {
        let end = stops[to];
        let spelled = &data[stops[to - 1]..end];
        let literals: u32 = spelled.iter().map(|&byte| self.literals[usize::from(byte)]).sum();
        let mut best = Path::new(self.cheapest[to - 1].bits() + literals, to - 1, 0);
        for candidate in candidates {
            let from = usize::from(candidate.from);
            let (cost, distance) = self.distances[usize::from(candidate.distances)];
            let bits = self.cheapest[from].bits() + cost + self.lengths[end - stops[from]];
            best = best.min(Path::new(bits, from, distance));
        }
        self.cheapest[to] = best;
    }

    /// Follows the cheapest path from the last stop back to the first.
    fn read_back(&mut self, data: &[u8], stops: &[usize]) {
        self.tokens.clear();
        let mut to = stops.len() - 1;
        while to > 0 {
            let path = self.cheapest[to];
            let span = stops[path.from()]..stops[to];
            if path.distance() == 0 {
                self.tokens.extend(data[span].iter().rev().map(|&byte| Token::Literal(byte)));
            } else {
                self.tokens.push(Token::Match { length: span.len() as u16, distance: path.distance() });
            }
            to = path.from();
        }
        self.tokens.reverse();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::png::deflate::Frequencies;

    #[test]
    fn a_literal_without_a_codeword_is_not_used() {
        let repeated = Token::Match { length: 3, distance: 1 };
        let mut frequencies = Frequencies::new(1);
        frequencies.add(&[Token::Literal(1), repeated], 1);
        let code = Code::new(&frequencies, 15);
        let string = [7; 4];
        for unused in [Unused::Allowed, Unused::Forbidden] {
            let mut parser = OptimalParser::new(&code, &[1], string.len(), unused);
            let table = MatchTable::of_strings([&string[..]].into_iter(), 1, vec![0, 1, 2, 3], &[1]);
            parser.parse(&table, [&string[1..]].into_iter(), |_, tokens| assert_eq!(tokens, [repeated]));
        }
    }
}
