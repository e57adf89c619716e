//! All of a PNG file that a style and a version settle before a symbol is known.

use qrpress_symbol::Version;

use super::adler::Adler32;
use super::band::BandCode;
use super::bits::{BitString, BitWriter, LONG_LINE, Piece, SHORT_LINE, most_bits};
use super::chunks::{IEND, begin_chunk};
use super::draft::Draft;
use super::ink::Canvas;
use super::lines::Lines;
use super::palette::Palette;
use super::parse::{Parser, Unused};
use super::plate::Plate;
use super::rows::SectionPlan;
use super::sections::static_sums;
use super::table::Table;
use crate::{CaptionPixels, Logo, LogoPlacement, Style, image_side_px};

/// Header of a zlib stream: deflate, a window of 32 KiB, strongest compression (RFC 1950, clause 2.2).
const ZLIB_HEADER: [u8; 2] = [0x78, 0xda];

/// What of a picture is known before its symbol.
#[derive(Clone, Copy, Debug)]
pub(super) struct Design<'a> {
    pub(super) style: &'a Style,
    /// With its size, as in [`LogoPlacement::new`].
    pub(super) logo: Option<(&'a Logo, u32)>,
    /// What captions are like, if there is one.
    pub(super) caption: Option<CaptionPixels<'a>>,
}

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
    /// The module rows, down to the end of the block.
    pub(super) sections: Vec<SectionPlan>,
    /// The caption band's own block, in a plan with captions.
    pub(super) band: Option<BandCode>,
    /// A row's first group.
    pub(super) first: Table,
    /// The groups between.
    pub(super) middle: Table,
    /// A row's last group.
    pub(super) last: Table,
    /// The groups beside a logo, where there is one.
    pub(super) beside: Option<Beside>,
    /// The sums of everything but the modules.
    pub(super) static_sums: Adler32,
    /// Whether a row's first group fits into one piece with the middle groups after it.
    pub(super) first_waits: bool,
    /// How many groups of the middle fit into one piece; 0 if some group needs more than one, or a row needs a long line.
    pub(super) groups_per_piece: usize,
    /// Whether a row's last group fits into one piece with the gap after it.
    pub(super) last_waits: bool,
    /// No file is longer but for a caption, with room for the writer.
    pub(super) longest_file: usize,
}

/// The groups beside the box of a logo, and where they are.
#[derive(Debug)]
pub(super) struct Beside {
    pub(super) left_group: usize,
    pub(super) left: Table,
    pub(super) right_group: usize,
    pub(super) right: Table,
}

impl Plan {
    pub(super) fn new(design: &Design<'_>, version: Version) -> Self {
        let style = design.style;
        let side_px = image_side_px(style, version);
        let (palette, lines, plate) = laid_out(design, version);
        let draft = Draft::new(&lines, &palette, plate, version);
        let code = draft.tuned_code();
        let boxed = draft.boxed(&code, Unused::Forbidden);
        let band = design.caption.map(|sample| {
            BandCode::new(
                sample,
                Canvas { palette: &palette, width_px: side_px as usize, stride: lines.stride },
            )
        });

        let mut top = code.header(band.is_none());
        code.encode(&draft.margins.top(), &mut top);
        let picture_lines = side_px as usize;
        let sections: Vec<SectionPlan> =
            draft.sections.iter().map(|section| draft.coded(section, &code, &boxed, picture_lines)).collect();

        let mut parser = Parser::new(&code, &lines, Unused::Forbidden);
        let [first, middle, last] = draft.slots.each_ref().map(|slot| Table::new(slot, &code, &mut parser));
        let beside = draft.plate.as_ref().zip(draft.beside.as_ref()).map(|(plate, [left, right])| Beside {
            left_group: plate.left_group(&lines),
            left: Table::new(left, &code, &mut parser),
            right_group: plate.right_group(&lines),
            right: Table::new(right, &code, &mut parser),
        });

        let mut head = palette.head(side_px, side_px);
        let data_chunk = begin_chunk(&mut head, *b"IDAT");
        head.extend_from_slice(&ZLIB_HEADER);

        let middles = lines.groups - 2;
        let mut longest_row = first.longest + middles * middle.longest + last.longest;
        if let Some(beside) = &beside {
            longest_row += beside.left.longest + beside.right.longest;
        }
        debug_assert!(longest_row <= most_bits(LONG_LINE), "a row of {longest_row} bits");
        let piece = Piece::CAPACITY as usize;
        let single = [&first, &middle, &last].iter().all(|table| table.longest <= piece)
            && longest_row <= most_bits(SHORT_LINE);
        let groups_per_piece = if single {
            [1, 2, 4].into_iter().rfind(|count| count * middle.longest <= piece).unwrap_or(1)
        } else {
            0
        };
        let after_first = groups_per_piece.min(middles) * middle.longest;
        let first_waits = single && first.longest + after_first <= piece;
        let after_last = sections.iter().map(SectionPlan::waiting).max().unwrap_or(0);
        let last_waits = single && last.longest + after_last <= piece;

        let bits = top.length() + sections.iter().map(|section| section.longest(longest_row)).sum::<usize>();
        let room = if single { SHORT_LINE } else { LONG_LINE };
        let longest_file = head.len() + bits.div_ceil(8) + BitWriter::ROOM.max(room) + 4 + 4 + IEND.len();
        let static_sums = static_sums(&lines, palette.background_byte(), draft.plate.as_ref(), picture_lines);

        Self {
            lines,
            palette,
            side_px,
            head,
            data_chunk,
            top,
            sections,
            band,
            first,
            middle,
            last,
            beside,
            static_sums,
            first_waits,
            groups_per_piece,
            last_waits,
            longest_file,
        }
    }
}

/// The palette, where things lie in a line, and the plate of the logo if there is one.
fn laid_out(design: &Design<'_>, version: Version) -> (Palette, Lines, Option<Plate>) {
    let style = design.style;
    if let Some((logo, ratio_millionths)) = design.logo {
        let placement = LogoPlacement::new(style, version, logo.size_px(), ratio_millionths);
        let (palette, picture) = Palette::with_logo(style, logo, &placement, design.caption.is_some());
        let lines = Lines::new(style, version, palette.bits_per_pixel);
        let plate = Plate::new(&placement, &picture, &palette, &lines);
        return (palette, lines, Some(plate));
    }
    let palette =
        if design.caption.is_some() { Palette::with_caption(style) } else { Palette::of_code(style) };
    let lines = Lines::new(style, version, palette.bits_per_pixel);
    (palette, lines, None)
}
