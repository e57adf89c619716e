//! A symbol's file, from its template.
#![allow(
    clippy::inline_always,
    reason = "a function that is not inlined is not compiled for its caller's CPU level"
)]

use std::ops::Range;

use qrpress_simd::{Simd, SimdLevel, WithSimd};
use qrpress_symbol::{ROW_WORDS, Symbol};

use super::caption::CaptionCode;
use super::caption::packed::{Canvas, Extent, PackedCaption};
use super::chunks::{IEND, end_chunk, set_height};
use super::deflate::adler32::{Adler32, RowSums};
use super::deflate::bit_writer::{BitWriter, LONG_LINE, LineWriter, SHORT_LINE};
use super::group_table::RowTally;
use super::quiet_zone::gap_index;
use super::scanline::ScanlineLayout;
use super::template::{BesideBox, LogoTemplate, Template};
use crate::CaptionPixels;
use crate::windows::{
    WINDOWS, WINDOWS_IN_QUAD, first_window, own_modules, shifted, window, window_of, window_quads,
};

/// The groups between a row's first and last, as the windows of [`window_quads`] have them.
#[derive(Clone, Copy)]
struct Middles {
    /// Whole words of windows.
    quads: usize,
    /// Windows of the next word. The window behind them is that of the last group.
    rest: usize,
}

impl Middles {
    fn of(layout: &ScanlineLayout) -> Self {
        let count = layout.groups - 2;
        // The bound is always kept. It is for the compiler, which checks no index then.
        Self { quads: (count / WINDOWS_IN_QUAD).min(2 * ROW_WORDS - 1), rest: count % WINDOWS_IN_QUAD }
    }
}

/// The facts of a row that the next row looks back at.
#[derive(Clone, Copy)]
struct RowAbove {
    first_window: usize,
    last_window: usize,
    last_merged: bool,
}

/// The window above the first row: none. It differs from every window in higher bits.
const NONE: usize = usize::MAX;

/// The drawing of a code, as work for a CPU level: a shift by a number that is not constant takes a third of the
/// instructions where the CPU has BMI2.
///
/// Two numbers are known to the compiler: `GROUPS_PER_PIECE`, the middle groups that are joined between two flushes, 0 where a
/// group may have several pieces; and `BYTES` of the [`LineWriter`].
struct CodeDrawing<'p, 'w, const GROUPS_PER_PIECE: usize, const BYTES: usize> {
    template: &'p Template,
    symbol: &'p Symbol,
    writer: BitWriter<'w>,
}

impl<'w, const GROUPS_PER_PIECE: usize, const BYTES: usize> WithSimd
    for CodeDrawing<'_, 'w, GROUPS_PER_PIECE, BYTES>
{
    type Output = (BitWriter<'w>, Adler32);

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Self::Output {
        self.template.draw_code::<GROUPS_PER_PIECE, BYTES>(self.symbol, self.writer)
    }
}

impl Template {
    /// Appends the file of `symbol`, which is of the template's version.
    pub(crate) fn draw(&self, simd_level: SimdLevel, symbol: &Symbol, out: &mut Vec<u8>) {
        let start = out.len();
        out.extend_from_slice(&self.head);
        self.draw_data(simd_level, symbol, None, start, out);
    }

    /// Appends the file of `symbol` with a caption, whose ink it takes into `ink`. The template must be one with captions.
    pub(crate) fn draw_with_caption(
        &self,
        simd_level: SimdLevel,
        symbol: &Symbol,
        caption: CaptionPixels<'_>,
        ink: &mut PackedCaption,
        out: &mut Vec<u8>,
    ) {
        let width_px = self.side_px as usize;
        let canvas = Canvas { palette: &self.palette, width_px, stride: self.layout.stride };
        ink.set(caption, canvas, self.caption.as_ref().map_or(Extent::OfLine, CaptionCode::extent));
        let start = out.len();
        out.extend_from_slice(&self.head);
        set_height(&mut out[start..], self.side_px + caption.height_px() as u32);
        self.draw_data(simd_level, symbol, Some(ink), start, out);
    }

    /// Appends what comes after the head to the file that begins at `start`.
    fn draw_data(
        &self,
        simd_level: SimdLevel,
        symbol: &Symbol,
        ink: Option<&PackedCaption>,
        start: usize,
        out: &mut Vec<u8>,
    ) {
        let stream = out.len();
        let band = self.caption.as_ref().zip(ink);
        out.resize(start + self.longest_file + band.map_or(0, |(band, ink)| band.longest(ink)), 0);
        let writer = BitWriter::new(&mut out[stream - BitWriter::BEFORE..]);
        let (mut writer, mut adler) = self.draw_code_by(simd_level, symbol, writer);
        if let Some((band, ink)) = band {
            band.draw(ink, &mut writer, &mut adler);
        }
        let length = writer.finish();
        out.truncate(stream + length);
        out.extend_from_slice(&adler.finish().to_be_bytes());
        end_chunk(out, start + self.data_chunk);
        out.extend_from_slice(&IEND);
    }

    /// Writes the block of the code, by the copy of the loop that suits the lengths of its groups, and sums its bytes up.
    fn draw_code_by<'a>(
        &self,
        simd_level: SimdLevel,
        symbol: &Symbol,
        writer: BitWriter<'a>,
    ) -> (BitWriter<'a>, Adler32) {
        match self.groups_per_piece {
            0 => self.draw_code_on::<0, LONG_LINE>(simd_level, symbol, writer),
            1 => self.draw_code_on::<1, SHORT_LINE>(simd_level, symbol, writer),
            2..4 => self.draw_code_on::<2, SHORT_LINE>(simd_level, symbol, writer),
            4.. => self.draw_code_on::<4, SHORT_LINE>(simd_level, symbol, writer),
        }
    }

    /// Writes the block of the code on that CPU level, and sums its bytes up.
    fn draw_code_on<'a, const GROUPS_PER_PIECE: usize, const BYTES: usize>(
        &self,
        simd_level: SimdLevel,
        symbol: &Symbol,
        writer: BitWriter<'a>,
    ) -> (BitWriter<'a>, Adler32) {
        simd_level.dispatch_narrow(CodeDrawing::<GROUPS_PER_PIECE, BYTES> { template: self, symbol, writer })
    }

    /// Writes the block of the code, and sums its bytes up.
    #[inline(always)]
    fn draw_code<'a, const GROUPS_PER_PIECE: usize, const BYTES: usize>(
        &self,
        symbol: &Symbol,
        mut writer: BitWriter<'a>,
    ) -> (BitWriter<'a>, Adler32) {
        let mut adler = self.static_sums;
        writer.put_all(&self.top);
        let size = symbol.size();
        let logo_rows = self.logo.as_ref().map_or(size..size, LogoTemplate::rows);
        for rows in [0..logo_rows.start, logo_rows.end..size] {
            if let Some(last) = rows.clone().last() {
                let sums;
                (writer, sums) = self.draw_rows::<GROUPS_PER_PIECE, BYTES>(symbol, rows, writer);
                adler.add_rows(sums, self.layout.row_weight(last), self.layout.stride);
                if last + 1 == logo_rows.start
                    && let Some(logo) = &self.logo
                {
                    (writer, adler) = self.draw_beside::<BYTES>(symbol, logo, writer, adler);
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
    #[inline(always)]
    fn draw_rows<'a, const GROUPS_PER_PIECE: usize, const BYTES: usize>(
        &self,
        symbol: &Symbol,
        rows: Range<usize>,
        mut writer: BitWriter<'a>,
    ) -> (BitWriter<'a>, RowSums) {
        let ScanlineLayout { group_bytes, first_column, .. } = self.layout;
        let middles = Middles::of(&self.layout);
        let mut sums = RowSums::default();
        // A group is merged where the exclusive or of its window and the window above is this. No two windows give `WINDOWS`.
        let merging = if self.merges_equal_groups { 0 } else { WINDOWS };
        let mut above = RowAbove { first_window: NONE, last_window: NONE, last_merged: false };
        let is_bottom = rows.end == symbol.size();
        for row in &symbol.rows()[rows] {
            let window_quads = window_quads(row, first_column);
            let first_window = first_window(row, first_column);
            let first_merged = first_window ^ above.first_window == merging;
            if above.first_window != NONE {
                if !self.last_waits {
                    writer.flush();
                }
                writer.join_all(&self.gaps[gap_index(above.last_merged, first_merged)]);
            }

            let (mut line, last) = writer.begin_line::<BYTES>();
            line.flush_to(last);
            let mut tally = RowTally::from(last);
            self.join_first::<GROUPS_PER_PIECE, BYTES>(first_merged, first_window, &mut line, &mut tally);
            let quads = window_quads.as_flattened();
            self.join_between::<GROUPS_PER_PIECE, BYTES>(quads, middles, &mut line, &mut tally);
            let last_window = window_of(quads[middles.quads], middles.rest);
            // The module before the first group is the margin's, but the module before the last is the symbol's: it need not be
            // equal.
            let last_merged = own_modules(last_window ^ above.last_window) == merging;
            self.join_last::<GROUPS_PER_PIECE, BYTES>(last_merged, last_window, &mut line, &mut tally);
            above = RowAbove { first_window, last_window, last_merged };
            let latest = line.latest();
            writer.end_line(latest, tally.last());
            sums.add(tally.sums(group_bytes));
        }
        let end = if is_bottom {
            &self.bottoms[usize::from(above.last_merged)]
        } else {
            &self.gaps[gap_index(above.last_merged, false)]
        };
        writer.put_all(end);
        (writer, sums)
    }

    /// Joins a row's first group, unless it is merged into the gap before.
    #[inline(always)]
    fn join_first<const GROUPS_PER_PIECE: usize, const BYTES: usize>(
        &self,
        is_merged: bool,
        window: usize,
        line: &mut LineWriter<'_, BYTES>,
        tally: &mut RowTally,
    ) {
        if GROUPS_PER_PIECE == 0 {
            self.first.put_pieces(is_merged, window, line, tally);
        } else {
            self.first.join_unless(is_merged, window, line, tally);
            if !self.first_waits {
                line.flush_to(tally.last());
            }
        }
    }

    /// Joins the groups between a row's first and last.
    #[inline(always)]
    fn join_between<const GROUPS_PER_PIECE: usize, const BYTES: usize>(
        &self,
        window_quads: &[u64],
        middles: Middles,
        line: &mut LineWriter<'_, BYTES>,
        tally: &mut RowTally,
    ) {
        for &quad in &window_quads[..middles.quads] {
            self.join_middles::<GROUPS_PER_PIECE, BYTES>(quad, line, tally);
        }
        let quad = window_quads[middles.quads];
        for index in 0..middles.rest {
            self.join_middle::<GROUPS_PER_PIECE, BYTES>(quad, index, line, tally);
        }
        if GROUPS_PER_PIECE > 1 && middles.rest > 0 {
            line.flush_to(tally.last());
        }
    }

    /// Joins a row's last group, unless it is merged into the gap after it.
    #[inline(always)]
    fn join_last<const GROUPS_PER_PIECE: usize, const BYTES: usize>(
        &self,
        is_merged: bool,
        window: usize,
        line: &mut LineWriter<'_, BYTES>,
        tally: &mut RowTally,
    ) {
        if GROUPS_PER_PIECE == 0 {
            self.last.put_pieces(is_merged, window, line, tally);
        } else {
            self.last.join_unless(is_merged, window, line, tally);
        }
    }

    /// Joins the groups of four windows.
    #[inline(always)]
    fn join_middles<const GROUPS_PER_PIECE: usize, const BYTES: usize>(
        &self,
        quad: u64,
        line: &mut LineWriter<'_, BYTES>,
        tally: &mut RowTally,
    ) {
        let windows: [usize; WINDOWS_IN_QUAD] = std::array::from_fn(|index| window_of(quad, index));
        let [first, second, third, fourth] = windows;
        match GROUPS_PER_PIECE {
            4 => self.middle.join_and_flush(windows, line, tally),
            2 => {
                self.middle.join_and_flush([first, second], line, tally);
                self.middle.join_and_flush([third, fourth], line, tally);
            }
            _ => {
                for index in 0..WINDOWS_IN_QUAD {
                    self.join_middle::<GROUPS_PER_PIECE, BYTES>(quad, index, line, tally);
                }
            }
        }
    }

    /// Joins the group of one of four windows, after those before it.
    #[inline(always)]
    fn join_middle<const GROUPS_PER_PIECE: usize, const BYTES: usize>(
        &self,
        quad: u64,
        index: usize,
        line: &mut LineWriter<'_, BYTES>,
        tally: &mut RowTally,
    ) {
        let window = window_of(quad, index);
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
    #[inline(always)]
    fn draw_beside<'a, const BYTES: usize>(
        &self,
        symbol: &Symbol,
        logo: &LogoTemplate,
        mut writer: BitWriter<'a>,
        mut adler: Adler32,
    ) -> (BitWriter<'a>, Adler32) {
        let layout = &self.layout;
        for (number, coded) in logo.rows().zip(&logo.rows) {
            let BesideBox { left_group, left, right_group, right } = &logo.beside[coded.beside];
            let (left_group, right_group) = (*left_group, *right_group);
            let row = shifted(symbol.row(number), layout.first_column);
            let (mut line, last) = writer.begin_line::<BYTES>();
            let mut tally = RowTally::from(last);
            self.put_groups(&row, 0..left_group, &mut line, &mut tally);
            if left_group > 0 {
                tally.advance();
            }
            left.put_pieces(false, window(&row, left_group), &mut line, &mut tally);
            let latest = line.latest();
            writer.end_line(latest, tally.last());
            writer.put_all(&coded.boxed);
            let (mut line, last) = writer.begin_line::<BYTES>();
            tally.set_last(last);
            for _ in left_group..right_group.min(layout.groups - 2) {
                tally.advance();
            }
            right.put_pieces(false, window(&row, right_group), &mut line, &mut tally);
            self.put_groups(&row, right_group + 1..layout.groups, &mut line, &mut tally);
            let latest = line.latest();
            writer.end_line(latest, tally.last());
            writer.put_all(&coded.gap);
            adler.add(tally.sums(layout.group_bytes), layout.row_weight(number));
        }
        (writer, adler)
    }

    /// Writes groups that no box interrupts.
    // A call would have the writer's state in memory.
    #[inline(always)]
    fn put_groups<const BYTES: usize>(
        &self,
        row: &[u64; ROW_WORDS],
        groups: Range<usize>,
        line: &mut LineWriter<'_, BYTES>,
        tally: &mut RowTally,
    ) {
        let last = self.layout.groups - 1;
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
