//! Numbers of a list before texts: `1. Treadmill`, `2. Bench`, `3. Rower`.

use super::bullets::texts_in;
use super::group::Group;

/// The fewest texts with a number each, and the least of their shares.
const LEAST_NUMBERED: u64 = 3;
const LEAST_NUMBERED_PERCENT: u64 = 75;
/// Digits of a number of a list.
const MOST_DIGITS: usize = 3;

/// The number of a list before a text with letters, and the text.
fn numbered(text: &str) -> Option<(u64, &str)> {
    let (mark, rest) = text.split_once(' ')?;
    let digits = mark.strip_suffix(['.', ')']).filter(|digits| digits.len() <= MOST_DIGITS)?;
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    let rest = rest.trim_start();
    if is_number && rest.contains(char::is_alphabetic) { Some((digits.parse().ok()?, rest)) } else { None }
}

/// A text without the number of a list.
pub(super) fn without_number(text: &str) -> Option<&str> {
    numbered(text).map(|(_, rest)| rest)
}

/// The texts of a list so far, and those that are numbered from 1.
#[derive(Debug, Default)]
pub(super) struct Numbered {
    texts: u64,
    count: u64,
    /// The first word behind the numbers, and another: `1. Stock`, `2. Stock` are floors.
    first_word: String,
    has_other_words: bool,
    found: Option<Group>,
}

impl Numbered {
    /// The numbers of lines.
    pub fn of(lines: &str) -> Self {
        let mut numbered = Self::default();
        let texts = texts_in(lines).filter(|(_, is_address)| !is_address);
        texts.for_each(|(text, _)| numbered.add(0, text));
        numbered
    }

    /// Takes note of a text that is no address.
    pub fn add(&mut self, index: u64, text: &str) {
        self.texts += 1;
        let Some((_, rest)) = numbered(text).filter(|(number, _)| *number == self.count + 1) else { return };
        self.count += 1;
        let word = rest.split_whitespace().next().unwrap_or_default();
        if self.count == 1 {
            word.clone_into(&mut self.first_word);
        }
        self.has_other_words |= word != self.first_word;
        Group::add(&mut self.found, index, || text[..text.len() - rest.len()].trim_end().to_owned());
    }

    /// Takes in what was found in the part of the job that follows: parts are long, and their numbers go on in no list of a person.
    pub fn append(&mut self, later: &Self) {
        self.texts += later.texts;
    }

    /// Nearly all texts are numbered.
    pub fn are_numbered(&self) -> bool {
        self.has_other_words
            && self.count >= LEAST_NUMBERED
            && self.count * 100 >= self.texts * LEAST_NUMBERED_PERCENT
    }

    /// The numbered texts, where nearly all are.
    pub fn finish(self) -> Option<Group> {
        if self.are_numbered() { self.found } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_with_numbers() {
        for (lines, are_numbered) in [
            (&["1. Treadmill TM-1", "2. Treadmill TM-2", "3. Rower"][..], true),
            (&["1) Chair", "2) Table", "3) Lamp", "Spare"], true),
            (&["Gym", "1. Treadmill", "2. Bench", "3. Rower", "4. Mat"], true),
            (&["1. Stock", "2. Stock", "3. Stock"], false),
            (&["1. Chair", "2. Table"], false),
            (&["2. Chair", "4. Table", "7. Lamp"], false),
            (&["1. FC Köln", "Anna", "2. Chair", "Ben", "3. Lamp"], false),
            (&["1. 100", "2. 200", "3. 300"], false),
            (&["1.5 l", "2.5 l", "3.5 l"], false),
            (&["2027. Chair", "2028. Table", "2029. Lamp"], false),
        ] {
            let mut list = Numbered::default();
            for (index, text) in (0..).zip(lines) {
                list.add(index, text);
            }
            assert_eq!(list.are_numbered(), are_numbered, "{lines:?}");
            assert_eq!(list.finish().is_some(), are_numbered);
        }
        assert_eq!(without_number("12) Chair 4"), Some("Chair 4"));
    }
}
