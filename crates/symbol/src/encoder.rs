//! The encoder: from data or segments to a symbol.

use qrpress_simd::SimdLevel;

use crate::bit_stream::BitWriter;
use crate::capacity::data_capacity_bits;
use crate::mode::VersionRange;
use crate::segmentation::{Choose, best_segments};
use crate::steps::{ChooseMask, Finish, Place, Workspace};
use crate::tables::tables;
use crate::{DataSegment, DataTooLong, ErrorCorrectionLevel, Mask, ROW_WORDS, Symbol, Version};

/// An encoder, which makes symbols one after another in the same memory.
pub struct Encoder {
    simd_level: SimdLevel,
    workspace: Box<Workspace>,
    symbol: Box<Symbol>,
}

impl Encoder {
    /// An encoder that uses what the CPU has.
    pub fn new() -> Self {
        Self::with_simd_level(SimdLevel::detect())
    }

    /// An encoder that uses that CPU level. All levels make the same symbols.
    pub fn with_simd_level(simd_level: SimdLevel) -> Self {
        let blank = [[0; ROW_WORDS]; Version::MIN.size()];
        let symbol = Symbol::from_rows(Version::MIN, ErrorCorrectionLevel::Low, Mask::ALL[0], &blank);
        Self { simd_level, workspace: Box::new(Workspace::new()), symbol: Box::new(symbol) }
    }

    /// The CPU level that the encoder uses.
    pub fn simd_level(&self) -> SimdLevel {
        self.simd_level
    }

    /// The symbol of the smallest version that holds the data at exactly that level, with the mask of least penalty.
    ///
    /// The data is one segment, in the densest mode that holds it, unless several segments of different modes make a
    /// smaller version. Text should be UTF-8: scanners expect it, although no ECI designator is written.
    ///
    /// # Errors
    /// [`DataTooLong`] when no version holds the data.
    pub fn encode(&mut self, data: &[u8], level: ErrorCorrectionLevel) -> Result<&Symbol, DataTooLong> {
        let choice = self.simd_level.dispatch_narrow(Choose { data, level })?;
        if let Some(mode) = choice.mode {
            self.encode_segments(&[DataSegment::trusted(mode, data)], choice.version, level, None)
        } else {
            let segments = best_segments(data, VersionRange::of(choice.version));
            self.encode_segments(&segments, choice.version, level, None)
        }
    }

    /// The symbol of those segments in that version, with the given mask or else the mask of least penalty.
    ///
    /// # Errors
    /// [`DataTooLong`] when the version does not hold the segments.
    pub fn encode_segments(
        &mut self,
        segments: &[DataSegment],
        version: Version,
        level: ErrorCorrectionLevel,
        mask: Option<Mask>,
    ) -> Result<&Symbol, DataTooLong> {
        let versions = VersionRange::of(version);
        let used_bits = segments.iter().map(|segment| segment.bits(versions)).sum();
        let capacity_bits = data_capacity_bits(version, level);
        if used_bits > capacity_bits {
            return Err(DataTooLong { used_bits, capacity_bits });
        }
        let mut writer = BitWriter::new(&mut self.workspace.data[..capacity_bits / 8]);
        for segment in segments {
            writer.push_segment(segment, versions);
        }
        writer.finish();
        let (tables, workspace) = (tables(version, level), &mut *self.workspace);
        self.simd_level.dispatch_narrow(Place { tables, workspace });
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
