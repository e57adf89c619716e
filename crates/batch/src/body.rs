//! The body of a job creation request, as a file.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

use crate::BatchError;

/// The form in which a body carries its items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BodyForm {
    /// One JSON object with a member `items`.
    Json,
    /// The job's meta object on line 1, then an item per line.
    Ndjson,
}

/// The bytes that are read from a stream at a time: large enough that the calls cost nothing, small enough for a core's
/// cache.
pub(crate) const BLOCK_BYTES: usize = 256 * 1024;

/// The UTF-8 byte order mark, which is no part of the text.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Opens the part `range` of the file at `path` for reading.
pub(crate) fn open_part(path: &Path, range: &Range<u64>) -> Result<impl Read + use<>, BatchError> {
    let mut file = File::open(path).map_err(BatchError::io(path))?;
    let bytes = file.metadata().map_err(BatchError::io(path))?.len();
    if range.start > range.end || range.end > bytes {
        return Err(BatchError::BodyChanged { offset: bytes });
    }
    file.seek(SeekFrom::Start(range.start)).map_err(BatchError::io(path))?;
    Ok(file.take(range.end - range.start))
}
