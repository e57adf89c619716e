//! A place as `geo:` (RFC 5870), in degrees of WGS 84.

use crate::values::{Fault, Values, trimmed};

const COORDINATES: &str = "coordinates";

pub(crate) fn compose(values: Values<'_>) -> Result<String, Fault> {
    let own = ["latitude", "longitude"].map(|field| values.trimmed(field));
    let both = values.line(COORDINATES)?;
    let (fields, [latitude, longitude]) = if both.is_empty() {
        (["latitude", "longitude"], own)
    } else if own == ["", ""] {
        let message = "write latitude and longitude, such as 52.5163, -0.1276.";
        ([COORDINATES; 2], pair(both).ok_or_else(|| Fault::new(COORDINATES, message))?)
    } else {
        return Err(Fault::new(COORDINATES, "the place has a latitude and a longitude already."));
    };
    let latitude = degrees(fields[0], "latitude", latitude, 90.0)?;
    let longitude = degrees(fields[1], "longitude", longitude, 180.0)?;
    Ok(format!("geo:{latitude},{longitude}"))
}

/// The two values of `52.5163, -0.1276`, `52,5163 -0,1276`, `52,5163; -0,1276` or `52.5163,-0.1276`. `52,5163` may be a latitude alone.
pub(crate) fn pair(text: &str) -> Option<[&str; 2]> {
    let separator = [";", ", ", " ", ","].into_iter().find(|separator| text.contains(separator))?;
    let (latitude, longitude) = text.split_once(separator)?;
    let is_clear = separator != "," || (text.contains('.') && !longitude.contains(','));
    is_clear.then_some([latitude, longitude].map(trimmed))
}

fn degrees(field: &'static str, name: &str, text: &str, most: f64) -> Result<String, Fault> {
    // A decimal comma: degrees have no thousands.
    let text = text.replace(',', ".");
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
        return Err(Fault::new(field, format!("the {name} is between -{most} and {most} degrees.")));
    }
    Ok(text)
}
