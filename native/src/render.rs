//! The calls that turn a spool into an archive.

use std::path::Path;

use napi_derive::napi;
use qrpress_batch::{ArchivePart, CentralDirectory, ChunkFiles, Continued, ProofRequest};

use crate::error::{Result, guard};
use crate::fonts::fonts;
use crate::number::{from_js, to_js};

/// A chunk, its first item and place in the spool as `inspectBody` told them, and its files.
#[napi(object, object_to_js = false)]
pub struct RenderChunkRequest {
    /// The job's spool.
    pub spool_path: String,
    /// Index of the chunk's first item in the job, from 0.
    pub first_item: i64,
    /// Number of items.
    pub item_count: i64,
    /// Offset of the chunk's records in the spool, in bytes.
    pub spool_offset: i64,
    /// Length of the chunk's records in bytes.
    pub spool_bytes: i64,
    /// Path of the ZIP segment to write. A file that exists is replaced.
    pub segment_path: String,
    /// Path of the segment's index to write. A file that exists is replaced.
    pub index_path: String,
    /// The proofs to write, if any.
    pub proofs: Option<Proofs>,
}

/// Pictures beside the segment, for a reader: for each its item's index (8 bytes), the lengths of the item's data and of a
/// PNG file (4 bytes each, all little endian), and these two.
#[napi(object, object_to_js = false)]
pub struct Proofs {
    /// Path of the file to write. A file that exists is replaced. Of several chunks each has a file, whose path ends in a dot
    /// and the chunk's place, from 0.
    pub path: String,
    /// The number of items that have a proof, spread evenly over the job.
    pub items: i64,
    /// Items of the job.
    pub total: i64,
}

/// A chunk's place in the spool, as `inspectBody` told it.
#[napi(object, object_to_js = false)]
pub struct ChunkRange {
    /// Index of the chunk's first item in the job, from 0.
    pub first_item: i64,
    /// Number of items.
    pub item_count: i64,
    /// Offset of the chunk's records in the spool, in bytes.
    pub spool_offset: i64,
    /// Length of the chunk's records in bytes.
    pub spool_bytes: i64,
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
    /// The proofs to write, if any.
    pub proofs: Option<Proofs>,
    /// Number of threads that draw, the caller's among them.
    pub threads: u32,
}

/// The outcome of a chunk, or of several together.
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
    let chunk = qrpress_batch::Chunk {
        first_item: from_js(request.first_item)?,
        item_count: from_js(request.item_count)?,
        spool_offset: from_js(request.spool_offset)?,
        spool_bytes: from_js(request.spool_bytes)?,
    };
    let files = ChunkFiles {
        spool: Path::new(&request.spool_path),
        segment: Path::new(&request.segment_path),
        index: Path::new(&request.index_path),
    };
    let fonts = fonts()?;
    let proofs = request.proofs.as_ref().map(to_proof_request).transpose()?;
    let report = guard(|| match proofs {
        None => qrpress_batch::render_chunk(&chunk, &files, &fonts),
        Some(proofs) => qrpress_batch::render_chunk_with_proofs(&chunk, &files, proofs, &fonts),
    })?;
    Ok(to_report(report))
}

/// Renders chunks in their order on several threads behind what a segment and its index hold, without a file for each; to
/// sync both is left to the caller.
///
/// Throws what `renderChunk` throws; then the call can be repeated.
#[napi(catch_unwind)]
pub fn render_chunks(request: RenderChunksRequest) -> Result<RenderChunkReport> {
    let chunk = |chunk: ChunkRange| {
        Ok(qrpress_batch::Chunk {
            first_item: from_js(chunk.first_item)?,
            item_count: from_js(chunk.item_count)?,
            spool_offset: from_js(chunk.spool_offset)?,
            spool_bytes: from_js(chunk.spool_bytes)?,
        })
    };
    let chunks = request.chunks.into_iter().map(chunk).collect::<Result<Vec<_>>>()?;
    let segment =
        Continued { path: Path::new(&request.segment_path), start: from_js(request.segment_start)? };
    let index = Continued { path: Path::new(&request.index_path), start: from_js(request.index_start)? };
    let spool = Path::new(&request.spool_path);
    let threads = request.threads as usize;
    let fonts = fonts()?;
    let proofs = request.proofs.as_ref().map(to_proof_request).transpose()?;
    let report =
        guard(|| qrpress_batch::render_chunks(&chunks, spool, (segment, index), proofs, threads, &fonts))?;
    Ok(to_report(report))
}

fn to_proof_request(Proofs { path, items, total }: &Proofs) -> Result<ProofRequest<'_>> {
    Ok(ProofRequest { path: Path::new(path), items: from_js(*items)?, total: from_js(*total)? })
}

fn to_report(report: qrpress_batch::RenderReport) -> RenderChunkReport {
    let failure = |failure: qrpress_batch::ItemFailure| ItemFailure {
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
    let summary = guard(|| qrpress_batch::finish_archive(&parts, directory))?;
    Ok(FinishArchiveReport {
        entries: to_js(summary.entries),
        end_bytes: to_js(summary.directory_bytes),
        archive_bytes: to_js(summary.archive_bytes),
    })
}

/// Writes the headers of one segment, and leaves it to the caller to sync them. Answers their length in bytes. The headers of
/// all segments in order, and then the end, are the bytes that `finishArchive` writes.
///
/// Throws `io`, `corrupt_index`, `invalid_argument` or `panic`; then the file is to be thrown away.
#[napi(catch_unwind)]
pub fn write_headers(request: WriteHeadersRequest) -> Result<i64> {
    let part =
        ArchivePart { index: request.index_path.into(), segment_bytes: from_js(request.segment_bytes)? };
    let offset = from_js(request.offset)?;
    let path = Path::new(&request.headers_path);
    guard(|| qrpress_batch::write_segment_headers(&part, offset, path)).map(to_js)
}

/// Writes the end of an archive, and leaves it to the caller to sync it. Answers its length in bytes.
///
/// Throws `io`, `invalid_argument` or `panic`; then the file is to be thrown away.
#[napi(catch_unwind)]
pub fn write_end(request: WriteEndRequest) -> Result<i64> {
    let directory = CentralDirectory {
        entries: from_js(request.entries)?,
        offset: from_js(request.segment_bytes)?,
        bytes: from_js(request.header_bytes)?,
    };
    guard(|| qrpress_batch::write_archive_end(directory, Path::new(&request.end_path))).map(to_js)
}
