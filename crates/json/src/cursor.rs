//! A reader that knows the JSON Pointer of where it is, and notices what the grammar allows and a body does not:
//! duplicate members, and strings that are no text.

use std::collections::BinaryHeap;
use std::hash::{BuildHasher, RandomState};

use crate::{Flaw, FlawKind, Flaws, JsonError, Reader, Token, ValuePlace};

/// The longest JSON Pointer that is written. A name can be as long as the body: a value whose pointer would be longer
/// is reported at its last ancestor whose pointer is not.
const MAX_POINTER_BYTES: usize = 1024;
/// A longer name, as it is written, has no room in a pointer, since no escape is longer than six bytes. It is not read again.
const MAX_NAME_BYTES: usize = 6 * MAX_POINTER_BYTES;
/// Names of an object up to which comparing each with each is cheaper than sorting them by hash.
const FEW_NAMES: usize = 16;
/// Bytes of an object up to which that holds. Names that are as long as a body are not read as often as there are others.
const FEW_BYTES: usize = 64 * 1024;
/// Members that an object has at most: more than any body has use for. Their names are kept until the object ends.
const MAX_MEMBERS: usize = 10_000;
/// Bits of a name's place in the text. A name is sorted by one number:
///
/// ```text
/// 63            36 35               0
/// | hash           | place          |
/// ```
const PLACE_BITS: u32 = 36;

/// The whole that the text being read is a part of.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    /// The pointer of the text's root.
    pub root: &'static str,
    /// The text's line, in an NDJSON body.
    pub line: Option<u64>,
    /// The number of flaws that are listed at most.
    pub max_flaws: usize,
}

/// Memory that one cursor after the other uses.
#[derive(Debug, Default)]
pub struct Scratch {
    /// The open containers, outermost first.
    frames: Vec<Frame>,
    /// The places at which the names of the open objects begin in the text, object by object.
    names: Vec<u64>,
    hasher: RandomState,
    /// The duplicate members and unpaired surrogates seen so far.
    flaws: Flaws,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    is_object: bool,
    /// Index of an object's first name in `names`.
    names_from: usize,
    /// The place at which the name of an object's current member begins, or the number of elements begun in an array. 0 in
    /// both before the first.
    current: usize,
    /// The length of that name, as it is written.
    name_bytes: usize,
}

/// The members of one object whose names it has had.
struct Duplicates {
    /// The places at which the names of the first begin, in order: as many as are listed at most, or all.
    first: Vec<u64>,
    /// The number of all.
    count: u64,
}

/// Reads one JSON text.
#[derive(Debug)]
pub struct Cursor<'a, 's> {
    reader: Reader<'a>,
    origin: Origin,
    scratch: &'s mut Scratch,
}

impl<'a, 's> Cursor<'a, 's> {
    /// A cursor at the start of `text`.
    pub fn new(text: &'a str, origin: Origin, scratch: &'s mut Scratch) -> Self {
        scratch.frames.clear();
        scratch.names.clear();
        Self { reader: Reader::new(text), origin, scratch }
    }

    /// Bytes read so far: the end of the token that was read last.
    pub fn position(&self) -> usize {
        self.reader.position()
    }

    /// The start of the next token.
    pub fn token_start(&mut self) -> usize {
        self.reader.token_start()
    }

    /// The flaws seen since this was last called.
    pub fn take_flaws(&mut self) -> Flaws {
        std::mem::take(&mut self.scratch.flaws)
    }

    /// The next token.
    ///
    /// # Errors
    /// As [`Reader::next_token`].
    #[inline]
    pub fn next_token(&mut self) -> Result<Token<'a>, JsonError> {
        let token = self.reader.next_token()?;
        match token {
            Token::Name(name) => {
                if let Some(object) = self.scratch.frames.last_mut() {
                    if self.scratch.names.len() - object.names_from >= MAX_MEMBERS {
                        // The place is the object's, not that of its last member.
                        object.current = 0;
                        return Err(JsonError::TooManyMembers { offset: name.start });
                    }
                    (object.current, object.name_bytes) = (name.start, name.raw.len());
                }
                self.scratch.names.push(name.start as u64);
                if name.unpaired {
                    self.unpaired();
                }
            }
            Token::EndObject => self.close_object()?,
            Token::EndArray => {
                self.scratch.frames.pop();
            }
            Token::End => {}
            _ => self.begin_value(token),
        }
        Ok(token)
    }

    /// Reads to the end of the value that `first` begins.
    ///
    /// # Errors
    /// As [`Reader::next_token`].
    pub fn skip(&mut self, first: Token<'a>) -> Result<(), JsonError> {
        if matches!(first, Token::Object | Token::Array) {
            let outside = self.reader.depth() - 1;
            while self.reader.depth() > outside {
                self.next_token()?;
            }
        }
        Ok(())
    }

    /// Reads a value, and nothing but its grammar.
    ///
    /// # Errors
    /// As [`Reader::next_token`].
    pub fn skip_unchecked(&mut self) -> Result<(), JsonError> {
        let first = self.reader.next_token()?;
        self.reader.skip(first)
    }

    /// The place of the value that began or ended last; after a name, of its member.
    pub fn place(&self) -> ValuePlace {
        ValuePlace { pointer: self.pointer(None), line: self.origin.line }
    }

    /// The place of the member `name` of the object that ended last.
    pub fn member_place(&self, name: &str) -> ValuePlace {
        ValuePlace { pointer: self.pointer(Some(name)), line: self.origin.line }
    }

    fn begin_value(&mut self, token: Token<'a>) {
        if let Some(array) = self.scratch.frames.last_mut().filter(|frame| !frame.is_object) {
            array.current += 1;
        }
        match token {
            Token::Object | Token::Array => {
                let is_object = matches!(token, Token::Object);
                let names_from = self.scratch.names.len();
                self.scratch.frames.push(Frame { is_object, names_from, current: 0, name_bytes: 0 });
            }
            Token::String(text) if text.unpaired => self.unpaired(),
            _ => {}
        }
    }

    /// Notes that the name or string that was read last is no text.
    fn unpaired(&mut self) {
        self.note(FlawKind::UnpairedSurrogate, Self::place);
    }

    /// Counts a flaw, and lists it while the list is not full.
    fn note(&mut self, kind: FlawKind, place: impl FnOnce(&Self) -> ValuePlace) {
        self.scratch.flaws.count += 1;
        if self.scratch.flaws.listed.len() < self.origin.max_flaws {
            let place = place(self);
            self.scratch.flaws.listed.push(Flaw { place, kind });
        }
    }

    /// Forgets the names of the object that ends, after noting those that it had more than once.
    fn close_object(&mut self) -> Result<(), JsonError> {
        let from = self.scratch.frames.pop().map_or(0, |frame| frame.names_from);
        let count = self.scratch.names.len() - from;
        if count > 1 {
            let bytes = self.reader.position() - self.scratch.names[from] as usize;
            let is_small = count <= FEW_NAMES && bytes <= FEW_BYTES;
            let duplicates = if is_small { self.compare_pairs(from)? } else { self.compare_hashes(from)? };
            for &start in &duplicates.first {
                let name = self.reader.text_at(start as usize)?;
                self.note(FlawKind::DuplicateMember, |cursor| cursor.member_place(&name.decode()));
            }
            self.scratch.flaws.count += duplicates.count - duplicates.first.len() as u64;
        }
        self.scratch.names.truncate(from);
        Ok(())
    }

    /// Finds the names that equal an earlier one of the same object.
    fn compare_pairs(&self, from: usize) -> Result<Duplicates, JsonError> {
        let names = &self.scratch.names[from..];
        let mut first = Vec::new();
        for (index, &later) in names.iter().enumerate().skip(1) {
            for &earlier in &names[..index] {
                if self.reader.are_equal(earlier as usize, later as usize)? {
                    first.push(later);
                    break;
                }
            }
        }
        Ok(Duplicates { count: first.len() as u64, first })
    }

    /// As [`compare_pairs`](Self::compare_pairs), for names in any number: nobody can make many of one hash, since it
    /// is keyed at random.
    fn compare_hashes(&mut self, from: usize) -> Result<Duplicates, JsonError> {
        const PLACE: u64 = (1 << PLACE_BITS) - 1;
        let names = &mut self.scratch.names[from..];
        for name in &mut *names {
            let hash = self.scratch.hasher.hash_one(self.reader.text_at(*name as usize)?.decode());
            *name |= hash << PLACE_BITS;
        }
        names.sort_unstable();

        let (mut first, mut count) = (BinaryHeap::new(), 0);
        for group in names.chunk_by(|one, other| one >> PLACE_BITS == other >> PLACE_BITS) {
            for (index, later) in group.iter().enumerate().skip(1) {
                for earlier in &group[..index] {
                    if self.reader.are_equal((earlier & PLACE) as usize, (later & PLACE) as usize)? {
                        count += 1;
                        first.push(later & PLACE);
                        if first.len() > self.origin.max_flaws {
                            first.pop();
                        }
                        break;
                    }
                }
            }
        }
        Ok(Duplicates { first: first.into_sorted_vec(), count })
    }

    /// The pointer of the value that began or ended last, or of its member of that name.
    fn pointer(&self, member: Option<&str>) -> String {
        let mut pointer = self.origin.root.to_owned();
        for frame in self.scratch.frames.iter().filter(|frame| frame.current > 0) {
            let step = if frame.is_object {
                if frame.name_bytes > MAX_NAME_BYTES {
                    return pointer;
                }
                // Bytes that were read before are read again.
                let Ok(name) = self.reader.text_at(frame.current) else { break };
                name.decode()
            } else {
                (frame.current - 1).to_string().into()
            };
            if !push_step(&mut pointer, &step) {
                return pointer;
            }
        }
        if let Some(name) = member {
            push_step(&mut pointer, name);
        }
        pointer
    }
}

/// Lengthens `pointer` by a step, escaped by RFC 6901, clause 3, unless it would be too long. Returns true if it was lengthened.
fn push_step(pointer: &mut String, step: &str) -> bool {
    let fits = pointer.len() + step.len() < MAX_POINTER_BYTES;
    if fits {
        pointer.push('/');
        for character in step.chars() {
            match character {
                '~' => pointer.push_str("~0"),
                '/' => pointer.push_str("~1"),
                other => pointer.push(other),
            }
        }
    }
    fits
}
