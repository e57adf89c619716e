//! All of a PNG file that a style and a version settle before a symbol is known.

use qrpress_symbol::Version;

use super::adler::LineSums;
use super::band::BandCode;
use super::bits::{BitString, Bits};
use super::chunks::{IEND, begin_chunk};
use super::deflate::{Code, Frequencies, LONGEST_CODEWORD, Token};
use super::groups::{Group, Slot};
use super::lines::Lines;
use super::margins::Margins;
use super::palette::Palette;
use super::parse::{Parser, Unused};
use super::table::Table;
use crate::windows::WINDOWS;
use crate::{CaptionPixels, Style, image_side_px};

/// Header of a zlib stream: deflate, a window of 32 KiB, strongest compression (RFC 1950, clause 2.2).
const ZLIB_HEADER: [u8; 2] = [0x78, 0xda];

/// How often the code is made anew from the cheapest tokens under the one before.
const ROUNDS: usize = 3;

/// Everything of a file but its symbol's modules.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) lines: Lines,
    pub(super) palette: Palette,
    pub(super) side_px: u32,
    /// The file up to the deflate stream.
    pub(super) head: Vec<u8>,
    /// Where the chunk of image data starts in `head`.
    pub(super) data_chunk: usize,
    /// From the block's header to the first row's data.
    pub(super) top: BitString,
    /// From a row's data to the next row's, as in [`Margins`].
    pub(super) gaps: [BitString; 4],
    /// From the last row's data to the end of the block, as in [`Margins`].
    pub(super) bottoms: [BitString; 2],
    /// The caption band's own block, in a plan with captions.
    pub(super) band: Option<BandCode>,
    /// A row's first group.
    pub(super) first: Table,
    /// The groups between.
    pub(super) middle: Table,
    /// A row's last group.
    pub(super) last: Table,
    pub(super) margin_line: LineSums,
    /// The margins' share in the sums of a line with data.
    pub(super) sides: LineSums,
    /// Whether a row's first group fits into one word with the last piece of the gap before it.
    pub(super) first_joins: bool,
    /// How many groups of the middle fit into one word; 0 if some group needs more than a word.
    pub(super) groups_per_word: usize,
    /// Whether a row's last group fits into one word with the middle groups before it.
    pub(super) last_joins: bool,
    /// No file is longer, with room for the writer.
    pub(super) longest_file: usize,
}

impl Plan {
    /// A plan for pictures without a caption.
    pub(super) fn of_code(style: &Style, version: Version) -> Self {
        Self::new(style, version, Palette::of_code(style), None)
    }

    /// A plan for pictures with captions like `sample`.
    pub(super) fn with_caption(style: &Style, version: Version, sample: CaptionPixels<'_>) -> Self {
        Self::new(style, version, Palette::with_caption(style), Some(sample))
    }

    fn new(style: &Style, version: Version, palette: Palette, sample: Option<CaptionPixels<'_>>) -> Self {
        let side_px = image_side_px(style, version);
        let lines = Lines::new(style, version, palette.bits_per_pixel);
        let margins = Margins::new(&lines, palette.background_byte());
        let slots = [Slot::first, Slot::middle, Slot::last]
            .map(|slot| Slotted::new(&slot(&lines, version), &lines, &palette));
        let code = tuned_code(&lines, version, &margins, &slots);
        let band = sample.map(|sample| BandCode::new(sample, &palette, side_px as usize, lines.stride));

        let coded = |mut bits: BitString, tokens: &[Token]| {
            code.encode(tokens, &mut bits);
            bits
        };
        let top = coded(code.header(band.is_none()), &margins.top);
        let gaps = margins.gaps.each_ref().map(|tokens| coded(BitString::default(), tokens));
        let bottoms = margins.bottoms.each_ref().map(|tokens| {
            let mut bits = coded(BitString::default(), tokens);
            code.encode_end(&mut bits);
            bits
        });
        let mut parser = Parser::new(&code, &lines, Unused::Forbidden);
        let [first, middle, last] =
            slots.map(|slot| Table::new(&slot.groups, &slot.stops, &code, &mut parser));

        let mut head = palette.head(side_px, side_px);
        let data_chunk = begin_chunk(&mut head, *b"IDAT");
        head.extend_from_slice(&ZLIB_HEADER);

        let longest = |strings: &[BitString]| strings.iter().map(BitString::length).max().unwrap_or(0);
        let middles = lines.groups - 2;
        let longest_row = longest(&gaps) + first.longest + middles * middle.longest + last.longest;
        let bits = top.length() + version.size() * longest_row + longest(&bottoms);
        let longest_file = head.len() + bits.div_ceil(8) + 8 + 4 + 4 + IEND.len();

        let word = Bits::CAPACITY as usize;
        let single = [&first, &middle, &last].iter().all(|table| table.longest <= word);
        let groups_per_word = if single {
            [1, 2, 4].into_iter().rfind(|count| count * middle.longest <= word).unwrap_or(1)
        } else {
            0
        };
        let before_first = gaps.iter().chain([&top]).map(BitString::last_piece).max().unwrap_or(0);
        let first_joins = single && before_first as usize + first.longest <= word;
        let before_last = if single { (middles - 1) % groups_per_word + 1 } else { 1 };
        let last_joins = single && before_last * middle.longest + last.longest <= word;

        let mut line = vec![palette.background_byte(); lines.stride];
        line[0] = 0;
        let margin_line = LineSums::of(&line);
        line[1 + lines.left..][..lines.data].fill(0);
        let sides = LineSums::of(&line);

        Self {
            lines,
            palette,
            side_px,
            head,
            data_chunk,
            top,
            gaps,
            bottoms,
            band,
            first,
            middle,
            last,
            margin_line,
            sides,
            first_joins,
            groups_per_word,
            last_joins,
            longest_file,
        }
    }
}

/// A slot with the groups that can occur there.
struct Slotted {
    groups: Vec<Group>,
    stops: Vec<usize>,
}

impl Slotted {
    fn new(slot: &Slot, lines: &Lines, palette: &Palette) -> Self {
        Self { groups: slot.groups(lines, palette), stops: slot.stops(lines) }
    }
}

/// The code that suits a symbol of random modules: what masking makes of every symbol, so that files come out nearly
/// as small as with a code of their own.
fn tuned_code(lines: &Lines, version: Version, margins: &Margins, slots: &[Slotted; 3]) -> Code {
    let once = WINDOWS as u64;
    let mut always = Frequencies::new(once);
    always.add(&margins.top, once);
    // The equal groups of the finder patterns, and some that are equal by chance.
    let gaps = [version.size() as u64 - 9, 2, 5, 1];
    for (gap, count) in margins.gaps.iter().zip(gaps) {
        always.add(gap, once * count);
    }
    for bottom in &margins.bottoms {
        always.add(bottom, once / 2);
    }

    let mut frequencies = always.clone();
    let groups = || slots.iter().flat_map(|slot| slot.groups.iter().map(|group| (group, &slot.stops[..])));
    for (group, _) in groups() {
        frequencies.add_literals(&group.bytes[group.start..], group.weight);
    }
    for _ in 0..ROUNDS {
        let mut parser = Parser::new(&Code::new(&frequencies, LONGEST_CODEWORD), lines, Unused::Allowed);
        frequencies = always.clone();
        for (group, stops) in groups() {
            frequencies.add(&parser.parse(&group.bytes, group.start, stops), group.weight);
        }
    }
    Code::new(&frequencies, LONGEST_CODEWORD)
}
