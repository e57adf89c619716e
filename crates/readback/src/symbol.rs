//! The modules of a symbol to its data.

use crate::blocks::Blocks;
use crate::correction::correct;
use crate::format::{check_version, read_format};
use crate::layout::SymbolLayout;
use crate::segments::read_segments;
use crate::{Modules, ReadError};

/// The period of all masks, in rows and columns.
const MASK_PERIOD: usize = 12;

/// 1 where a mask turns a module round, by mask, row and column (ISO/IEC 18004, table 10).
static MASKS: [[[u8; MASK_PERIOD]; MASK_PERIOD]; 8] = {
    let mut masks = [[[0; MASK_PERIOD]; MASK_PERIOD]; 8];
    let mut place = 0;
    while place < 8 * MASK_PERIOD * MASK_PERIOD {
        let (mask, i, j) =
            (place / (MASK_PERIOD * MASK_PERIOD), place / MASK_PERIOD % MASK_PERIOD, place % MASK_PERIOD);
        let is_turned = match mask {
            0 => (i + j) % 2 == 0,
            1 => i % 2 == 0,
            2 => j % 3 == 0,
            3 => (i + j) % 3 == 0,
            4 => (i / 2 + j / 3) % 2 == 0,
            5 => i * j % 2 + i * j % 3 == 0,
            6 => (i * j % 2 + i * j % 3) % 2 == 0,
            _ => ((i + j) % 2 + i * j % 3) % 2 == 0,
        };
        masks[mask][i][j] = is_turned as u8;
        place += 1;
    }
    masks
};

/// Decodes symbols; keeps what a version needs, and its buffers.
#[derive(Debug)]
pub(crate) struct SymbolDecoder {
    layouts: [Option<SymbolLayout>; 40],
    codewords: Vec<u8>,
    block: Vec<u8>,
    data: Vec<u8>,
    text: Vec<u8>,
}

impl SymbolDecoder {
    pub fn new() -> Self {
        Self {
            layouts: [const { None }; _],
            codewords: Vec::new(),
            block: Vec::new(),
            data: Vec::new(),
            text: Vec::new(),
        }
    }

    /// The unused error correction of the symbol's worst block, in thousandths. The symbol is of a version's size; its mask
    /// is removed from the modules.
    pub fn decode(&mut self, modules: &mut Modules) -> Result<u16, ReadError> {
        let Self { layouts, codewords, block, data, text } = self;
        let version = (modules.size() - 17) / 4;
        check_version(modules, version)?;
        let (level, mask) = read_format(modules)?;
        for (row, turned) in modules.rows_mut().zip(MASKS[mask].iter().cycle()) {
            for columns in row.chunks_mut(MASK_PERIOD) {
                columns.iter_mut().zip(turned).for_each(|(cell, turned)| *cell ^= turned);
            }
        }
        let layout = layouts[version - 1].get_or_insert_with(|| SymbolLayout::new(version));
        layout.read(modules.cells(), codewords);
        let blocks = Blocks::new(version, level, layout.codewords());
        let (mut most_corrected, all_data) = (0, blocks.all_data());
        data.clear();
        for index in 0..blocks.count {
            let own = blocks.data(index);
            block.clear();
            block.extend(codewords.iter().skip(index).step_by(blocks.count).take(blocks.short_data));
            if own > blocks.short_data {
                block.push(codewords[blocks.short_data * blocks.count + index - blocks.short_count]);
            }
            block.extend(codewords[all_data..].iter().skip(index).step_by(blocks.count));
            most_corrected = correct(block, blocks.correction)?.max(most_corrected);
            data.extend_from_slice(&block[..own]);
        }
        text.clear();
        read_segments(data, version, text)?;
        Ok(blocks.unused_thousandths(most_corrected))
    }

    /// The data of the symbol that was decoded last.
    pub fn text(&self) -> &[u8] {
        &self.text
    }
}
