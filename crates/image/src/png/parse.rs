//! The cheapest tokens for a group's bytes under a given code.

use super::deflate::{Code, LONGEST_MATCH, SHORTEST_MATCH, Token};
use super::groups::{Group, Slotted};
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
    /// With their costs and places among those of the lines, the cheapest first.
    distances: Vec<(u32, u16, usize)>,
    /// By stop: the bits before it, and the last step to it.
    cheapest: Vec<(u32, Step)>,
    /// Of the latest group.
    tokens: Vec<Token>,
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
        let mut distances: Vec<_> = (0..)
            .zip(lines.distances())
            .map(|(place, distance)| (code.distance_cost(distance, unused_distance), distance, place))
            .collect();
        distances.sort_unstable();
        let literals = (0..=255).map(|byte| code.literal_cost(byte)).collect();
        Self { literals, lengths: lengths.collect(), distances, cheapest: Vec::new(), tokens: Vec::new() }
    }

    /// Calls `each` with every group of a slot and its tokens.
    pub(super) fn for_each_group(&mut self, slot: &Slotted, mut each: impl FnMut(&Group, &[Token])) {
        self.cheapest.clear();
        self.cheapest.resize(slot.stops.len(), (0, Step::Literals));
        let mut equal = slot.equal.chunks_exact(self.distances.len());
        for (group, &first) in slot.groups.iter().zip(&slot.first_new) {
            let data = &group.bytes[group.start..];
            for (to, equal) in (first..slot.stops.len()).zip(&mut equal) {
                self.reach(to, data, &slot.stops, equal);
            }
            self.read_back(data, &slot.stops);
            each(group, &self.tokens);
        }
    }

    /// Finds the cheapest way to a stop, when those to the stops before are known. `equal`: by distance, how many bytes
    /// before it equal those at the distance.
    #[inline]
    fn reach(&mut self, to: usize, data: &[u8], stops: &[usize], equal: &[u16]) {
        let spelled = &data[stops[to - 1]..stops[to]];
        let literals: u32 = spelled.iter().map(|&byte| self.literals[usize::from(byte)]).sum();
        let mut best = (self.cheapest[to - 1].0 + literals, Step::Literals);
        // Where distances serve the same length, the cheapest comes first.
        let mut served = SHORTEST_MATCH - 1;
        let mut from = to;
        for &(cost, distance, place) in &self.distances {
            let longest = usize::from(equal[place]).min(LONGEST_MATCH);
            while from > 0 {
                let length = stops[to] - stops[from - 1];
                if length > longest {
                    break;
                }
                from -= 1;
                if length > served {
                    let bits = self.cheapest[from].0 + cost + self.lengths[length];
                    // A tie goes to the longer token.
                    if bits < best.0 || bits == best.0 && from + 1 < to {
                        best = (bits, Step::Match { from, distance });
                    }
                    served = length;
                }
            }
        }
        self.cheapest[to] = best;
    }

    /// Follows the cheapest way from the last stop back to the first.
    fn read_back(&mut self, data: &[u8], stops: &[usize]) {
        self.tokens.clear();
        let mut to = stops.len() - 1;
        while to > 0 {
            match self.cheapest[to].1 {
                Step::Literals => {
                    let spelled = &data[stops[to - 1]..stops[to]];
                    self.tokens.extend(spelled.iter().rev().map(|&byte| Token::Literal(byte)));
                    to -= 1;
                }
                Step::Match { from, distance } => {
                    self.tokens.push(Token::Match { length: (stops[to] - stops[from]) as u16, distance });
                    to = from;
                }
            }
        }
        self.tokens.reverse();
    }
}
