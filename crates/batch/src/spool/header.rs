//! The header of a spool: what every chunk of a job needs beside its items, as JSON in the contract's words.
//!
//! It is canonical: the members stand in the order of [`RenderStyle`](crate::RenderStyle), each default is written, and a
//! member without a value is left out. Spaces follow it where a version was to come. A logo lies in it as the data URL that the client wrote.

use std::io::{ErrorKind, Read};
use std::path::Path;

use qrpress_symbol::Version;

use super::SpoolHeader;
use crate::{BatchError, SymbolVersion};

const MAGIC: [u8; 8] = *b"QRPSPOOL";
const LAYOUT_VERSION: u32 = 4;
const PREFIX_BYTES: usize = 16;
/// No settings are longer: what claims to be is not read.
const MAX_SETTINGS_BYTES: usize = 1 << 20;

/// The end of settings that lack the version of all symbols, with room for it.
const OPEN_END: [u8; 14] = *br"}             ";

/// The end of settings with the version of all symbols.
pub(super) fn end_with(version: Version) -> [u8; OPEN_END.len()] {
    let mut end = [b' '; OPEN_END.len()];
    for (place, byte) in end.iter_mut().zip(format!(r#","version":{}}}"#, version.number()).bytes()) {
        *place = byte;
    }
    end
}

/// Appends the header to `out`. Returns the place of its [end](end_with) where that says a version only when all items were
/// seen.
pub(super) fn encode(header: &SpoolHeader, out: &mut Vec<u8>) -> Result<Option<u64>, BatchError> {
    let mut settings = header.to_json().into_bytes();
    let is_open = header.style.version == SymbolVersion::Same && header.version.is_none();
    if is_open {
        settings.pop();
        settings.extend_from_slice(&OPEN_END);
    }
    if settings.len() > MAX_SETTINGS_BYTES {
        return Err(BatchError::FieldTooLong { bytes: settings.len() });
    }
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&LAYOUT_VERSION.to_le_bytes());
    out.extend_from_slice(&(settings.len() as u32).to_le_bytes());
    out.extend_from_slice(&settings);
    Ok(is_open.then(|| (out.len() - OPEN_END.len()) as u64))
}

/// Reads the header that `file`, at its beginning, has.
pub(super) fn read(file: &mut impl Read, path: &Path) -> Result<SpoolHeader, BatchError> {
    let cut_off_or_io = |error: std::io::Error| match error.kind() {
        ErrorKind::UnexpectedEof => corrupt(0, "the header is cut off"),
        _ => BatchError::io(path)(error),
    };
    let mut prefix = [0; PREFIX_BYTES];
    file.read_exact(&mut prefix).map_err(cut_off_or_io)?;
    let number = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|byte| prefix[at + byte]));
    if prefix[..MAGIC.len()] != MAGIC {
        return Err(corrupt(0, "no spool"));
    }
    if number(8) != LAYOUT_VERSION {
        return Err(corrupt(8, "a layout of another version"));
    }
    let length = number(12) as usize;
    if length > MAX_SETTINGS_BYTES {
        return Err(corrupt(12, "settings of another length"));
    }
    let mut settings = vec![0; length];
    file.read_exact(&mut settings).map_err(cut_off_or_io)?;
    let settings = str::from_utf8(&settings).ok().and_then(|text| SpoolHeader::from_json(text).ok());
    settings.ok_or_else(|| corrupt(PREFIX_BYTES, "settings that no job has"))
}

fn corrupt(offset: usize, reason: &'static str) -> BatchError {
    BatchError::CorruptSpool { offset: offset as u64, reason }
}
