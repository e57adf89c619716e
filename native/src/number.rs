//! Counts and sizes: a JavaScript number is exact up to 2^53, far beyond any file here.

use napi::Error;

use crate::error::Result;

/// A count or size that the host gives.
pub fn from_js(number: i64) -> Result<u64> {
    u64::try_from(number)
        .map_err(|_| Error::new("invalid_argument", format!("{number} is neither a count nor a size")))
}

/// A count or size for the host.
pub fn to_js(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
