//! The contents of columns, by their first cells.

use std::collections::BTreeMap;

use qrpress_kinds::{Kind, is_account};

use crate::moments::{is_date, time};
use crate::names::is_mail_address;
use crate::proposal::is_telephone_number;

/// Longitudes have no more.
const MOST_DEGREES: f64 = 180.0;
/// Decimals of degrees, at least: a building is some 10 m long.
const DECIMALS_OF_DEGREES: usize = 4;
/// Cells with numbers of goods that make a column of them.
const FEWEST_GOODS: usize = 2;
/// Digits of a number of goods.
const DIGITS_OF_GOODS: [usize; 4] = [8, 12, 13, 14];

/// The content of a cell, or of most of the first cells of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Content {
    Day,
    Time,
    Words,
    /// A telephone number.
    Phone,
    /// The address of a mail.
    Mail,
    /// An IBAN.
    Account,
    /// A number of goods with its check digit.
    Goods,
    /// A latitude or longitude in degrees.
    Degrees,
    /// Another number with decimals: a measurement, or an amount.
    Decimal,
    Other,
}

/// The first cells of columns.
#[derive(Default)]
pub(crate) struct Contents {
    columns: BTreeMap<u32, BTreeMap<Content, usize>>,
}

impl Contents {
    pub fn add(&mut self, column: u32, text: &str) {
        *self.columns.entry(column).or_default().entry(content_of(text)).or_default() += 1;
    }

    /// The columns that hold this in more than half of the rows. Check digits of several cells are not right by chance.
    pub fn count(&self, content: Content, rows: usize) -> usize {
        let fewest = if content == Content::Goods { FEWEST_GOODS } else { rows / 2 + 1 };
        let holds =
            |cells: &&BTreeMap<Content, usize>| cells.get(&content).is_some_and(|count| *count >= fewest);
        self.columns.values().filter(holds).count()
    }
}

fn content_of(text: &str) -> Content {
    let letters = text.chars().filter(|character| character.is_alphabetic()).count();
    let plain = text.replace(',', ".");
    let number: Option<f64> = plain.parse().ok();
    let decimals = plain.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    match text {
        _ if is_date(text) => Content::Day,
        _ if time(text) == Some(true) => Content::Time,
        _ if is_number_of_goods(text) => Content::Goods,
        _ if is_telephone_number(text) => Content::Phone,
        _ if is_mail_address(text) => Content::Mail,
        _ if is_account(text) => Content::Account,
        _ if decimals >= DECIMALS_OF_DEGREES
            && number.is_some_and(|degrees| degrees.abs() <= MOST_DEGREES) =>
        {
            Content::Degrees
        }
        _ if number.is_some() && decimals > 0 => Content::Decimal,
        _ if letters >= 2 && !text.contains(['@', '/']) => Content::Words,
        _ => Content::Other,
    }
}

/// The text has the digits of a number of goods, the last of which is right.
fn is_number_of_goods(text: &str) -> bool {
    let digits: String = text.chars().filter(|sign| *sign != ' ' && *sign != '-').collect();
    DIGITS_OF_GOODS.contains(&digits.len()) && Kind::DigitalLink.compose(&[&digits]).is_ok()
}
