//! The number of a cell, for fields that take dates and numbers however the cell shows them.

use qrpress_kinds::{ValueForm, calendar};

use super::date::{DAY_MILLISECONDS, DAYS_TO_1904, END, MARCH_1900};
use super::decimal::Decimal;
use crate::fault::Fault;

/// The number of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CellNumber {
    pub number: f64,
    pub shows: Shows,
    /// Days are counted from 1904.
    pub is_1904: bool,
}

/// The thing that a format shows of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shows {
    Number,
    /// A number with the sign of a currency other than the euro, or of another unit.
    Unit,
    Date,
    /// A month, without a day of it.
    Month,
    /// A time, or a date with its time.
    Time,
}

impl CellNumber {
    /// The value of a field, as people would type it.
    ///
    /// # Errors
    /// A number where a date belongs, a date where a number belongs, a number that is no date.
    pub fn value(self, form: ValueForm) -> Result<String, Fault> {
        match (form, self.shows) {
            (ValueForm::Text | ValueForm::Number, Shows::Number) => Ok(Decimal::of(self.number).plain()),
            (ValueForm::Text | ValueForm::Number, Shows::Unit) => Err(Fault::NumberWithUnit),
            (ValueForm::Text | ValueForm::Number, Shows::Date | Shows::Month | Shows::Time) => {
                Err(Fault::DateForNumber)
            }
            // No day has such a number before the year 2173: these are the digits of one, such as 261231.
            (ValueForm::Date, Shows::Number) if (100_000.0..1_000_000.0).contains(&self.number) => {
                Ok(Decimal::of(self.number).plain())
            }
            (ValueForm::Date | ValueForm::Moment, Shows::Number | Shows::Unit) => Err(Fault::NumberForDate),
            (ValueForm::Date, Shows::Month) => self.moment(false).map(end_of_month),
            (ValueForm::Date, _) => self.moment(false),
            (ValueForm::Moment, Shows::Time) if (0.0..1.0).contains(&self.number) => self.time_of_day(),
            (ValueForm::Moment, shows) => self.moment(shows == Shows::Time),
        }
    }

    /// `18:00:00`.
    fn time_of_day(self) -> Result<String, Fault> {
        let seconds = (self.number * 86_400.0).round() as i64;
        if seconds == 86_400 {
            return Err(Fault::Midnight);
        }
        Ok(format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60))
    }

    /// `2026-01-31`, or `2026-01-31 18:00:00` where the number has a time or its format shows midnight.
    fn moment(self, shows_midnight: bool) -> Result<String, Fault> {
        let first_day = if self.is_1904 { DAYS_TO_1904 } else { 0 };
        let serial = self.number + f64::from(first_day);
        if self.number < 0.0 || serial >= END {
            return Err(Fault::NoDateOfNumber);
        }
        if serial < MARCH_1900 {
            return Err(Fault::EarlyDate);
        }
        let milliseconds = (serial * f64::from(DAY_MILLISECONDS)).round() as i64;
        let seconds = (milliseconds + 500).div_euclid(1000);
        let (year, month, day) = calendar::civil(seconds.div_euclid(86_400) - 25_569);
        let time = seconds.rem_euclid(86_400);
        let date = format!("{year:04}-{month:02}-{day:02}");
        if time == 0 && !shows_midnight {
            return Ok(date);
        }
        Ok(format!("{date} {:02}:{:02}:{:02}", time / 3600, time / 60 % 60, time % 60))
    }
}

/// Programs keep `01/2026` as the first day of the month. A thing that lasts until then lasts to the month's end, which GS1 writes as
/// day 00.
fn end_of_month(date: String) -> String {
    match date.strip_prefix("20").and_then(|date| date.strip_suffix("-01")) {
        Some(month) => month.replace('-', "") + "00",
        None => date,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(form: ValueForm, shows: Shows, number: f64) -> Result<String, Fault> {
        CellNumber { number, shows, is_1904: false }.value(form)
    }

    #[test]
    fn a_date_without_a_time_is_a_day() {
        for (form, shows, number, expected) in [
            (ValueForm::Moment, Shows::Date, 46_110.0, "2026-03-29"),
            (ValueForm::Moment, Shows::Date, 46_110.375, "2026-03-29 09:00:00"),
            (ValueForm::Moment, Shows::Time, 46_110.416_666_666_66, "2026-03-29 10:00:00"),
            (ValueForm::Moment, Shows::Time, 46_110.0, "2026-03-29 00:00:00"),
            (ValueForm::Date, Shows::Time, 46_110.0, "2026-03-29"),
            (ValueForm::Date, Shows::Month, 46_110.0, "2026-03-29"),
            (ValueForm::Date, Shows::Number, 261_231.0, "261231"),
            (ValueForm::Date, Shows::Month, 46_082.0, "260300"),
            (ValueForm::Moment, Shows::Month, 46_082.0, "2026-03-01"),
            (ValueForm::Moment, Shows::Time, 46_109.999_999_99, "2026-03-29 00:00:00"),
            (ValueForm::Moment, Shows::Time, 0.75, "18:00:00"),
            (ValueForm::Moment, Shows::Time, 0.0, "00:00:00"),
            (ValueForm::Moment, Shows::Time, 0.416_666_666_66, "10:00:00"),
        ] {
            assert_eq!(value(form, shows, number).as_deref(), Ok(expected), "{number}");
        }
        let first = CellNumber { number: 44_648.0, shows: Shows::Date, is_1904: true };
        assert_eq!(first.value(ValueForm::Moment).as_deref(), Ok("2026-03-29"));
    }

    #[test]
    fn numbers_have_fifteen_digits_and_no_power() {
        for (number, expected) in [
            (12.0, "12"),
            (0.1 + 0.2, "0.3"),
            (12.299_999_999_999_999, "12.3"),
            (-0.1276, "-0.1276"),
            (1e-7, "0.0000001"),
            (0.0, "0"),
        ] {
            assert_eq!(value(ValueForm::Number, Shows::Number, number).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn what_is_neither_is_refused() {
        assert_eq!(value(ValueForm::Number, Shows::Date, 46_110.0), Err(Fault::DateForNumber));
        assert_eq!(value(ValueForm::Number, Shows::Unit, 5.0), Err(Fault::NumberWithUnit));
        for (form, number) in
            [(ValueForm::Moment, 46_110.0), (ValueForm::Moment, 261_231.0), (ValueForm::Date, 46_110.0)]
        {
            assert_eq!(value(form, Shows::Number, number), Err(Fault::NumberForDate));
        }
        assert_eq!(value(ValueForm::Moment, Shows::Date, 0.5), Err(Fault::EarlyDate));
        assert_eq!(value(ValueForm::Moment, Shows::Time, 0.999_999_9), Err(Fault::Midnight));
        assert_eq!(value(ValueForm::Moment, Shows::Time, -1.0), Err(Fault::NoDateOfNumber));
    }
}
