//! Several threads inspect an NDJSON body, each a part of its lines.

use std::ops::Range;
use std::panic::resume_unwind;
use std::thread;

use super::inspection::{AcceptedPart, Inspection, Part, Writer};
use super::report::InspectReport;
use super::request::InspectRequest;
use super::same_size::SameSize;
use super::watch::Watch;
use crate::ndjson::{LONGEST_ITEM_BYTES, LineError, NdjsonLines, is_blank};
use crate::spool::SpoolPart;
use crate::warning::Findings;
use crate::{BatchError, Issues, Names, ResolvedStyle, SpoolWriter};

/// Bytes of items that are worth a thread.
const PART_BYTES: u64 = 4 << 20;
/// Parts at most. More would wait for the first thread, which looks for the places to cut.
const MOST_PARTS: usize = 4;

/// Parts that a body is best cut into on this machine.
pub(super) fn number_for(request: &InspectRequest<'_>) -> usize {
    let bytes = request.items.end.saturating_sub(request.items.start);
    let worth = usize::try_from(bytes / PART_BYTES).map_or(MOST_PARTS, |parts| parts.min(MOST_PARTS));
    // To ask for the processors takes twenty system calls.
    if worth < 2 { 1 } else { worth.min(thread::available_parallelism().map_or(1, usize::from)) }
}

/// Cuts the items of a job into at most so many parts of about the same size, at the beginnings of chunks.
pub(super) fn cut(
    request: &InspectRequest<'_>,
    block_bytes: usize,
    most_parts: usize,
) -> Result<Vec<Part>, BatchError> {
    let mut parts = vec![Part::whole(request)];
    if most_parts < 2 || request.spool.is_none() || request.names == Names::Distinct || request.job.is_none()
    {
        return Ok(parts);
    }
    let Range { start, end } = request.items;
    let part_bytes = (end - start) / most_parts as u64;
    let mut lines =
        NdjsonLines::new(request.body.open_part(&request.items)?, block_bytes, LONGEST_ITEM_BYTES);
    let mut items = 0_u64;
    while parts.len() < most_parts {
        let at = lines.consumed();
        let line = match lines.next_line() {
            Ok(Some(line)) => line,
            // The inspection of the part tells what is wrong with it.
            Ok(None) | Err(LineError::TooLong) => break,
            Err(LineError::Io(error)) => return Err(request.body.io()(error)),
        };
        if !is_blank(line) {
            if at >= parts.len() as u64 * part_bytes
                && items.is_multiple_of(request.chunk_items.max(1))
                && items > 0
            {
                let before = parts.last_mut().expect("the whole was the first part");
                before.bytes.end = start + at;
                parts.push(Part { bytes: start + at..end, first_item: items });
            }
            items += 1;
        }
    }
    Ok(parts)
}

/// The report on a body that has nothing wrong in any of its parts; `None` where a part has.
pub(super) fn inspect(
    request: &InspectRequest<'_>,
    style: Option<&ResolvedStyle>,
    parts: &[Part],
    block_bytes: usize,
    watch: Watch,
) -> Result<Option<InspectReport>, BatchError> {
    let (Some(header), Some(spool), [first, others @ ..]) = (request.job, request.spool, parts) else {
        return Ok(None);
    };
    let accept = |part: &Part, writer| {
        Inspection::new(request, style, part.clone(), Some(writer), watch).accept(block_bytes)
    };
    thread::scope(|scope| {
        let others: Vec<_> = others
            .iter()
            .map(|part| {
                let writer = Writer::Part(SpoolPart::new(part.first_item, request.chunk_items));
                scope.spawn(move || accept(part, writer))
            })
            .collect();
        let spool = SpoolWriter::create(spool, header, request.chunk_items)?;
        let mut accepted = accept(first, Writer::Spool(spool))?;
        for part in others {
            let part = part.join().unwrap_or_else(|panic| resume_unwind(panic))?;
            accepted = match (accepted, part) {
                (Some(mut all), Some(AcceptedPart { total, writer: Writer::Part(part), warnings, size })) => {
                    if let Writer::Spool(spool) = &mut all.writer {
                        spool.append(part)?;
                    }
                    all.warnings.append(warnings);
                    all.size = SameSize::of_both(all.size, size);
                    all.total = total;
                    Some(all)
                }
                _ => None,
            };
        }
        match accepted {
            Some(AcceptedPart { total, writer: Writer::Spool(mut spool), warnings, size }) => {
                let max_px = request.limits.max_side_px;
                if let (Some(size), Some(style)) = (&size, style) {
                    if !size.surely_fits(style, max_px) {
                        return Ok(None);
                    }
                    spool.set_version(size.version);
                }
                let size = size.as_ref().map(|size| (size.version, size.data.as_str()));
                let sides = warnings.sides(size);
                let Findings { warnings, cut_logo, actions } = warnings.finish(size);
                Ok(Some(InspectReport {
                    total,
                    skipped: 0,
                    faults: Issues::default(),
                    lines: Vec::new(),
                    refusal: None,
                    spool: Some(spool.finish()?),
                    spool_content: Vec::new(),
                    warnings,
                    sides,
                    cut_logo,
                    actions,
                }))
            }
            _ => Ok(None),
        }
    })
}
