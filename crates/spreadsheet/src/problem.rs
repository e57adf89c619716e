//! Things that are wrong with a spreadsheet, at the places where people see them.

use crate::fault::Fault;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The row as the spreadsheet program numbers it, from 1.
    pub row: Option<u64>,
    /// The column's position, from 0.
    pub column: Option<u32>,
    /// The text of the cell, or its beginning. Empty for a problem of more than a cell.
    pub value: String,
    /// The fault, with its members.
    pub fault: Fault,
}

impl Problem {
    /// A problem of the whole file.
    pub(crate) fn of_file(fault: Fault) -> Self {
        Self { row: None, column: None, value: String::new(), fault }
    }

    /// A problem of a row.
    pub(crate) fn of_row(row: u64, fault: Fault) -> Self {
        Self { row: Some(row), ..Self::of_file(fault) }
    }

    /// A problem of a cell.
    pub(crate) fn of_cell(row: u64, column: u32, fault: Fault) -> Self {
        Self { column: Some(column), ..Self::of_row(row, fault) }
    }
}

/// The first problems, and the number of all.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    pub listed: Vec<Problem>,
    pub count: u64,
}

impl Problems {
    /// Counts a problem, and lists it among the first `most`.
    pub fn add(&mut self, most: usize, problem: Problem) {
        self.count += 1;
        if self.listed.len() < most {
            self.listed.push(problem);
        }
    }

    /// Takes the last ones back: those behind the first `count`, of which `listed` are in the list.
    pub fn take_back(&mut self, count: u64, listed: usize) {
        self.count = count;
        self.listed.truncate(listed);
    }
}

/// The letters that spreadsheet programs show above the column at `position`, from 0: `A`, …, `Z`, `AA`.
pub(crate) fn letters(position: u32) -> String {
    let mut letters = Vec::new();
    let mut rest = u64::from(position) + 1;
    while rest > 0 {
        rest -= 1;
        letters.push(char::from(b'A' + (rest % 26) as u8));
        rest /= 26;
    }
    letters.iter().rev().collect()
}

/// The position of the column with these letters.
pub(crate) fn position(letters: &str) -> Option<u32> {
    if letters.is_empty() || letters.len() > 3 {
        return None;
    }
    let mut position = 0;
    for byte in letters.bytes() {
        let letter = byte.to_ascii_uppercase();
        if !letter.is_ascii_uppercase() {
            return None;
        }
        position = position * 26 + u32::from(letter - b'A') + 1;
    }
    Some(position - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_those_of_spreadsheet_programs() {
        for (position_, expected) in [
            (0, "A"),
            (25, "Z"),
            (26, "AA"),
            (51, "AZ"),
            (52, "BA"),
            (701, "ZZ"),
            (702, "AAA"),
            (16_383, "XFD"),
        ] {
            assert_eq!(letters(position_), expected);
            assert_eq!(position(expected), Some(position_));
        }
        assert_eq!(position("xfd"), Some(16_383));
        assert_eq!(position("A1"), None);
    }
}
