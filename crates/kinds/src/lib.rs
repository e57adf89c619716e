//! Puts the data of a code together from values: by a pattern (RFC 6570), or as a kind that readers know, such as a contact,
//! a payment or a GS1 Digital Link. What the kind's document forbids is a fault with the name of the field. Reads the values
//! of a kind back from such data.
#![forbid(unsafe_code)]

pub mod calendar;
mod calling_code;
mod clock;
mod contact;
mod date;
mod days;
mod digital_link;
mod event;
mod geo;
mod kind;
mod mail;
mod moment;
mod month;
mod names_alone;
mod notes;
mod pattern;
mod payment;
mod percent;
mod phone;
mod placeholders;
mod read;
mod time;
mod totals;
mod value_form;
mod values;
mod weekday;
mod whole_day;
mod wifi;
mod zone;

pub use calling_code::{CallingCode, is_national_number, lacks_code};
pub use date::{DayAndMonth, ShortYear, day_and_month, short_year};
pub use days::lacks_year;
pub use digital_link::{lacks_digits, with_right_check_digit};
pub use event::{
    days_of_calendar, days_of_event, is_event_at_midnight, is_event_of_whole_days, is_last_day_at_midnight,
    is_midnight_behind_last_day, may_be_daily, with_zone_behind,
};
pub use geo::{is_pair_of_degrees, pair_of_degrees};
pub use kind::Kind;
pub use names_alone::{ContactCount, is_no_name, name_of_contact};
pub use notes::{is_amount, is_note};
pub use pattern::{LINK_SCHEMES, Pattern, PatternError};
pub use payment::{
    account_of_payment, cents_of_payment, country_without_euro, is_account, is_payment_without_text,
};
pub use phone::{
    digits_of_desk, has_letters, is_desk_alone, is_desk_number, is_of_number, two_numbers, with_desk,
    with_hyphens,
};
pub use placeholders::{is_no_number, is_placeholder, is_unfilled_link};
pub use time::{before_weekday, day_in_words, is_day};
pub use totals::{begins_with_total, is_total};
pub use value_form::ValueForm;
pub use values::{Fault, Field, spoken};
pub use weekday::{has_weekday, has_weekdays_alone, is_name_of_weekday};
pub use whole_day::says_whole_day;
pub use wifi::{names_encryption, opposite, says_no_password};
pub use zone::{ZoneInName, zone_in_name};
