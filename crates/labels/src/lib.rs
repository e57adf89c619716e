//! Sheets of labels as a PDF file, drawn from a job's spool part by part.
//!
//! ```text
//! Labels                 the sheet, the items, and the labels that they take (`labels`); arithmetic alone
//! measure                the narrowest module that the items would have (`measure`)
//! write_part             one part of the file: some pages, behind the first part's catalog, before the last part's end (`document`)
//!   Painter::draw        one label: code, caption, logo (`painter`, `modules`, `caption`, `logo`)
//!     place              the place of code and caption on it (`placement`); `measure` uses it too
//!   Drawing              the compressed content of a page (`drawing`)
//! ```
//!
//! All lengths are integers: the same spool and request give the same bytes on every machine.
#![forbid(unsafe_code)]
#![allow(
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "pixels, micrometres and object numbers are bounded far inside 31 bits, and lengths in nanometres inside 46"
)]

mod caption;
mod document;
mod drawing;
mod error;
mod labels;
mod logo;
mod measure;
mod modules;
mod numbers;
mod painter;
mod picture;
mod placement;
mod sheet;
mod source;

pub use document::{PartFiles, write_part};
pub use error::LabelError;
pub use labels::{CaptionPlace, Labels};
pub use measure::{ItemList, LabelFit, measure};
pub use placement::STEPS;
pub use sheet::Sheet;
pub use source::SpoolChunk;
