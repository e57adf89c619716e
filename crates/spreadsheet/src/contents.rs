//! The contents of columns, by their first cells.

use std::collections::BTreeMap;

use crate::moments::{is_date, time};

/// The kind of all cells of a column.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    Day,
    Time,
    Words,
    /// A number with decimals: a measurement, or an amount.
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
        _ if plain.parse::<f64>().is_ok() && plain.contains('.') => Content::Decimal,
        _ if letters >= 2 && !text.contains(['@', '/']) => Content::Words,
        _ => Content::Other,
    }
}
