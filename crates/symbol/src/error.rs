//! The error of data that no symbol holds.

use std::{error, fmt};

/// The data does not fit the symbol that was asked for, or any symbol at its error correction level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DataTooLong {
    /// Bits of the data with its segment headers; in the largest version when no version was asked for.
    pub used_bits: usize,
    /// Bits that the symbol (the largest version, when no version was asked for) holds at that level.
    pub capacity_bits: usize,
}

impl fmt::Display for DataTooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the data takes {} bits, the symbol holds {}", self.used_bits, self.capacity_bits)
    }
}

impl error::Error for DataTooLong {}
