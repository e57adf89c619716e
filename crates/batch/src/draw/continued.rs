//! A file that goes on where an earlier call ended.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom};
use std::path::Path;

use crate::BatchError;

/// A file that is written on from a place in it. Bytes behind that place are thrown away, so that a call that failed can be
/// repeated.
#[derive(Clone, Copy, Debug)]
pub struct Continued<'a> {
    /// The path. A file is made where there is none.
    pub path: &'a Path,
    /// Bytes that stay.
    pub start: u64,
}

impl Continued<'_> {
    /// The file, cut at its start, with its position there.
    pub(super) fn open(&self) -> Result<File, BatchError> {
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(self.path)
            .map_err(BatchError::io(self.path))?;
        file.set_len(self.start)
            .and_then(|()| file.seek(SeekFrom::Start(self.start)))
            .map_err(BatchError::io(self.path))?;
        Ok(file)
    }
}
