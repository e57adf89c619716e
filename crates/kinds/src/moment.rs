//! Dates, and times on them.

use crate::calendar::civil;
use crate::date::numbers;

/// A date, or a time on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    pub form: Form,
    /// Seconds since 1970-01-01 00:00, in UTC or in no zone.
    pub seconds: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Date,
    /// The time of the place where the code is read (RFC 5545, section 3.3.5, form 1).
    Local,
    Utc,
}

pub(crate) const DAY: i64 = 86_400;

impl Moment {
    /// The time `18:00`, `18:00:00.5` or `18:00Z` on the day that begins at these seconds.
    pub fn at_time(date: i64, text: &str) -> Option<Self> {
        let (time, zone) = text.split_at(text.find(['Z', '+', '-']).unwrap_or(text.len()));
        let (time, fraction) =
            time.split_once('.').map_or((time, None), |(time, digits)| (time, Some(digits)));
        let is_fraction =
            |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if !fraction.is_none_or(is_fraction) {
            return None;
        }
        // Spreadsheet programs show hours before ten with one digit, unless they are told to show two.
        let hour_digits = if time.find(':') == Some(1) { 1 } else { 2 };
        let [hour, minute, second] = if fraction.is_none() && time.len() == hour_digits + 3 {
            numbers(time, ':', [hour_digits..=hour_digits, 2..=2]).map(|[hour, minute]| [hour, minute, 0])?
        } else {
            numbers(time, ':', [hour_digits..=hour_digits, 2..=2, 2..=2])?
        };
        if hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        let seconds = date + i64::from(hour * 3600 + minute * 60 + second);
        let offset = match zone {
            "" => return Some(Self { form: Form::Local, seconds }),
            "Z" => 0,
            // Nothing stands behind a Z.
            _ if zone.starts_with('Z') => return None,
            _ => {
                let [hours, minutes] = numbers(&zone[1..], ':', [2..=2, 2..=2])?;
                // No place has such an offset: the end of an event stands there.
                if hours > if zone.starts_with('-') { 11 } else { 14 } || minutes > 59 {
                    return None;
                }
                let offset = i64::from(hours * 3600 + minutes * 60);
                if zone.starts_with('-') { -offset } else { offset }
            }
        };
        Some(Self { form: Form::Utc, seconds: seconds - offset })
    }

    /// The time so many seconds after the midnight that the day begins with.
    pub fn at(self, seconds: i64) -> Self {
        Self { form: Form::Local, seconds: self.seconds - self.seconds.rem_euclid(DAY) + seconds }
    }

    /// The last day of an event that ends here, where that is at midnight or a minute before.
    pub fn last_day(self) -> Option<Self> {
        let end = match self.seconds.rem_euclid(DAY) {
            0 => self.seconds - DAY,
            time if time >= DAY - 60 => self.seconds - time,
            _ => return None,
        };
        Some(Self { form: Form::Date, seconds: end })
    }

    pub fn add_days(self, days: i64) -> Self {
        Self { seconds: self.seconds + days * DAY, ..self }
    }

    /// The day of the week, counted from Monday. The first day of all is a Thursday.
    pub fn weekday(self) -> usize {
        (self.seconds.div_euclid(DAY) + 3).rem_euclid(7) as usize
    }

    /// The digits of the date: `20260131`.
    pub fn date(self) -> String {
        let (year, month, day) = civil(self.seconds.div_euclid(DAY));
        format!("{year:04}{month:02}{day:02}")
    }

    /// The digits of date and time: `20260131T180000`.
    pub fn date_time(self) -> String {
        let time = self.seconds.rem_euclid(DAY);
        format!("{}T{:02}{:02}{:02}", self.date(), time / 3600, time / 60 % 60, time % 60)
    }
}
