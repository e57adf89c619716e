//! The work that a reading does: bounded, and ended when nobody waits for it any more or it takes too long.

use std::cell::Cell;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::ReadRequest;
use crate::error::{Halt, SpreadsheetError};
use crate::fault::Fault;

/// Work between two looks at the clock: about a millisecond.
const LOOK_EVERY: u64 = 1 << 18;

/// Work on cells for each byte that the body may have. Texts and codes of number formats count by their bytes. A body holds
/// the texts once; the codes of most formats are shorter than twenty characters.
const CELL_WORK: u64 = 2;

/// The clock of a reading, and its budget of work.
#[derive(Debug)]
pub(crate) struct Watch<'r> {
    /// The file that is deleted when nobody waits.
    body: &'r Path,
    started: Instant,
    time: Duration,
    /// Bytes that were looked at.
    work: Cell<u64>,
    /// The work at which the clock is looked at again.
    next_look: Cell<u64>,
    /// Work on cells that may still be done.
    cell_work_left: Cell<u64>,
}

impl<'r> Watch<'r> {
    pub fn start(request: &ReadRequest<'r>) -> Self {
        Self {
            body: request.body,
            started: Instant::now(),
            time: request.time,
            work: Cell::new(0),
            next_look: Cell::new(0),
            cell_work_left: Cell::new(request.limits.max_bytes.saturating_mul(CELL_WORK)),
        }
    }

    /// Counts work whose amount grows with the file. Looks now and then after the clock and the body's file.
    #[inline]
    pub fn count(&self, bytes: u64) -> Result<(), Halt> {
        let work = self.work.get().saturating_add(bytes);
        self.work.set(work);
        if work < self.next_look.get() { Ok(()) } else { self.look() }
    }

    /// Counts work on a cell. A few bytes of a file may refer to a long text, or be shown by a long format.
    #[inline]
    pub fn count_cell(&self, bytes: u64) -> Result<(), Halt> {
        let Some(left) = self.cell_work_left.get().checked_sub(bytes) else {
            return Err(Halt::refuse(Fault::LargeText));
        };
        self.cell_work_left.set(left);
        self.count(bytes)
    }

    /// Bytes that were looked at.
    pub fn work(&self) -> u64 {
        self.work.get()
    }

    /// The reading has taken longer than it may.
    pub fn is_over(&self) -> bool {
        self.started.elapsed() > self.time
    }

    #[cold]
    fn look(&self) -> Result<(), Halt> {
        self.next_look.set(self.work.get().saturating_add(LOOK_EVERY));
        if self.is_over() {
            Err(SpreadsheetError::OutOfTime.into())
        } else if matches!(self.body.try_exists(), Ok(false)) {
            Err(SpreadsheetError::Cancelled.into())
        } else {
            Ok(())
        }
    }
}
