//! The archive's records byte by byte, in the order and under the names of APPNOTE 6.3, section 4.3.

/// Version made by: Unix (3), whose permissions the external attributes hold, by version 6.3 of the format (4.4.2).
const MADE_BY: u16 = 3 << 8 | 63;
/// Version needed to extract a stored file (4.4.3.2).
const NEEDS_1_0: u16 = 10;
/// Version needed where a record uses ZIP64 (4.4.3.2).
const NEEDS_ZIP64: u16 = 45;
/// General purpose bit 11: the name is UTF-8 (4.4.4).
const UTF8_NAME: u16 = 1 << 11;
/// Compression method 0: the data as they are (4.4.5).
const STORED: u16 = 0;
/// Midnight, in MS-DOS form (4.4.6).
const TIME: u16 = 0;
/// 1 February 1980, in MS-DOS form, which knows no date before 1980. The first of January is in 1979 for programs that take it
/// for local time east of Greenwich, and then cannot be packed again.
const DATE: u16 = 2 << 5 | 1;
/// Unix mode of a regular file that everyone may read, in the upper half (4.4.15).
const REGULAR_FILE_0644: u32 = 0o100_644 << 16;

/// Bytes of the ZIP64 end of central directory record (4.3.14).
const ZIP64_END_BYTES: usize = 56;

/// The local file header (4.3.7), which the name follows, with zeros for the [`Entry`]. No segment's place in an
/// archive makes it need ZIP64.
pub const LOCAL_FILE_HEADER: [u8; 30] = Fields::new()
    .u32(0x0403_4b50)
    .u16(NEEDS_1_0)
    .u16(UTF8_NAME)
    .u16(STORED)
    .u16(TIME)
    .u16(DATE)
    .zeros(Entry::FIELD_BYTES) // at LOCAL_ENTRY
    .u16(0) // extra field length
    .bytes();
const LOCAL_ENTRY: usize = 14;

/// The central directory header (4.3.12), which the name follows, with zeros for the [`Entry`] and its offset.
const CENTRAL_DIRECTORY_HEADER: [u8; 46] = Fields::new()
    .u32(0x0201_4b50)
    .u16(MADE_BY)
    .u16(NEEDS_1_0) // at CENTRAL_VERSION_NEEDED
    .u16(UTF8_NAME)
    .u16(STORED)
    .u16(TIME)
    .u16(DATE)
    .zeros(Entry::FIELD_BYTES) // at CENTRAL_ENTRY
    .u16(0) // extra field length, at CENTRAL_EXTRA_LENGTH
    .u16(0) // file comment length
    .u16(0) // disk number start
    .u16(0) // internal file attributes
    .u32(REGULAR_FILE_0644)
    .u32(0) // relative offset of local header, at CENTRAL_OFFSET
    .bytes();
const CENTRAL_VERSION_NEEDED: usize = 6;
const CENTRAL_ENTRY: usize = 16;
const CENTRAL_EXTRA_LENGTH: usize = 30;
const CENTRAL_OFFSET: usize = 42;

/// Bytes of a ZIP64 extra field that holds an offset (4.5.3).
const ZIP64_EXTRA_BYTES: u16 = 12;

/// The fields of an entry that its local file header and its central directory header share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub crc32: u32,
    /// Bytes of the data, below `u32::MAX`: that value stands for "see ZIP64".
    pub size: u32,
    /// At least 1.
    pub name_bytes: u16,
}

impl Entry {
    /// Bytes of the fields CRC-32, compressed size, uncompressed size and file name length, a run in both headers.
    const FIELD_BYTES: usize = 14;

    /// Bytes of the central directory header with its name, where the offset fits in 32 bits.
    #[inline]
    pub fn header_bytes(self) -> u64 {
        CENTRAL_DIRECTORY_HEADER.len() as u64 + u64::from(self.name_bytes)
    }

    /// Bytes of the local file header, name and data together.
    pub fn segment_bytes(self) -> u64 {
        LOCAL_FILE_HEADER.len() as u64 + u64::from(self.name_bytes) + u64::from(self.size)
    }

    /// The entry that fills a local file header; `None` where the rest of it is not that of a [`LOCAL_FILE_HEADER`].
    pub fn of_local_file_header(header: &[u8; LOCAL_FILE_HEADER.len()]) -> Option<Self> {
        let number = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|byte| header[LOCAL_ENTRY + at + byte]));
        let name_bytes = u16::from_le_bytes([header[LOCAL_ENTRY + 12], header[LOCAL_ENTRY + 13]]);
        let entry = Self { crc32: number(0), size: number(4), name_bytes };
        let mut filled = LOCAL_FILE_HEADER;
        entry.fill_local_file_header(&mut filled);
        (filled == *header).then_some(entry)
    }

    /// Fills the zeros of a [`LOCAL_FILE_HEADER`], the first bytes of `header`.
    #[inline]
    pub fn fill_local_file_header(self, header: &mut [u8]) {
        self.fill(&mut header[LOCAL_ENTRY..]);
    }

    /// Appends the entry's central directory header with its name. `offset` is that of the local file header in the
    /// archive, which goes to a ZIP64 extra field where 32 bits can't hold it.
    #[inline]
    pub fn write_central_directory_header(self, offset: u64, name: &[u8], out: &mut Vec<u8>) {
        // Filled in place: a header filled elsewhere and copied would wait for its own small stores.
        let header_at = out.len();
        out.extend_from_slice(&CENTRAL_DIRECTORY_HEADER);
        let header = &mut out[header_at..];
        self.fill(&mut header[CENTRAL_ENTRY..]);
        header[CENTRAL_OFFSET..].copy_from_slice(&or_u32_max(offset).to_le_bytes());
        let far = exceeds_u32(offset);
        if far {
            header[CENTRAL_VERSION_NEEDED..][..2].copy_from_slice(&NEEDS_ZIP64.to_le_bytes());
            header[CENTRAL_EXTRA_LENGTH..][..2].copy_from_slice(&ZIP64_EXTRA_BYTES.to_le_bytes());
        }
        out.extend_from_slice(name);
        if far {
            let extra: [u8; ZIP64_EXTRA_BYTES as usize] =
                Fields::new().u16(0x0001).u16(ZIP64_EXTRA_BYTES - 4).u64(offset).bytes();
            out.extend_from_slice(&extra);
        }
    }

    #[inline]
    fn fill(self, fields: &mut [u8]) {
        fields[..4].copy_from_slice(&self.crc32.to_le_bytes());
        fields[4..8].copy_from_slice(&self.size.to_le_bytes());
        fields[8..12].copy_from_slice(&self.size.to_le_bytes());
        fields[12..Self::FIELD_BYTES].copy_from_slice(&self.name_bytes.to_le_bytes());
    }
}

/// The place and the size of an archive's central directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CentralDirectory {
    /// Entries of all segments.
    pub entries: u64,
    /// From the archive's first byte: the bytes of all segments.
    pub offset: u64,
    /// Bytes of all headers.
    pub bytes: u64,
}

impl CentralDirectory {
    /// Appends the end of central directory record (4.3.16), after the ZIP64 one and its locator (4.3.14, 4.3.15)
    /// where a number doesn't fit.
    pub(crate) fn write_end(self, out: &mut Vec<u8>) {
        let Self { entries, offset, bytes } = self;
        if entries >= u64::from(u16::MAX) || exceeds_u32(offset) || exceeds_u32(bytes) {
            let record: [u8; ZIP64_END_BYTES] = Fields::new()
                .u32(0x0606_4b50)
                .u64(ZIP64_END_BYTES as u64 - 12) // without the signature and this field
                .u16(MADE_BY)
                .u16(NEEDS_ZIP64)
                .u32(0) // number of this disk
                .u32(0) // disk with the start of the central directory
                .u64(entries) // on this disk
                .u64(entries)
                .u64(bytes)
                .u64(offset)
                .bytes();
            let locator: [u8; 20] = Fields::new()
                .u32(0x0706_4b50)
                .u32(0) // disk with the record
                .u64(offset.saturating_add(bytes))
                .u32(1) // disks
                .bytes();
            out.extend_from_slice(&record);
            out.extend_from_slice(&locator);
        }
        let entries = entries.min(u64::from(u16::MAX)) as u16;
        let end: [u8; 22] = Fields::new()
            .u32(0x0605_4b50)
            .u16(0) // number of this disk
            .u16(0) // disk with the start of the central directory
            .u16(entries) // on this disk
            .u16(entries)
            .u32(or_u32_max(bytes))
            .u32(or_u32_max(offset))
            .u16(0) // comment length
            .bytes();
        out.extend_from_slice(&end);
    }
}

/// Returns true if a 32-bit field can't hold the value: all ones stand for "see ZIP64" (4.4.1.4).
fn exceeds_u32(value: u64) -> bool {
    value >= u64::from(u32::MAX)
}

fn or_u32_max(value: u64) -> u32 {
    value.min(u64::from(u32::MAX)) as u32
}

/// A record of `N` bytes, filled field by field in little-endian order (4.4.1.1).
struct Fields<const N: usize> {
    bytes: [u8; N],
    filled: usize,
}

impl<const N: usize> Fields<N> {
    const fn new() -> Self {
        Self { bytes: [0; N], filled: 0 }
    }

    const fn field<const WIDTH: usize>(mut self, value: [u8; WIDTH]) -> Self {
        let (_, rest) = self.bytes.split_at_mut(self.filled);
        rest.split_at_mut(WIDTH).0.copy_from_slice(&value);
        self.filled += WIDTH;
        self
    }

    const fn u16(self, value: u16) -> Self {
        self.field(value.to_le_bytes())
    }

    const fn u32(self, value: u32) -> Self {
        self.field(value.to_le_bytes())
    }

    const fn u64(self, value: u64) -> Self {
        self.field(value.to_le_bytes())
    }

    const fn zeros(mut self, bytes: usize) -> Self {
        self.filled += bytes;
        self
    }

    const fn bytes(self) -> [u8; N] {
        assert!(self.filled == N, "the record has a byte that no field fills");
        self.bytes
    }
}
