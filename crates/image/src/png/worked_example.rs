//! The example of `docs/internals/engine.md`: one module row of a version 1 code at scale 10, from its modules to its bits in the
//! stream and its share of the checksum. It is computed by the code that draws, and held against a drawn file.

use std::fmt::Write;

use qrpress_symbol::{Encoder, ErrorCorrectionLevel};
use qrpress_testkit::assert_on_page;

use super::PngRenderer;
use super::deflate::adler32::LineSums;
use super::deflate::optimal_parse::Unused;
use super::deflate::{Code, Token};
use super::palette::Palette;
use super::quiet_zone::gap_index;
use super::scanline::ScanlineLayout;
use super::template::TemplateParts;
use crate::windows::{shifted, window};
use crate::{Colour, Style};

const ROW: usize = 12;

#[test]
fn the_row_is_as_the_page_shows() {
    let mut encoder = Encoder::new();
    let symbol = encoder.encode(b"https://qr.test/1", ErrorCorrectionLevel::Low).unwrap();
    let style = Style::new(10, 4, Colour::BLACK, Colour::WHITE).unwrap();
    let palette = Palette::of_code(&style);
    let layout = ScanlineLayout::new(&style, symbol.version(), palette.bits_per_pixel);
    let parts = TemplateParts::new(&layout, &palette, Vec::new(), symbol.version());
    let code = parts.code();
    let mut parser = layout.parser(&code, Unused::Forbidden);
    let windows = |row: usize| {
        let row = shifted(symbol.row(row), layout.first_column);
        [0, 1, 2, 3].map(|group| window(&row, group))
    };

    let mut example = String::new();
    let modules: String = (0..symbol.size()).map(|x| digit(symbol.is_dark(x, ROW))).collect();
    writeln!(example, "modules     {modules}").unwrap();
    let (mut bits, mut data, mut sums) = (String::new(), Vec::<u8>::new(), LineSums::default());
    for (number, window) in windows(ROW).into_iter().enumerate() {
        let set = &parts.groups[[0, 1, 1, 2][number]];
        set.parse(&mut parser, |group, tokens| {
            if group.window != window & set.significant {
                return;
            }
            let bytes = &group.bytes[group.start..];
            let hex = bytes.iter().map(|byte| format!(" {byte:02x}")).collect::<Vec<_>>().concat();
            let [before, of_group] =
                [0..1, 1..9].map(|bits| bits.map(|bit| digit(window >> bit & 1 == 1)).collect::<String>());
            writeln!(example, "\ngroup {number}     window {before} {of_group}").unwrap();
            writeln!(example, "  bytes    {hex}").unwrap();
            bits += &write_tokens(&mut example, &code, tokens);
            writeln!(example, "  sums      plain {}, weighted {}", group.sums.plain, group.sums.weighted)
                .unwrap();
            data.extend(bytes);
            // The weighted sum counts as if only the last group followed.
            let followed_by = 2_usize.saturating_sub(number) * layout.group_bytes;
            sums.plain += group.sums.plain;
            sums.weighted += group.sums.weighted + group.sums.plain * followed_by as u64;
        });
    }
    let [above, here, below] = [ROW - 1, ROW, ROW + 1].map(windows);
    assert!(above[0] != here[0] && above[3] != here[3] && here[0] != below[0], "no group is merged");
    writeln!(example, "\ngap").unwrap();
    bits += &write_tokens(&mut example, &code, &parts.quiet_zone.gaps()[gap_index(false, false)]);

    let lines = layout.row_lines(ROW);
    let (count, lines_after) = (lines.len() as u64, (layout.lines - lines.end) as u64);
    let bytes_after = layout.stride as u64 * (count * lines_after + (0..count).sum::<u64>());
    let share = [count * sums.plain, count * sums.weighted + bytes_after * sums.plain];
    writeln!(example, "\nline        plain {}, weighted {}", sums.plain, sums.weighted).unwrap();
    writeln!(example, "row         a: {count} × {} = {}", sums.plain, share[0]).unwrap();
    writeln!(
        example,
        "            b: {count} × {} + {bytes_after} × {} = {}",
        sums.weighted, sums.plain, share[1]
    )
    .unwrap();

    let mut file = Vec::new();
    PngRenderer::new(style).render(symbol, None, &mut file);
    let file_bits: String =
        file.iter().flat_map(|byte| (0..8).map(move |bit| digit(byte >> bit & 1 == 1))).collect();
    assert!(file_bits.contains(&bits), "the file has the row's bits");
    let scanlines = inflated(&file, layout.stride * layout.lines);
    let first = lines.start * layout.stride + 1 + layout.left;
    assert_eq!(scanlines[first..first + layout.data], data);
    assert_eq!(share_of_data(&scanlines, &layout, ROW), share);
    assert_on_page("docs/internals/engine.md", &example);
}

fn digit(is_one: bool) -> char {
    if is_one { '1' } else { '0' }
}

/// Writes a line for the tokens and one for their bits; the bits alone.
fn write_tokens(example: &mut String, code: &Code, tokens: &[Token]) -> String {
    let named = tokens.iter().map(|token| match token {
        Token::Literal(byte) => format!("literal {byte:02x}"),
        Token::Match { length, distance } => format!("{length} bytes from {distance} before"),
    });
    let coded: Vec<String> = tokens
        .iter()
        .map(|token| {
            let pieces = code.encoded(&[*token]).pieces().collect::<Vec<_>>();
            let bits =
                pieces.iter().flat_map(|piece| (64 - piece.length..64).map(|bit| piece.bits >> bit & 1));
            bits.map(|bit| digit(bit == 1)).collect()
        })
        .collect();
    writeln!(example, "  tokens    {}", named.collect::<Vec<_>>().join(", ")).unwrap();
    writeln!(example, "  bits      {}", coded.join(" ")).unwrap();
    coded.concat()
}

/// The scan lines of a file whose data is in one chunk.
fn inflated(file: &[u8], length: usize) -> Vec<u8> {
    let kind = file.windows(4).position(|bytes| bytes == b"IDAT").unwrap();
    let size = u32::from_be_bytes(*file[kind - 4..].first_chunk().unwrap());
    let mut scanlines = vec![0; length];
    libdeflater::Decompressor::new()
        .zlib_decompress(&file[kind + 4..][..size as usize], &mut scanlines)
        .unwrap();
    scanlines
}

/// The data bytes of a module row in both sums of Adler-32, each byte by itself.
fn share_of_data(scanlines: &[u8], layout: &ScanlineLayout, row: usize) -> [u64; 2] {
    let mut share = [0; 2];
    for line in layout.row_lines(row) {
        let first = line * layout.stride + 1 + layout.left;
        for at in first..first + layout.data {
            share[0] += u64::from(scanlines[at]);
            share[1] += u64::from(scanlines[at]) * (scanlines.len() - at) as u64;
        }
    }
    share
}
