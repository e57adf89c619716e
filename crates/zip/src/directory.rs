//! A segment's directory: what the central directory says of its entries, save their offsets, which are running sums.
//!
//! A record is size `u32`, CRC-32 `u32` and name length `u16`, little-endian, then the name.

use crate::format::Entry;

/// Bytes of a record before its name.
const FIXED_BYTES: usize = 10;
/// The longest that a record can be.
pub const MAX_RECORD_BYTES: usize = FIXED_BYTES + u16::MAX as usize;

/// Appends an entry's record.
#[inline]
pub fn write_record(entry: Entry, name: &[u8], out: &mut Vec<u8>) {
    let mut fixed = [0; FIXED_BYTES];
    fixed[..4].copy_from_slice(&entry.size.to_le_bytes());
    fixed[4..8].copy_from_slice(&entry.crc32.to_le_bytes());
    fixed[8..].copy_from_slice(&entry.name_bytes.to_le_bytes());
    out.extend_from_slice(&fixed);
    out.extend_from_slice(name);
}

/// Splits the first record off, its name beside it; `None` when `bytes` end within it. The values are as hostile as
/// the bytes.
#[inline]
pub fn split_record(bytes: &[u8]) -> Option<(Entry, &[u8], &[u8])> {
    let (&[s0, s1, s2, s3, c0, c1, c2, c3, n0, n1], rest) = bytes.split_first_chunk::<FIXED_BYTES>()?;
    let entry = Entry {
        crc32: u32::from_le_bytes([c0, c1, c2, c3]),
        size: u32::from_le_bytes([s0, s1, s2, s3]),
        name_bytes: u16::from_le_bytes([n0, n1]),
    };
    let (name, rest) = rest.split_at_checked(usize::from(entry.name_bytes))?;
    Some((entry, name, rest))
}
