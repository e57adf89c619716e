//! A finished symbol, and the three things that name its kind: version, error correction level and mask.

/// Words of a row: 177 modules fit in three.
pub const ROW_WORDS: usize = 3;

/// A square of modules, its quiet zone not included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    version: Version,
    level: ErrorCorrectionLevel,
    mask: Mask,
    rows: [[u64; ROW_WORDS]; Version::MAX.size()],
}

impl Symbol {
    /// The memory of symbols to come: no module is dark.
    pub(crate) const BLANK: Self = Self {
        version: Version::MIN,
        level: ErrorCorrectionLevel::Low,
        mask: Mask::ALL[0],
        rows: [[0; ROW_WORDS]; Version::MAX.size()],
    };

    /// A symbol of finished rows, top first. Bit `x % 64` of word `x / 64` is the module of column `x`, 1 is dark.
    /// `None` when the number of rows is not the version's size, or a bit past the last column is set.
    pub fn from_rows(
        version: Version,
        level: ErrorCorrectionLevel,
        mask: Mask,
        finished: &[[u64; ROW_WORDS]],
    ) -> Option<Self> {
        let size = version.size();
        if finished.len() != size {
            return None;
        }
        let mut rows = [[0; ROW_WORDS]; Version::MAX.size()];
        for (row, words) in rows.iter_mut().zip(finished) {
            for (word, bits) in words.iter().enumerate() {
                let columns = size.saturating_sub(word * 64);
                if columns < 64 && bits >> columns != 0 {
                    return None;
                }
            }
            *row = *words;
        }
        Some(Self { version, level, mask, rows })
    }

    /// Makes it another symbol, whose rows the caller fills. Rows past the size stay light.
    pub(crate) fn redraw(
        &mut self,
        version: Version,
        level: ErrorCorrectionLevel,
        mask: Mask,
    ) -> &mut [[u64; ROW_WORDS]] {
        let size = version.size();
        if size < self.size() {
            self.rows[size..self.version.size()].fill([0; ROW_WORDS]);
        }
        (self.version, self.level, self.mask) = (version, level, mask);
        &mut self.rows[..size]
    }

    /// The version of the symbol.
    pub fn version(&self) -> Version {
        self.version
    }

    /// The error correction level of the symbol.
    pub fn level(&self) -> ErrorCorrectionLevel {
        self.level
    }

    /// The mask of the symbol.
    pub fn mask(&self) -> Mask {
        self.mask
    }

    /// Modules on a side, 21 to 177.
    pub fn size(&self) -> usize {
        self.version.size()
    }

    /// The row `y` (from 0, top first): bit `x % 64` of word `x / 64` is column `x`, 1 is dark; bits past the size are 0.
    ///
    /// # Panics
    /// When the row is not below the [`size`](Self::size).
    pub fn row(&self, y: usize) -> &[u64; ROW_WORDS] {
        &self.rows()[y]
    }

    /// All rows, each as in [`row`](Self::row).
    pub fn rows(&self) -> &[[u64; ROW_WORDS]] {
        &self.rows[..self.size()]
    }

    /// Returns true if the module of column `x` and row `y` is dark.
    ///
    /// # Panics
    /// When the column or the row is not below the [`size`](Self::size).
    pub fn is_dark(&self, x: usize, y: usize) -> bool {
        assert!(x < self.size(), "column {x} of {}", self.size());
        self.row(y)[x / 64] >> (x % 64) & 1 == 1
    }
}

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

/// The share of a symbol that may be lost, so that it can still be read (ISO/IEC 18004, table 8 and clause 6.5.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ErrorCorrectionLevel {
    /// Level L, about 7 % of the codewords.
    Low,
    /// Level M, about 15 %.
    Medium,
    /// Level Q, about 25 %.
    Quartile,
    /// Level H, about 30 %.
    High,
}

impl ErrorCorrectionLevel {
    /// All levels, weakest first: the order of the tables by level.
    pub const ALL: [Self; 4] = [Self::Low, Self::Medium, Self::Quartile, Self::High];
}

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

    /// Returns true if the mask inverts column `x` of row `y`, where a codeword's bit is.
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
