//! A symbol's file, from its plan.

use qrpress_symbol::{ROW_WORDS, Symbol};

use super::adler::{Adler32, RowSums};
use super::band::BandCode;
use super::bits::BitWriter;
use super::chunks::{IEND, end_chunk, set_height};
use super::ink::{Canvas, Extent, Ink};
use super::margins::gap_index;
use super::plan::{Beside, Plan};
use super::rows::{CodeRows, LogoRow, SectionPlan};
use super::table::GroupSums;
use crate::CaptionPixels;
use crate::windows::{for_each_window, shifted, window};

/// What the next row looks back at.
#[derive(Clone, Copy)]
struct RowAbove {
    first_window: usize,
    last_window: usize,
    last_taken: bool,
}

impl Plan {
    /// Appends the file of `symbol`, which is of the plan's version.
    pub(super) fn draw(&self, symbol: &Symbol, out: &mut Vec<u8>) {
        let start = out.len();
        out.extend_from_slice(&self.head);
        self.draw_data(symbol, None, start, out);
    }

    /// Appends the file of `symbol` with a caption, whose ink it takes into `ink`. The plan must be one with captions.
    pub(super) fn draw_with_caption(
        &self,
        symbol: &Symbol,
        caption: CaptionPixels<'_>,
        ink: &mut Ink,
        out: &mut Vec<u8>,
    ) {
        let width_px = self.side_px as usize;
        let canvas = Canvas { palette: &self.palette, width_px, stride: self.lines.stride };
        ink.set(caption, canvas, self.band.as_ref().map_or(Extent::OfLine, BandCode::extent));
        let start = out.len();
        out.extend_from_slice(&self.head);
        set_height(&mut out[start..], self.side_px + caption.height_px() as u32);
        self.draw_data(symbol, Some(ink), start, out);
    }

    /// Appends what comes after the head to the file that begins at `start`.
    fn draw_data(&self, symbol: &Symbol, ink: Option<&Ink>, start: usize, out: &mut Vec<u8>) {
        let stream = out.len();
        let band = self.band.as_ref().zip(ink);
        out.resize(start + self.longest_file + band.map_or(0, |(band, ink)| band.longest(ink)), 0);
        let writer = BitWriter::new(&mut out[stream..]);
        let words = self.lines.groups.div_ceil(8);
        let (mut writer, mut adler) = match (words, self.groups_per_word) {
            (1, 0) => self.draw_code::<1, 0>(symbol, writer),
            (1, 1) => self.draw_code::<1, 1>(symbol, writer),
            (1, 2..4) => self.draw_code::<1, 2>(symbol, writer),
            (1, 4..) => self.draw_code::<1, 4>(symbol, writer),
            (2, 0) => self.draw_code::<2, 0>(symbol, writer),
            (2, 1) => self.draw_code::<2, 1>(symbol, writer),
            (2, 2..4) => self.draw_code::<2, 2>(symbol, writer),
            (2, 4..) => self.draw_code::<2, 4>(symbol, writer),
            (_, 0) => self.draw_code::<ROW_WORDS, 0>(symbol, writer),
            (_, 1) => self.draw_code::<ROW_WORDS, 1>(symbol, writer),
            (_, 2..4) => self.draw_code::<ROW_WORDS, 2>(symbol, writer),
            (_, 4..) => self.draw_code::<ROW_WORDS, 4>(symbol, writer),
        };
        if let Some((band, ink)) = band {
            band.draw(ink, &mut writer, &mut adler);
        }
        let length = writer.finish();
        out.truncate(stream + length);
        out.extend_from_slice(&adler.finish().to_be_bytes());
        end_chunk(out, start + self.data_chunk);
        out.extend_from_slice(&IEND);
    }

    /// Writes the block of the code, and sums its bytes up. `WORDS` are those of a row.
    fn draw_code<'a, const WORDS: usize, const GROUPS_PER_WORD: usize>(
        &self,
        symbol: &Symbol,
        mut writer: BitWriter<'a>,
    ) -> (BitWriter<'a>, Adler32) {
        let mut adler = self.static_sums;
        writer.put_all(&self.top);
        for section in &self.sections {
            match section {
                SectionPlan::Code(rows) => {
                    let sums;
                    (writer, sums) = self.draw_rows::<WORDS, GROUPS_PER_WORD>(symbol, rows, writer);
                    adler.add_rows(sums, rows.last_weight, self.lines.stride);
                }
                SectionPlan::Logo(rows) => {
                    if let Some(beside) = &self.beside {
                        (writer, adler) = self.draw_beside::<WORDS>(symbol, rows, beside, writer, adler);
                    }
                }
            }
        }
        (writer, adler)
    }

    /// Writes rows of modules, to the next row's data or the end of the block.
    ///
    /// The writer goes in and out by value, so that its state stays in registers.
    fn draw_rows<'a, const WORDS: usize, const GROUPS_PER_WORD: usize>(
        &self,
        symbol: &Symbol,
        code: &CodeRows,
        mut writer: BitWriter<'a>,
    ) -> (BitWriter<'a>, RowSums) {
        let lines = &self.lines;
        let mut rows = RowSums::default();
        let mut above: Option<RowAbove> = None;
        for y in code.rows.clone() {
            let row: [u64; WORDS] = shifted(symbol.row(y), lines.first_column);
            let (first_window, last_window) = (window(&row, 0), window(&row, lines.groups - 1));
            let mut first_taken = false;
            let mut last_taken = false;
            if let Some(above) = above {
                first_taken = code.takes_equal_groups && first_window == above.first_window;
                last_taken = code.takes_equal_groups && last_window >> 1 == above.last_window >> 1;
                writer.put_all(&code.gaps[gap_index(above.last_taken, first_taken)]);
            }
            above = Some(RowAbove { first_window, last_window, last_taken });

            let mut groups = GroupSums::default();
            if !self.first_joins {
                writer.flush();
            }
            let head = self.first.heads[first_window];
            writer.join(head.bits_unless(first_taken));
            groups.add(head);
            if GROUPS_PER_WORD == 0 {
                for tail in &self.first.tails {
                    writer.put(tail[first_window].bits_unless(first_taken));
                }
            }
            let mut joined = 0;
            for_each_window(&row, 1, lines.groups - 1, |window| {
                if GROUPS_PER_WORD == 0 || joined % GROUPS_PER_WORD == 0 {
                    writer.flush();
                }
                joined += 1;
                let head = self.middle.heads[window];
                writer.join(head.bits());
                groups.advance();
                groups.add(head);
                if GROUPS_PER_WORD == 0 {
                    self.middle.draw_tails(head, window, &mut writer);
                }
            });
            if !self.last_joins {
                writer.flush();
            }
            let head = self.last.heads[last_window];
            writer.join(head.bits_unless(last_taken));
            groups.add(head);
            if GROUPS_PER_WORD == 0 {
                for tail in &self.last.tails {
                    writer.put(tail[last_window].bits_unless(last_taken));
                }
            }
            rows.add(groups.sums(lines.group_bytes));
        }
        let last_taken = above.is_some_and(|above| above.last_taken);
        writer.put_all(&code.ends[usize::from(last_taken)]);
        (writer, rows)
    }

    /// Writes the modules of rows beside a logo, and the lines of the logo, to the next row's data, and sums the modules'
    /// bytes up.
    fn draw_beside<'a, const WORDS: usize>(
        &self,
        symbol: &Symbol,
        rows: &[LogoRow],
        beside: &Beside,
        mut writer: BitWriter<'a>,
        mut adler: Adler32,
    ) -> (BitWriter<'a>, Adler32) {
        let lines = &self.lines;
        let last = lines.groups - 1;
        for logo in rows {
            let row: [u64; WORDS] = shifted(symbol.row(logo.row), lines.first_column);
            let mut groups = GroupSums::default();
            for group in 0..lines.groups {
                let window = window(&row, group);
                if group > 0 && group < last {
                    groups.advance();
                }
                if group < beside.left_group || group > beside.right_group {
                    let table = match group {
                        0 => &self.first,
                        _ if group == last => &self.last,
                        _ => &self.middle,
                    };
                    groups.add(table.draw(window, &mut writer));
                }
                if group == beside.left_group {
                    groups.add(beside.left.draw(window, &mut writer));
                    writer.splice(&logo.boxed);
                }
                if group == beside.right_group {
                    groups.add(beside.right.draw(window, &mut writer));
                }
            }
            writer.splice(&logo.gap);
            adler.add(groups.sums(lines.group_bytes), logo.weight);
        }
        (writer, adler)
    }
}
