//! Renders the chunks of a spool into ZIP segments, and completes the archive that the segments make.
//!
//! ```text
//! render_chunk                             one chunk to files of its own (`chunk`)
//! render_chunks                            several chunks, on threads, to one segment (`in_turn`)
//!   write_chunk                            every record of a chunk: symbol, pictures, entries of the segment
//!     ItemRenderer::draw                   one item (`item_renderer`)
//! draw_archive                             the archive of a small job, in memory (`in_memory`)
//! finish_archive, write_segment_headers    the central directory from the segments' indexes (`archive`)
//! ```

mod archive;
mod chunk;
mod continued;
mod in_memory;
mod in_turn;
mod item_renderer;

pub use archive::{ArchivePart, finish_archive, write_archive_end, write_segment_headers};
pub use chunk::{ChunkFiles, ItemFailure, RenderReport, render_chunk};
pub use continued::Continued;
pub use in_memory::{DrawnArchive, draw_archive, files_of_segment};
pub use in_turn::render_chunks;
pub use item_renderer::draw_symbol;
