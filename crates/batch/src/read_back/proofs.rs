//! Proofs: pictures of a file, for a reader that finds codes in pictures as a phone does.
//!
//! All numbers are little endian.
//!
//! | Bytes | Proof |
//! |---|---|
//! | 8 | index of the item in the job |
//! | 4, 4 | length of the data, number of pictures |
//! | … | data in UTF-8 |
//! | … | each picture: its length in 4 bytes, and an opaque PNG file. One of them has to show the code |

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

use crate::BatchError;

/// Writes the proofs of a chunk.
pub(super) struct ProofWriter<'a> {
    path: &'a Path,
    file: File,
}

impl<'a> ProofWriter<'a> {
    /// Adds to a file that exists.
    pub fn open(path: &'a Path) -> Result<Self, BatchError> {
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(BatchError::io(path))?;
        Ok(Self { path, file })
    }

    /// Writes the proof of a file at once: a process that is killed later has lost none.
    pub fn write(&mut self, item: u64, data: &str, pictures: &[Vec<u8>]) -> Result<(), BatchError> {
        let mut proof = Vec::from(item.to_le_bytes());
        proof.extend_from_slice(
            [data.len() as u32, pictures.len() as u32].map(u32::to_le_bytes).as_flattened(),
        );
        proof.extend_from_slice(data.as_bytes());
        for picture in pictures {
            proof.extend_from_slice(&(picture.len() as u32).to_le_bytes());
            proof.extend_from_slice(picture);
        }
        self.file.write_all(&proof).map_err(BatchError::io(self.path))
    }
}
