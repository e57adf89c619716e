//! Proofs: pictures beside a segment, for a reader that says whether its codes can be read.
//!
//! All numbers are little endian.
//!
//! | Bytes | Proof |
//! |---|---|
//! | 8 | index of the item in the job |
//! | 4, 4 | lengths of data and picture |
//! | … | data in UTF-8, picture as a PNG file |

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::BatchError;

/// The items of a job that have proofs, and the file of a chunk's proofs.
#[derive(Clone, Copy, Debug)]
pub struct ProofRequest<'a> {
    /// A file that exists is replaced.
    pub path: &'a Path,
    /// So many items, spread evenly over the job.
    pub items: u64,
    /// The items of the job.
    pub total: u64,
}

impl ProofRequest<'_> {
    /// Tells whether the item has a proof.
    fn includes(&self, item: u64) -> bool {
        let before = |item: u64| u128::from(item) * u128::from(self.items) / u128::from(self.total.max(1));
        before(item + 1) > before(item)
    }
}

/// Writes the proofs of a chunk.
pub(super) struct ProofWriter<'a> {
    request: ProofRequest<'a>,
    file: BufWriter<File>,
    /// The picture of the item that is being drawn.
    picture: Vec<u8>,
}

impl<'a> ProofWriter<'a> {
    pub fn create(request: ProofRequest<'a>) -> Result<Self, BatchError> {
        let file = File::create(request.path).map_err(BatchError::io(request.path))?;
        Ok(Self { request, file: BufWriter::new(file), picture: Vec::new() })
    }

    /// The buffer for the item's picture, if it has a proof.
    pub fn picture_of(&mut self, item: u64) -> Option<&mut Vec<u8>> {
        self.picture.clear();
        self.request.includes(item).then_some(&mut self.picture)
    }

    /// Writes the proof of an item whose picture was drawn.
    pub fn write(&mut self, item: u64, data: &str) -> Result<(), BatchError> {
        let Self { request, file, picture } = self;
        if !request.includes(item) {
            return Ok(());
        }
        let lengths = [data.len() as u32, picture.len() as u32].map(u32::to_le_bytes);
        file.write_all(&item.to_le_bytes())
            .and_then(|()| file.write_all(lengths.as_flattened()))
            .and_then(|()| file.write_all(data.as_bytes()))
            .and_then(|()| file.write_all(picture))
            .map_err(BatchError::io(request.path))
    }

    pub fn finish(mut self) -> Result<(), BatchError> {
        self.file.flush().map_err(BatchError::io(self.request.path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_items_are_spread_evenly_over_the_job() {
        for total in [1, 2, 7, 999, 1000, 1001, 34_006] {
            for items in [1, 2, 7, 999, 1000].map(|items: u64| items.min(total)) {
                let request = ProofRequest { path: Path::new(""), items, total };
                let included: Vec<u64> = (0..total).filter(|&item| request.includes(item)).collect();
                assert_eq!(included.len() as u64, items, "{items} of {total}");
                let gaps = included.windows(2).map(|pair| pair[1] - pair[0]);
                assert!(gaps.into_iter().all(|gap| gap.abs_diff(total / items) <= 1), "{items} of {total}");
            }
        }
    }
}
