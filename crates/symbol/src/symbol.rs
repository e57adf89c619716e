//! A finished symbol: a square of dark and light modules.

use crate::{ErrorCorrectionLevel, Mask, Version};

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
    /// A symbol of finished rows, top first. Bit `x % 64` of word `x / 64` is the module of column `x`, 1 is dark.
    ///
    /// # Panics
    /// When the number of rows is not the version's size, or a bit past the last column is set.
    pub fn from_rows(
        version: Version,
        level: ErrorCorrectionLevel,
        mask: Mask,
        finished: &[[u64; ROW_WORDS]],
    ) -> Self {
        let size = version.size();
        assert_eq!(finished.len(), size, "a version {} symbol has {size} rows", version.number());
        let mut rows = [[0; ROW_WORDS]; Version::MAX.size()];
        for (row, words) in rows.iter_mut().zip(finished) {
            for (word, bits) in words.iter().enumerate() {
                let columns = size.saturating_sub(word * 64);
                assert!(columns >= 64 || bits >> columns == 0, "a module beyond the last column");
            }
            *row = *words;
        }
        Self { version, level, mask, rows }
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

    /// Tells whether the module of column `x` and row `y` is dark.
    ///
    /// # Panics
    /// When the column or the row is not below the [`size`](Self::size).
    pub fn is_dark(&self, x: usize, y: usize) -> bool {
        assert!(x < self.size(), "column {x} of {}", self.size());
        self.row(y)[x / 64] >> (x % 64) & 1 == 1
    }
}
