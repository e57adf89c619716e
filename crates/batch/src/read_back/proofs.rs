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
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::BatchError;

/// Bytes of a proof's data, and of one of its pictures, at most: what claims to be longer is not read.
const MAX_PIECE_BYTES: u32 = 256 << 20;

/// A proof that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Index of the item in the job.
    pub item: u64,
    /// The data that a code has to have.
    pub data: Vec<u8>,
    /// PNG files. One of them has to show the code.
    pub pictures: Vec<Vec<u8>>,
    /// Offset of the next proof.
    pub end: u64,
}

/// Reads the proof at an offset; `None` at the end of the file.
///
/// # Errors
/// [`BatchError::Io`] when the file can't be read, or ends within the proof.
pub fn read_proof(path: &Path, offset: u64) -> Result<Option<Proof>, BatchError> {
    let io = BatchError::io(path);
    let mut file = File::open(path).map_err(&io)?;
    if offset >= file.metadata().map_err(&io)?.len() {
        return Ok(None);
    }
    file.seek(SeekFrom::Start(offset)).map_err(&io)?;
    let mut proof = Proof { item: 0, data: Vec::new(), pictures: Vec::new(), end: offset };
    let mut piece = |length: u32| {
        if length > MAX_PIECE_BYTES {
            return Err(io(ErrorKind::InvalidData.into()));
        }
        let mut bytes = vec![0; length as usize];
        file.read_exact(&mut bytes).map_err(&io)?;
        proof.end += u64::from(length);
        Ok(bytes)
    };
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0_u64, |number, &byte| number << 8 | u64::from(byte));
    let prefix = piece(16)?;
    let (item, data_bytes, pictures) =
        (number(&prefix[..8]), number(&prefix[8..12]) as u32, number(&prefix[12..]));
    let data = piece(data_bytes)?;
    let mut read = Vec::new();
    for _ in 0..pictures {
        let length = number(&piece(4)?) as u32;
        read.push(piece(length)?);
    }
    Ok(Some(Proof { item, data, pictures: read, ..proof }))
}

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
