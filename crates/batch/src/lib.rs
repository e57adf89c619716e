//! The one pipeline over symbol, image and zip: checks a job's items into a spool, and renders the spool's chunks.
#![forbid(unsafe_code)]

mod error;
mod spool;
mod style;

pub use error::BatchError;
pub use spool::{Chunk, Record, Records, Spool, SpoolHeader, SpoolReader, SpoolWriter};
pub use style::{Colour, OutputFormat, RenderStyle};
