//! The rule for the versions of a job's symbols, and how the contract writes it.

use qrpress_symbol::Version;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The rule for the versions of a job's symbols.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SymbolVersion {
    /// The smallest that holds the item's data.
    #[default]
    Smallest,
    /// That of the item that needs the largest, for all.
    Same,
    /// Exactly this.
    Exactly(Version),
}

impl Serialize for SymbolVersion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Smallest => serializer.serialize_str("smallest"),
            Self::Same => serializer.serialize_str("same"),
            Self::Exactly(version) => serializer.serialize_u8(version.number()),
        }
    }
}

impl<'de> Deserialize<'de> for SymbolVersion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            Number(u8),
            Word(String),
        }
        match Form::deserialize(deserializer)? {
            Form::Word(word) => match word.as_str() {
                "smallest" => Ok(Self::Smallest),
                "same" => Ok(Self::Same),
                _ => Err(de::Error::custom("a version is smallest, same, or a number")),
            },
            Form::Number(number) => match Version::new(number) {
                Some(version) => Ok(Self::Exactly(version)),
                None => Err(de::Error::custom("a version is a number from 1 to 40")),
            },
        }
    }
}
