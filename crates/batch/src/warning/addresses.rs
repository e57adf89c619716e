//! The warnings about web addresses, mail addresses and phone numbers in a person's list, and about other texts among web addresses or
//! among codes of letters and digits.

use std::mem;

use super::broken_links::BrokenLinks;
use super::bullets::Bullets;
use super::coordinates::coordinates;
use super::group::{Group, shown};
use super::kind::{Warning, WarningCode};
use super::lines::{is_separable, may_be_code};
use super::mail_addresses::{has_words_beside, is_mail_address};
use super::numbered::Numbered;
use super::phone_list::PhoneList;
use super::phones::{is_national, is_phone_number};
use super::titles::Titles;
use super::web_address::{Address, Fault, tabbed_mark};
use super::within::has_address_within;

/// The fewest web addresses, and the least of their shares, that make a list one of web addresses.
const LEAST_ADDRESSES: u64 = 2;
const LEAST_ADDRESSES_PERCENT: u64 = 25;

/// The fewest codes of letters and digits that make a list of more than one half of them one of codes.
const LEAST_CODES: u64 = 2;
/// Characters of a code of digits, and of another one, at least: `A12` is the name of a room.
const FEWEST_DIGITS: usize = 4;
const FEWEST_CHARACTERS: usize = 5;
/// Letters of the shortest word of a sentence.
const FEWEST_LETTERS: usize = 3;

/// The web addresses among the items so far.
#[derive(Debug, Default)]
pub(super) struct Addresses {
    /// All of them, whole or not.
    count: u64,
    /// Calls to numbers, such as `tel:112`.
    calls: u64,
    /// Those of them without a country's code.
    national: Option<Group>,
    /// Those with a fault: a group for each kind of them, whose words are about the first.
    faulty: [Option<Group>; Fault::KINDS],
    /// Those without a scheme.
    bare: Option<Group>,
    /// Those with a mark of a sentence behind them.
    marked: Option<Group>,
    /// Those with a name behind them.
    named: Option<Group>,
    /// Those before other text.
    followed: Option<Group>,
    /// Those behind other text.
    behind: Option<Group>,
    /// Mail addresses alone.
    mails: Option<Group>,
    /// Those with a few words beside them.
    mails_beside: Option<Group>,
    /// All texts with an address or a phone number within them.
    within: Option<Group>,
    /// Phone numbers alone.
    phones: Option<Group>,
    /// Digits that may be phone numbers.
    phone_list: PhoneList,
    /// The rests of those that go on in the next item.
    broken: BrokenLinks,
    /// Texts behind the mark of a list and a tab.
    tabbed: Option<Group>,
    /// Marks of lists before other texts.
    bullets: Bullets,
    numbered: Numbered,
    titles: Titles,
    /// A line among them would be changed to an address alone, or left out.
    is_separable: bool,
    /// Coordinates alone.
    places: Option<Group>,
    /// Three words alone that name a place.
    words: Option<Group>,
    /// The items that are no address of any kind, and the data of the first.
    none: Option<Group>,
    /// Those of them that are codes, such as `SN-0017`.
    codes: u64,
    /// Those of them that are words with spaces between them, and the data of the first.
    sentences: Option<Group>,
}

impl Addresses {
    /// Takes note of an item, which is an address in that way. `is_told`: something else is said of the item already. `is_followed`: text stands behind a web address.
    pub fn add(&mut self, index: u64, data: &str, address: Address<'_>, is_told: bool, is_followed: bool) {
        self.count += u64::from(!matches!(address, Address::OtherScheme | Address::Behind | Address::None));
        let is_told = self.broken.add(index, data, address) || is_told;
        if !is_told && matches!(address, Address::OtherScheme | Address::Behind | Address::None) {
            self.phone_list.add(index, data, address);
        }
        match address {
            _ if is_told => {}
            _ if is_followed => {
                self.is_separable = true;
                Group::add(&mut self.followed, index, String::new);
            }
            Address::Faulty(fault) => {
                if matches!(fault, Fault::ListMark(_)) {
                    self.bullets.add(index, data, true);
                }
                Group::add(&mut self.faulty[fault.kind()], index, || fault.words());
            }
            Address::Bare => Group::add(&mut self.bare, index, String::new),
            Address::ThreeWords => Group::add(&mut self.words, index, String::new),
            Address::Marked => Group::add(&mut self.marked, index, String::new),
            Address::Named => {
                self.is_separable = true;
                Group::add(&mut self.named, index, String::new);
            }
            Address::None if is_mail_address(data) => Group::add(&mut self.mails, index, String::new),
            Address::None if is_phone_number(data) => Group::add(&mut self.phones, index, String::new),
            Address::None if coordinates(data).is_some() => Group::add(&mut self.places, index, String::new),
            Address::Behind | Address::None => {
                if address == Address::Behind {
                    Group::add(&mut self.behind, index, String::new);
                } else if has_words_beside(data) {
                    Group::add(&mut self.mails_beside, index, String::new);
                }
                let is_within = has_address_within(data, address);
                if is_within {
                    Group::add(&mut self.within, index, String::new);
                }
                self.titles.add(index, data, is_within);
                let tabbed = tabbed_mark(data);
                self.bullets.add(index, data, tabbed.is_some());
                self.numbered.add(index, data);
                if let Some((mark, _)) = tabbed {
                    Group::add(&mut self.tabbed, index, || mark.to_owned());
                }
                self.is_separable =
                    self.is_separable || ((is_within || !may_be_code(data)) && is_separable(data));
                Group::add(&mut self.none, index, || data.to_owned());
                if is_code(data) {
                    self.codes += 1;
                } else if is_sentence(data) {
                    Group::add(&mut self.sentences, index, || data.to_owned());
                }
            }
            Address::OtherScheme => {
                if let Some(number) = data.strip_prefix("tel:") {
                    self.calls += 1;
                    if is_national(number) {
                        Group::add(&mut self.national, index, || data.to_owned());
                    }
                }
            }
            Address::Whole => {}
        }
    }

    /// Takes in what was found in the part of the job that follows.
    pub fn append(&mut self, later: Self) {
        self.count += later.count;
        self.calls += later.calls;
        Group::merge(&mut self.national, later.national);
        self.is_separable |= later.is_separable;
        for (group, later) in self.faulty.iter_mut().zip(later.faulty) {
            Group::merge(group, later);
        }
        Group::merge(&mut self.bare, later.bare);
        Group::merge(&mut self.marked, later.marked);
        Group::merge(&mut self.named, later.named);
        Group::merge(&mut self.followed, later.followed);
        Group::merge(&mut self.behind, later.behind);
        Group::merge(&mut self.mails, later.mails);
        Group::merge(&mut self.mails_beside, later.mails_beside);
        Group::merge(&mut self.within, later.within);
        Group::merge(&mut self.phones, later.phones);
        self.phone_list.append(later.phone_list);
        self.broken.append(later.broken);
        self.titles.append(later.titles);
        Group::merge(&mut self.tabbed, later.tabbed);
        self.bullets.append(later.bullets);
        self.numbered.append(&later.numbered);
        Group::merge(&mut self.places, later.places);
        Group::merge(&mut self.words, later.words);
        Group::merge(&mut self.none, later.none);
        self.codes += later.codes;
        Group::merge(&mut self.sentences, later.sentences);
    }

    /// The items that phones do not open as they are, where texts are among them and others stand alone: one change mends all of them.
    fn mixed(&mut self) -> Option<Group> {
        let alone = [&mut self.bare, &mut self.mails, &mut self.phones, &mut self.places, &mut self.words];
        if self.within.is_none() || alone.iter().all(|group| group.is_none()) {
            return None;
        }
        let mut mixed = self.within.take();
        for group in alone {
            Group::merge(&mut mixed, group.take());
        }
        (self.behind, self.mails_beside) = (None, None);
        mixed
    }

    /// The warnings about a job of `total` items.
    pub fn finish(mut self, total: u64) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let ([digits, hyphened], may_be_phones) = mem::take(&mut self.phone_list).finish(total);
        self.is_separable |= hyphened.is_some() || self.titles.are_above_each(total);
        Group::merge(&mut self.phones, digits);
        Group::merge(&mut self.within, hyphened);
        // Of a few, it may be part of the address.
        let are_most = |group: &Group| group.items >= LEAST_ADDRESSES && group.items * 2 > total;
        let is_asked = [&self.behind, &self.mails_beside].into_iter().flatten().any(are_most);
        // It changes lines of which the next one speaks.
        warnings.extend(may_be_phones);
        if let Some(group) = self.mixed() {
            warnings.push(of_mixed(group, is_asked, total));
        }
        warnings.extend(self.faulty.into_iter().flatten().map(|group| group.suspicious(total)));
        warnings.extend(self.broken.finish(total));
        warnings.extend(self.tabbed.map(|group| of_marks(group, ", with a tab behind it", total)));
        let marked = self.bullets.finish().or_else(|| self.numbered.finish());
        warnings.extend(marked.map(|group| of_marks(group, "", total)));
        warnings.extend(self.bare.map(|group| of_bare(group, total)));
        warnings.extend(self.mails.map(|group| of_alone(MAILS, group, total)));
        warnings.extend(self.phones.map(|group| of_alone(PHONES, group, total)));
        warnings.extend(self.places.map(|group| of_alone(PLACES, group, total)));
        warnings.extend(self.words.map(|group| of_alone(WORDS, group, total)));
        warnings.extend(self.marked.map(|group| of_marked(group, total)));
        warnings.extend(self.followed.map(|group| of_followed(group, total)));
        let advised = |advice| if self.is_separable { advice } else { "" };
        let alone = advised(" A code opens an address that stands alone.");
        let mail = advised(" A code with mailto: and the address alone opens a mail.");
        for (group, reason, advice) in [
            (
                self.behind,
                "they have text before a web address, so that phones search for them instead of opening it",
                alone,
            ),
            (
                self.named,
                "a name seems to stand behind the web address, so that phones open another address",
                alone,
            ),
            (self.mails_beside, "they have text beside a mail address: phones show them as text", mail),
        ] {
            warnings.extend(group.filter(are_most).map(|group| {
                let message = format!("{} items are probably not meant: {reason}.{advice}", group.items);
                group.warning(WarningCode::SuspiciousData, message, total)
            }));
        }
        warnings.extend(self.within.filter(|_| !is_asked).map(|group| {
            let (is_text, them) = match group.items {
                1 => ("1 item is a text with".to_owned(), "it"),
                items => (format!("{items} items are texts with"), "them"),
            };
            let message = format!(
                "{is_text} an address or a phone number: phones show {them}, and open nothing.{}",
                advised(" A code opens what stands alone in it.")
            );
            group.warning(WarningCode::SuspiciousData, message, total)
        }));
        warnings.extend(self.national.map(|group| of_national(group, total)));
        let are_many = |count| count >= LEAST_ADDRESSES && count * 100 >= total * LEAST_ADDRESSES_PERCENT;
        let (opened, what_opened) = if are_many(self.count) {
            (self.count, ["are web addresses", "is not", "are not"])
        } else {
            (self.calls, ["call a number", "does not", "do not"])
        };
        warnings.extend(self.titles.finish(total).filter(|_| !are_many(opened)));
        let are_codes = self.codes >= LEAST_CODES && self.codes * 2 > total;
        for (others, count, what, advice) in [
            (self.none.filter(|_| are_many(opened)), opened, what_opened, alone),
            (
                self.sentences.filter(|_| are_codes),
                self.codes,
                ["have digits and no spaces", "has spaces", "have spaces"],
                "",
            ),
        ] {
            warnings.extend(others.map(|group| {
                let [these, other, others] = what;
                let first = shown(&group.words);
                let message = match group.items {
                    1 => format!("{count} items {these}; 1 {other}: {first:?}.{advice}"),
                    items => {
                        format!(
                            "{count} items {these}; {items} {others}, the first of them {first:?}.{advice}"
                        )
                    }
                };
                group.warning(WarningCode::SuspiciousData, message, total)
            }));
        }
        warnings
    }
}

/// The warning about texts behind the mark of a list, which has that behind it.
fn of_marks(group: Group, behind: &str, total: u64) -> Warning {
    let have = group.have();
    let message = format!(
        "{have} the mark of a list, which is probably not meant: {} stands before the text{behind}.",
        group.words
    );
    group.warning(WarningCode::SuspiciousData, message, total)
}

/// The warning about calls within a country.
fn of_national(group: Group, total: u64) -> Warning {
    let first = shown(&group.words);
    let (what, them) = match group.items {
        1 => (format!("1 item calls a number without its country's code ({first})"), "it"),
        items => (
            format!("{items} items call numbers without their country's code, the first of them {first}"),
            "them",
        ),
    };
    let message = format!(
        "{what}: phones in other countries cannot call {them}. Write + and the code in place of the first 0."
    );
    group.warning(WarningCode::SuspiciousData, message, total)
}

/// The warning about web addresses without a scheme.
fn of_bare(group: Group, total: u64) -> Warning {
    let (are, them) = match group.items {
        1 => ("1 item is a web address".to_owned(), "it"),
        items => (format!("{items} items are web addresses"), "them"),
    };
    let message = format!(
        "{are} without https://: phones search for {them} instead of opening {them}. Write https:// in front."
    );
    group.warning(WarningCode::SuspiciousData, message, total)
}

/// The warning about items of several kinds with addresses or numbers that phones do not open. `is_asked`: most of the job is probably not meant.
fn of_mixed(group: Group, is_asked: bool, total: u64) -> Warning {
    let items = if is_asked { "items are probably not meant: they" } else { "items" };
    let message = format!(
        "{} {items} have an address or a phone number that phones show or search for. A code opens what stands alone, with https://, mailto:, tel: or geo: in front.",
        group.items
    );
    group.warning(WarningCode::SuspiciousData, message, total)
}

/// The warning about web addresses with a mark behind them.
fn of_marked(group: Group, total: u64) -> Warning {
    let message = if group.items == 1 {
        "1 item is a web address that ends with a punctuation mark. Remove the mark, unless it is part of the address.".to_owned()
    } else {
        format!(
            "{} items are web addresses that end with a punctuation mark. Remove each mark that is not part of its address.",
            group.items
        )
    };
    group.warning(WarningCode::SuspiciousData, message, total)
}

/// The warning about web addresses before other text.
fn of_followed(group: Group, total: u64) -> Warning {
    let message = format!(
        "{} text behind a web address: phones open another one, or none. A code opens an address that stands alone.",
        group.have()
    );
    group.warning(WarningCode::SuspiciousData, message, total)
}

/// One, several, and the advice.
type Alone = ([&'static str; 2], &'static str);
const MAILS: Alone =
    (["a mail address", "mail addresses"], "Write mailto: in front, and the code opens a mail.");
const PHONES: Alone =
    (["a phone number", "phone numbers"], "Write tel: in front, without spaces, and the code opens a call.");
const PLACES: Alone =
    (["a pair of coordinates", "pairs of coordinates"], "Write geo: in front, and the code opens a map.");
const WORDS: Alone = (
    ["an address of what3words", "addresses of what3words"],
    "Write https://w3w.co/ in place of ///, and the code opens the place.",
);

/// The warning about addresses of a kind that stand alone, and that a scheme opens.
fn of_alone(([one, many], advice): Alone, group: Group, total: u64) -> Warning {
    let message = match group.items {
        1 => format!("1 item is {one} alone: phones show it as text. {advice}"),
        items => format!("{items} items are {many} alone: phones show them as text. {advice}"),
    };
    group.warning(WarningCode::SuspiciousData, message, total)
}

/// Letters and digits without spaces, such as the number of a device.
fn is_code(data: &str) -> bool {
    let is_of_digits = data.bytes().all(|byte| byte.is_ascii_digit());
    data.len() >= if is_of_digits { FEWEST_DIGITS } else { FEWEST_CHARACTERS }
        && data.contains(|character: char| character.is_ascii_digit())
        && !data.contains(char::is_whitespace)
}

/// A text with spaces that has a word.
fn is_sentence(data: &str) -> bool {
    data.contains(char::is_whitespace)
        && data
            .split(|character: char| !character.is_alphabetic())
            .any(|word| word.chars().count() >= FEWEST_LETTERS)
}
