//! Reads files block by block.

use std::io::{ErrorKind, Read, Result};

/// Fills the buffer, as far as the source has bytes. Returns their number. A signal that interrupts a read is no failure.
pub(crate) fn read_full(source: &mut impl Read, buffer: &mut [u8]) -> Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match source.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Has a signal before each byte.
    struct Interrupted(Vec<u8>, bool);

    impl Read for Interrupted {
        fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(ErrorKind::Interrupted.into());
            }
            let Some(byte) = self.0.pop() else { return Ok(0) };
            buffer[0] = byte;
            Ok(1)
        }
    }

    #[test]
    fn signals_are_no_failures() {
        let mut buffer = [0; 4];
        let mut source = Interrupted(vec![3, 2, 1], false);
        assert_eq!(read_full(&mut source, &mut buffer).unwrap(), 3);
        assert_eq!(buffer, [1, 2, 3, 0]);
    }
}
