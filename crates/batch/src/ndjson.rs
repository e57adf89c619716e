//! Cuts a stream into lines, in memory for one block or the longest line.

use std::io::{self, ErrorKind, Read};

use memchr::memchr;

/// No item that is accepted has more than 40 KB. A line below this bound is still read, so that its error names the member
/// that is too long.
pub(crate) const LONGEST_ITEM_BYTES: usize = 8_000_000;

/// The reason why there is no next line.
#[derive(Debug)]
pub(crate) enum LineError {
    /// The stream cannot be read.
    Io(io::Error),
    /// The line is longer than it may be, and was not read to its end.
    TooLong,
}

/// Lines of a stream, one at a time.
#[derive(Debug)]
pub(crate) struct NdjsonLines<R> {
    source: R,
    buffer: Vec<u8>,
    /// Bytes of a line, at most.
    longest: usize,
    /// The part of `buffer` that is read from the source and not yet handed out.
    start: usize,
    end: usize,
    /// Bytes of the lines handed out, their ends included.
    consumed: u64,
}

impl<R: Read> NdjsonLines<R> {
    /// Reads `source` in blocks of `block_bytes`, 1 or more; no line has more than `longest` bytes.
    pub fn new(source: R, block_bytes: usize, longest: usize) -> Self {
        Self { source, buffer: vec![0; block_bytes], longest, start: 0, end: 0, consumed: 0 }
    }

    /// Bytes up to the end of the line that was handed out last, its LF included.
    pub fn consumed(&self) -> u64 {
        self.consumed
    }

    /// The next line, without its LF. A CR before that is still there: it is white space to JSON.
    ///
    /// # Errors
    /// [`LineError`]; after that there is no next line.
    pub fn next_line(&mut self) -> Result<Option<&[u8]>, LineError> {
        let mut searched = 0;
        loop {
            let pending = &self.buffer[self.start..self.end];
            let found = memchr(b'\n', &pending[searched..]);
            let length = found.map_or(pending.len(), |found| searched + found);
            // A CR may be the first half of the line's end.
            if length - usize::from(pending[..length].ends_with(b"\r")) > self.longest {
                return Err(LineError::TooLong);
            }
            if found.is_some() {
                return Ok(Some(self.take(length, 1)));
            }
            searched = length;
            if !self.fill().map_err(LineError::Io)? {
                return Ok(if searched == 0 { None } else { Some(self.take(searched, 0)) });
            }
        }
    }

    fn take(&mut self, length: usize, terminator: usize) -> &[u8] {
        let line = self.start..self.start + length;
        self.start = line.end + terminator;
        self.consumed += (length + terminator) as u64;
        &self.buffer[line]
    }

    /// Reads more, or says that there is no more.
    fn fill(&mut self) -> io::Result<bool> {
        if self.end == self.buffer.len() {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
            // Growing only when half is in use keeps the copying linear in the length of the stream.
            if self.end > self.buffer.len() / 2 {
                self.buffer.resize(self.buffer.len() * 2, 0);
            }
        }
        loop {
            match self.source.read(&mut self.buffer[self.end..]) {
                Ok(count) => {
                    self.end += count;
                    return Ok(count > 0);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// Returns true if a line holds no item (white space of RFC 8259).
#[inline]
pub(crate) fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Gives a few bytes at a time, and is interrupted now and then.
    struct Drip<'a>(&'a [u8], usize);

    impl Read for Drip<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 += 1;
            if self.1.is_multiple_of(3) {
                return Err(ErrorKind::Interrupted.into());
            }
            let most = buffer.len().min(self.1 % 5 + 1);
            self.0.read(&mut buffer[..most])
        }
    }

    proptest! {
        #[test]
        fn lines_are_those_of_the_whole(text in "[ab\r\n]{0,60}", block_bytes in 1..9_usize) {
            let mut lines = NdjsonLines::new(Drip(text.as_bytes(), 0), block_bytes, 60);
            let mut rest = text.as_str();
            while let Some(line) = lines.next_line().unwrap() {
                let (expected, after) = rest.split_once('\n').unwrap_or((rest, ""));
                prop_assert_eq!(line, expected.as_bytes());
                rest = after;
                prop_assert_eq!(lines.consumed() as usize, text.len() - rest.len());
            }
            prop_assert_eq!(rest, "");
        }
    }

    #[test]
    fn memory_is_bounded_by_the_longest_line() {
        let text = format!("{}\n{}\n", "a".repeat(1000), "b\n".repeat(100_000));
        let mut lines = NdjsonLines::new(text.as_bytes(), 16, 1000);
        while lines.next_line().unwrap().is_some() {}
        assert!(lines.buffer.len() <= 2048, "{}", lines.buffer.len());
    }

    #[test]
    fn the_longest_line_does_not_depend_on_the_blocks() {
        for block_bytes in [1, 16, 64, 4096] {
            for before in 0..70 {
                let lines = [
                    (99, "\n", true),
                    (100, "\n", true),
                    (100, "\r\n", true),
                    (101, "\n", false),
                    (101, "\r\n", false),
                ];
                for (length, end, is_taken) in lines {
                    let text = format!("{}\n{}{end}", "b".repeat(before), "a".repeat(length));
                    let mut lines = NdjsonLines::new(text.as_bytes(), block_bytes, 100);
                    lines.next_line().unwrap();
                    assert_eq!(
                        lines.next_line().is_ok(),
                        is_taken,
                        "{length} behind {before} by {block_bytes}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_line_that_never_ends_is_refused_while_it_is_read() {
        let mut lines = NdjsonLines::new(io::repeat(b'a'), 16, 1000);
        assert!(matches!(lines.next_line(), Err(LineError::TooLong)));
        assert!(lines.buffer.len() <= 2048, "{}", lines.buffer.len());
    }
}
