//! Marks of lists before texts: where nearly all texts begin with the same one, it is part of none.

use super::broken_links::Rests;
use super::coordinates::coordinates;
use super::group::Group;
use super::mail_addresses::is_mail_address;
use super::phones::is_phone_number;
use super::web_address::{Address, BULLETS, Fault, address};

/// The fewest lines with the same mark, and the least of their shares.
const LEAST_MARKED: u64 = 2;
const LEAST_MARKED_PERCENT: u64 = 75;

/// A mark of a list before a text with letters, by its place among [`BULLETS`], and the text. `-5 °C` has none.
fn bullet(text: &str) -> Option<(usize, &str)> {
    let place = BULLETS.iter().position(|mark| text.starts_with(mark))?;
    let rest = text[BULLETS[place].len()..].strip_prefix(char::is_whitespace)?.trim_start();
    // `- Menu -`
    let is_around = rest.ends_with(BULLETS[place]);
    (rest.contains(char::is_alphabetic) && !is_around).then_some((place, rest))
}

/// A text without a mark of that kind.
pub(super) fn without_bullet<'t>(text: &'t str, mark: &str) -> Option<&'t str> {
    bullet(text).filter(|(place, _)| BULLETS[*place] == mark).map(|(_, rest)| rest)
}

/// The lines that are texts, and those with a single mark before an address, for which the second is true.
pub(super) fn texts_in(lines: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut rests = Rests::default();
    lines.lines().map(str::trim).filter(|text| !text.is_empty()).filter_map(move |text| {
        let kind = address(text);
        let is_rest = rests.take(text, kind);
        let is_code = || is_mail_address(text) || is_phone_number(text) || coordinates(text).is_some();
        match kind {
            _ if is_rest => None,
            Address::Faulty(Fault::ListMark(_)) => Some((text, true)),
            Address::Behind => Some((text, false)),
            Address::None if !is_code() => Some((text, false)),
            _ => None,
        }
    })
}

/// The texts of a list so far, and the marks before them.
#[derive(Debug, Default)]
pub(super) struct Bullets {
    texts: u64,
    /// Texts with each mark.
    sure: [u64; BULLETS.len()],
    /// Those that no other warning says to have one, with those before a number, which may be negative.
    told: [Option<Group>; BULLETS.len()],
    numbers: [u64; BULLETS.len()],
}

impl Bullets {
    /// Takes note of a text that is an address in that way. `is_told`: another warning says that it has a mark.
    pub fn add(&mut self, index: u64, text: &str, is_told: bool) {
        let Some((place, rest)) = bullet(text) else {
            self.texts += 1;
            return;
        };
        if rest.starts_with(|first: char| first.is_ascii_digit()) {
            self.numbers[place] += 1;
        } else {
            self.texts += 1;
            self.sure[place] += 1;
        }
        if !is_told {
            Group::add(&mut self.told[place], index, || BULLETS[place].to_owned());
        }
    }

    /// The bullets of lines.
    pub fn of(lines: &str) -> Self {
        let mut bullets = Self::default();
        texts_in(lines).for_each(|(text, _)| bullets.add(0, text, false));
        bullets
    }

    /// Takes in what was found in the part of the job that follows.
    pub fn append(&mut self, later: Self) {
        self.texts += later.texts;
        for place in 0..BULLETS.len() {
            self.sure[place] += later.sure[place];
            self.numbers[place] += later.numbers[place];
        }
        for (group, later) in self.told.iter_mut().zip(later.told) {
            Group::merge(group, later);
        }
    }

    /// The mark of nearly all texts.
    pub fn mark(&self) -> Option<&'static str> {
        self.place().map(|place| BULLETS[place])
    }

    fn place(&self) -> Option<usize> {
        (0..BULLETS.len()).find(|&place| {
            let sure = self.sure[place];
            sure >= LEAST_MARKED
                && sure * 100 >= self.texts * LEAST_MARKED_PERCENT
                && sure >= self.numbers[place]
        })
    }

    /// The texts with the mark of nearly all.
    pub fn finish(mut self) -> Option<Group> {
        self.place().and_then(|place| self.told[place].take())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_nearly_all_texts() {
        for (lines, mark) in [
            ("• Gas bottles: swap at reception\n• Speed limit 5 mph", Some("•")),
            ("- Gas bottles\n- Menu: https://laden.example/m\nhttps://laden.example/k", Some("-")),
            ("House rules\n– Gas bottles\n– No fires\n– Dogs on leads", Some("–")),
            ("* Gas bottles\n* 5 mph\na@laden.example\n* Dogs", Some("*")),
            ("- Gas bottles\n- 2 showers\n- Dogs\n- 5 mph", Some("-")),
            ("- https://laden.example/a\n- https://laden.example/b\n- Gas bottles", Some("-")),
            ("•\tGas bottles\n• Dogs", Some("•")),
            ("- Gas bottles", None),
            ("- Gas bottles\nGate 7\nGate 8", None),
            ("- Gas bottles\n• Dogs", None),
            ("-5 °C\n-7 °C", None),
            ("- 5 °C\n- 7 °C", None),
            ("- 5 °C\n- 7 °C\n- 8 °C\n- Freezer\n- Fridge", None),
            ("-A17\n-A18", None),
            ("--- a\n--- b", None),
            ("- 1\n- 2", None),
            ("-\n-", None),
        ] {
            assert_eq!(Bullets::of(lines).mark(), mark, "{lines}");
        }
    }
}
