//! Formulas that make a cell a link, such as `HYPERLINK("https://example.org/"&A2,"Open")`, and the addresses that they give.

use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;

use super::area::place_of;
use super::xml::too_large;
use crate::bounds::{COLUMNS, ROWS};
use crate::error::Halt;

/// Bytes of a formula that is looked at. Excel allows 8,192 characters.
pub(super) const FORMULA_BYTES: usize = 32_768;

/// Bytes of all formulas of links that cells share.
const SHARED_BYTES: usize = 16_000_000;

/// Functions and brackets inside each other.
const DEPTH: usize = 8;

/// Texts and cells that an address is made of. A formula may name ten thousand cells.
const PIECES: usize = 256;

const NAME: &str = "HYPERLINK";

/// The column, from 0, and row, from 1, of a cell.
pub(super) type Place = (u32, u64);

/// The address of a cell that is a link.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Target {
    Address(String),
    /// The formula takes more than texts and cells that are known.
    Unknown,
}

/// A formula that makes its cell a link.
#[derive(Debug)]
pub(super) struct LinkFormula {
    /// The address is these, one behind the other. None: the formula has other parts.
    pieces: Option<Box<[Piece]>>,
    /// The cell may show another text than the address.
    has_text: bool,
    /// The cell that the formula is written for.
    place: Place,
}

#[derive(Debug)]
enum Piece {
    Text(String),
    Cell(Reference),
}

/// A cell of the same sheet. What is fixed, as in `$A$2`, stays where the formula is copied to other cells.
#[derive(Debug)]
struct Reference {
    place: Place,
    is_fixed: [bool; 2],
}

impl LinkFormula {
    /// Reads a formula. None: it makes no link.
    pub fn of(formula: &str, place: Place) -> Option<Self> {
        let name = place_of_name(formula)?;
        let start = formula[..name].trim();
        let arguments = formula[name + NAME.len()..].trim_start().strip_prefix('(')?;
        if !start.is_empty() && start != "=" {
            return Some(Self { pieces: None, has_text: has_second(arguments), place });
        }
        let mut pieces = Vec::new();
        let rest = joined(arguments, &mut pieces, DEPTH).map(str::trim_start);
        let is_whole = rest.is_some_and(|rest| rest.starts_with([',', ')']));
        Some(Self { pieces: is_whole.then(|| pieces.into()), has_text: has_second(arguments), place })
    }

    /// The address of the cell at `place`, which has this formula or shares it. `value`: the text of a cell as it is joined to others, or
    /// none where it is not known. None: the cell is no link to another address than its text.
    pub fn target<'v>(&self, place: Place, value: impl Fn(Place) -> Option<Cow<'v, str>>) -> Option<Target> {
        let unknown = self.has_text.then_some(Target::Unknown);
        let Some(pieces) = &self.pieces else { return unknown };
        let mut address = String::new();
        for piece in pieces {
            let text = match piece {
                Piece::Text(text) => Some(Cow::Borrowed(text.as_str())),
                Piece::Cell(reference) => reference.moved(self.place, place).and_then(&value),
            };
            // A place in the workbook begins with `#`.
            if address.starts_with('#') {
                return None;
            }
            let Some(text) = text.filter(|text| address.len() + text.len() <= FORMULA_BYTES) else {
                return unknown;
            };
            address.push_str(&text);
        }
        (!address.starts_with('#') && !address.is_empty()).then_some(Target::Address(address))
    }

    /// The formula without the parts of its address.
    pub fn without_address(&self) -> Self {
        Self { pieces: None, ..*self }
    }

    /// Bytes in memory. The address takes as much work.
    pub fn bytes(&self) -> usize {
        let of_piece = |piece: &Piece| match piece {
            Piece::Text(text) => text.len(),
            Piece::Cell(_) => 0,
        };
        let pieces = self.pieces.as_deref().unwrap_or_default();
        size_of::<Self>() + pieces.iter().map(|piece| size_of::<Piece>() + of_piece(piece)).sum::<usize>()
    }
}

impl Reference {
    /// The cell that the reference means in a formula that was copied from one cell to another.
    fn moved(&self, from: Place, to: Place) -> Option<Place> {
        let column =
            i64::from(self.place.0) + if self.is_fixed[0] { 0 } else { i64::from(to.0) - i64::from(from.0) };
        let row = if self.is_fixed[1] { self.place.1 } else { (self.place.1 + to.1).checked_sub(from.1)? };
        let column = u32::try_from(column).ok().filter(|column| *column < COLUMNS)?;
        (1..=ROWS).contains(&row).then_some((column, row))
    }
}

/// Formulas of links that several cells share, by their index.
#[derive(Debug, Default)]
pub(super) struct SharedFormulas {
    formulas: HashMap<String, Rc<LinkFormula>>,
    bytes: usize,
}

impl SharedFormulas {
    /// The formula of the cell at `place`, if it makes a link. A shared formula stands in its first cell, and the others have its `index`
    /// alone.
    pub fn formula(
        &mut self,
        formula: &str,
        index: Option<&str>,
        place: Place,
    ) -> Result<Option<Rc<LinkFormula>>, Halt> {
        let Some(index) = index else { return Ok(LinkFormula::of(formula, place).map(Rc::new)) };
        if formula.is_empty() {
            return Ok(self.formulas.get(index).cloned());
        }
        let Some(formula) = LinkFormula::of(formula, place).map(Rc::new) else { return Ok(None) };
        self.bytes += formula.bytes() + index.len();
        if self.bytes > SHARED_BYTES {
            return Err(too_large());
        }
        self.formulas.insert(index.to_owned(), formula.clone());
        Ok(Some(formula))
    }
}

/// The place of the function's name in a formula, outside texts and names of sheets.
fn place_of_name(formula: &str) -> Option<usize> {
    let bytes = formula.as_bytes();
    let mut quote = None;
    for (place, byte) in bytes.iter().enumerate() {
        match quote {
            Some(mark) if mark == *byte => quote = None,
            None if matches!(byte, b'"' | b'\'') => quote = Some(*byte),
            None => {
                let is_name = bytes[place..]
                    .get(..NAME.len())
                    .is_some_and(|name| name.eq_ignore_ascii_case(NAME.as_bytes()));
                let is_of_other =
                    |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
                let begins = || !bytes[..place].last().is_some_and(is_of_other);
                let ends = || formula[place + NAME.len()..].trim_start().starts_with('(');
                if is_name && begins() && ends() {
                    return Some(place);
                }
            }
            Some(_) => {}
        }
    }
    None
}

/// The function has a second argument: a text to show.
fn has_second(arguments: &str) -> bool {
    let (mut depth, mut quote) = (0_u32, None);
    for byte in arguments.bytes() {
        match (quote, byte) {
            (Some(mark), _) if mark == byte => quote = None,
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'(' | b'[' | b'{') => depth += 1,
            (None, b',') if depth == 0 => return true,
            (None, b')' | b']' | b'}') => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return false,
            },
            _ => {}
        }
    }
    false
}

/// Takes texts and cells with `&` between them off the beginning, and returns the rest.
fn joined<'f>(formula: &'f str, pieces: &mut Vec<Piece>, depth: usize) -> Option<&'f str> {
    let mut rest = formula;
    loop {
        rest = operand(rest.trim_start(), pieces, depth)?.trim_start();
        match rest.strip_prefix('&') {
            Some(after) => rest = after,
            None => return Some(rest),
        }
    }
}

/// Takes a text, a whole number, a cell, or a function that joins such off the beginning, and returns the rest.
fn operand<'f>(formula: &'f str, pieces: &mut Vec<Piece>, depth: usize) -> Option<&'f str> {
    const FUNCTIONS: [&str; 4] = ["", "CONCATENATE", "CONCAT", "_xlfn.CONCAT"];

    if formula.starts_with('"') {
        let (text, rest) = quoted(formula)?;
        pieces.push(Piece::Text(text));
        return Some(rest);
    }
    if pieces.len() >= PIECES {
        return None;
    }
    let is_of_word = |letter: char| letter.is_ascii_alphanumeric() || "$_.".contains(letter);
    let end = formula.find(|letter| !is_of_word(letter)).unwrap_or(formula.len());
    let (word, rest) = formula.split_at(end);
    if let Some(mut rest) = rest.trim_start().strip_prefix('(') {
        FUNCTIONS.iter().find(|name| name.eq_ignore_ascii_case(word))?;
        loop {
            rest = joined(rest, pieces, depth.checked_sub(1)?)?;
            match rest.strip_prefix(',').filter(|_| !word.is_empty()) {
                Some(after) => rest = after,
                None => return rest.strip_prefix(')'),
            }
        }
    }
    if !word.is_empty() && word.len() <= 15 && word.bytes().all(|byte| byte.is_ascii_digit()) {
        pieces.push(Piece::Text(word.parse::<u64>().ok()?.to_string()));
        return Some(rest);
    }
    // A range, or a name of a sheet.
    if rest.starts_with([':', '!', '[', '#']) {
        return None;
    }
    pieces.push(Piece::Cell(reference(word)?));
    Some(rest)
}

/// Takes a text in quotes off the beginning. A quote in it is written twice.
fn quoted(formula: &str) -> Option<(String, &str)> {
    let mut rest = formula.strip_prefix('"')?;
    let mut text = String::new();
    loop {
        let (part, after) = rest.split_once('"')?;
        text.push_str(part);
        match after.strip_prefix('"') {
            Some(more) => {
                text.push('"');
                rest = more;
            }
            None => return Some((text, after)),
        }
    }
}

/// The cell of `A2`, `$A2`, `A$2` or `$A$2`. A word such as `ZZZ1`, which no column has, is a name that the workbook defines.
fn reference(word: &str) -> Option<Reference> {
    let (is_column_fixed, rest) = word.strip_prefix('$').map_or((false, word), |rest| (true, rest));
    let digits = rest.find(|letter: char| !letter.is_ascii_alphabetic())?;
    let (column, row) = rest.split_at(digits);
    let (is_row_fixed, row) = row.strip_prefix('$').map_or((false, row), |row| (true, row));
    let is_number = row.bytes().all(|byte| byte.is_ascii_digit());
    let place = place_of(&format!("{}{row}", column.to_ascii_uppercase()))
        .filter(|(column, _)| is_number && *column < COLUMNS)?;
    Some(Reference { place, is_fixed: [is_column_fixed, is_row_fixed] })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns A and C are known in row 2, and D in row 1; column B is empty.
    fn value(place: Place) -> Option<Cow<'static, str>> {
        match place {
            (0, 2) => Some("R2".into()),
            (2, 2) => Some("7".into()),
            (3, 1) => Some("https://a.example/".into()),
            (1, 2) => Some("".into()),
            (5, 2) => Some("#Two".into()),
            _ => None,
        }
    }

    #[test]
    fn addresses_of_texts_and_cells_are_computed() {
        let address = |text: &str| Some(Target::Address(text.to_owned()));
        for (formula, target) in [
            ("HYPERLINK(\"https://a.example/1\",\"Open\")", address("https://a.example/1")),
            ("hyperlink( \"https://a.example/\" & \"1\" , B2)", address("https://a.example/1")),
            ("=HYPERLINK(\"a\"\"b\")", address("a\"b")),
            ("HYPERLINK(\"https://a.example/\"&A2,A2)", address("https://a.example/R2")),
            ("HYPERLINK($D$1&A2&\"/\"&$C2&B2,\"x\")", address("https://a.example/R2/7")),
            ("HYPERLINK(CONCATENATE(D$1, A2,\"-\",5),\"x\")", address("https://a.example/R2-5")),
            ("HYPERLINK((_xlfn.CONCAT(\"a\",(A2&C2))),\"x\")", address("aR27")),
            ("HYPERLINK(a2,\"Open\")", address("R2")),
            ("HYPERLINK(A9,\"Open\")", Some(Target::Unknown)),
            ("HYPERLINK(A9)", None),
            ("HYPERLINK(VLOOKUP(A2,D1:E9,2,0))", None),
            ("HYPERLINK(VLOOKUP(A2,D1:E9,2,0),\"x\")", Some(Target::Unknown)),
            ("HYPERLINK(\"a/\"&T[[#This Row],[Room]])", None),
            ("HYPERLINK(\"a/\"&T[[#This Row],[Room]],\"Open\")", Some(Target::Unknown)),
            ("HYPERLINK('A, B'!A2)", None),
            ("HYPERLINK(CONCAT(A2:C2),\"x\")", Some(Target::Unknown)),
            ("HYPERLINK(\"a\"&1.5,\"x\")", Some(Target::Unknown)),
            ("IF(A2=\"\",\"\",HYPERLINK(\"a\",\"x\"))", Some(Target::Unknown)),
            ("IF(A2=\"\",\"\",HYPERLINK(\"a/\"&A2))", None),
            ("HYPERLINK(XFE1&A2)", None),
            ("HYPERLINK(ZZZ1,\"x\")", Some(Target::Unknown)),
            ("HYPERLINK(XFE1&\"/\"&A2,\"x\")", Some(Target::Unknown)),
            ("HYPERLINK(XFD2&A2,\"x\")", Some(Target::Unknown)),
            ("HYPERLINK(\"#Two!A1\",\"Open\")", None),
            ("HYPERLINK(\"#\"&A9,\"Open\")", None),
            ("HYPERLINK(F2,\"Open\")", None),
            ("HYPERLINK(B2,\"Open\")", None),
            ("HYPERLINK(\"open", None),
            ("\"HYPERLINK(\"", None),
            ("MYHYPERLINK(\"a\",\"x\")", None),
            ("SUM(1)", None),
            ("HYPERLINKÄ", None),
        ] {
            let link = LinkFormula::of(formula, (1, 2));
            assert_eq!(link.and_then(|link| link.target((1, 2), value)), target, "{formula}");
        }
        let deep = format!("HYPERLINK({}A2{},1)", "(".repeat(9_000), ")".repeat(9_000));
        assert_eq!(LinkFormula::of(&deep, (1, 2)).unwrap().target((1, 2), value), Some(Target::Unknown));
    }

    #[test]
    fn a_formula_keeps_few_pieces() {
        let link = |count: usize| {
            let formula = format!("HYPERLINK(CONCAT({}),\"x\")", vec!["A2"; count].join(","));
            LinkFormula::of(&formula, (1, 2)).unwrap()
        };
        assert_eq!(link(PIECES).target((1, 2), value), Some(Target::Address("R2".repeat(PIECES))));
        let long = link(10_000);
        assert!(long.bytes() < 200, "{}", long.bytes());
        assert_eq!(long.target((1, 2), value), Some(Target::Unknown));
        let without = link(1).without_address();
        assert_eq!(without.target((1, 2), value), Some(Target::Unknown));
    }

    /// Some programs write a shared formula into each cell.
    #[test]
    fn many_formulas_may_be_shared() {
        let mut shared = SharedFormulas::default();
        for row in 2..20_002 {
            let formula = format!("HYPERLINK(\"https://a.example/room/\"&A{row},\"Open\")");
            assert!(shared.formula(&formula, Some(&row.to_string()), (1, row)).unwrap().is_some());
        }
    }

    #[test]
    fn a_shared_formula_means_the_cells_beside_each_of_its_own() {
        let mut shared = SharedFormulas::default();
        let mut target = |formula: &str, index, place| {
            let link = shared.formula(formula, index, place).unwrap();
            link.and_then(|link| link.target(place, |(column, row)| Some(format!("{column}/{row}").into())))
        };
        let address = |text: &str| Some(Target::Address(text.to_owned()));
        assert_eq!(target("HYPERLINK(A2&$A$2,\"b\")", Some("0"), (1, 2)), address("0/20/2"));
        assert_eq!(target("", Some("0"), (2, 5)), address("1/50/2"));
        assert_eq!(target("", Some("0"), (0, 5)), Some(Target::Unknown));
        assert_eq!(target("HYPERLINK(XFD2&\"/\"&A1,\"b\")", Some("2"), (1, 2)), address("16383/2/0/1"));
        assert_eq!(target("", Some("2"), (2, 2)), Some(Target::Unknown));
        assert_eq!(target("", Some("2"), (1, 1)), Some(Target::Unknown));
        assert_eq!(target("", Some("1"), (1, 2)), None);
        assert_eq!(target("", None, (1, 2)), None);
    }
}
