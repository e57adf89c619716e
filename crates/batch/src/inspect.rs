//! Checks the items of a body, and writes the spool of a job that has nothing wrong with it.

mod inspection;
mod parts;
mod report;
mod request;
mod same_size;
mod watch;

use std::fs;

use crate::body::BLOCK_BYTES;
use crate::spool::SpoolPart;
use crate::{BatchError, ResolvedStyle, SpoolWriter};
use inspection::{Inspection, Part, Writer};
use watch::Watch;

pub use crate::envelope::{Envelope, read_envelope};
pub use report::{InspectReport, LineRun, Refusal, RefusalCode};
pub use request::InspectRequest;

/// Checks every item of a body, and writes the spool when nothing is wrong.
///
/// # Errors
/// [`BatchError::Io`] when the body cannot be read or the spool not be written, [`BatchError::BodyChanged`] when
/// `items` is not what the body's envelope said, [`BatchError::Cancelled`] when the body's file is deleted meanwhile,
/// [`BatchError::OutOfTime`].
pub fn inspect_body(request: &InspectRequest<'_>) -> Result<InspectReport, BatchError> {
    inspect_in_blocks(request, BLOCK_BYTES, parts::number_for(request))
}

/// [`inspect_body`] in blocks of that size. An NDJSON body is cut into at most `most_parts`, each of which a thread inspects.
fn inspect_in_blocks(
    request: &InspectRequest<'_>,
    block_bytes: usize,
    most_parts: usize,
) -> Result<InspectReport, BatchError> {
    let report = inspect_parts_or_whole(request, block_bytes, most_parts);
    if request.job.is_some()
        && let Some(path) = request.spool
        && !matches!(report, Ok(InspectReport { spool: Some(_), .. }))
    {
        // A draft that cannot be removed does no harm: nothing refers to it.
        let _ = fs::remove_file(path);
    }
    report
}

/// Inspects the parts of a body side by side, and all of it again, from its start, where something is wrong in one: a part
/// counts neither the lines nor the faults before it.
fn inspect_parts_or_whole(
    request: &InspectRequest<'_>,
    block_bytes: usize,
    most_parts: usize,
) -> Result<InspectReport, BatchError> {
    let watch = Watch::start(request.time);
    let style = request.job.map(ResolvedStyle::new).transpose()?;
    let parts = parts::cut(request, block_bytes, most_parts)?;
    if parts.len() > 1
        && let Some(report) = parts::inspect(request, style.as_ref(), &parts, block_bytes, watch)?
    {
        return Ok(report);
    }
    let writer = request.job.map(|header| match request.spool {
        Some(path) => SpoolWriter::create(path, header, request.chunk_items).map(Writer::Spool),
        None => SpoolPart::whole(header, request.chunk_items).map(Writer::Part),
    });
    Inspection::new(request, style.as_ref(), Part::whole(request), writer.transpose()?, watch)
        .run(block_bytes)
}

#[cfg(test)]
mod tests;
