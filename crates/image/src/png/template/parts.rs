//! The parts of a template before they are coded, and the code that suits them.

use std::ops::Range;

use qrpress_symbol::Version;

use crate::png::deflate::adler32::{Adler32, LineSums, LineWeight};
use crate::png::deflate::optimal_parse::Unused;
use crate::png::deflate::{Code, Frequencies, LONGEST_CODEWORD};
use crate::png::logo_box::LogoBox;
use crate::png::module_groups::{GroupSet, GroupSpan};
use crate::png::palette::Palette;
use crate::png::quiet_zone::{AroundBox, QuietZone};
use crate::png::scanline::ScanlineLayout;
use crate::windows::WINDOWS;

/// Times that the code is made anew from the tokens that are cheapest under the code before.
const ROUNDS: usize = 3;
/// The weight of a token that every picture has once, since the weights of groups are in 512ths.
const ONCE: u64 = WINDOWS as u64;

/// The tokens and groups that a template codes.
pub(crate) struct TemplateParts<'a> {
    pub(crate) layout: &'a ScanlineLayout,
    pub(crate) quiet_zone: QuietZone<'a>,
    /// A row's first group, those between, and its last.
    pub(crate) groups: [GroupSet; 3],
    /// A part for all rows of the logo with the same box.
    pub(crate) logo: Vec<LogoBoxParts>,
    /// Rows of the symbol.
    size: usize,
}

/// The parts of the rows that a box interrupts.
pub(crate) struct LogoBoxParts {
    pub(crate) logo_box: LogoBox,
    pub(crate) around: AroundBox,
    /// The groups left and right of the box.
    pub(crate) beside: [GroupSet; 2],
}

impl<'a> TemplateParts<'a> {
    pub(crate) fn new(
        layout: &'a ScanlineLayout,
        palette: &Palette,
        logo_boxes: Vec<LogoBox>,
        version: Version,
    ) -> Self {
        let quiet_zone = QuietZone { layout, background: palette.background_byte() };
        let set = |span: GroupSpan| GroupSet::new(&span, layout, palette);
        let logo_parts = |logo_box: LogoBox| LogoBoxParts {
            around: quiet_zone.around(&logo_box),
            beside: [GroupSpan::left_of, GroupSpan::right_of]
                .map(|span| set(span(&logo_box, layout, version))),
            logo_box,
        };
        Self {
            layout,
            quiet_zone,
            groups: [GroupSpan::first, GroupSpan::middle, GroupSpan::last]
                .map(|span| set(span(layout, version))),
            logo: logo_boxes.into_iter().map(logo_parts).collect(),
            size: version.size(),
        }
    }

    /// The frequencies of the tokens that are the same under every code: those of the quiet zone.
    fn fixed_frequencies(&self) -> Frequencies {
        let mut fixed = Frequencies::new(ONCE);
        fixed.add(&self.quiet_zone.top(), ONCE);
        let logo_rows = self.logo_rows();
        for rows in [0..logo_rows.start, logo_rows.end..self.size].map(|rows| rows.len() as u64) {
            if rows > 0 {
                // The equal groups of the finder patterns, and some that are equal by chance.
                let times = [rows.saturating_sub(9).max(1), 2, 5, 1];
                for (gap, times) in self.quiet_zone.gaps().iter().zip(times) {
                    fixed.add(gap, ONCE * times);
                }
            }
        }
        for bottom in &self.quiet_zone.bottoms() {
            fixed.add(bottom, ONCE / 2);
        }
        for logo in &self.logo {
            let (rows, height) = (logo.logo_box.rows.len() as u64, self.layout.pixels_per_module as u64);
            if height == 1 {
                fixed.add(&logo.around.past, ONCE * rows);
            } else {
                fixed.add(&logo.around.into, ONCE * rows);
                fixed.add(&logo.around.between, ONCE * rows * (height - 2));
                fixed.add(&logo.around.out_of, ONCE * rows);
            }
        }
        fixed
    }

    /// The code that suits a symbol of random modules, which is what masking makes of every symbol: files come out nearly as
    /// small as with a code of their own.
    pub(crate) fn code(&self) -> Code {
        let fixed = self.fixed_frequencies();
        // The first guess: all bytes as literals. Tokens depend on the code that they are cheapest in, and the code on the tokens.
        let mut frequencies = fixed.clone();
        let sets = || self.groups.iter().chain(self.logo.iter().flat_map(|logo| &logo.beside));
        for group in sets().flat_map(|set| &set.groups) {
            frequencies.add_literals(&group.bytes[group.start..], group.weight);
        }
        for logo in &self.logo {
            frequencies.add_literals(logo.logo_box.packed(), ONCE);
        }
        for _ in 0..ROUNDS {
            let code = Code::new(&frequencies, LONGEST_CODEWORD);
            frequencies = fixed.clone();
            let mut parser = self.layout.parser(&code, Unused::Allowed);
            for set in sets() {
                set.parse(&mut parser, |group, tokens| frequencies.add(tokens, group.weight));
            }
            for logo in &self.logo {
                for tokens in logo.logo_box.parse(&code, Unused::Allowed, self.layout.stride) {
                    frequencies.add(&tokens, ONCE);
                }
            }
        }
        Code::new(&frequencies, LONGEST_CODEWORD)
    }

    /// The symbol's rows that a box interrupts, those behind the last row where there is no logo.
    pub(crate) fn logo_rows(&self) -> Range<usize> {
        let rows = || self.logo.iter().flat_map(|logo| &logo.logo_box.rows);
        rows().min().zip(rows().max()).map_or(self.size..self.size, |(&first, &last)| first..last + 1)
    }

    /// The sums of everything in a picture but the modules.
    pub(crate) fn sums(&self) -> Adler32 {
        let layout = self.layout;
        let mut line = vec![self.quiet_zone.background; layout.stride];
        line[0] = 0;
        let blank = LineSums::of(&line);
        line[1 + layout.left..][..layout.data].fill(0);
        let sides = LineSums::of(&line);

        let mut sums = Adler32::of_zeros(layout.stride * layout.lines);
        let data = layout.margin_height..layout.lines - layout.margin_height;
        for (lines, line) in [(0..data.start, blank), (data.clone(), sides), (data.end..layout.lines, blank)]
        {
            sums.add(line, LineWeight::of(lines, layout.stride, layout.lines));
        }
        for LogoBoxParts { logo_box, .. } in &self.logo {
            let lines = logo_box.rows.iter().flat_map(|&row| layout.row_lines(row));
            for (index, line) in lines.enumerate() {
                let weight = LineWeight::of(line..line + 1, layout.stride, layout.lines);
                sums.add(logo_box.sums(index, layout), weight);
            }
        }
        sums
    }
}
