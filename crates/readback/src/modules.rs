//! The modules of a symbol, dark and light.

/// Dark and light modules, row by row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Modules {
    size: usize,
    /// 1 is dark, 0 light.
    cells: Vec<u8>,
}

impl Modules {
    /// The symbol of `size` by `size` modules of which those are dark that `is_dark` says, by column and row.
    pub fn new(size: usize, is_dark: impl Fn(usize, usize) -> bool) -> Self {
        let cells = (0..size * size).map(|place| u8::from(is_dark(place % size, place / size))).collect();
        Self { size, cells }
    }

    /// Modules on a side.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Tells whether the module of that column and row is dark.
    ///
    /// # Panics
    /// When it lies outside the symbol.
    pub fn is_dark(&self, x: usize, y: usize) -> bool {
        self.cell(x, y) == 1
    }

    /// 1 where the module is dark.
    pub(crate) fn cell(&self, x: usize, y: usize) -> u8 {
        assert!(x < self.size, "column {x} of {}", self.size);
        self.cells[y * self.size + x]
    }

    /// All modules, row by row.
    pub(crate) fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// The rows, to change them.
    pub(crate) fn rows_mut(&mut self) -> impl Iterator<Item = &mut [u8]> {
        self.cells.chunks_exact_mut(self.size.max(1))
    }

    /// Becomes the symbol of that size with those modules, 1 for a dark one.
    pub(crate) fn replace(&mut self, size: usize, cells: impl Iterator<Item = u8>) {
        self.size = size;
        self.cells.clear();
        self.cells.extend(cells);
    }
}
