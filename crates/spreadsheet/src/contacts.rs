//! Takes values of contacts apart that share a cell, completes names, and moves numbers to the fields that their labels name.

use std::borrow::Cow;

use qrpress_kinds::{CallingCode, Kind, digits_of_desk, is_of_number, with_desk, with_hyphens};

use crate::fields::Both;
use crate::names::{is_one_of, simplified, words};
use crate::parts::DIRECT;
use crate::several::OTHER_PHONE;
use crate::titles::{are_behind_name, names_degree, names_salutation};

/// Fields of numbers, in the order in which they take one that has no place of its own.
const NUMBERS: [&str; 5] = ["phone", "otherPhone", "mobile", "homePhone", "fax"];

/// Fields of numbers with the words in their labels. The first one with a word of the label wins.
const LABELS: [(&str, &str); 4] = [
    ("fax", "fax"),
    ("mobile", "mobil cell handy iphone portable móvil"),
    ("homePhone", "home privat casa domicile"),
    ("phone", "work main business office arbeit geschäft büro travail trabajo lavoro"),
];

/// Words before names that are no names themselves. Other salutations are names, too, such as `Don`.
const SALUTATIONS: &str = "herr herrn frau mr mrs ms monsieur madame mademoiselle mme mlle señor señora sra srta dña signor signora sigra dhr mevr mw mevrouw";

/// Salutations that are other words without their point.
const WITH_POINT: &str = "hr sig";

/// Names of columns of people in the languages where `Sr.` is a salutation: elsewhere, `Sr. Maria` is a nun.
const OF_SR: &str = "nombre nombres nome nomes";

/// Words between two people in one name.
const BETWEEN_PEOPLE: &str = "et ou und u. oder and or y e o en of i lub ed & + /";

/// Words behind the comma of a name that are no first names, such as `Lang, GmbH`.
const BEHIND_NAMES: &str = "gmbh mbh ag kg ohg ug inc ltd llc llp co corp sa srl bv jr sr ii iii iv md phd mba bsc ma msc llm csc drsc esq cpa rn dds";

/// Ends of words behind the comma of a name that say what the person does, such as `Abteilungsleiterin`.
const FUNCTIONS: &str = "leiter leiterin vorsitzende vorsitzender präsident präsidentin kassier kassierer kassiererin kassenwart trainer trainerin \
    sekretär sekretärin obmann obfrau schriftführer schriftführerin secretary treasurer chairman manager director coach président présidente \
    trésorier trésorière secrétaire directeur directrice entraîneur";

/// Austria's code.
pub(crate) const AUSTRIA: &str = "43";

/// Digits of an extension.
const EXTENSION: std::ops::RangeInclusive<usize> = 1..=6;

/// The values of a contact, with the columns that they come from. Both are in the order of the kind's fields.
pub(crate) struct Contact<'v, 'c> {
    pub kind: Kind,
    pub columns: &'c [Option<u32>],
    pub values: &'c mut [Cow<'v, str>],
}

impl<'v> Contact<'v, '_> {
    fn place(&self, field: &str) -> Option<usize> {
        self.kind.fields().iter().position(|each| each.name == field)
    }

    fn text(&self, field: &str) -> &str {
        self.place(field).map_or("", |place| self.values[place].trim())
    }

    /// Gives a field this text.
    pub fn set(&mut self, field: &str, text: impl Into<Cow<'v, str>>) {
        if let Some(place) = self.place(field) {
            self.values[place] = text.into();
        }
    }

    /// The column that both fields come from.
    fn is_pair(&self, [first, second]: [&str; 2]) -> bool {
        let column = |field| self.place(field).and_then(|place| self.columns[place]);
        column(first).is_some() && column(first) == column(second)
    }

    /// Gives the contact the second number of a cell. Of a column for telephones and mobiles, it is the one that the column names second.
    pub fn add_second_number(&mut self, number: String, both: Option<(&str, Both)>) {
        let Some((field, both)) = both.filter(|_| self.text("mobile").is_empty()) else {
            return self.set(OTHER_PHONE, number);
        };
        let first = self.text(field).to_owned();
        let [phone, mobile] = if both == Both::MobileFirst { [number, first] } else { [first, number] };
        self.set(field, phone);
        self.set("mobile", mobile);
    }

    /// Takes `Müller, Anna` and `80331 München` apart. A name without a comma is a whole name. A place without a postcode is a city.
    pub fn take_apart(&mut self) {
        if self.text("firstName").is_empty() && self.text("lastName").is_empty() {
            self.take_name_apart();
        }
        if self.is_pair(["postcode", "city"]) {
            let text = self.text("city").to_owned();
            let (postcode, city) = postcode_and_city(&text).unwrap_or(("", &text));
            self.set("postcode", postcode.to_owned());
            self.set("city", city.to_owned());
        }
    }

    /// Takes the whole name `Dr. Müller, Anna` apart, and leaves `Lang, GmbH` as it is.
    fn take_name_apart(&mut self) {
        let whole = self.text("name").to_owned();
        let Some((last, first)) = whole.split_once(", ") else { return };
        let (degree, last) = degree_before(last);
        let first = first.trim();
        let is_letter = |letter: char| letter.is_alphabetic() || " -'’.".contains(letter);
        let is_given = !first.is_empty()
            && first.chars().all(is_letter)
            && !names_degree(first)
            && !names_salutation(first)
            && !words(first).first().is_some_and(|word| is_one_of(word, SALUTATIONS))
            && !is_degree_with_points(first)
            && !words(first).iter().any(|word| is_one_of(word, BEHIND_NAMES) || names_function(word));
        if last.is_empty() || !is_given {
            return;
        }
        let [degree, last, first] = [degree, last, first].map(str::to_owned);
        self.set("name", "");
        self.set("lastName", last);
        self.set("firstName", first);
        self.add_degree(&degree);
    }

    /// Leaves out a salutation before a name, such as `Frau`. `name`: the first word in the name of the column.
    pub fn leave_salutation(&mut self, name: Option<&str>) {
        let whole = self.text("name").to_owned();
        if let Some((_, rest)) = salutation_in(&whole, name) {
            self.set("name", rest.into_owned());
        }
    }

    /// Completes a first or last name with the rest of the whole name: beside `Ada Byron` and `Ada`, the last name is `Byron`.
    pub fn complete_name(&mut self) {
        let [whole, first, last] = ["name", "firstName", "lastName"].map(|field| self.text(field).to_owned());
        let (known, field) = match (first.is_empty(), last.is_empty()) {
            (false, true) => (first, "lastName"),
            (true, false) => (last, "firstName"),
            _ => return,
        };
        let is_apart = |rest: &&str| rest.starts_with(',') || rest.trim_start().len() < rest.len();
        let begins = || whole.strip_prefix(&known).filter(is_apart);
        let ends = || whole.strip_suffix(&known).filter(|rest| rest.trim_end().len() < rest.len());
        if let Some(rest) = begins().or_else(ends) {
            self.set(field, rest.trim().trim_matches(',').trim().to_owned());
        }
    }

    /// Writes the family's name first, as in Hungarian.
    pub fn put_family_first(&mut self) {
        let [first, last] = ["firstName", "lastName"].map(|field| self.text(field).to_owned());
        if self.text("name").is_empty() && !first.is_empty() && !last.is_empty() {
            self.set("name", format!("{last} {first}"));
        }
    }

    /// Puts a degree such as `Dr.` before the name, and one such as `BEd` behind it.
    pub fn add_degree(&mut self, degree: &str) {
        let both = format!("{} {}", self.text("firstName"), self.text("lastName"));
        let whole =
            [self.text("name"), both.trim()].into_iter().find(|name| !name.is_empty()).unwrap_or_default();
        if !degree.is_empty() && !whole.is_empty() && !whole.ends_with(degree) {
            let named = if are_behind_name(degree) {
                format!("{whole}, {degree}")
            } else {
                format!("{degree} {whole}")
            };
            self.set("name", named);
        }
    }

    /// Moves numbers to the fields that their labels name: `Mobile`, `Work Fax`. `label_of` returns the label beside a column.
    pub fn place_numbers<'l>(&mut self, label_of: impl Fn(u32) -> Option<&'l str>) {
        let mut moved = Vec::new();
        for field in NUMBERS {
            let Some(place) = self.place(field).filter(|place| !self.values[*place].trim().is_empty()) else {
                continue;
            };
            let label = self.columns[place].and_then(&label_of).map(str::to_lowercase);
            let has_one =
                |words: &str, label: &str| words.split_ascii_whitespace().any(|word| label.contains(word));
            let wanted = label.and_then(|label| LABELS.into_iter().find(|(_, words)| has_one(words, &label)));
            if let Some((wanted, _)) = wanted.filter(|(wanted, _)| *wanted != field) {
                moved.push((wanted, std::mem::take(&mut self.values[place])));
            }
        }
        for (wanted, number) in moved {
            let mut fields = [wanted].into_iter().chain(NUMBERS);
            if let Some(free) = fields.find(|field| self.text(field).is_empty()) {
                self.set(free, number);
            }
        }
    }
}

/// The letters are those of a degree: `Ph.D.` Two may be the first ones of first names: `J.R.`
fn is_degree_with_points(text: &str) -> bool {
    let letters = simplified(text);
    !text.contains(' ') && letters.len() > 2 && is_one_of(&letters, BEHIND_NAMES)
}

/// The salutation of a name, and the name without it: `Frau Müller`, `Müller, Frau Anna`. `column`: the first word in the name of its column.
pub(crate) fn salutation_in<'n>(name: &'n str, column: Option<&str>) -> Option<(&'n str, Cow<'n, str>)> {
    let before = salutation_before(name, column).map(|(salutation, name)| (salutation, name.into()));
    before.or_else(|| {
        let (last, behind) = name.trim().split_once(", ")?;
        let (salutation, first) = behind.trim().split_once(' ')?;
        // A firm may name a person: `Autohaus Lang, Frau Huber`.
        let is_person = ![last, first].iter().any(|part| part.trim().contains(' '));
        (is_person && is_one_of(&simplified(salutation), SALUTATIONS))
            .then(|| (salutation, format!("{last}, {first}").into()))
    })
}

/// The salutation before a name, and the name. None: it has none, or names two people.
fn salutation_before<'n>(name: &'n str, column: Option<&str>) -> Option<(&'n str, &'n str)> {
    let (first, rest) = name.trim().split_once(' ')?;
    // A family may be called `Herr`, too: `Herr, Peter`.
    let word = simplified(Some(first).filter(|first| !first.contains(','))?);
    let is_sr = || word == "sr" && column.is_some_and(|name| is_one_of(name, OF_SR));
    let is_salutation =
        is_one_of(&word, SALUTATIONS) || (first.ends_with('.') && is_one_of(&word, WITH_POINT)) || is_sr();
    // A family may be called `von und zu`.
    let words: Vec<&str> = rest.split_whitespace().collect();
    let is_between = |pair: &[&str]| BETWEEN_PEOPLE.split(' ').any(|word| word == pair[0]) && pair[1] != "zu";
    let names_other = || {
        let behind = rest.split_once(',').and_then(|(_, behind)| behind.split_whitespace().next());
        behind.is_some_and(names_salutation)
    };
    (is_salutation && !words.windows(2).any(is_between) && !names_other() && !rest.trim().is_empty())
        .then_some((first, rest.trim()))
}

/// The degree before a last name, and that name: `Dr. Müller`, `Dr.in Lang`. Each word of a degree has a point.
fn degree_before(last: &str) -> (&str, &str) {
    let last = last.trim();
    let mut name = last;
    while let Some((_, rest)) = name.split_once(' ').filter(|(word, _)| word.contains('.')) {
        name = rest.trim_start();
    }
    let degree = last[..last.len() - name.len()].trim_end();
    if names_degree(degree) { (degree, name) } else { ("", last) }
}

/// The postcode and the city of `80331 München`, `D-80331 München`, `111 22 Stockholm` or `1017 GC Amsterdam`.
fn postcode_and_city(text: &str) -> Option<(&str, &str)> {
    let is_city = |city: &str| {
        city.starts_with(char::is_alphabetic) && !city.contains(|letter: char| letter.is_ascii_digit())
    };
    let is_digits = |text: &str, count| text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    let (first, rest) = text.split_once(' ')?;
    let rest = rest.trim_start();
    let (_, digits) = first.split_once('-').filter(|(country, _)| country.len() <= 2).unwrap_or(("", first));
    if let Some((second, city)) = rest.split_once(' ') {
        let is_dutch =
            is_digits(first, 4) && second.len() == 2 && second.bytes().all(|byte| byte.is_ascii_uppercase());
        if (is_dutch || (is_digits(first, 3) && is_digits(second, 2))) && is_city(city.trim_start()) {
            return Some((text[..text.len() - city.len()].trim_end(), city.trim_start()));
        }
    }
    let is_polish =
        digits.split_once('-').is_some_and(|(two, three)| is_digits(two, 2) && is_digits(three, 3));
    let is_polish = is_polish
        || first.split_once('-').is_some_and(|(two, three)| is_digits(two, 2) && is_digits(three, 3));
    ((is_digits(digits, 5) || is_digits(digits, 4) || is_polish) && is_city(rest)).then_some((first, rest))
}

/// The number with the extension of another column. A direct one stands behind `089 1234-`, or in place of the 0 of `089 1234-0`. Any other
/// stands behind the `joint`. None: it is not plain where the extension belongs. `country`: that of numbers without a code.
pub(crate) fn extended(
    number: &str,
    extension: &str,
    joint: &str,
    country: Option<CallingCode>,
) -> Option<String> {
    let number = with_hyphens(number.trim());
    let is_known = country.is_some() || number.starts_with('+') || number.starts_with("00");
    let desk = digits_of_desk(extension).filter(|_| joint == DIRECT && is_known);
    let (number, extension) = (&*number, desk.unwrap_or(extension.trim()));
    let is_extension =
        EXTENSION.contains(&extension.len()) && extension.bytes().all(|byte| byte.is_ascii_digit());
    if !is_extension || !number.contains(|character: char| character.is_ascii_digit()) {
        return None;
    }
    if joint != DIRECT {
        return Some(format!("{number}{joint}{extension}"));
    }
    // People write `22 14 - 0`, too.
    let before_zero = number.strip_suffix('0').map_or(number, str::trim_end);
    match number.strip_suffix('-').or_else(|| before_zero.strip_suffix('-')) {
        Some(main) => Some(format!("{}-{extension}", main.trim_end())),
        None if is_austrian_firm(number, extension, country) => with_desk(number, extension, true),
        None => None,
    }
}

fn names_function(word: &str) -> bool {
    FUNCTIONS.split_ascii_whitespace().any(|function| word.ends_with(function))
}

/// The number is Austrian, where the digits of a desk stand behind the number of any firm: 10 behind `07434/42330`. Mobiles, services and
/// short numbers have no desks, and a number may end with those digits already.
fn is_austrian_firm(number: &str, extension: &str, country: Option<CallingCode>) -> bool {
    /// Digits of the longest short number.
    const SHORT: usize = 6;
    /// Beginnings of services, behind the 0. Vienna has the number `01 80…`, and Germany the service `0180`.
    const SERVICES: [&str; 4] = ["800", "810", "820", "900"];
    const GERMAN_SERVICE: &str = "0180";
    /// Salzburg, among the beginnings of mobiles.
    const SALZBURG: &str = "662";

    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    let national = if number.starts_with('+') || number.starts_with("00") {
        digits.trim_start_matches('0').strip_prefix(AUSTRIA)
    } else {
        Some(&*digits).filter(|_| country.is_some_and(|code| code.digits() == AUSTRIA))
    };
    let is_mobile = |national: &str| {
        national.starts_with('6')
            && national[1..].starts_with(|second| second >= '5')
            && !national.starts_with(SALZBURG)
    };
    let is_service = |national: &str| {
        number.starts_with(GERMAN_SERVICE) || SERVICES.iter().any(|start| national.starts_with(start))
    };
    let has_desks = |national: &str| {
        let is_other = is_mobile(national) || is_service(national) || national.ends_with(extension);
        !is_other && digits.len() > SHORT && number.chars().all(is_of_number)
    };
    let is_desk = extension.contains(|digit| digit != '0');
    is_desk && national.is_some_and(|national| has_desks(national.trim_start_matches('0')))
}
