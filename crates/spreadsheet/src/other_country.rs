//! Numbers that get the code of one country, although another cell of their row names another.

use crate::columns::Columns;
use crate::names::{is_mail_address, is_one_of};
use crate::role::CountryChoice;

/// The ends of addresses by country, but for those that people have for other reasons, such as `.io`, `.me` and `.li`.
const ENDS: [(&str, &str); 24] = [
    ("at", "43"),
    ("be", "32"),
    ("bg", "359"),
    ("ch", "41"),
    ("cz", "420"),
    ("de", "49"),
    ("dk", "45"),
    ("es", "34"),
    ("fi", "358"),
    ("fr", "33"),
    ("gr", "30"),
    ("hr", "385"),
    ("hu", "36"),
    ("ie", "353"),
    ("it", "39"),
    ("lu", "352"),
    ("nl", "31"),
    ("no", "47"),
    ("pl", "48"),
    ("pt", "351"),
    ("ro", "40"),
    ("se", "46"),
    ("sk", "421"),
    ("uk", "44"),
];

/// Hosts where people of several countries have addresses.
const SHARED: &str =
    "gmx web yahoo hotmail live outlook msn aol gmail googlemail google freenet mail youtu facebook amazon";

/// Rows that a sentence names.
const NAMED_ROWS: usize = 5;

/// Signs of other countries that a sentence names.
const NAMED_SIGNS: usize = 4;

/// Numbers, their rows, and the signs of other countries there.
#[derive(Debug, Default)]
pub(crate) struct OfOtherCountry {
    numbers: u64,
    rows: u64,
    first_rows: Vec<u64>,
    signs: Vec<String>,
}

impl OfOtherCountry {
    /// So many numbers of a row that has these signs.
    pub fn add(&mut self, numbers: usize, row: u64, signs: Vec<String>) {
        self.numbers += numbers as u64;
        self.rows += 1;
        if self.first_rows.len() < NAMED_ROWS {
            self.first_rows.push(row);
        }
        for sign in signs {
            if !self.signs.contains(&sign) {
                self.signs.push(sign);
            }
        }
    }

    /// The sentence. `of_countries`: the column by which people may choose the country of each row.
    pub fn sentence(
        &self,
        columns: &Columns,
        country: Option<CountryChoice>,
        of_countries: Option<u32>,
    ) -> Option<String> {
        let Some(CountryChoice::All(code)) = country.filter(|_| self.numbers > 0) else { return None };
        let (numbers, ones) = match self.numbers {
            1 => ("1 number".to_owned(), "one"),
            count => (format!("{count} numbers"), "ones"),
        };
        let (their, have) = match (self.numbers, self.rows) {
            (1, _) => ("its row", "has"),
            (_, 1) => ("their row", "has"),
            _ => ("their rows", "have"),
        };
        let (named, other_signs) = self.signs.split_at(self.signs.len().min(NAMED_SIGNS));
        let signs = match (named, other_signs) {
            ([all @ .., last], []) if !all.is_empty() => format!("{} or {last}", all.join(", ")),
            _ if other_signs.is_empty() => named.join(", "),
            _ => format!("{} or others", named.join(", ")),
        };
        let rows: Vec<String> = self.first_rows.iter().map(u64::to_string).collect();
        let more = self.rows - rows.len() as u64;
        let rows = match (rows.as_slice(), more) {
            ([row], 0) => format!("row {row}"),
            ([others @ .., last], 0) => format!("rows {} and {last}", others.join(", ")),
            _ => format!("rows {} and {more} more", rows.join(", ")),
        };
        let advice = match of_countries {
            Some(column) => format!(
                "or choose the country of each row in the column {}",
                columns.all[column as usize].title()
            ),
            None => "or add a column “Country” or “Land”, and choose the country of each row".to_owned(),
        };
        Some(format!(
            "{numbers} became {ones} of +{} although {their} {have} {signs}: {rows}. If {} of another country, write that country's code in \
             front, {advice}.",
            code.digits(),
            if self.numbers == 1 { "it is" } else { "they are" },
        ))
    }
}

/// The end of an address of a mail or a website that is one of a country, with the country's code.
pub(crate) fn end_of_address(text: &str) -> Option<(&'static str, &'static str)> {
    let text = text.trim().to_lowercase();
    let host = match text.split_once('@') {
        Some((_, host)) if is_mail_address(&text) => host,
        Some(_) => return None,
        None => {
            let rest = text.split_once("://").map_or(&*text, |(_, rest)| rest);
            rest.split(['/', '?', '#', ':']).next()?
        }
    };
    let labels: Vec<&str> = host.split('.').collect();
    let is_host = labels.len() > 1
        && labels.iter().all(|label| !label.is_empty())
        && host.chars().all(|letter| letter.is_alphanumeric() || ".-".contains(letter));
    let (end, others) = labels.split_last().filter(|_| is_host)?;
    let is_shared = others.iter().any(|label| is_one_of(label, SHARED) || *label == "t-online");
    ENDS.into_iter().find(|(each, _)| each == end && !is_shared)
}
