//! The forms in which spreadsheets keep the values of fields: a date and a number are more than the text that a cell shows.

use crate::Kind;

/// The form of a field's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueForm {
    /// The text that the cell shows.
    Text,
    /// A day.
    Date,
    /// A day, a time on it, or a time alone.
    Moment,
    /// A number.
    Number,
}

impl Kind {
    /// The form of a field's value.
    pub fn value_form(self, field: &str) -> ValueForm {
        match (self, field) {
            (Self::Event, "start" | "startTime" | "end" | "endTime") => ValueForm::Moment,
            (Self::DigitalLink, "productionDate" | "bestBefore" | "expiry") => ValueForm::Date,
            (Self::Payment, "amount") | (Self::Geo, "latitude" | "longitude") => ValueForm::Number,
            _ => ValueForm::Text,
        }
    }
}
