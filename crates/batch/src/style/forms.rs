//! The contract's forms of levels, colours, designators, versions and fractions.
#![allow(clippy::trivially_copy_pass_by_ref, clippy::ref_option, reason = "the signatures are serde's")]

use qrpress_image::Colour;
use qrpress_symbol::{Eci, ErrorCorrectionLevel, Version};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The letters of levels.
#[derive(Serialize, Deserialize)]
#[serde(remote = "ErrorCorrectionLevel")]
pub enum Level {
    #[serde(rename = "L")]
    Low,
    #[serde(rename = "M")]
    Medium,
    #[serde(rename = "Q")]
    Quartile,
    #[serde(rename = "H")]
    High,
}

/// `#rrggbb` or `transparent`.
pub mod colour {
    use super::{Colour, Deserialize, Deserializer, Serializer, de};

    pub fn serialize<S: Serializer>(colour: &Colour, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(colour)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Colour, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// `#rrggbb`.
pub mod opaque_colour {
    use super::{Colour, Deserializer, Serializer, colour, de};

    pub fn serialize<S: Serializer>(rgb: &Option<[u8; 3]>, serializer: S) -> Result<S::Ok, S::Error> {
        match *rgb {
            Some(rgb) => serializer.collect_str(&Colour::Rgb(rgb)),
            None => serializer.serialize_none(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<[u8; 3]>, D::Error> {
        match colour::deserialize(deserializer)? {
            Colour::Rgb(rgb) => Ok(Some(rgb)),
            Colour::Transparent => Err(de::Error::custom("a caption cannot be transparent")),
        }
    }
}

/// `true` or `false`.
pub mod designator {
    use super::{Deserialize, Deserializer, Eci, Serializer};

    pub fn serialize<S: Serializer>(eci: &Eci, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(*eci == Eci::Utf8)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Eci, D::Error> {
        Ok(if bool::deserialize(deserializer)? { Eci::Utf8 } else { Eci::Absent })
    }
}

/// The number of a version.
pub mod optional_version {
    use super::{Deserialize, Deserializer, Serializer, Version, de};

    pub fn serialize<S: Serializer>(version: &Option<Version>, serializer: S) -> Result<S::Ok, S::Error> {
        match version {
            Some(version) => serializer.serialize_u8(version.number()),
            None => serializer.serialize_none(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Version>, D::Error> {
        let version = Version::new(u8::deserialize(deserializer)?);
        version.map(Some).ok_or_else(|| de::Error::custom("a version is a number from 1 to 40"))
    }
}

/// A fraction as a decimal number.
pub mod millionths {
    use super::{Deserialize, Deserializer, Serializer, de};

    const RANGE: std::ops::RangeInclusive<f64> = 0.05..=0.3;

    pub fn serialize<S: Serializer>(millionths: &u32, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(f64::from(*millionths) / 1e6)
    }

    #[allow(clippy::cast_sign_loss, reason = "no number of the range is negative")]
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
        let fraction = f64::deserialize(deserializer)?;
        if !RANGE.contains(&fraction) {
            return Err(de::Error::custom("the size of a logo is out of its range"));
        }
        Ok((fraction * 1e6).round() as u32)
    }
}
