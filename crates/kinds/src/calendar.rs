//! The Gregorian calendar, counted in days from 1 January 1970.

/// The months in English, January first.
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
/// The days of the week in English, Monday first.
pub const WEEKDAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// Returns true for a date of the calendar.
pub fn is_date(year: u32, month: u32, day: u32) -> bool {
    (1..=12).contains(&month) && (1..=days_of(year, month)).contains(&day)
}

fn days_of(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1 January 1970 to a date. The year begins in March, so that a leap day is its last.
pub fn days(year: u32, month: u32, day: u32) -> i64 {
    let year = i64::from(year) - i64::from(month <= 2);
    let month = (i64::from(month) + 9) % 12;
    let day_of_year = (153 * month + 2) / 5 + i64::from(day) - 1;
    365 * year + year / 4 - year / 100 + year / 400 + day_of_year - 719_468
}

/// The date so many days after 1 January 1970 (Howard Hinnant's algorithm), the inverse of [`days`].
#[allow(clippy::cast_sign_loss, reason = "months and days are positive")]
pub fn civil(days: i64) -> (i64, u32, u32) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let day_of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = (day_of_year - (153 * shifted + 2) / 5 + 1) as u32;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 } as u32;
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_of_four_centuries_has_its_number() {
        let mut day = days(1900, 1, 1);
        for year in 1900..2300 {
            for month in 1..=12 {
                for date in (1..=31).filter(|&date| is_date(year, month, date)) {
                    assert_eq!((days(year, month, date), civil(day)), (day, (year.into(), month, date)));
                    day += 1;
                }
            }
        }
    }
}
