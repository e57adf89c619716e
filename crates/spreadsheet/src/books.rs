//! Numbers of books.

use qrpress_kinds::{with_hyphens, with_right_check_digit};

use crate::names::simplified;
use crate::things::is_name_of;

/// Digits of an ISBN that is a GTIN.
const DIGITS: usize = 13;

/// The column is called `ISBN`, and may hold those of 10 digits.
pub(crate) fn names_isbn(name: &str) -> bool {
    is_name_of("isbn", &simplified(name))
}

/// The text is an ISBN of 13 digits, the last of which is right.
pub(crate) fn is_isbn(text: &str) -> bool {
    let written: String = text.split_whitespace().collect();
    let digits = with_hyphens(&written).replace('-', "");
    digits.len() == DIGITS
        && ["978", "979"].iter().any(|start| digits.starts_with(start))
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && with_right_check_digit(&digits).is_none()
}
