//! The encoder: from data to a symbol.
//!
//! ```text
//! Encoder::encode            data → version and segments (`segmentation`)
//! Encoder::encode_segments   segments → data codewords (`bit_stream`), then three steps, each compiled for every CPU level:
//!   PlaceCodewords           error correction, interleaving (`reed_solomon`, `interleave`), rows and columns (`placement`)
//!   ChooseMask               the mask of least penalty (`penalty`)
//!   Finish                   the rows of the symbol
//! ```

use std::fmt;

use qrpress_simd::{Simd, SimdLevel, WithSimd};

use crate::bit_matrix::{BitMatrix, WordsOfRows};
use crate::bit_stream::BitWriter;
use crate::capacity::{MAX_BLOCKS, MAX_CODEWORDS, data_capacity_bits};
use crate::interleave::{Remainders, interleave};
use crate::penalty::least_penalty;
use crate::placement::{PaddedCodewords, PairWords};
use crate::reed_solomon::MAX_DEGREE;
use crate::segment::{Eci, VersionRange};
use crate::segmentation::{Choice, Choose, best_segments, segments};
use crate::tables::{SymbolTables, tables};
use crate::{DataSegment, DataTooLong, ErrorCorrectionLevel, Mask, ROW_WORDS, Symbol, Version};

/// An encoder, which makes symbols one after another in the same memory.
pub struct Encoder {
    simd_level: SimdLevel,
    workspace: Box<Workspace>,
    symbol: Box<Symbol>,
}

impl fmt::Debug for Encoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoder").field("simd_level", &self.simd_level).finish_non_exhaustive()
    }
}

impl Encoder {
    /// An encoder that uses what the CPU has.
    pub fn new() -> Self {
        Self::with_simd_level(SimdLevel::detect())
    }

    /// An encoder that uses that CPU level. All levels make the same symbols.
    pub fn with_simd_level(simd_level: SimdLevel) -> Self {
        Self { simd_level, workspace: Box::new(Workspace::new()), symbol: Box::new(Symbol::BLANK) }
    }

    /// The symbol of the smallest version that holds the data at exactly that level, with the mask of least penalty.
    ///
    /// The data is one segment, in the densest mode that holds it, unless several segments of different modes make a
    /// smaller version. Text should be UTF-8: scanners expect it, although no ECI designator is written.
    ///
    /// # Errors
    /// [`DataTooLong`] when no version holds the data.
    pub fn encode(&mut self, data: &[u8], level: ErrorCorrectionLevel) -> Result<&Symbol, DataTooLong> {
        self.encode_designated(data, level, Eci::Absent)
    }

    /// The same with the designator of the data's character set.
    ///
    /// # Errors
    /// [`DataTooLong`] when no version holds the data and the designator.
    pub fn encode_designated(
        &mut self,
        data: &[u8],
        level: ErrorCorrectionLevel,
        eci: Eci,
    ) -> Result<&Symbol, DataTooLong> {
        let Choice { version, mode } = self.simd_level.dispatch_narrow(Choose { data, level, eci })?;
        if let Some(mode) = mode {
            self.encode_segments(&[DataSegment::trusted(mode, data)], eci, version, level, None)
        } else {
            self.encode_segments(&best_segments(data, VersionRange::of(version)), eci, version, level, None)
        }
    }

    /// The symbol of the data in exactly that version, with the designator of its character set. Whatever fits into a version
    /// fits into those above it.
    ///
    /// # Errors
    /// [`DataTooLong`] when the version does not hold the data and the designator.
    pub fn encode_in(
        &mut self,
        data: &[u8],
        version: Version,
        level: ErrorCorrectionLevel,
        eci: Eci,
    ) -> Result<&Symbol, DataTooLong> {
        self.encode_segments(&segments(data, version, level, eci), eci, version, level, None)
    }

    /// The symbol of those segments in that version, with the given mask or else the mask of least penalty.
    ///
    /// # Errors
    /// [`DataTooLong`] when the version does not hold the segments and the designator.
    pub fn encode_segments(
        &mut self,
        segments: &[DataSegment],
        eci: Eci,
        version: Version,
        level: ErrorCorrectionLevel,
        mask: Option<Mask>,
    ) -> Result<&Symbol, DataTooLong> {
        let versions = VersionRange::of(version);
        let designated = segments.iter().position(|segment| eci.designates(segment.data()));
        let eci_bits = designated.map_or(0, |segment| eci.bits(segments[segment].data()));
        let used_bits = eci_bits + segments.iter().map(|segment| segment.bits(versions)).sum::<usize>();
        let capacity_bits = data_capacity_bits(version, level);
        if used_bits > capacity_bits {
            return Err(DataTooLong { used_bits, capacity_bits });
        }
        let mut writer = BitWriter::new(&mut self.workspace.data[..capacity_bits / 8]);
        for (index, segment) in segments.iter().enumerate() {
            if Some(index) == designated {
                writer.push_utf8_designator();
            }
            writer.push_segment(segment, versions);
        }
        writer.finish();
        let (tables, workspace) = (tables(version, level), &mut *self.workspace);
        self.simd_level.dispatch_narrow(PlaceCodewords { tables, workspace });
        let mask = self.simd_level.dispatch(ChooseMask { tables, given: mask, workspace });
        self.simd_level.dispatch_narrow(Finish { tables, mask, workspace, symbol: &mut self.symbol });
        Ok(&self.symbol)
    }
}

impl Default for Encoder {
    fn default() -> Self {
        Self::new()
    }
}

/// The memory of the steps, kept from symbol to symbol. The memory that vectors are read from comes first, where cache
/// lines begin.
#[repr(C)]
struct Workspace {
    /// The placed codewords, without function patterns and mask.
    placed: BitMatrix,
    /// The finished modules.
    masked: BitMatrix,
    columns: WordsOfRows,
    rows: WordsOfRows,
    pairs: PairWords,
    /// The data codewords. The caller fills as many as the version and level have; bytes of any value follow them.
    data: [u8; MAX_CODEWORDS],
    remainders: Remainders,
    codewords: PaddedCodewords,
}

impl Workspace {
    fn new() -> Self {
        Self {
            placed: BitMatrix::BLANK,
            masked: BitMatrix::BLANK,
            columns: [[0; 64 * ROW_WORDS]; ROW_WORDS],
            rows: [[0; 64 * ROW_WORDS]; ROW_WORDS],
            pairs: [[[0; _]; 2]; 2 * ROW_WORDS],
            data: [0; MAX_CODEWORDS],
            remainders: [[0; MAX_DEGREE]; MAX_BLOCKS],
            codewords: [0; _],
        }
    }
}

/// The placement of the data codewords in a workspace, with their error correction codewords.
struct PlaceCodewords<'a> {
    tables: &'a SymbolTables,
    workspace: &'a mut Workspace,
}

impl WithSimd for PlaceCodewords<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { tables, workspace } = self;
        let Workspace { data, remainders, codewords, pairs, columns, rows, placed, .. } = workspace;
        let count = tables.blocks.data_codewords() + tables.blocks.count * tables.blocks.ec;
        interleave(simd, &tables.blocks, tables.divisor, data, remainders, &mut codewords[..count]);
        tables.placement.place(codewords, pairs, columns, rows);
        placed.join(tables.version, rows, columns);
    }
}

/// The masking of placed codewords, with the mask of least penalty unless one is given. The output is the mask.
struct ChooseMask<'a> {
    tables: &'a SymbolTables,
    given: Option<Mask>,
    workspace: &'a mut Workspace,
}

impl WithSimd for ChooseMask<'_> {
    type Output = Mask;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Mask {
        let Self { tables, given, workspace } = self;
        let Workspace { placed, masked, .. } = workspace;
        if let Some(mask) = given {
            masked.overlay(placed, &tables.overlays[usize::from(mask.number())]);
            mask
        } else {
            least_penalty(simd, placed, &tables.mask_lanes, &tables.overlays, masked)
        }
    }
}

/// The writing of the masked rows.
struct Finish<'a> {
    tables: &'a SymbolTables,
    mask: Mask,
    workspace: &'a Workspace,
    symbol: &'a mut Symbol,
}

impl WithSimd for Finish<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { tables, mask, workspace, symbol } = self;
        workspace.masked.write_rows(symbol.redraw(tables.version, tables.level, mask));
    }
}
