//! The cheapest tokens for a group's bytes under a given code.

use super::deflate::{Code, LONGEST_MATCH, SHORTEST_MATCH, Token};
use super::lines::Lines;

/// What a parser does with match symbols that have no codeword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unused {
    /// It takes them to be somewhat long, so that the next code may have them.
    Allowed,
    /// It doesn't use them.
    Forbidden,
}

impl Unused {
    /// Bits of a length and of a distance that have no codeword.
    pub(super) fn costs(self) -> (u32, u32) {
        match self {
            Self::Allowed => (9, 4),
            Self::Forbidden => (1 << 20, 1 << 20),
        }
    }
}

/// Finds tokens by the costs of one code.
pub(super) struct Parser {
    literals: Vec<u32>,
    /// By length, as far as the longest match.
    lengths: Vec<u32>,
    /// With their costs, the cheapest first.
    distances: Vec<(u32, usize)>,
    /// By candidate distance and stop: how many bytes from there equal those at the distance.
    equal: Vec<usize>,
    /// By stop: the bits before it, and the token that ends there.
    cheapest: Vec<(u32, Step)>,
}

/// How a stop is reached from an earlier one.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// By the bytes since the stop before, each as a literal.
    Literals,
    /// By a match from stop `from`.
    Match { from: usize, distance: u16 },
}

impl Parser {
    pub(super) fn new(code: &Code, lines: &Lines, unused: Unused) -> Self {
        let (unused_length, unused_distance) = unused.costs();
        let group = lines.group_bytes;
        let lengths = (0..=(2 * group).min(LONGEST_MATCH))
            .map(|length| code.length_cost(length.max(SHORTEST_MATCH) as u16, unused_length));
        // A module's inside repeats from byte to byte, modules at distances of whole modules in whole bytes.
        let period = group >> group.trailing_zeros().min(3);
        let distances = (1..=group).filter(|distance| *distance == 1 || distance % period == 0);
        let cost = |distance: usize| code.distance_cost(distance as u16, unused_distance);
        let mut distances: Vec<_> = distances.map(|distance| (cost(distance), distance)).collect();
        distances.sort_unstable();
        let literals = (0..=255).map(|byte| code.literal_cost(byte)).collect();
        Self { literals, lengths: lengths.collect(), distances, equal: Vec::new(), cheapest: Vec::new() }
    }

    /// Fills `equal` for `bytes[start..]`.
    fn find_equal(&mut self, bytes: &[u8], start: usize, stops: &[usize]) {
        let count = stops.len();
        self.equal.clear();
        self.equal.resize(self.distances.len() * count, 0);
        for (equal, &(_, distance)) in self.equal.chunks_exact_mut(count).zip(&self.distances) {
            for stop in (0..count - 1).rev() {
                let (from, to) = (start + stops[stop], start + stops[stop + 1]);
                if from < distance {
                    break;
                }
                if bytes[from] == bytes[from - distance]
                    && bytes[from..to] == bytes[from - distance..to - distance]
                {
                    equal[stop] = to - from + equal[stop + 1];
                }
            }
        }
    }

    /// The tokens for `bytes[start..]`, each from a stop to a stop; stops are counted from `start`, and the first and the
    /// last are the ends. Matches may reach back before `start`.
    pub(super) fn parse(&mut self, bytes: &[u8], start: usize, stops: &[usize]) -> Vec<Token> {
        let count = stops.len();
        self.find_equal(bytes, start, stops);
        self.cheapest.clear();
        self.cheapest.resize(count, (u32::MAX, Step::Literals));
        self.cheapest[0].0 = 0;
        for from in 0..count - 1 {
            let so_far = self.cheapest[from].0;
            let spelled = &bytes[start + stops[from]..start + stops[from + 1]];
            let literals: u32 = spelled.iter().map(|&byte| self.literals[usize::from(byte)]).sum();
            offer(&mut self.cheapest[from + 1], so_far + literals, Step::Literals);
            let mut longest = SHORTEST_MATCH - 1;
            for (candidate, &(cost, distance)) in self.distances.iter().enumerate() {
                let equal = self.equal[candidate * count + from].min(LONGEST_MATCH);
                let step = Step::Match { from, distance: distance as u16 };
                for to in from + 1..count {
                    let length = stops[to] - stops[from];
                    if length > equal {
                        break;
                    }
                    if length > longest {
                        offer(&mut self.cheapest[to], so_far + cost + self.lengths[length], step);
                    }
                }
                longest = longest.max(equal);
            }
        }
        let mut tokens = Vec::new();
        let mut end = count - 1;
        while end > 0 {
            match self.cheapest[end].1 {
                Step::Literals => {
                    let spelled = &bytes[start + stops[end - 1]..start + stops[end]];
                    tokens.extend(spelled.iter().rev().map(|&byte| Token::Literal(byte)));
                    end -= 1;
                }
                Step::Match { from, distance } => {
                    tokens.push(Token::Match { length: (stops[end] - stops[from]) as u16, distance });
                    end = from;
                }
            }
        }
        tokens.reverse();
        tokens
    }
}

fn offer(cheapest: &mut (u32, Step), cost: u32, step: Step) {
    if cost < cheapest.0 {
        *cheapest = (cost, step);
    }
}
