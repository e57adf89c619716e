//! Completes the archive that segments make: the central directory from their indexes, and its end.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use qrpress_zip::{
    ArchiveSummary, CentralDirectory, ZipError, ZipSegment, write_central_directory, write_end, write_headers,
};

use super::continued::Continued;
use crate::BatchError;

/// A segment in its place in the archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchivePart {
    /// The index that was written beside the segment.
    pub index: PathBuf,
    /// Length of the segment.
    pub segment_bytes: u64,
}

/// Writes the central directory and the end that make an archive of the segments in the order of `parts`, to the file of
/// `directory` from its start on. To sync it is left to the caller. Memory is bounded whatever the archive's size.
///
/// # Errors
/// [`BatchError::Io`] when a file can't be read or written, [`BatchError::CorruptIndex`] when an index is not
/// what was written, or not that of a segment of this length.
pub fn finish_archive(parts: &[ArchivePart], directory: Continued<'_>) -> Result<ArchiveSummary, BatchError> {
    let mut file = directory.open()?;
    write_central_directory(parts.iter().map(open_part), &mut file).map_err(writing(directory.path))
}

/// Writes the central directory headers of one segment, which begins at byte `offset` of its archive, and returns their
/// length. To sync the file is left to the caller. A file that exists is replaced. The headers of all segments in their order,
/// and then the end by [`write_archive_end`], are the bytes that [`finish_archive`] writes.
///
/// # Errors
/// Those of [`finish_archive`].
pub fn write_segment_headers(part: &ArchivePart, offset: u64, headers: &Path) -> Result<u64, BatchError> {
    let mut file = File::create(headers).map_err(BatchError::io(headers))?;
    open_part(part)
        .map_err(ZipError::Io)
        .and_then(|segment| write_headers(segment, offset, &mut file))
        .map_err(writing(headers))
}

/// Writes the end of an archive, and returns its length. To sync the file is left to the caller. A file that exists is
/// replaced.
///
/// # Errors
/// [`BatchError::Io`] when the file can't be written.
pub fn write_archive_end(directory: CentralDirectory, end: &Path) -> Result<u64, BatchError> {
    File::create(end).and_then(|mut file| write_end(directory, &mut file)).map_err(BatchError::io(end))
}

fn open_part(part: &ArchivePart) -> io::Result<ZipSegment<File>> {
    let index = File::open(&part.index).map_err(|error| with_path(&part.index, &error))?;
    Ok(ZipSegment { index, segment_bytes: part.segment_bytes })
}

/// The error of writing the file `out` from indexes.
fn writing(out: &Path) -> impl FnOnce(ZipError) -> BatchError {
    |error| match error {
        ZipError::Io(source) => BatchError::Io { path: out.to_owned(), source },
        source => BatchError::CorruptIndex { source },
    }
}

/// The error with the file's name in it, which the ZIP writer doesn't know.
fn with_path(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
