//! Reads files block by block.

use std::io::{self, Read, Result};

/// Fills the buffer, as far as the source has bytes. Returns their number. A signal that interrupts a read is no failure.
pub(crate) fn read_full(source: &mut impl Read, mut buffer: &mut [u8]) -> Result<usize> {
    let most = buffer.len() as u64;
    io::copy(&mut source.take(most), &mut buffer).map(|bytes| bytes as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::ErrorKind;

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
