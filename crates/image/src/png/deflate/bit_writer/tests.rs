use super::*;

/// The bytes that `write` writes after others, which it must leave as they are.
fn written(write: impl FnOnce(&mut BitWriter<'_>)) -> Vec<u8> {
    let before = *b"12345678";
    let mut buffer = [&before[..], &[0xff; 800]].concat();
    let mut writer = BitWriter::new(&mut buffer);
    write(&mut writer);
    let length = writer.finish();
    buffer.truncate(BitWriter::BEFORE + length);
    assert_eq!(buffer[..8], before);
    buffer.split_off(8)
}

#[test]
fn pieces_join_without_gaps() {
    for length in 1..=Piece::CAPACITY {
        let bit = |index: u32| u64::from(index.wrapping_mul(0x9e37_79b9) >> 31);
        let bytes = written(|writer| {
            for start in (0..).step_by(length as usize).take(40) {
                let value = (0..length).fold(0, |value, place| value | bit(start + place) << place);
                writer.put(Bits { value, length }.into());
            }
        });
        let bits = 40 * length;
        assert_eq!(bytes.len(), bits.div_ceil(8) as usize);
        for index in 0..8 * bytes.len() as u32 {
            let expected = if index < bits { bit(index) } else { 0 };
            assert_eq!(u64::from(bytes[index as usize / 8] >> (index % 8) & 1), expected);
        }
    }
}

#[test]
fn lines_are_their_pieces() {
    let piece = |number: u32| {
        let bits = u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let length = 1 + number.wrapping_mul(37) % Piece::CAPACITY;
        Piece::from(Bits { value: bits >> (64 - length), length })
    };
    for places in 0..70 {
        let written = |in_lines: bool| {
            written(|writer| {
                for _ in 0..places {
                    writer.put(Bits { value: 1, length: 1 }.into());
                }
                for numbers in [0..60, 60..60, 60..90] {
                    if in_lines {
                        let (mut line, mut last) = writer.begin_line::<SHORT_LINE>();
                        for piece in numbers.map(piece) {
                            line.flush_to(last);
                            line.join(piece.bits, piece.length.into());
                            last += piece.length as usize;
                        }
                        let latest = line.latest();
                        writer.end_line(latest, last);
                    } else {
                        numbers.for_each(|number| writer.put(piece(number)));
                    }
                }
            })
        };
        assert_eq!(written(true), written(false), "after {places}");
    }
}

/// Proves [`most_bits`] by exhaustion: a line of any number of bits up to it, from any place in a byte on, is written as
/// it is without the line's writer, and is counted in [`LENGTH_BITS`]. One bit more may not fit.
#[test]
fn a_line_of_most_bits_fits() {
    assert_lines_fit::<SHORT_LINE>();
    assert_lines_fit::<LONG_LINE>();
}

fn assert_lines_fit<const BYTES: usize>() {
    const CAPACITY: usize = Piece::CAPACITY as usize;
    let piece = |start: usize, length: usize| -> Piece {
        let bit = |index: usize| u64::from((index as u32).wrapping_mul(0x9e37_79b9) >> 31);
        let value = (0..length).fold(0, |value, place| value | bit(start + place) << place);
        Bits { value, length: length as u32 }.into()
    };
    let most = most_bits(BYTES);
    assert!((7 + most) < 1 << LENGTH_BITS && (7 + most + 1) / 8 == BYTES - WORD);
    let pieces: Vec<Piece> = (0..most).step_by(CAPACITY).map(|start| piece(start, CAPACITY)).collect();
    let new_buffer = || vec![0xff; BitWriter::BEFORE + BYTES + 2 * WORD];
    for places in 1..=8 {
        let mut expected = new_buffer();
        let mut writer = BitWriter::new(&mut expected);
        writer.put(piece(0, places));
        for &piece in &pieces {
            writer.put(piece);
        }
        writer.finish();
        for bits in 0..=most {
            let mut buffer = new_buffer();
            let mut writer = BitWriter::new(&mut buffer);
            writer.put(piece(0, places));
            let (mut line, mut last) = writer.begin_line::<BYTES>();
            let rest = piece(bits / CAPACITY * CAPACITY, bits % CAPACITY);
            for piece in pieces[..bits / CAPACITY].iter().chain([&rest]) {
                line.flush_to(last);
                line.join(piece.bits, piece.length.into());
                last += piece.length as usize;
            }
            let latest = line.latest();
            writer.end_line(latest, last);
            writer.finish();
            let whole = BitWriter::BEFORE + (places + bits) / 8;
            let mask = (1 << ((places + bits) % 8)) - 1;
            assert_eq!(buffer[..whole], expected[..whole], "{bits} bits after {places}");
            assert_eq!(buffer[whole] & mask, expected[whole] & mask, "{bits} bits after {places}");
        }
    }
}

#[test]
fn strings_are_their_pieces() {
    let mut string = BitString::default();
    for length in 0..200_u32 {
        assert_eq!(string.length(), length as usize);
        for places in 0..70 {
            let written = |in_pieces: bool| {
                written(|writer| {
                    for _ in 0..places {
                        writer.put(Bits { value: 1, length: 1 }.into());
                    }
                    for _ in 0..2 {
                        if in_pieces {
                            string.pieces().for_each(|piece| writer.put(piece));
                        } else {
                            writer.put_all(&string);
                        }
                        writer.put(Bits { value: 0b01, length: 2 }.into());
                    }
                })
            };
            assert_eq!(written(true), written(false), "{length} bits after {places}");
        }
        string.push(u64::from(length.wrapping_mul(0x9e37_79b9) >> 31), 1);
    }
}
