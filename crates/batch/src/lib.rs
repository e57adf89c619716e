//! The one pipeline over symbol, image and zip: checks a job's items into a spool, and renders the spool's chunks.
#![forbid(unsafe_code)]

mod body;
mod capacity;
mod caption;
mod envelope;
mod error;
mod inspect;
mod issue;
mod item;
mod manifest;
mod name;
mod ndjson;
mod panic_message;
mod read_back;
mod render;
mod rendered;
mod resolved_style;
mod spool;
mod style;
mod style_issues;
mod warning;

pub use body::BodyForm;
pub use envelope::{Envelope, read_envelope};
pub use error::BatchError;
pub use inspect::{InspectReport, InspectRequest, Refusal, RefusalCode, inspect_body};
pub use issue::{Issue, IssueCode, Issues};
pub use item::ItemLimits;
pub use manifest::{ManifestForm, find_file, write_manifest};
pub use name::Names;
pub use qrpress_image::Colour;
pub use qrpress_simd::SimdLevel;
pub use qrpress_symbol::ErrorCorrectionLevel;
pub use qrpress_text::{FontSet, TextError, Unusable};
pub use qrpress_zip::{ArchiveSummary, CentralDirectory};
pub use read_back::{
    ItemReading, ReadBackRequest, ReadingsSummary, Sample, SeenFile, SeenItem, UNUSED_BOUNDS, Unread,
    read_back, read_picture, see_item, sum_up_readings,
};
pub use render::{
    ArchivePart, ChunkFiles, Continued, ItemFailure, RenderReport, finish_archive, render_chunk,
    render_chunks, write_archive_end, write_segment_headers,
};
pub use rendered::{FoundFile, IndexPart, RenderedChunk};
pub use resolved_style::ResolvedStyle;
pub use spool::{Chunk, Record, Records, Spool, SpoolHeader, SpoolReader, SpoolWriter};
pub use style::{CaptionStyle, LogoStyle, OutputFormat, RenderStyle, SymbolVersion};
pub use style_issues::style_issues;
pub use warning::{Warning, WarningCode};
