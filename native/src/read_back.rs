//! The calls that read the codes of a chunk back.

use std::fs;
use std::path::Path;
use std::time::Duration;

use napi::bindgen_prelude::Buffer;
use napi_derive::napi;
use qrpress_batch::{BatchError, IndexPart, read_back::Sample};

use crate::chunk_range::ChunkRange;
use crate::error::{Result, guard};
use crate::manifest::{RenderedChunk, with};
use crate::number::{from_js, to_js};

/// A chunk that was drawn, its files, and how much of it is read back.
#[napi(object, object_to_js = false)]
pub struct ReadBackRequest {
    /// The job's spool.
    pub spool_path: String,
    /// The chunk.
    pub chunk: ChunkRange,
    /// The file of its segment.
    pub segment_path: String,
    /// Offset of the segment in that file, in bytes.
    pub segment_offset: i64,
    /// The file of the segment's index.
    pub index_path: String,
    /// Offset of the index in that file, in bytes.
    pub index_offset: i64,
    /// Length of the index in bytes.
    pub index_bytes: i64,
    /// The file of the readings: two bytes for each item. One that exists is gone on with.
    pub readings_path: String,
    /// The file of the proofs, opaque pictures for `verify`. One that exists is gone on with.
    pub proofs_path: String,
    /// The number of items that are read module by module, spread evenly over the job.
    pub items: i64,
    /// The number of items of these that get proofs, likewise.
    pub phone_items: i64,
    /// Items of the job.
    pub total: i64,
    /// Milliseconds after which the work is left to the next call.
    pub time_ms: u32,
}

/// The readings of a chunk.
#[napi(object, object_to_js = false)]
pub struct SumUpReadingsRequest {
    /// The file that `readBack` wrote.
    pub readings_path: String,
    /// Index of the chunk's first item in the job, from 0.
    pub first_item: i64,
    /// Items in whose proofs no reader found their code.
    pub unread: Vec<i64>,
}

/// The sums of a chunk's readings.
#[napi(object, object_from_js = false)]
pub struct ReadingsSummary {
    /// Items that were tried.
    pub verified: i64,
    /// Items of these that could not be read.
    pub unread: i64,
    /// The first 100 of them, in order.
    pub unread_items: Vec<i64>,
    /// The least unused error correction of the items that were read; absent where none was.
    pub least: Option<LeastUnused>,
    /// Items that were read, by their unused error correction: below 250 thousandths, below 500, below 750, below 1,000, all
    /// of it.
    pub distribution: Vec<i64>,
    /// Length of the file in bytes.
    pub readings_bytes: i64,
}

/// The least unused error correction of some items.
#[napi(object, object_from_js = false)]
pub struct LeastUnused {
    /// Thousandths of the error correction in the item's worst block.
    pub thousandths: u32,
    /// Index of the first item that has so little left.
    pub item: i64,
}

/// Reads the codes of a chunk back from the bytes of its segment. The caller syncs the readings. Returns false where some are
/// left: then the call is repeated with the same files, as after the end of the process. An item that ended it twice is unread.
///
/// Throws `io`, `corrupt_spool`, `corrupt_index`, `invalid_argument` or `panic`.
#[napi(catch_unwind)]
pub fn read_back(request: ReadBackRequest) -> Result<bool> {
    let total = from_js(request.total)?;
    let chunk = qrpress_batch::RenderedChunk {
        spool: Path::new(&request.spool_path),
        chunk: request.chunk.try_into()?,
        index: Some(IndexPart {
            path: Path::new(&request.index_path),
            offset: from_js(request.index_offset)?,
            bytes: from_js(request.index_bytes)?,
        }),
    };
    let request = qrpress_batch::read_back::ReadBackRequest {
        chunk,
        segment: Path::new(&request.segment_path),
        segment_offset: from_js(request.segment_offset)?,
        readings: Path::new(&request.readings_path),
        modules: Sample { items: from_js(request.items)?, total },
        phone: Sample { items: from_js(request.phone_items)?, total },
        proofs: Path::new(&request.proofs_path),
        time: Duration::from_millis(request.time_ms.into()),
    };
    guard(|| qrpress_batch::read_back::read_back(&request))
}

/// The unused error correction of the code in a PNG file of that style, in thousandths; null where it has not that text.
///
/// Throws `panic`.
#[napi(catch_unwind)]
pub fn read_picture(
    png: Buffer,
    text: String,
    pixels_per_module: u32,
    quiet_zone_modules: u32,
) -> Result<Option<u32>> {
    let read = || {
        qrpress_batch::read_back::read_picture(&png, text.as_bytes(), pixels_per_module, quiet_zone_modules)
    };
    Ok(guard(|| Ok(read()))?.map(u32::from))
}

/// An item that is looked at.
#[napi(object, object_to_js = false)]
pub struct SeeItemRequest {
    /// The chunk that holds it.
    pub chunk: RenderedChunk,
    /// The file of its segment.
    pub segment_path: String,
    /// Index of the item in the job, from 0.
    pub item: i64,
    /// The file of its proofs, opaque pictures for `verify`.
    pub proofs_path: String,
    /// The beginning of the paths of pictures for people: `png.png` and `svg.png` are appended.
    pub picture_path: String,
}

/// An item as the reader sees it.
#[napi(object, object_from_js = false)]
pub struct SeenItem {
    /// The data that its codes should have.
    pub data: String,
    /// Its files, PNG before SVG.
    pub files: Vec<SeenFile>,
}

/// A file of an item.
#[napi(object, object_from_js = false)]
pub struct SeenFile {
    /// The ending of its name.
    #[napi(ts_type = "'.png' | '.svg'")]
    pub extension: String,
    /// The unused error correction in thousandths; absent where it is unread.
    pub unused_thousandths: Option<u32>,
    /// The reason why it is unread.
    pub reason: Option<String>,
    /// The path of its picture beside the modules that were seen; absent where the file is no picture.
    pub picture_path: Option<String>,
}

/// Reads one item back, and shows what was seen; null where it was not drawn.
///
/// Throws `io`, `corrupt_spool`, `corrupt_index`, `invalid_argument` or `panic`.
#[napi(catch_unwind)]
pub fn see_item(request: SeeItemRequest) -> Result<Option<SeenItem>> {
    let (segment, proofs) = (Path::new(&request.segment_path), Path::new(&request.proofs_path));
    let item = from_js(request.item)?;
    let seen =
        with(&request.chunk, |chunk| qrpress_batch::read_back::see_item(chunk, segment, item, proofs))?;
    let Some(qrpress_batch::read_back::SeenItem { data, files }) = seen else { return Ok(None) };
    let show = |file: qrpress_batch::read_back::SeenFile| {
        let path = format!("{}{}.png", request.picture_path, file.extension.trim_start_matches('.'));
        let picture_path = match file.comparison {
            Some(picture) => {
                fs::write(&path, picture)
                    .map_err(|source| BatchError::Io { path: Path::new(&path).to_owned(), source })?;
                Some(path)
            }
            None => None,
        };
        Ok(SeenFile {
            extension: file.extension.to_owned(),
            unused_thousandths: file.outcome.as_ref().ok().map(|&unused| unused.into()),
            reason: file.outcome.err().map(|reason| reason.to_string()),
            picture_path,
        })
    };
    let files = guard(|| files.into_iter().map(show).collect())?;
    Ok(Some(SeenItem { data, files }))
}

/// Adds up the readings of a chunk, and marks those as unread that another reader did not read.
///
/// Throws `io`, `invalid_argument` or `panic`.
#[napi(catch_unwind)]
pub fn sum_up_readings(request: SumUpReadingsRequest) -> Result<ReadingsSummary> {
    let unread = request.unread.into_iter().map(from_js).collect::<Result<Vec<_>>>()?;
    let first_item = from_js(request.first_item)?;
    let path = Path::new(&request.readings_path);
    let summary = guard(|| qrpress_batch::read_back::sum_up_readings(path, first_item, &unread))?;
    let least = summary.least_unused;
    Ok(ReadingsSummary {
        verified: to_js(summary.verified),
        unread: to_js(summary.unread),
        unread_items: summary.unread_items.into_iter().map(to_js).collect(),
        least: least
            .map(|(thousandths, item)| LeastUnused { thousandths: thousandths.into(), item: to_js(item) }),
        distribution: summary.distribution.into_iter().map(to_js).collect(),
        readings_bytes: to_js(summary.bytes),
    })
}
