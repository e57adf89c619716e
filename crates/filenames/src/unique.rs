//! Tells names apart that a file system could take for one.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::hash::{DefaultHasher, Hasher};

use unicode_normalization::UnicodeNormalization;

use crate::shorten::{Room, shorten};

/// The names in use, as hashes: a million long names would need hundreds of megabytes.
///
/// A name is given only if its hash is new, so no name is given twice. A name with the hash of another gets a suffix that it
/// does not need.
#[derive(Debug, Default)]
pub(super) struct UniqueNames {
    /// The hashes of the names as [`fold`] writes them.
    taken: HashSet<NameHash>,
    /// The first suffix that may be free, by the hash of folded stem and number of digits. Those before it are in use and
    /// stay so, so that all suffixes tried for nothing are at most as many as the names.
    next: HashMap<NameHash, u64>,
    folded: String,
}

/// 128 bits: among a million names, two have the same hash with a probability of 10⁻²⁷.
type NameHash = [u64; 2];

impl UniqueNames {
    /// Writes to `out` the first of `cleaned`, `cleaned-2`, `cleaned-3`, … that is free, each cut to its room, and takes it.
    pub fn claim(&mut self, cleaned: &str, room: Room, out: &mut String) {
        shorten(cleaned, room, out);
        if self.take(out) {
            return;
        }
        for digits in 1.. {
            shorten(cleaned, room.beside(digits as usize + 1), out);
            let stem = out.len();
            fold(out, &mut self.folded);
            let key = hash(&self.folded, digits);
            let end = 10_u64.saturating_pow(digits);
            let mut number = self.next.get(&key).copied().unwrap_or(if digits == 1 { 2 } else { end / 10 });
            while number < end {
                out.truncate(stem);
                // Writing to a string cannot fail.
                let _ = write!(out, "-{number}");
                number += 1;
                if self.take(out) {
                    self.next.insert(key, number);
                    return;
                }
            }
            self.next.insert(key, number);
        }
    }

    fn take(&mut self, name: &str) -> bool {
        fold(name, &mut self.folded);
        self.taken.insert(hash(&self.folded, 0))
    }
}

/// Without a random key, so that a job has the same names each time. `digits` are those of the suffix to come.
fn hash(folded: &str, digits: u32) -> NameHash {
    [0, 1].map(|half| {
        let mut hasher = DefaultHasher::new();
        hasher.write(&[half, digits as u8]);
        hasher.write(folded.as_bytes());
        hasher.finish()
    })
}

/// Writes to `out` what all names have in common that differ in case only: at least those that Unicode's full case
/// folding makes one (Unicode, 3.13, canonical caseless matching).
pub(super) fn fold(name: &str, out: &mut String) {
    out.clear();
    if name.is_ascii() {
        out.push_str(name);
        out.make_ascii_lowercase();
    } else {
        let upper = name.nfd().flat_map(char::to_lowercase).flat_map(char::to_uppercase);
        out.extend(upper.flat_map(char::to_lowercase).nfd());
    }
}
