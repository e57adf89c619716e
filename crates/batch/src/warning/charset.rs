//! Text that readers take for another character set, where no designator says that it is UTF-8.
//!
//! The rule is that of zbar (`zbar/qrcode/qrdectxt.c`), which many Linux and warehouse readers are built on. It tries `Shift_JIS`,
//! ISO-8859-1, Big5 and UTF-8 in this order on each run of byte segments, but Big5 first where the bytes have its form, and
//! ISO-8859-1 last where the bytes have controls of it. A character set that was found moves to the front for the runs that
//! follow.

use encoding_rs::{BIG5, Encoding, SHIFT_JIS};
use qrpress_symbol::{DataSegment, Mode};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Charset {
    ShiftJis,
    Latin1,
    Big5,
    Utf8,
}

/// Returns true if a reader that guesses misreads a symbol of these segments of UTF-8.
pub(super) fn is_misread(segments: &[DataSegment<'_>]) -> bool {
    let mut order = [Charset::ShiftJis, Charset::Latin1, Charset::Big5, Charset::Utf8];
    // Two byte segments never follow one another.
    let runs = segments.iter().filter(|segment| segment.mode() == Mode::Byte);
    for run in runs.map(DataSegment::data) {
        let found = guess(run, &mut order);
        if found != Charset::Utf8 && !run.is_ascii() {
            return true;
        }
    }
    false
}

/// The character set that a reader takes the bytes for.
fn guess(bytes: &[u8], order: &mut [Charset; 4]) -> Charset {
    if bytes.starts_with(b"\xef\xbb\xbf") || bytes.is_ascii() {
        to_front(order, Charset::Utf8);
        return Charset::Utf8;
    }
    if has_form_of_big5(bytes) {
        to_front(order, Charset::Big5);
    }
    let has_controls = bytes.iter().any(|byte| (0x80..0xa0).contains(byte));
    if has_controls && let Some(place) = order.iter().position(|&charset| charset == Charset::Latin1) {
        order[place..].rotate_left(1);
    }
    let is_valid = |charset: &Charset| match charset {
        Charset::ShiftJis => is_shift_jis(bytes),
        Charset::Latin1 | Charset::Utf8 => true,
        Charset::Big5 => is_big5(bytes),
    };
    let found = order.iter().copied().find(is_valid).unwrap_or(Charset::Utf8);
    to_front(order, found);
    found
}

fn to_front(order: &mut [Charset; 4], charset: Charset) {
    if let Some(place) = order.iter().position(|&other| other == charset) {
        order[..=place].rotate_right(1);
    }
}

/// Returns true if every byte that is not ASCII begins a pair that Big5 may have.
fn has_form_of_big5(bytes: &[u8]) -> bool {
    let mut bytes = bytes.iter();
    while let Some(&byte) = bytes.next() {
        if byte == 0xff {
            return false;
        }
        if byte >= 0x80 && !bytes.next().is_some_and(|trail| matches!(trail, 0x40..=0x7e | 0xa1..=0xfe)) {
            return false;
        }
    }
    true
}

/// Returns true if the C library's Big5 has all of the characters: those of the standard, without Hong Kong's.
fn is_big5(bytes: &[u8]) -> bool {
    let has_lead = |byte: u8| matches!(byte, 0xa1..=0xc7 | 0xc9..=0xf9);
    decodes(bytes, BIG5, |byte| if byte < 0x80 { Some(1) } else { has_lead(byte).then_some(2) })
}

/// Returns true if the C library's `Shift_JIS` has all of the characters: those of JIS X 0201 and JIS X 0208.
fn is_shift_jis(bytes: &[u8]) -> bool {
    decodes(bytes, SHIFT_JIS, |byte| match byte {
        ..=0x7f | 0xa1..=0xdf => Some(1),
        0x81..=0x84 | 0x88..=0x9f | 0xe0..=0xea => Some(2),
        _ => None,
    })
}

/// Returns true if the bytes are characters of these lengths, by their first byte, and the encoding has them.
fn decodes(bytes: &[u8], encoding: &'static Encoding, length: impl Fn(u8) -> Option<usize>) -> bool {
    let mut rest = bytes;
    while let Some(&first) = rest.first() {
        let Some((_, after)) = length(first).and_then(|length| rest.split_at_checked(length)) else {
            return false;
        };
        rest = after;
    }
    encoding.decode_without_bom_handling_and_without_replacement(bytes).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn misread(text: &str) -> bool {
        is_misread(&[DataSegment::new(Mode::Byte, text.as_bytes()).unwrap()])
    }

    #[test]
    fn what_a_guessing_reader_misreads() {
        // Checked with the C library's iconv.
        let misread_ones = "Äpfel 1|Größe 7|Zürich|50 °C|é|à|Straße|Café 12|東京 1|https://example.org/é|Ünal|señor|naïve|\
            € 12|München|Köln|ñ|北京 1|œuvre|İzmir|Győr|Škoda|Žilina|x…|™|ĳ";
        for text in misread_ones.split('|') {
            assert!(misread(text), "{text}");
        }
        let read_ones = "plain|\u{feff}Zürich|ß|Ελλάδα — 12 €|日本語テキスト|Łódź|Ærø 5|Москва|Привет 7|“a”|Ø|서울|กรุงเทพ|\
            Ålesund|Çelik|ő|1 – 2";
        for text in read_ones.split('|') {
            assert!(!misread(text), "{text}");
        }
    }

    #[test]
    fn ascii_before_decides_for_later_runs() {
        let run = |text: &'static str| DataSegment::new(Mode::Byte, text.as_bytes()).unwrap();
        let digits = DataSegment::new(Mode::Numeric, b"12345678901234").unwrap();
        assert!(is_misread(&[run("Größe"), digits]));
        assert!(!is_misread(&[run("abc"), digits, run("Größe")]));
        // Big5 goes first wherever the bytes have its form.
        assert!(is_misread(&[run("abc"), digits, run("Zürich")]));
    }
}
