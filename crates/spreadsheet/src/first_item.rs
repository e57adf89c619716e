//! Finds that the first row of a table is an item, or may be one, and names no columns: its cells have the form of those below them.

use qrpress_kinds::{Kind, ValueForm, is_day, is_of_number};

use crate::fields::names_field;
use crate::header::{TITLES, is_number_or_year};
use crate::moments::is_date;
use crate::names::{
    is_bare_link, is_link, is_mail_address, is_web_link, looks_like_data, role_of, simplified,
};
use crate::row::{Cell, Row};
use crate::things::things_of_name;

/// Digits of a number behind a prefix: `Q1` and `Tel 2` are names of columns.
const FEWEST_BEHIND_PREFIX: usize = 3;
/// Digits of a telephone number.
const FEWEST_OF_PHONE: usize = 7;

/// The form of a cell that names of columns hardly have.
#[derive(Debug, PartialEq, Eq)]
enum Form<'t> {
    /// Letters and signs before a number, such as `INV-` in `INV-001`.
    Numbered(&'t str),
    Phone,
    /// Several lines, one of which has a digit, such as an address.
    Lines,
}

/// Digits of a key. A shorter number may have as many digits as the only one below it by chance.
const FEWEST_OF_KEY: usize = 5;

/// Digits that no column is named by.
const LONG: usize = 9;

/// Numbers for help, which stand among telephone numbers.
const FOR_HELP: [&str; 8] = ["112", "118", "122", "133", "141", "144", "911", "999"];

/// The form of a cell that hardly any name of a column has, where the cells below it have it as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape<'t> {
    Link,
    Mail,
    Phone,
    /// A number of a few digits for help.
    Help,
    /// A date at the beginning of a row, or the only one in it.
    Date,
    /// So many digits, up to [`LONG`]: long ones, those with a 0 before the others, and those at the beginning of a row.
    Digits(usize),
    /// Letters and signs before a number, as in `Form::Numbered`.
    Numbered(&'t str),
}

impl Shape<'_> {
    /// A cell below one of this shape has its shape, too.
    fn is_that_of(self, below: Self) -> bool {
        let may_be_called = |shape| matches!(shape, Self::Phone | Self::Help);
        self == below || (may_be_called(self) && may_be_called(below))
    }

    /// Rows below that have to have the shape.
    fn fewest(self) -> usize {
        match self {
            Self::Digits(digits) if digits < FEWEST_OF_KEY => 2,
            Self::Numbered(_) | Self::Help => 2,
            _ => 1,
        }
    }
}

/// Returns true where the first row is an item for sure: a cell has the shape of most cells below it, no cell names a member of an item, and
/// none is words above values alone. Beside a cell of another shape than a key, one may name something else, such as `Rathaus`.
pub(crate) fn is_surely_item(first: &Row, below: &[Row]) -> bool {
    let shapes: Vec<Shape<'_>> =
        first.cells.iter().filter_map(|cell| shape_of_most(first, cell, below)).collect();
    let are_keys = shapes.iter().all(|shape| matches!(shape, Shape::Digits(_) | Shape::Numbered(_)));
    let is_alone = first.cells.len() == 1 && below.iter().any(|row| row.cells.len() > 1);
    // A word may stand in each row.
    let names = first.cells.iter().filter(|cell| {
        let text = first.text(cell).trim();
        is_known(text) && !texts_below(below, cell.column).any(|(row, other)| row.text(other).trim() == text)
    });
    !shapes.is_empty()
        && !is_alone
        && names.clone().all(|cell| role_of(first.text(cell)).is_none())
        && names.count() <= usize::from(!are_keys)
        && !first.cells.iter().any(|cell| is_above_values(first, cell, below))
}

/// The shape of a cell that most cells below it have, too, and each of the next ones: those may have the names of columns.
fn shape_of_most<'r>(first: &'r Row, cell: &Cell, below: &'r [Row]) -> Option<Shape<'r>> {
    let shape = shape(first, cell)?;
    let is_same =
        |row: &Row, other: &Cell| self::shape(row, other).is_some_and(|other| shape.is_that_of(other));
    let has_digit = |row: &Row, other: &Cell| row.text(other).contains(|sign: char| sign.is_ascii_digit());
    let alike = texts_below(below, cell.column).filter(|(row, other)| is_same(row, other)).count();
    let is_next =
        below.first().is_some_and(|row| row.cell(cell.column).is_some_and(|other| is_same(row, other)));
    let mut next = texts_below(below, cell.column).take(TITLES);
    let is_alike = is_next
        && next.all(|(row, other)| is_same(row, other) || has_digit(row, other))
        && alike >= shape.fewest()
        && 3 * alike >= 2 * texts_below(below, cell.column).count();
    is_alike.then_some(shape)
}

/// The cells of a column, with their rows.
fn texts_below(below: &[Row], column: u32) -> impl Iterator<Item = (&Row, &Cell)> {
    below.iter().filter_map(move |row| Some((row, row.cell(column)?)))
}

/// The cell is words, and all cells below it are values. A single value may be anything.
fn is_above_values(first: &Row, cell: &Cell, below: &[Row]) -> bool {
    let text = first.text(cell);
    !is_value(text)
        && !text.contains(|sign: char| sign.is_ascii_digit())
        && texts_below(below, cell.column).count() > 1
        && texts_below(below, cell.column).all(|(row, other)| is_value(row.text(other)))
}

/// A cell of the row has a shape, so that the rows below it may tell that it is an item.
pub(crate) fn may_be_item(row: &Row) -> bool {
    row.cells.iter().any(|cell| shape(row, cell).is_some())
}

/// The text names something that codes are made of, or a member of an item.
fn is_known(text: &str) -> bool {
    let is_field = |kind: Kind| kind.fields().iter().any(|field| names_field(kind, field.name, text));
    role_of(text).is_some()
        || !things_of_name(&simplified(text)).is_empty()
        || Kind::ALL.into_iter().any(is_field)
}

fn shape<'r>(row: &'r Row, cell: &Cell) -> Option<Shape<'r>> {
    let text = row.text(cell).trim();
    let is_first = row.cells.first().is_some_and(|first| first.column == cell.column);
    if has_date(row, cell) {
        let dates = row.cells.iter().filter(|other| has_date(row, other)).count();
        return (is_first || dates == 1).then_some(Shape::Date);
    }
    if is_mail_address(text) {
        return Some(Shape::Mail);
    }
    if is_web_link(text) || is_link(text) || is_bare_link(text) {
        return Some(Shape::Link);
    }
    if FOR_HELP.contains(&text) && row.cells.len() == 2 && !is_first {
        return Some(Shape::Help);
    }
    match form(text) {
        Some(Form::Numbered(prefix)) => Some(Shape::Numbered(prefix)),
        Some(Form::Phone) => Some(Shape::Phone),
        Some(Form::Lines) => None,
        None => {
            let is_key =
                text.len() >= LONG || text.starts_with('0') || (is_first && !is_beside_number(row, cell));
            let are_digits = text.bytes().all(|byte| byte.is_ascii_digit());
            let is_year = text.len() == 4 && ["19", "20"].iter().any(|century| text.starts_with(century));
            let is_long = text.len() >= FEWEST_BEHIND_PREFIX;
            (is_key && are_digits && is_long && !is_year).then_some(Shape::Digits(text.len().min(LONG)))
        }
    }
}

fn has_date(row: &Row, cell: &Cell) -> bool {
    let number = cell.number.as_ref();
    number.is_some_and(|number| number.value(ValueForm::Moment).is_ok()) || is_date(row.text(cell).trim())
}

/// The cell stands beside a number, as names of columns do that are numbers: `36`, `37`.
fn is_beside_number(row: &Row, cell: &Cell) -> bool {
    row.cells
        .iter()
        .any(|other| other.column.abs_diff(cell.column) == 1 && is_number_or_year(row.text(other)))
}

/// Returns true where no cell of the first row is a known name of a column, and one has a form that most cells below it have as well.
pub(crate) fn is_item(first: &Row, below: &[Row]) -> bool {
    has_no_known_role(first)
        && first.cells.iter().any(|cell| {
            let Some(form) = form(first.text(cell)) else { return false };
            let texts = || below.iter().filter_map(|row| Some(row.text(row.cell(cell.column)?)));
            let alike = texts().filter(|text| self::form(text).as_ref() == Some(&form)).count();
            2 * alike > texts().count()
        })
}

fn has_no_known_role(first: &Row) -> bool {
    first.cells.iter().all(|cell| role_of(first.text(cell)).is_none())
}

/// The columns that the first row may name although none of its cells is a known name: it is words alone, and all values below these are
/// numbers or links. None: a cell is a known name.
pub(crate) fn columns_with_words_above(first: &Row, below: &[Row]) -> Option<Vec<u32>> {
    let is_unknown = |cell| things_of_name(&simplified(first.text(cell))).is_empty();
    if !has_no_known_role(first) || !first.cells.iter().all(is_unknown) {
        return None;
    }
    let are_values = |cell: &&Cell| {
        let mut texts = below.iter().filter_map(|row| Some(row.text(row.cell(cell.column)?))).peekable();
        texts.peek().is_some() && texts.all(is_value)
    };
    let has_digit = |text: &str| text.contains(|sign: char| sign.is_ascii_digit());
    let is_host = |text: &str| text.contains('.') && !text.trim().contains(char::is_whitespace);
    let may_be_value = |text: &str| is_value(text) || has_digit(text) || is_host(text);
    let has_values = first.cells.iter().any(|cell| may_be_value(first.text(cell)));
    let columns = first.cells.iter().filter(are_values).map(|cell| cell.column);
    Some(if has_values { Vec::new() } else { columns.collect() })
}

/// The text is a number or a code, a link, or the address of a mail. `Room 1` is words.
fn is_value(text: &str) -> bool {
    let is_code = !text.trim().contains(char::is_whitespace) || text.chars().all(is_of_number);
    (is_code && text.contains(|sign: char| sign.is_ascii_digit()))
        || looks_like_data(text)
        || is_bare_link(text)
}

fn form(text: &str) -> Option<Form<'_>> {
    let text = text.trim();
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    if text.contains('\n') {
        return (digits > 0).then_some(Form::Lines);
    }
    if text.starts_with(['+', '0', '(']) && text.chars().all(is_of_number) {
        return (digits >= FEWEST_OF_PHONE && !is_day(text)).then_some(Form::Phone);
    }
    let (prefix, number) = text.split_at(text.find(|sign: char| sign.is_ascii_digit())?);
    let is_number = number.len() >= FEWEST_BEHIND_PREFIX && number.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && prefix.contains(char::is_alphabetic)).then_some(Form::Numbered(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_item_above(rows: &[&[&str]]) -> bool {
        let row = |(number, cells): (u64, &&[&str])| {
            let mut row = Row::default();
            row.clear(number);
            for (column, text) in (0..).zip(*cells).filter(|(_, text)| !text.is_empty()) {
                row.push(column, text, None).unwrap();
            }
            row
        };
        let rows: Vec<Row> = (1..).zip(rows).map(row).collect();
        is_item(&rows[0], &rows[1..])
    }

    #[test]
    fn items_above_others() {
        for rows in [
            &[
                &["Laptop Dell 5420", "INV-001"][..],
                &["Beamer Epson", "INV-002"],
                &["Kamera Sony", "INV-003"],
            ][..],
            &[&["INV-001"], &["INV-002"]],
            &[&["Anna Maier", "0711 123456"], &["Bob Kurz", "0711 99887"]],
            &[&["Anna Maier", "+49 711 123456"], &["Bob Kurz", "0711/99887"], &["Eva", ""]],
            &[&["Anna", "Hauptstr. 1\n70173 Stuttgart"], &["Bob", "Weg 2\r\n70174 Stuttgart"]],
        ] {
            assert!(is_item_above(rows), "{rows:?}");
        }
    }

    #[test]
    fn names_of_columns() {
        for rows in [
            &[&["Person", "Tel 2"][..], &["Anna", "0711 123456"]][..],
            &[&["Filiale", "2026", "2027"], &["Nord", "2026", "2027"], &["Ost", "1800", "2000"]],
            &[&["Filiale", "Q1 2026"], &["Nord", "Q1 2026"]],
            &[&["Ware", "Preis 2026"], &["Schraube", "12,50"], &["Mutter", "Preis 2027"], &["Stift", "1"]],
            &[&["Gerät", "SN-Nummer"], &["Laptop", "SN-001"]],
            &[&["Gerät", "INV-001"], &["Laptop", "SN-001"], &["Beamer", "SN-002"]],
            &[&["Gerät", "INV-001"]],
            &[&["Gast", "01.02.2026"], &["Anna", "02.02.2026"]],
            &[&["Preis\n(netto)", "Menge"], &["12\n13", "1"]],
            &[&["Preis\n2026", "Menge"], &["12", "1"]],
            // A known name.
            &[&["Link", "INV-001"], &["a", "INV-002"]],
            &[&["Person", "Phone"], &["Anna", "0711 123456"]],
            &[&["0711 123456", "Person"], &["Anna", "Bob"], &["0711 123456", "Eva"]],
        ] {
            assert!(!is_item_above(rows), "{rows:?}");
        }
    }
}
