//! Names of the archive's entries: safe on every system, short, and unique.

#![forbid(unsafe_code)]

mod clean;
mod shorten;
mod unique;

use std::fmt::Write;

use clean::clean;
use shorten::{Room, shorten};
use unique::{UniqueNames, fold};

/// The extensions that files in the archive have.
pub const EXTENSIONS: [&str; 2] = [".png", ".svg"];

/// Characters of `.png` and of `.svg`.
const EXTENSION_CHARACTERS: usize = 4;

/// Bytes of a name with its extension: the file systems of Linux and of Macs take no longer ones, and unpackers leave them out.
const MAX_BYTES: usize = 255;

/// The end of a name, which makes it unique.
#[derive(Debug)]
enum Suffix {
    /// The index of the item, for every name.
    Index,
    /// A number for a name that is in use, which are these.
    Collision(UniqueNames),
}

/// Names the items of a job in their order.
#[derive(Debug)]
pub struct Namer {
    suffix: Suffix,
    /// The room of a name without its extension.
    room: Room,
    cleaned: String,
    name: String,
}

impl Namer {
    /// Names with `-<index>`, of at most `max_characters` with their extension.
    pub fn with_index(max_characters: usize) -> Self {
        Self::new(Suffix::Index, max_characters)
    }

    /// Names with `-2`, `-3`, … on those that are in use.
    pub fn with_collisions(max_characters: usize) -> Self {
        Self::new(Suffix::Collision(UniqueNames::default()), max_characters)
    }

    fn new(suffix: Suffix, max_characters: usize) -> Self {
        Self { suffix, room: room_of_stem(max_characters), cleaned: String::new(), name: String::new() }
    }

    /// The name of the item `index`, without extension: what the client asked for, or what its data suggests.
    pub fn name(&mut self, index: u64, filename: Option<&str>, data: &str) -> &str {
        let wish = filename.unwrap_or_else(|| after_scheme(data));
        let room = self.room;
        clean(wish, room.characters, &mut self.cleaned);
        match &mut self.suffix {
            Suffix::Index => {
                let digits = index.checked_ilog10().unwrap_or(0) as usize + 1;
                shorten(&self.cleaned, room.beside(digits + 1), &mut self.name);
                // Writing to a string cannot fail.
                let _ = write!(self.name, "-{index}");
            }
            Suffix::Collision(names) => names.claim(&self.cleaned, room, &mut self.name),
        }
        &self.name
    }
}

/// The form that names share of which [`Namer::with_collisions`] gives all but the first a number.
pub fn shared_form(filename: &str, max_characters: usize) -> String {
    let room = room_of_stem(max_characters);
    let [mut cleaned, mut name, mut folded] = [const { String::new() }; 3];
    clean(filename, room.characters, &mut cleaned);
    shorten(&cleaned, room, &mut name);
    fold(&name, &mut folded);
    folded
}

fn room_of_stem(max_characters: usize) -> Room {
    Room { characters: max_characters, bytes: MAX_BYTES }.beside(EXTENSION_CHARACTERS)
}

/// The part after `scheme://` (RFC 3986, clause 3.1) at the start of a URL; all of anything else.
fn after_scheme(data: &str) -> &str {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    let end = data.bytes().take_while(is_part).count();
    match data[end..].strip_prefix("://") {
        Some(rest) if data.starts_with(|first: char| first.is_ascii_alphabetic()) => rest,
        _ => data,
    }
}

#[cfg(test)]
mod tests;
