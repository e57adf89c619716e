//! The one pipeline over symbol, image and zip: [`inspect`] checks a job's items into a spool, [`draw`] makes pictures of the spool's
//! chunks, [`read_back`] reads them, and [`manifest`] lists what became of every item.
#![forbid(unsafe_code)]

mod body;
mod capacity;
mod caption;
pub mod draw;
mod envelope;
mod error;
pub mod inspect;
mod issue;
mod item;
pub mod manifest;
mod names;
mod ndjson;
mod panic_message;
pub mod read_back;
mod rendered;
mod resolved_style;
mod spool;
mod style;
mod style_issues;
mod warning;

pub use body::{Body, BodyForm};
pub use error::BatchError;
pub use issue::{Issue, IssueCode, Issues};
pub use item::ItemLimits;
pub use names::Names;
pub use qrpress_image::Colour;
pub use qrpress_simd::SimdLevel;
pub use qrpress_symbol::ErrorCorrectionLevel;
pub use qrpress_text::{FontSet, TextError, Unusable};
pub use qrpress_zip::{ArchiveSummary, CentralDirectory, Damage, SegmentChecker, stored_file};
pub use rendered::{IndexPart, RenderedChunk};
pub use resolved_style::ResolvedStyle;
pub use spool::{Chunk, Record, Records, Spool, SpoolHeader, SpoolReader, SpoolWriter};
pub use style::{CaptionStyle, LogoStyle, OutputFormat, RenderStyle, SymbolVersion};
pub use style_issues::style_issues;
pub use warning::{
    ActionCount, ChangedLines, CodeAction, CutLogo, LineChange, Warning, WarningCode, change_lines,
};
