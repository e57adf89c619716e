//! A symbol's file, from its plan.

use std::ops::Range;

use qrpress_symbol::{AvailablePath, ROW_WORDS, Symbol, Work};

use super::adler::{Adler32, RowSums};
use super::band::BandCode;
use super::bits::{BitWriter, LONG_LINE, LineWriter, SHORT_LINE};
use super::chunks::{IEND, end_chunk, set_height};
use super::ink::{Canvas, Extent, Ink};
use super::lines::Lines;
use super::margins::gap_index;
use super::plan::{Beside, Plan};
use super::rows::{CodeRows, LogoRow, SectionPlan};
use super::table::Tally;
use crate::CaptionPixels;
use crate::windows::{WINDOWS, WINDOWS_IN_FOUR, first_window, fours, shifted, window, window_of};

/// What the next row looks back at.
#[derive(Clone, Copy)]
struct RowAbove {
    first_window: usize,
    last_window: usize,
    last_taken: bool,
}

/// No window.
const NONE: usize = usize::MAX;

/// The drawing of a code: shifts of all but fixed lengths take a third of the instructions where the CPU has BMI2.
struct CodeDrawing<'p, 'w, const WORDS: usize, const GROUPS_PER_PIECE: usize, const BYTES: usize> {
    plan: &'p Plan,
    symbol: &'p Symbol,
    writer: BitWriter<'w>,
}

impl<'w, const WORDS: usize, const GROUPS_PER_PIECE: usize, const BYTES: usize> Work
    for CodeDrawing<'_, 'w, WORDS, GROUPS_PER_PIECE, BYTES>
{
    type Outcome = (BitWriter<'w>, Adler32);

    #[allow(clippy::inline_always, reason = "what is not inlined is not compiled for the CPU's path")]
    #[inline(always)]
    fn run(self) -> Self::Outcome {
        self.plan.draw_code::<WORDS, GROUPS_PER_PIECE, BYTES>(self.symbol, self.writer)
    }
}

impl Plan {
    /// Appends the file of `symbol`, which is of the plan's version.
    pub(super) fn draw(&self, path: AvailablePath, symbol: &Symbol, out: &mut Vec<u8>) {
        let start = out.len();
        out.extend_from_slice(&self.head);
        self.draw_data(path, symbol, None, start, out);
    }

    /// Appends the file of `symbol` with a caption, whose ink it takes into `ink`. The plan must be one with captions.
    pub(super) fn draw_with_caption(
        &self,
        path: AvailablePath,
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
        self.draw_data(path, symbol, Some(ink), start, out);
    }

    /// Appends what comes after the head to the file that begins at `start`.
    fn draw_data(
        &self,
        path: AvailablePath,
        symbol: &Symbol,
        ink: Option<&Ink>,
        start: usize,
        out: &mut Vec<u8>,
    ) {
        let stream = out.len();
        let band = self.band.as_ref().zip(ink);
        out.resize(start + self.longest_file + band.map_or(0, |(band, ink)| band.longest(ink)), 0);
        let writer = BitWriter::new(&mut out[stream - BitWriter::BEFORE..]);
        let words = self.lines.groups.div_ceil(8);
        let (mut writer, mut adler) = match (words, self.groups_per_piece) {
            (1, 0) => self.draw_code_on::<1, 0, LONG_LINE>(path, symbol, writer),
            (1, 1) => self.draw_code_on::<1, 1, SHORT_LINE>(path, symbol, writer),
            (1, 2..4) => self.draw_code_on::<1, 2, SHORT_LINE>(path, symbol, writer),
            (1, 4..) => self.draw_code_on::<1, 4, SHORT_LINE>(path, symbol, writer),
            (2, 0) => self.draw_code_on::<2, 0, LONG_LINE>(path, symbol, writer),
            (2, 1) => self.draw_code_on::<2, 1, SHORT_LINE>(path, symbol, writer),
            (2, 2..4) => self.draw_code_on::<2, 2, SHORT_LINE>(path, symbol, writer),
            (2, 4..) => self.draw_code_on::<2, 4, SHORT_LINE>(path, symbol, writer),
            (_, 0) => self.draw_code_on::<ROW_WORDS, 0, LONG_LINE>(path, symbol, writer),
            (_, 1) => self.draw_code_on::<ROW_WORDS, 1, SHORT_LINE>(path, symbol, writer),
            (_, 2..4) => self.draw_code_on::<ROW_WORDS, 2, SHORT_LINE>(path, symbol, writer),
            (_, 4..) => self.draw_code_on::<ROW_WORDS, 4, SHORT_LINE>(path, symbol, writer),
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

    /// Writes the block of the code on that path, and sums its bytes up. `WORDS` are those of a row.
    fn draw_code_on<'a, const WORDS: usize, const GROUPS_PER_PIECE: usize, const BYTES: usize>(
        &self,
        path: AvailablePath,
        symbol: &Symbol,
        writer: BitWriter<'a>,
    ) -> (BitWriter<'a>, Adler32) {
        path.run(CodeDrawing::<WORDS, GROUPS_PER_PIECE, BYTES> { plan: self, symbol, writer })
    }

    /// Writes the block of the code, and sums its bytes up.
    #[allow(clippy::inline_always, reason = "what is not inlined is not compiled for the CPU's path")]
    #[inline(always)]
    fn draw_code<'a, const WORDS: usize, const GROUPS_PER_PIECE: usize, const BYTES: usize>(
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
                    (writer, sums) = self.draw_rows::<WORDS, GROUPS_PER_PIECE, BYTES>(symbol, rows, writer);
                    adler.add_rows(sums, rows.last_weight, self.lines.stride);
                }
                SectionPlan::Logo(rows) => {
                    if let Some(beside) = &self.beside {
                        (writer, adler) =
                            self.draw_beside::<WORDS, BYTES>(symbol, rows, beside, writer, adler);
                    }
                }
            }
        }
        (writer, adler)
    }

    /// Writes rows of modules, to the next row's data or the end of the block.
    ///
    /// A flush takes as long as a group, so a row has few: one after as many groups as surely fit into a piece, the first
    /// group among them where it fits too, and one after the gap to the next row, with the last group where that fits.
    ///
    /// The writer goes in and out by value, so that its state stays in registers.
    #[allow(clippy::inline_always, reason = "what is not inlined is not compiled for the CPU's path")]
    #[inline(always)]
    fn draw_rows<'a, const WORDS: usize, const GROUPS_PER_PIECE: usize, const BYTES: usize>(
        &self,
        symbol: &Symbol,
        code: &CodeRows,
        mut writer: BitWriter<'a>,
    ) -> (BitWriter<'a>, RowSums) {
        let Lines { groups, group_bytes, first_column, .. } = self.lines;
        let middles = groups - 2;
        let (whole, rest) = ((middles / WINDOWS_IN_FOUR).min(2 * WORDS - 1), middles % WINDOWS_IN_FOUR);
        let mut rows = RowSums::default();
        // How windows differ whose groups are taken in: not at all, or as no two do.
        let equal = if code.takes_equal_groups { 0 } else { WINDOWS };
        let mut above = RowAbove { first_window: NONE, last_window: NONE, last_taken: false };
        for row in &symbol.rows()[code.rows.clone()] {
            let fours: [[u64; 2]; WORDS] = fours(row, first_column);
            let first_window = first_window(row, first_column);
            let first_taken = first_window ^ above.first_window == equal;
            if above.first_window != NONE {
                if !self.last_waits {
                    writer.flush();
                }
                writer.join_all(&code.gaps[gap_index(above.last_taken, first_taken)]);
            }

            let (mut line, last) = writer.begin_line::<BYTES>();
            line.flush_to(last);
            let mut tally = Tally::from(last);
            if GROUPS_PER_PIECE == 0 {
                self.first.put_pieces(first_taken, first_window, &mut line, &mut tally);
            } else {
                self.first.join_unless(first_taken, first_window, &mut line, &mut tally);
                if !self.first_waits {
                    line.flush_to(tally.last());
                }
            }
            let fours = fours.as_flattened();
            for &four in &fours[..whole] {
                self.join_middles::<GROUPS_PER_PIECE, BYTES>(four, &mut line, &mut tally);
            }
            let four = fours[whole];
            for index in 0..rest {
                self.join_middle::<GROUPS_PER_PIECE, BYTES>(four, index, &mut line, &mut tally);
            }
            if GROUPS_PER_PIECE > 1 && rest > 0 {
                line.flush_to(tally.last());
            }
            let last_window = window_of(four, rest);
            let last_taken = (last_window ^ above.last_window) >> 1 == equal;
            above = RowAbove { first_window, last_window, last_taken };
            if GROUPS_PER_PIECE == 0 {
                self.last.put_pieces(last_taken, last_window, &mut line, &mut tally);
            } else {
                self.last.join_unless(last_taken, last_window, &mut line, &mut tally);
            }
            let latest = line.latest();
            writer.end_line(latest, tally.last());
            rows.add(tally.sums(group_bytes));
        }
        writer.put_all(&code.ends[usize::from(above.last_taken)]);
        (writer, rows)
    }

    /// Joins the groups of four windows.
    #[inline]
    fn join_middles<const GROUPS_PER_PIECE: usize, const BYTES: usize>(
        &self,
        four: u64,
        line: &mut LineWriter<'_, BYTES>,
        tally: &mut Tally,
    ) {
        let windows: [usize; WINDOWS_IN_FOUR] = std::array::from_fn(|index| window_of(four, index));
        let [first, second, third, fourth] = windows;
        match GROUPS_PER_PIECE {
            4 => self.middle.put_together(windows, line, tally),
            2 => {
                self.middle.put_together([first, second], line, tally);
                self.middle.put_together([third, fourth], line, tally);
            }
            _ => {
                for index in 0..WINDOWS_IN_FOUR {
                    self.join_middle::<GROUPS_PER_PIECE, BYTES>(four, index, line, tally);
                }
            }
        }
    }

    /// Joins the group of one of four windows, after those before it.
    #[inline]
    fn join_middle<const GROUPS_PER_PIECE: usize, const BYTES: usize>(
        &self,
        four: u64,
        index: usize,
        line: &mut LineWriter<'_, BYTES>,
        tally: &mut Tally,
    ) {
        let window = window_of(four, index);
        tally.advance();
        if GROUPS_PER_PIECE == 0 {
            self.middle.put_pieces(false, window, line, tally);
        } else {
            self.middle.join(window, line, tally);
            if (index + 1).is_multiple_of(GROUPS_PER_PIECE) {
                line.flush_to(tally.last());
            }
        }
    }

    /// Writes the modules of rows beside a logo, and the lines of the logo, to the next row's data, and sums the modules'
    /// bytes up.
    #[allow(clippy::inline_always, reason = "what is not inlined is not compiled for the CPU's path")]
    #[inline(always)]
    fn draw_beside<'a, const WORDS: usize, const BYTES: usize>(
        &self,
        symbol: &Symbol,
        rows: &[LogoRow],
        beside: &Beside,
        mut writer: BitWriter<'a>,
        mut adler: Adler32,
    ) -> (BitWriter<'a>, Adler32) {
        let lines = &self.lines;
        for logo in rows {
            let row: [u64; WORDS] = shifted(symbol.row(logo.row), lines.first_column);
            let (mut line, last) = writer.begin_line::<BYTES>();
            let mut tally = Tally::from(last);
            self.put_groups(&row, 0..beside.left_group, &mut line, &mut tally);
            if beside.left_group > 0 {
                tally.advance();
            }
            beside.left.put_pieces(false, window(&row, beside.left_group), &mut line, &mut tally);
            let latest = line.latest();
            writer.end_line(latest, tally.last());
            writer.put_all(&logo.boxed);
            let (mut line, last) = writer.begin_line::<BYTES>();
            tally.set_last(last);
            for _ in beside.left_group..beside.right_group.min(lines.groups - 2) {
                tally.advance();
            }
            beside.right.put_pieces(false, window(&row, beside.right_group), &mut line, &mut tally);
            self.put_groups(&row, beside.right_group + 1..lines.groups, &mut line, &mut tally);
            let latest = line.latest();
            writer.end_line(latest, tally.last());
            writer.put_all(&logo.gap);
            adler.add(tally.sums(lines.group_bytes), logo.weight);
        }
        (writer, adler)
    }

    /// Writes groups that no box interrupts.
    #[allow(clippy::inline_always, reason = "a call would have the writer's state in memory")]
    #[inline(always)]
    fn put_groups<const WORDS: usize, const BYTES: usize>(
        &self,
        row: &[u64; WORDS],
        groups: Range<usize>,
        line: &mut LineWriter<'_, BYTES>,
        tally: &mut Tally,
    ) {
        let last = self.lines.groups - 1;
        for group in groups {
            let table = match group {
                0 => &self.first,
                _ if group == last => &self.last,
                _ => {
                    tally.advance();
                    &self.middle
                }
            };
            table.put_pieces(false, window(row, group), line, tally);
        }
    }
}
