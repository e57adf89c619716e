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
    distances: Vec<(usize, u32)>,
    /// By position: the bits before it, and the token that ends there.
    cheapest: Vec<(u32, Token)>,
}

impl Parser {
    pub(super) fn new(code: &Code, lines: &Lines, unused: Unused) -> Self {
        let (unused_length, unused_distance) = match unused {
            Unused::Allowed => (9, 4),
            Unused::Forbidden => (1 << 20, 1 << 20),
        };
        let longest = lines.pixels_per_module;
        let lengths = 0..=longest as u16;
        Self {
            literals: (0..=255).map(|byte| code.literal_cost(byte)).collect(),
            lengths: lengths.map(|length| code.length_cost(length.max(3), unused_length)).collect(),
            distances: (1..2 * longest)
                .map(|distance| (distance, code.distance_cost(distance as u16, unused_distance)))
                .collect(),
            cheapest: Vec::new(),
        }
    }

    /// The tokens for `bytes[start..]`; matches may reach back before `start`.
    pub(super) fn parse(&mut self, bytes: &[u8], start: usize) -> Vec<Token> {
        let count = bytes.len() - start;
        self.cheapest.clear();
        self.cheapest.resize(count + 1, (u32::MAX, Token::Literal(0)));
        self.cheapest[0].0 = 0;
        for index in 0..count {
            let at = start + index;
            let so_far = self.cheapest[index].0;
            let literal = self.literals[usize::from(bytes[at])];
            offer(&mut self.cheapest[index + 1], so_far + literal, Token::Literal(bytes[at]));
            for &(distance, cost) in &self.distances {
                let Some(source) = at.checked_sub(distance) else { break };
                let equal = bytes[at..].iter().zip(&bytes[source..]).take_while(|(a, b)| a == b).count();
                for length in SHORTEST_MATCH..=equal {
                    let token = Token::Match { length: length as u16, distance: distance as u16 };
                    offer(&mut self.cheapest[index + length], so_far + cost + self.lengths[length], token);
                }
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
