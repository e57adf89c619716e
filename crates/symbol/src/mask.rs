//! The eight data masks (ISO/IEC 18004, table 10).

/// A data mask pattern, 0 to 7 (ISO/IEC 18004, table 10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Mask(u8);

impl Mask {
    /// All masks, by number.
    pub const ALL: [Self; 8] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7)];

    /// The mask of that number, or `None` above 7.
    pub const fn new(number: u8) -> Option<Self> {
        if number <= 7 { Some(Self(number)) } else { None }
    }

    /// 0 to 7.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Tells whether the mask inverts column `x` of row `y`, where a codeword's bit is.
    pub(crate) fn inverts(self, x: usize, y: usize) -> bool {
        match self.0 {
            0 => (x + y).is_multiple_of(2),
            1 => y.is_multiple_of(2),
            2 => x.is_multiple_of(3),
            3 => (x + y).is_multiple_of(3),
            4 => (x / 3 + y / 2).is_multiple_of(2),
            5 => x * y % 2 + x * y % 3 == 0,
            6 => (x * y % 2 + x * y % 3).is_multiple_of(2),
            _ => ((x + y) % 2 + x * y % 3).is_multiple_of(2),
        }
    }
}
