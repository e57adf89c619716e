//! A data segment: characters in one mode.

use crate::mode::{Mode, VersionRange};

/// Characters that are encoded in one mode (ISO/IEC 18004, clause 7.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataSegment<'a> {
    mode: Mode,
    data: &'a [u8],
}

impl<'a> DataSegment<'a> {
    /// A segment of those characters, or `None` when the mode lacks one of them.
    pub fn new(mode: Mode, data: &'a [u8]) -> Option<Self> {
        data.iter().all(|&byte| mode.holds(byte)).then_some(Self { mode, data })
    }

    /// A segment of characters that the mode is known to have.
    pub(crate) fn trusted(mode: Mode, data: &'a [u8]) -> Self {
        debug_assert!(Self::new(mode, data).is_some());
        Self { mode, data }
    }

    /// The mode of the segment.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The characters of the segment, one byte each.
    pub fn data(&self) -> &'a [u8] {
        self.data
    }

    /// Bits in a version of that range, header included.
    pub(crate) fn bits(&self, versions: VersionRange) -> usize {
        self.mode.segment_bits(self.data.len(), versions)
    }
}
