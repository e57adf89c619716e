//! The calls that tell what became of items, and where their files are.

use std::collections::BTreeMap;
use std::path::Path;

use napi::Error;
use napi_derive::napi;
use qrpress_batch::{inspect, manifest};

use crate::check::LineRun;
use crate::chunk_range::ChunkRange;
use crate::error::{Result, guard};
use crate::number::{from_js, to_js};

/// A chunk that was rendered, or given up, and its files.
#[napi(object, object_to_js = false)]
pub struct RenderedChunk {
    /// The job's spool.
    pub spool_path: String,
    /// The chunk.
    pub range: ChunkRange,
    /// The index of its segment; absent where no item of it was drawn.
    pub index_path: Option<String>,
}

/// The form of a manifest: a line of JSON per item, the same with the places of its files in the segment, a row of CSV per file,
/// the items without files as lines of a job's body, among blank lines for the others, or all items as lines of a body.
#[napi(string_enum = "lowercase")]
pub enum ManifestForm {
    Ndjson,
    Places,
    Csv,
    Missing,
    Items,
}

/// A line that takes the place of an item in a body.
#[napi(object, object_to_js = false)]
pub struct ReplacedItem {
    /// Index of the item in the job, from 0.
    pub item: i64,
    /// The line, with its end.
    pub line: String,
}

/// A chunk, and the file for its lines of the manifest.
#[napi(object, object_to_js = false)]
pub struct WriteManifestRequest {
    /// The chunk.
    pub chunk: RenderedChunk,
    /// The readings of its items, where they were read back.
    pub readings_path: Option<String>,
    /// The form of the lines.
    pub form: ManifestForm,
    /// The lines of the job's items in the list that it is made of, in order: a CSV manifest has them in its first column, and of
    /// a body they are the lines.
    pub lines: Option<Vec<LineRun>>,
    /// Lines of a body that differ from those of the job.
    pub replaced: Option<Vec<ReplacedItem>>,
    /// Tells the name that the files of an item would have where it has none.
    pub names_missing: bool,
    /// Path of the file to write. A file that exists is replaced.
    pub manifest_path: String,
}

/// A file that is looked for.
#[napi(object, object_to_js = false)]
pub struct FindFileRequest {
    /// The chunk that holds its item.
    pub chunk: RenderedChunk,
    /// Index of the item in the job, from 0.
    pub item: i64,
    /// The ending of its name.
    #[napi(ts_type = "'.png' | '.svg'")]
    pub extension: String,
}

/// A file in a segment.
#[napi(object, object_from_js = false)]
pub struct FoundFile {
    /// The name in the archive.
    pub name: String,
    /// The first byte in the segment.
    pub offset: i64,
    /// Length in bytes.
    pub bytes: i64,
}

/// Writes the manifest's lines of a chunk, and leaves it to the caller to sync them. Returns their length in bytes.
///
/// Throws `io`, `corrupt_spool`, `corrupt_index`, `invalid_argument` or `panic`; then the file is to be thrown away.
#[napi(catch_unwind)]
pub fn write_manifest(request: WriteManifestRequest) -> Result<i64> {
    let lines =
        request.lines.map(|runs| runs.iter().map(inspect::LineRun::try_from).collect::<Result<Vec<_>>>());
    let lines = lines.transpose()?;
    let replaced = request.replaced.unwrap_or_default().into_iter();
    let replaced = replaced.map(|ReplacedItem { item, line }| Ok((from_js(item)?, line)));
    let replaced = replaced.collect::<Result<BTreeMap<u64, String>>>()?;
    let form = match (request.form, &lines) {
        (ManifestForm::Ndjson, _) => manifest::ManifestForm::Ndjson,
        (ManifestForm::Places, _) => manifest::ManifestForm::Places,
        (ManifestForm::Csv, None) => manifest::ManifestForm::Csv,
        (ManifestForm::Csv, Some(lines)) => manifest::ManifestForm::CsvWithLines { lines },
        (ManifestForm::Missing, _) => manifest::ManifestForm::Missing,
        (ManifestForm::Items, lines) => {
            let lines = lines.as_deref().unwrap_or(&[]);
            manifest::ManifestForm::Items { lines, replaced: &replaced }
        }
    };
    let path = Path::new(&request.manifest_path);
    let readings = request.readings_path.as_deref().map(Path::new);
    let names_missing = request.names_missing;
    with(&request.chunk, |chunk| manifest::write_manifest(chunk, readings, form, names_missing, path))
        .map(to_js)
}

/// Finds a file in a chunk's segment; null where the item has no such file.
///
/// Throws `io`, `corrupt_spool`, `corrupt_index`, `invalid_argument` or `panic`.
#[napi(catch_unwind)]
pub fn find_file(request: FindFileRequest) -> Result<Option<FoundFile>> {
    let item = from_js(request.item)?;
    let found = with(&request.chunk, |chunk| manifest::find_file(chunk, item, &request.extension))?;
    Ok(found.map(|file| FoundFile { name: file.name, offset: to_js(file.offset), bytes: to_js(file.bytes) }))
}

impl TryFrom<&LineRun> for inspect::LineRun {
    type Error = Error<&'static str>;

    fn try_from(run: &LineRun) -> Result<Self> {
        Ok(Self { first: from_js(run.first)?, count: from_js(run.count)? })
    }
}

pub(crate) fn with<T>(
    chunk: &RenderedChunk,
    work: impl FnOnce(&qrpress_batch::RenderedChunk<'_>) -> std::result::Result<T, qrpress_batch::BatchError>,
) -> Result<T> {
    let rendered = qrpress_batch::RenderedChunk {
        spool: Path::new(&chunk.spool_path),
        chunk: chunk.range.try_into()?,
        index: chunk.index_path.as_deref().map(Path::new).map(qrpress_batch::IndexPart::whole),
    };
    guard(|| work(&rendered))
}
