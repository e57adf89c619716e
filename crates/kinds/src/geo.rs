//! A place as `geo:` (RFC 5870), in degrees of WGS 84.

use crate::values::{Fault, Values};

pub(crate) fn compose(values: Values<'_>) -> Result<String, Fault> {
    let latitude = degrees(values, "latitude", 90.0)?;
    let longitude = degrees(values, "longitude", 180.0)?;
    Ok(format!("geo:{latitude},{longitude}"))
}

fn degrees(values: Values<'_>, field: &'static str, most: f64) -> Result<String, Fault> {
    // A decimal comma: degrees have no thousands.
    let text = values.trimmed(field).replace(',', ".");
    let (whole, fraction) = match text.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (text.as_str(), None),
    };
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_written = is_number(whole.strip_prefix('-').unwrap_or(whole)) && fraction.is_none_or(is_number);
    if !is_written {
        return Err(Fault::new(field, "write degrees with a decimal point, such as 52.5163 or -0.1276."));
    }
    if !text.parse().is_ok_and(|degrees: f64| degrees.abs() <= most) {
        return Err(Fault::new(field, format!("the {field} is between -{most} and {most} degrees.")));
    }
    Ok(text)
}
