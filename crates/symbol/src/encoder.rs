//! The encoder: data or segments in, a symbol out.

use crate::bits::BitWriter;
use crate::capacity::data_capacity_bits;
use crate::cpu::AvailablePath;
use crate::draw::Scratch;
use crate::mode::VersionRange;
use crate::plan::plan;
use crate::segmentation::best_segments;
use crate::{CpuPath, DataSegment, DataTooLong, ErrorCorrectionLevel, Mask, ROW_WORDS, Symbol, Version};

/// Makes symbols, one after another in the same memory.
pub struct Encoder {
    path: AvailablePath,
    scratch: Box<Scratch>,
    symbol: Box<Symbol>,
}

impl Encoder {
    /// An encoder that uses what the CPU has.
    pub fn new() -> Self {
        Self::with_path(CpuPath::detect())
    }

    /// An encoder that uses that path, or the widest there is when this CPU lacks it.
    pub fn with_path(path: CpuPath) -> Self {
        let blank = [[0; ROW_WORDS]; Version::MIN.size()];
        let symbol = Symbol::from_rows(Version::MIN, ErrorCorrectionLevel::Low, Mask::ALL[0], &blank);
        Self {
            path: AvailablePath::or_widest(path),
            scratch: Box::new(Scratch::new()),
            symbol: Box::new(symbol),
        }
    }

    /// The path it uses.
    pub fn path(&self) -> CpuPath {
        self.path.path()
    }

    /// The symbol of the smallest version that holds the data at exactly that level, with the mask of least penalty. Text is
    /// UTF-8, and no ECI says so. The data is one segment, in the densest mode that holds it, unless several of
    /// different modes make a smaller version.
    ///
    /// # Errors
    /// When no version holds the data.
    pub fn encode(&mut self, data: &[u8], level: ErrorCorrectionLevel) -> Result<&Symbol, DataTooLong> {
        let choice = self.path.choose(data, level)?;
        if let Some(mode) = choice.mode {
            self.encode_segments(&[DataSegment::trusted(mode, data)], choice.version, level, None)
        } else {
            let segments = best_segments(data, VersionRange::of(choice.version));
            self.encode_segments(&segments, choice.version, level, None)
        }
    }

    /// The symbol of those segments in that version, with that mask or else that of least penalty.
    ///
    /// # Errors
    /// When the version does not hold the segments.
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
        let mut writer = BitWriter::new(&mut self.scratch.data[..capacity_bits / 8]);
        for segment in segments {
            writer.push_segment(segment, versions);
        }
        writer.finish();
        self.path.draw(plan(version, level), mask, &mut self.scratch, &mut self.symbol);
        Ok(&self.symbol)
    }
}

impl Default for Encoder {
    fn default() -> Self {
        Self::new()
    }
}
