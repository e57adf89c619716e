//! The cheapest tokens for a group's bytes under a given code.

use super::deflate::{Code, SHORTEST_MATCH, Token};
use super::lines::Lines;

/// What a parser does with match symbols that have no codeword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unused {
    /// It takes them to be somewhat long, so that the next code may have them.
    Allowed,
    /// It doesn't use them.
    Forbidden,
}

/// Finds tokens by the costs of one code.
pub(super) struct Parser {
    literals: Vec<u32>,
    /// By length; no group is longer than the longest match.
    lengths: Vec<u32>,
    /// With their costs, the cheapest first.
    distances: Vec<(u32, usize)>,
    /// By candidate distance and position: how many bytes from there equal those at the distance.
    equal: Vec<u8>,
    /// By position: the bits before it, and the token that ends there.
    cheapest: Vec<(u32, Token)>,
}

impl Parser {
    pub(super) fn new(code: &Code, lines: &Lines, unused: Unused) -> Self {
        let (unused_length, unused_distance) = match unused {
            Unused::Allowed => (9, 4),
            Unused::Forbidden => (1 << 20, 1 << 20),
        };
        let scale = lines.pixels_per_module;
        let lengths =
            (0..=scale).map(|length| code.length_cost(length.max(SHORTEST_MATCH) as u16, unused_length));
        // A module's inside repeats from byte to byte, modules at distances of whole modules in whole bytes.
        let period = scale >> scale.trailing_zeros().min(3);
        let distances = (1..=scale).filter(|distance| *distance == 1 || distance % period == 0);
        let cost = |distance: usize| code.distance_cost(distance as u16, unused_distance);
        let mut distances: Vec<_> = distances.map(|distance| (cost(distance), distance)).collect();
        distances.sort_unstable();
        let literals = (0..=255).map(|byte| code.literal_cost(byte)).collect();
        Self { literals, lengths: lengths.collect(), distances, equal: Vec::new(), cheapest: Vec::new() }
    }

    /// Fills `equal` for `bytes[start..]`.
    fn find_equal(&mut self, bytes: &[u8], start: usize) {
        let count = bytes.len() - start;
        self.equal.clear();
        self.equal.resize(self.distances.len() * count, 0);
        for (equal, &(_, distance)) in self.equal.chunks_exact_mut(count).zip(&self.distances) {
            let mut run = 0;
            for index in (distance.saturating_sub(start)..count).rev() {
                let at = start + index;
                run = if bytes[at] == bytes[at - distance] { run + 1 } else { 0 };
                equal[index] = run;
            }
        }
    }

    /// The tokens for `bytes[start..]`; matches may reach back before `start`.
    pub(super) fn parse(&mut self, bytes: &[u8], start: usize) -> Vec<Token> {
        let count = bytes.len() - start;
        self.find_equal(bytes, start);
        self.cheapest.clear();
        self.cheapest.resize(count + 1, (u32::MAX, Token::Literal(0)));
        self.cheapest[0].0 = 0;
        for index in 0..count {
            let at = start + index;
            let so_far = self.cheapest[index].0;
            let literal = self.literals[usize::from(bytes[at])];
            offer(&mut self.cheapest[index + 1], so_far + literal, Token::Literal(bytes[at]));
            let mut longest = SHORTEST_MATCH - 1;
            for (candidate, &(cost, distance)) in self.distances.iter().enumerate() {
                let equal = usize::from(self.equal[candidate * count + index]);
                for length in longest + 1..=equal {
                    let token = Token::Match { length: length as u16, distance: distance as u16 };
                    offer(&mut self.cheapest[index + length], so_far + cost + self.lengths[length], token);
                }
                longest = longest.max(equal);
            }
        }
        let mut tokens = Vec::new();
        let mut end = count;
        while end > 0 {
            let token = self.cheapest[end].1;
            tokens.push(token);
            end -= match token {
                Token::Literal(_) => 1,
                Token::Match { length, .. } => usize::from(length),
            };
        }
        tokens.reverse();
        tokens
    }
}

fn offer(cheapest: &mut (u32, Token), cost: u32, token: Token) {
    if cost < cheapest.0 {
        *cheapest = (cost, token);
    }
}
