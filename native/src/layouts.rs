//! The layouts of stored files, for callers that have their bytes: each is read here and nowhere else.

use std::io::Cursor;
use std::path::Path;

use napi::Error;
use napi::bindgen_prelude::Uint8Array;
use napi_derive::napi;
use qrpress_batch::{Damage, SpoolReader};

use crate::error::{Result, guard};
use crate::number::{from_js, to_js};

/// A file in a segment.
#[napi(object, object_from_js = false)]
pub struct StoredFile {
    /// The name in the archive.
    pub name: String,
    /// Offset of the first byte, from the local file header on.
    pub start: i64,
    /// Offset behind the last.
    pub end: i64,
}

/// The file whose local file header `bytes` begin with; null where they begin with none. Of the data nothing has to be there.
#[napi(catch_unwind)]
pub fn stored_file(bytes: Uint8Array) -> Option<StoredFile> {
    let file = qrpress_batch::stored_file(&bytes)?;
    let name = String::from_utf8_lossy(file.name).into_owned();
    Some(StoredFile { name, start: to_js(file.data.start), end: to_js(file.data.end) })
}

/// The settings in a spool's header, as JSON in the contract's words.
///
/// Throws `corrupt_spool` or `panic`.
#[napi(catch_unwind)]
pub fn settings_of_spool(header: Uint8Array) -> Result<String> {
    guard(|| Ok(SpoolReader::of(&header)?.header().to_json()))
}

/// A picture to be read as a phone would, and what its code has to say.
#[napi(object, object_from_js = false)]
pub struct Proof {
    /// Index of the item in the job, from 0.
    pub item: i64,
    /// The bytes that a code has to have.
    pub data: Uint8Array,
    /// PNG files. One of them has to show the code.
    pub pictures: Vec<Uint8Array>,
    /// Offset of the next proof.
    pub end: i64,
}

/// The proof at an offset of a file that `readBack` wrote; null at its end.
///
/// Throws `io`, `invalid_argument` or `panic`.
#[napi(catch_unwind)]
pub fn read_proof(path: String, offset: i64) -> Result<Option<Proof>> {
    let offset = from_js(offset)?;
    let proof = guard(|| qrpress_batch::read_back::read_proof(Path::new(&path), offset))?;
    Ok(proof.map(|proof| Proof {
        item: to_js(proof.item),
        data: proof.data.into(),
        pictures: proof.pictures.into_iter().map(Uint8Array::from).collect(),
        end: to_js(proof.end),
    }))
}

/// Compares a segment, which comes piece by piece, with its index. Memory is bounded.
#[napi]
pub struct SegmentChecker {
    checker: Option<qrpress_batch::SegmentChecker<Cursor<Vec<u8>>>>,
}

#[napi]
impl SegmentChecker {
    /// Checks the segment that `index` is of.
    #[napi(constructor)]
    pub fn new(index: Uint8Array) -> Self {
        Self { checker: Some(qrpress_batch::SegmentChecker::new(Cursor::new(index.to_vec()))) }
    }

    /// Takes the next bytes. Returns half a sentence about the first damage, after which there is nothing more to check.
    #[napi(catch_unwind)]
    pub fn push(&mut self, bytes: Uint8Array) -> Result<Option<String>> {
        let Some(checker) = &mut self.checker else {
            return Err(Error::new("invalid_argument", "the check has ended".to_owned()));
        };
        Ok(checker.push(&bytes).err().map(|damage| sentence(&damage)))
    }

    /// Call it once all bytes have come. Returns half a sentence about damage that there is only at the end.
    #[napi(catch_unwind)]
    pub fn finish(&mut self) -> Option<String> {
        self.checker.take()?.finish().err().map(|damage| sentence(&damage))
    }
}

fn sentence(damage: &Damage) -> String {
    match damage {
        Damage::File { name } => format!("{} is damaged", String::from_utf8_lossy(name)),
        _ => "its index is damaged".to_owned(),
    }
}
