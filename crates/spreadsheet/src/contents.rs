//! The contents of columns, by their first cells.

use std::collections::BTreeMap;

use qrpress_kinds::is_account;

use crate::moments::{is_date, time};
use crate::names::is_mail_address;
use crate::proposal::is_telephone_number;

/// Longitudes have no more.
const MOST_DEGREES: f64 = 180.0;
/// Decimals of degrees, at least: a building is some 10 m long.
const DECIMALS_OF_DEGREES: usize = 4;

/// What all cells of a column hold.
#[derive(Clone, Copy, PartialEq, Eq)]
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
    /// A latitude or longitude in degrees.
    Degrees,
    /// Another number with decimals: a measurement, or an amount.
    Decimal,
    Other,
}

/// The first cells of columns.
#[derive(Default)]
pub(crate) struct Contents {
    pub columns: BTreeMap<u32, (Content, usize)>,
}

impl Contents {
    /// The columns that all these rows fill with the same content.
    pub fn count(&self, content: Content, rows: usize) -> usize {
        self.columns.values().filter(|column| **column == (content, rows)).count()
    }
}

/// The content of a cell, by its text.
pub(crate) fn content_of(text: &str) -> Content {
    let letters = text.chars().filter(|character| character.is_alphabetic()).count();
    let plain = text.replace(',', ".");
    match text {
        _ if is_date(text) => Content::Day,
        _ if time(text) == Some(true) => Content::Time,
        _ if is_telephone_number(text) => Content::Phone,
        _ if is_mail_address(text) => Content::Mail,
        _ if is_account(text) => Content::Account,
        _ if plain.parse::<f64>().is_ok_and(|degrees| degrees.abs() <= MOST_DEGREES)
            && plain.split_once('.').is_some_and(|(_, decimals)| decimals.len() >= DECIMALS_OF_DEGREES) =>
        {
            Content::Degrees
        }
        _ if plain.parse::<f64>().is_ok() && plain.contains('.') => Content::Decimal,
        _ if letters >= 2 && !text.contains(['@', '/']) => Content::Words,
        _ => Content::Other,
    }
}
