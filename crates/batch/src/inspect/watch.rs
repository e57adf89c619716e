//! Ends an inspection that nobody waits for any more, or that takes too long.

use std::time::{Duration, Instant};

use crate::{BatchError, Body};

/// Items between two looks: a few milliseconds of the most expensive captions.
const LOOK_EVERY: u32 = 64;

/// The clock of an inspection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    started: Instant,
    time: Duration,
    items: u32,
}

impl Watch {
    pub fn start(time: Duration) -> Self {
        Self { started: Instant::now(), time, items: 0 }
    }

    /// Looks after the clock, and the body's file if it has one, now and then. Is called for each item.
    ///
    /// # Errors
    /// [`BatchError::OutOfTime`], and [`BatchError::Cancelled`] when the body's file has been deleted.
    #[inline]
    pub fn look(&mut self, body: Body<'_>) -> Result<(), BatchError> {
        self.items += 1;
        if self.items < LOOK_EVERY { Ok(()) } else { self.look_now(body) }
    }

    #[cold]
    fn look_now(&mut self, body: Body<'_>) -> Result<(), BatchError> {
        self.items = 0;
        if self.started.elapsed() > self.time {
            Err(BatchError::OutOfTime)
        } else if body.is_gone() {
            Err(BatchError::Cancelled)
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// The result of a look at each of `items` items.
    fn outcome(time: Duration, body: Body<'_>, items: u32) -> Result<(), BatchError> {
        let mut watch = Watch::start(time);
        (0..items).try_for_each(|_| watch.look(body))
    }

    #[test]
    fn ends_what_takes_too_long() {
        let here = Body::File(Path::new(env!("CARGO_MANIFEST_DIR")));
        assert!(matches!(outcome(Duration::ZERO, here, LOOK_EVERY), Err(BatchError::OutOfTime)));
        assert!(outcome(Duration::from_secs(600), here, LOOK_EVERY).is_ok());
    }

    #[test]
    fn ends_what_nobody_waits_for() {
        let gone = Body::File(Path::new("/nowhere/body"));
        assert!(matches!(outcome(Duration::from_secs(600), gone, LOOK_EVERY), Err(BatchError::Cancelled)));
        assert!(outcome(Duration::from_secs(600), gone, LOOK_EVERY - 1).is_ok());
        assert!(outcome(Duration::from_secs(600), Body::Bytes(b""), LOOK_EVERY).is_ok());
    }
}
