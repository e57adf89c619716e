//! The order of a version's data modules (ISO/IEC 18004, clause 7.7.3), around its function patterns (clause 6.3).

/// The second row and column of alignment patterns, by version (annex E); the first is 6, the last 7 from the other side.
#[rustfmt::skip]
const SECOND_ALIGNMENT: [u8; 40] = [
    0, 18, 22, 26, 30, 34, 22, 24, 26, 28, 30, 32, 34, 26, 26, 26, 30, 30, 30, 34,
    28, 26, 30, 28, 32, 30, 34, 26, 30, 26, 30, 34, 30, 34, 30, 24, 28, 32, 26, 30,
];

/// The modules of one version that hold codewords.
#[derive(Debug)]
pub(crate) struct SymbolLayout {
    /// Eight places for each codeword, the highest bit first, row by row from the top left.
    places: Vec<[u16; 8]>,
}

impl SymbolLayout {
    /// The layout of a version, 1 to 40.
    pub fn new(version: usize) -> Self {
        let size = 4 * version + 17;
        let alignment = alignment_centres(version);
        let mut modules = Vec::new();
        let pairs = (7..size).rev().step_by(2).chain([5, 3, 1]);
        for (pair, right) in pairs.enumerate() {
            for step in 0..size {
                let row = if pair % 2 == 0 { size - 1 - step } else { step };
                let columns = [right, right - 1].into_iter();
                let free = columns.filter(|&column| !is_function(version, &alignment, column, row));
                modules.extend(free.map(|column| (row * size + column) as u16));
            }
        }
        // The bits that remain are in no codeword.
        Self { places: modules.as_chunks().0.to_vec() }
    }

    /// Number of codewords.
    pub fn codewords(&self) -> usize {
        self.places.len()
    }

    /// Reads the codewords of modules whose mask is removed.
    pub fn read(&self, cells: &[u8], codewords: &mut Vec<u8>) {
        codewords.clear();
        codewords.extend(self.places.iter().map(|places| {
            places.iter().fold(0, |codeword, &place| codeword << 1 | cells[usize::from(place)])
        }));
    }
}

/// The rows, and columns, in which alignment patterns have their middle.
fn alignment_centres(version: usize) -> Vec<usize> {
    if version == 1 {
        return Vec::new();
    }
    let count = version / 7 + 2;
    let (second, last) = (usize::from(SECOND_ALIGNMENT[version - 1]), 4 * version + 10);
    let step = if count == 2 { 0 } else { (last - second) / (count - 2) };
    std::iter::once(6).chain((0..count - 1).map(|place| second + place * step)).collect()
}

/// Tells whether a module belongs to a function pattern, or to format or version information.
fn is_function(version: usize, alignment: &[usize], column: usize, row: usize) -> bool {
    let size = 4 * version + 17;
    let (near, far) = (|place: usize| place < 9, |place: usize| place + 8 >= size);
    // Finder patterns with their separators, and format information.
    if near(row) && (near(column) || far(column)) || far(row) && near(column) {
        return true;
    }
    // Timing patterns.
    if row == 6 || column == 6 {
        return true;
    }
    let is_block = |one: usize, other: usize| one < 6 && (size - 11..size - 8).contains(&other);
    if version >= 7 && (is_block(row, column) || is_block(column, row)) {
        return true;
    }
    let centre_of = |place: usize| alignment.iter().find(|centre| centre.abs_diff(place) <= 2);
    match (centre_of(row), centre_of(column)) {
        // No pattern lies on a finder pattern.
        (Some(&y), Some(&x)) => {
            !matches!((x, y), (6, 6)) && (x != 6 || y + 7 < size) && (y != 6 || x + 7 < size)
        }
        _ => false,
    }
}
