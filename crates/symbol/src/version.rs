//! The size of a symbol.

/// A symbol version, 1 to 40.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Version(u8);

impl Version {
    /// The smallest version, 21 × 21 modules.
    pub const MIN: Self = Self(1);
    /// The largest version, 177 × 177 modules.
    pub const MAX: Self = Self(40);

    /// The version of that number, or `None` outside 1 to 40.
    pub const fn new(number: u8) -> Option<Self> {
        if number >= 1 && number <= 40 { Some(Self(number)) } else { None }
    }

    /// 1 to 40.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Modules on a side, 21 to 177.
    pub const fn size(self) -> usize {
        17 + 4 * self.0 as usize
    }
}
