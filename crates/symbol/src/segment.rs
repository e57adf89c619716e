//! Data segments: their modes, and the bits that a character and a header take in each (ISO/IEC 18004, clause 7.4).

use crate::Version;

/// The way in which the characters of a segment become bits. Kanji is not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// Digits, ten bits for three.
    Numeric,
    /// Digits, capital letters and `$%*+-./: `, eleven bits for two.
    Alphanumeric,
    /// Any bytes, eight bits each.
    Byte,
}

/// The value of a byte that has none in the alphanumeric table.
const NOT_ALPHANUMERIC: u8 = u8::MAX;

/// Table 5: a byte's value in alphanumeric mode.
const ALPHANUMERIC_VALUES: [u8; 256] = {
    let characters = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";
    let mut values = [NOT_ALPHANUMERIC; 256];
    let mut value = 0;
    while value < characters.len() {
        values[characters[value] as usize] = value as u8;
        value += 1;
    }
    values
};

impl Mode {
    /// All modes, the densest first: each mode's characters belong to the next mode too.
    pub const ALL: [Self; 3] = [Self::Numeric, Self::Alphanumeric, Self::Byte];

    /// Returns true if the mode can encode that byte.
    pub const fn holds(self, byte: u8) -> bool {
        match self {
            Self::Numeric => byte.is_ascii_digit(),
            Self::Alphanumeric => ALPHANUMERIC_VALUES[byte as usize] != NOT_ALPHANUMERIC,
            Self::Byte => true,
        }
    }

    /// The mode indicator, four bits (table 2).
    pub(crate) const fn indicator(self) -> u64 {
        match self {
            Self::Numeric => 0b0001,
            Self::Alphanumeric => 0b0010,
            Self::Byte => 0b0100,
        }
    }

    /// Bits of the character count indicator (table 3).
    pub(crate) const fn count_bits(self, versions: VersionRange) -> usize {
        match self {
            Self::Numeric => [10, 12, 14][versions as usize],
            Self::Alphanumeric => [9, 11, 13][versions as usize],
            Self::Byte => [8, 16, 16][versions as usize],
        }
    }

    /// Bits of a segment's header: mode indicator and character count.
    pub(crate) const fn header_bits(self, versions: VersionRange) -> usize {
        4 + self.count_bits(versions)
    }

    /// Sixths of a bit that a character takes; a segment's sum is rounded up to whole bits.
    pub(crate) const fn character_sixths(self) -> usize {
        match self {
            Self::Numeric => 20,
            Self::Alphanumeric => 33,
            Self::Byte => 48,
        }
    }

    /// Bits of a segment of that many characters, header included.
    pub(crate) const fn segment_bits(self, characters: usize, versions: VersionRange) -> usize {
        self.header_bits(versions) + (characters * self.character_sixths()).div_ceil(6)
    }
}

/// The designator of the character set of bytes (ISO/IEC 18004, clause 7.4.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Eci {
    /// None: readers have to guess, and most guess UTF-8 where the bytes can be that.
    #[default]
    Absent,
    /// The designator of UTF-8 before the first byte segment that is not ASCII. It holds to the end of the symbol.
    Utf8,
}

impl Eci {
    /// The mode indicator of a designator, four bits (table 2).
    pub(crate) const INDICATOR: u64 = 0b0111;
    /// The assignment number of UTF-8. Below 128 a number takes eight bits (table 4).
    pub(crate) const UTF_8: u64 = 26;
    const DESIGNATOR_BITS: usize = 12;

    /// Bits that the designator takes in a symbol of that data.
    #[inline(always)]
    pub(crate) fn bits(self, data: &[u8]) -> usize {
        if self.designates(data) { Self::DESIGNATOR_BITS } else { 0 }
    }

    /// Bits that it takes in a symbol of any data.
    pub(crate) fn most_bits(self) -> usize {
        if self == Self::Utf8 { Self::DESIGNATOR_BITS } else { 0 }
    }

    /// Returns true if a segment of that data begins with the designator, where none did before.
    #[inline(always)]
    pub(crate) fn designates(self, data: &[u8]) -> bool {
        self == Self::Utf8 && !data.is_ascii()
    }
}

/// The value of a byte of the alphanumeric table, below 45.
pub(crate) fn alphanumeric_value(byte: u8) -> u64 {
    ALPHANUMERIC_VALUES[byte as usize].into()
}

/// The versions that share one length of the character count indicators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VersionRange {
    /// Versions 1 to 9.
    Small,
    /// Versions 10 to 26.
    Middle,
    /// Versions 27 to 40.
    Large,
}

impl VersionRange {
    pub(crate) const ALL: [Self; 3] = [Self::Small, Self::Middle, Self::Large];

    pub(crate) const fn of(version: Version) -> Self {
        match version.number() {
            ..=9 => Self::Small,
            10..=26 => Self::Middle,
            _ => Self::Large,
        }
    }

    /// The numbers of its first and last version.
    pub(crate) const fn numbers(self) -> (u8, u8) {
        match self {
            Self::Small => (1, 9),
            Self::Middle => (10, 26),
            Self::Large => (27, 40),
        }
    }
}

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
