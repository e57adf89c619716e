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

/// Bits of a match that is too short or too long: more than any other way takes.
const IMPOSSIBLE: u32 = 1 << 28;

/// Finds tokens by the costs of one code.
pub(super) struct Parser {
    literals: Vec<u32>,
    /// By length, as far as a group and the end of the module before it.
    lengths: Vec<u32>,
    /// By set of the lines' distances: the cheapest of them, with its cost.
    distances: Vec<(u32, u16)>,
    /// By stop.
    cheapest: Vec<Way>,
    /// Of the latest group.
    tokens: Vec<Token>,
}

/// The cheapest way to a stop, and its last step.
///
/// In one number, so that the lesser is the better: the bits up to the stop; the stop that the last step leads from, so
/// that ties go to the longer; the distance of a match, or 0 where the last step is literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Way(u64);

impl Way {
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

impl Parser {
    pub(super) fn new(code: &Code, lines: &Lines, unused: Unused) -> Self {
        let (unused_length, unused_distance) = unused.costs();
        let lengths = (0..=2 * lines.group_bytes).map(|length| match length {
            SHORTEST_MATCH..=LONGEST_MATCH => code.length_cost(length as u16, unused_length),
            _ => IMPOSSIBLE,
        });
        let mut distances = vec![(IMPOSSIBLE, 0)];
        for distance in lines.distances() {
            let with = (code.distance_cost(distance, unused_distance), distance);
            distances.extend_from_within(..);
            let sets = distances.len() / 2;
            for cheapest in &mut distances[sets..] {
                *cheapest = with.min(*cheapest);
            }
        }
        let literals = (0..=255).map(|byte| code.literal_cost(byte)).collect();
        Self { literals, lengths: lengths.collect(), distances, cheapest: Vec::new(), tokens: Vec::new() }
    }

    /// Calls `each` with every group of a slot and its tokens.
    pub(super) fn for_each_group(&mut self, slot: &Slotted, mut each: impl FnMut(&Group, &[Token])) {
        self.cheapest.clear();
        self.cheapest.resize(slot.stops.len(), Way::new(0, 0, 0));
        let (mut starts, mut matching) = (slot.starts.iter(), &slot.matching[..]);
        for (group, &first) in slot.groups.iter().zip(&slot.first_new) {
            let data = &group.bytes[group.start..];
            for (to, &starts) in (first..slot.stops.len()).zip(&mut starts) {
                let (here, rest) = matching.split_at(starts);
                self.reach(to, data, &slot.stops, here);
                matching = rest;
            }
            self.read_back(data, &slot.stops);
            each(group, &self.tokens);
        }
    }

    /// Finds the cheapest way to a stop, when those to the stops before are known. `matching`: for these, the nearest first,
    /// the distances of matches from there.
    #[inline]
    fn reach(&mut self, to: usize, data: &[u8], stops: &[usize], matching: &[u16]) {
        let end = stops[to];
        let spelled = &data[stops[to - 1]..end];
        let literals: u32 = spelled.iter().map(|&byte| self.literals[usize::from(byte)]).sum();
        let mut best = Way::new(self.cheapest[to - 1].bits() + literals, to - 1, 0);
        let starts = self.cheapest[..to].iter().zip(&stops[..to]).enumerate().rev();
        for ((from, (way, start)), &set) in starts.zip(matching) {
            let (cost, distance) = self.distances[usize::from(set)];
            let bits = way.bits() + cost + self.lengths[end - start];
            best = best.min(Way::new(bits, from, distance));
        }
        self.cheapest[to] = best;
    }

    /// Follows the cheapest way from the last stop back to the first.
    fn read_back(&mut self, data: &[u8], stops: &[usize]) {
        self.tokens.clear();
        let mut to = stops.len() - 1;
        while to > 0 {
            let way = self.cheapest[to];
            let span = stops[way.from()]..stops[to];
            if way.distance() == 0 {
                self.tokens.extend(data[span].iter().rev().map(|&byte| Token::Literal(byte)));
            } else {
                self.tokens.push(Token::Match { length: span.len() as u16, distance: way.distance() });
            }
            to = way.from();
        }
        self.tokens.reverse();
    }
}
