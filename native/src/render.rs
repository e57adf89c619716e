//! The calls that turn a spool into an archive.

use std::path::Path;

use napi_derive::napi;
use qrpress_batch::{
    CentralDirectory,
    draw::{ArchivePart, ChunkFiles, Continued},
};

use crate::chunk_range::ChunkRange;
use crate::error::{Result, guard};
use crate::fonts::fonts;
use crate::number::{from_js, to_js};

/// A chunk and its files.
#[napi(object, object_to_js = false)]
pub struct RenderChunkRequest {
    /// The job's spool.
    pub spool_path: String,
    /// The chunk.
    pub chunk: ChunkRange,
    /// Path of the ZIP segment to write. A file that exists is replaced.
    pub segment_path: String,
    /// Path of the segment's index to write. A file that exists is replaced.
    pub index_path: String,
}

/// Neighbouring chunks, and the files that they are appended to. Bytes behind the starts are thrown away.
#[napi(object, object_to_js = false)]
pub struct RenderChunksRequest {
    /// The job's spool.
    pub spool_path: String,
    /// The chunks in their order.
    pub chunks: Vec<ChunkRange>,
    /// The segment, made where there is none.
    pub segment_path: String,
    /// Bytes of it that stay.
    pub segment_start: i64,
    /// The segment's index, made where there is none.
    pub index_path: String,
    /// Bytes of it that stay.
    pub index_start: i64,
    /// Number of threads that draw, the caller's among them.
    pub threads: u32,
}

/// The outcome of a chunk.
#[napi(object, object_from_js = false)]
pub struct RenderChunkReport {
    /// Items whose pictures are in the segment.
    pub completed: i64,
    /// Items of which nothing is in the segment.
    pub failed: i64,
    /// The first 100 of the failures.
    pub failures: Vec<ItemFailure>,
    /// Length of the segment in bytes.
    pub segment_bytes: i64,
    /// Length of its index in bytes.
    pub index_bytes: i64,
    /// Files in the segment.
    pub entries: i64,
    /// Length in bytes of the headers that `writeHeaders` makes of the index, where the segment ends below 4 GiB − 1
    /// of the archive.
    pub header_bytes: i64,
}

/// An item that could not be rendered, from a defect.
#[napi(object, object_from_js = false)]
pub struct ItemFailure {
    /// The item's index in the job, from 0.
    pub item: i64,
    /// The message of the defect.
    pub message: String,
}

/// The segments of an archive in order, and where its central directory and end go.
#[napi(object, object_to_js = false)]
pub struct FinishArchiveRequest {
    /// The segments, in order.
    pub parts: Vec<FinishArchivePart>,
    /// Path of the file that the central directory and its end are written to.
    pub end_path: String,
    /// Bytes of a file at `endPath` that stay before them. Bytes behind those are thrown away. Absent: 0.
    pub end_start: Option<i64>,
}

/// A segment in its place in the archive.
#[napi(object, object_to_js = false)]
pub struct FinishArchivePart {
    /// The index that was written beside the segment.
    pub index_path: String,
    /// Length of the segment in bytes.
    pub segment_bytes: i64,
}

/// The archive that the segments in order, the central directory and its end make.
#[napi(object, object_from_js = false)]
pub struct FinishArchiveReport {
    /// Files in the archive.
    pub entries: i64,
    /// Length of the central directory and its end in bytes.
    pub end_bytes: i64,
    /// Length of the archive in bytes.
    pub archive_bytes: i64,
}

/// A segment in its place in the archive, and where its headers go.
#[napi(object, object_to_js = false)]
pub struct WriteHeadersRequest {
    /// The index that was written beside the segment.
    pub index_path: String,
    /// Length of the segment in bytes.
    pub segment_bytes: i64,
    /// Offset of the segment in the archive, in bytes.
    pub offset: i64,
    /// Path of the headers to write. A file that exists is replaced.
    pub headers_path: String,
}

/// All segments together, and where the archive's end goes.
#[napi(object, object_to_js = false)]
pub struct WriteEndRequest {
    /// Files in the archive.
    pub entries: i64,
    /// Length of all segments in bytes.
    pub segment_bytes: i64,
    /// Length of all their headers in bytes.
    pub header_bytes: i64,
    /// Path of the end to write. A file that exists is replaced.
    pub end_path: String,
}

/// Renders a chunk into a ZIP segment and its index; to sync both is left to the caller. The bytes depend on the
/// spool's header, the chunk's records and the fonts alone.
///
/// Throws `io`, `corrupt_spool`, `fonts`, `invalid_argument` or `panic`; then the files are to be thrown away.
#[napi(catch_unwind)]
pub fn render_chunk(request: RenderChunkRequest) -> Result<RenderChunkReport> {
    let chunk = request.chunk.try_into()?;
    let files = ChunkFiles {
        spool: Path::new(&request.spool_path),
        segment: Path::new(&request.segment_path),
        index: Path::new(&request.index_path),
    };
    let fonts = fonts()?;
    let report = guard(|| qrpress_batch::draw::render_chunk(&chunk, &files, &fonts))?;
    Ok(to_report(report))
}

/// Renders chunks in their order on several threads behind what a segment and its index hold, without a file for each; to
/// sync both is left to the caller. Returns a report for each chunk.
///
/// Throws what `renderChunk` throws; then the call can be repeated.
#[napi(catch_unwind)]
pub fn render_chunks(request: RenderChunksRequest) -> Result<Vec<RenderChunkReport>> {
    let chunks = request.chunks.into_iter().map(TryInto::try_into).collect::<Result<Vec<_>>>()?;
    let segment =
        Continued { path: Path::new(&request.segment_path), start: from_js(request.segment_start)? };
    let index = Continued { path: Path::new(&request.index_path), start: from_js(request.index_start)? };
    let spool = Path::new(&request.spool_path);
    let threads = request.threads as usize;
    let fonts = fonts()?;
    let reports =
        guard(|| qrpress_batch::draw::render_chunks(&chunks, spool, (segment, index), threads, &fonts))?;
    Ok(reports.into_iter().map(to_report).collect())
}

fn to_report(report: qrpress_batch::draw::RenderReport) -> RenderChunkReport {
    let failure = |failure: qrpress_batch::draw::ItemFailure| ItemFailure {
        item: to_js(failure.item),
        message: failure.message,
    };
    RenderChunkReport {
        completed: to_js(report.completed),
        failed: to_js(report.failed),
        failures: report.failures.into_iter().map(failure).collect(),
        segment_bytes: to_js(report.segment_bytes),
        index_bytes: to_js(report.index_bytes),
        entries: to_js(report.entries),
        header_bytes: to_js(report.header_bytes),
    }
}

/// Writes the central directory of an archive and its end, and leaves it to the caller to sync them: the archive is its
/// segments in order, then these.
///
/// Throws `io`, `corrupt_index`, `invalid_argument` or `panic`; then the file is to be thrown away.
#[napi(catch_unwind)]
pub fn finish_archive(request: FinishArchiveRequest) -> Result<FinishArchiveReport> {
    let part = |part: FinishArchivePart| {
        let segment_bytes = from_js(part.segment_bytes)?;
        Ok(ArchivePart { index: part.index_path.into(), segment_bytes })
    };
    let parts = request.parts.into_iter().map(part).collect::<Result<Vec<_>>>()?;
    let directory =
        Continued { path: Path::new(&request.end_path), start: from_js(request.end_start.unwrap_or(0))? };
    let summary = guard(|| qrpress_batch::draw::finish_archive(&parts, directory))?;
    Ok(FinishArchiveReport {
        entries: to_js(summary.entries),
        end_bytes: to_js(summary.directory_bytes),
        archive_bytes: to_js(summary.archive_bytes),
    })
}

/// Writes the headers of one segment, and leaves it to the caller to sync them. Returns their length in bytes. The headers of
/// all segments in order, and then the end, are the bytes that `finishArchive` writes.
///
/// Throws `io`, `corrupt_index`, `invalid_argument` or `panic`; then the file is to be thrown away.
#[napi(catch_unwind)]
pub fn write_headers(request: WriteHeadersRequest) -> Result<i64> {
    let part =
        ArchivePart { index: request.index_path.into(), segment_bytes: from_js(request.segment_bytes)? };
    let offset = from_js(request.offset)?;
    let path = Path::new(&request.headers_path);
    guard(|| qrpress_batch::draw::write_segment_headers(&part, offset, path)).map(to_js)
}

/// Writes the end of an archive, and leaves it to the caller to sync it. Returns its length in bytes.
///
/// Throws `io`, `invalid_argument` or `panic`; then the file is to be thrown away.
#[napi(catch_unwind)]
pub fn write_end(request: WriteEndRequest) -> Result<i64> {
    let directory = CentralDirectory {
        entries: from_js(request.entries)?,
        offset: from_js(request.segment_bytes)?,
        bytes: from_js(request.header_bytes)?,
    };
    guard(|| qrpress_batch::draw::write_archive_end(directory, Path::new(&request.end_path))).map(to_js)
}
