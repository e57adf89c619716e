//! Renders neighbouring chunks on several threads into one segment: each thread writes when its chunk's turn has come.

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use qrpress_text::FontSet;

use super::chunk::{RenderReport, write_chunk};
use super::continued::Continued;
use crate::{BatchError, Chunk, SpoolReader};

/// Bytes that a chunk gathers before it waits for its turn: more than one of usual items has, so that threads seldom
/// wait, and a bound on memory where items are large.
const MOST_WAITING_BYTES: usize = 8 << 20;

/// Renders the chunks of a spool in their order behind what `segment` and `index` hold, as if [`render_chunk`]'s
/// segments and indexes were put behind each other. The calling thread is one of `threads`. To sync is left to the
/// caller. Returns a report for each chunk, in their order.
///
/// # Errors
/// Those of [`render_chunk`].
///
/// [`render_chunk`]: super::render_chunk
pub fn render_chunks(
    chunks: &[Chunk],
    spool: &Path,
    (segment, index): (Continued<'_>, Continued<'_>),
    threads: usize,
    fonts: &Arc<FontSet>,
) -> Result<Vec<RenderReport>, BatchError> {
    let files = [segment.open()?, index.open()?];
    let next = AtomicUsize::new(0);
    let line = Line::default();
    let work = || {
        let mut reports = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(chunk) = chunks.get(place) else { return Ok(reports) };
            let mut turn = Turn { line: &line, is_done: false };
            let [segment_out, index_out] = files.each_ref().map(|file| InTurn::new(place, &line, file));
            let outs = (segment_out, index_out);
            reports.push((place, write_chunk(chunk, SpoolReader::open(spool)?, outs, segment.path, fonts)?));
            turn.is_done = true;
        }
    };
    let outcomes: Vec<Result<Vec<(usize, RenderReport)>, BatchError>> = thread::scope(|scope| {
        let others: Vec<_> = (1..threads.min(chunks.len())).map(|_| scope.spawn(work)).collect();
        let own = work();
        let joined = others
            .into_iter()
            .map(|other| other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        std::iter::once(own).chain(joined).collect()
    });
    in_order(outcomes)
}

/// All reports in the order of the chunks; the error of the chunk that failed first, and not of those that waited for it.
fn in_order(
    outcomes: Vec<Result<Vec<(usize, RenderReport)>, BatchError>>,
) -> Result<Vec<RenderReport>, BatchError> {
    let mut all = Vec::new();
    let mut broken_off = None;
    for outcome in outcomes {
        match outcome {
            Ok(reports) => all.extend(reports),
            Err(error) if is_broken_off(&error) => broken_off = Some(error),
            Err(error) => return Err(error),
        }
    }
    all.sort_by_key(|&(place, _)| place);
    broken_off.map_or(Ok(all.into_iter().map(|(_, report)| report).collect()), Err)
}

/// The place of the chunk whose turn it is to write; none after a failure.
struct Line {
    turn: Mutex<Option<usize>>,
    moved: Condvar,
}

impl Default for Line {
    fn default() -> Self {
        Self { turn: Mutex::new(Some(0)), moved: Condvar::new() }
    }
}

impl Line {
    /// Returns true if it is the turn of `place`. Waits for its turn if `waits` is true.
    fn is_turn(&self, place: usize, waits: bool) -> io::Result<bool> {
        let mut turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match *turn {
                None => return Err(io::Error::other(BrokenOff)),
                Some(current) if current == place => return Ok(true),
                Some(_) if waits => turn = self.moved.wait(turn).unwrap_or_else(PoisonError::into_inner),
                Some(_) => return Ok(false),
            }
        }
    }

    /// Gives the turn to the next place.
    fn pass(&self) {
        let mut turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        *turn = turn.map(|place| place + 1);
        self.moved.notify_all();
    }

    /// Ends the work of all who wait.
    fn break_off(&self) {
        *self.turn.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.moved.notify_all();
    }
}

/// The error of a chunk whose turn never comes.
#[derive(Debug)]
struct BrokenOff;

impl fmt::Display for BrokenOff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("another chunk failed")
    }
}

impl std::error::Error for BrokenOff {}

fn is_broken_off(error: &BatchError) -> bool {
    let BatchError::Io { source, .. } = error else { return false };
    source.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<BrokenOff>)
}

/// A chunk's work. When it ends without being done, by an error or a panic, nobody waits for it for ever.
struct Turn<'a> {
    line: &'a Line,
    is_done: bool,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if self.is_done {
            self.line.pass();
        } else {
            self.line.break_off();
        }
    }
}

/// A file that a chunk writes to in its turn; what comes earlier is kept in memory.
struct InTurn<'a> {
    place: usize,
    line: &'a Line,
    file: &'a File,
    waiting: Vec<u8>,
    has_turn: bool,
}

impl<'a> InTurn<'a> {
    fn new(place: usize, line: &'a Line, file: &'a File) -> Self {
        Self { place, line, file, waiting: Vec::new(), has_turn: false }
    }

    fn take_turn(&mut self, waits: bool) -> io::Result<()> {
        if !self.has_turn && self.line.is_turn(self.place, waits)? {
            self.has_turn = true;
            self.file.write_all(&std::mem::take(&mut self.waiting))?;
        }
        Ok(())
    }
}

impl Write for InTurn<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.take_turn(self.waiting.len() + bytes.len() > MOST_WAITING_BYTES)?;
        if self.has_turn {
            self.file.write_all(bytes)?;
        } else {
            self.waiting.extend_from_slice(bytes);
        }
        Ok(bytes.len())
    }

    /// The chunk is complete: all of it is written before this returns.
    fn flush(&mut self) -> io::Result<()> {
        self.take_turn(true)
    }
}
