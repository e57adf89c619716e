//! All of a PNG file that a style and a version settle before a symbol is known.

mod parts;

use std::ops::Range;

use qrpress_logo::Logo;
use qrpress_symbol::Version;

use super::caption::CaptionCode;
use super::caption::packed::Canvas;
use super::chunks::{IEND, begin_chunk, push_density};
use super::deflate::adler32::Adler32;
use super::deflate::bit_writer::{BitString, BitWriter, LONG_LINE, Piece, SHORT_LINE, most_bits};
use super::deflate::optimal_parse::{OptimalParser, Unused};
use super::deflate::{Code, Token};
use super::group_table::GroupTable;
use super::logo_box::LogoBox;
use super::palette::Palette;
use super::scanline::ScanlineLayout;
use crate::{CaptionPixels, LogoPlacement, PlacedLogo, Style, image_side_px};
pub(crate) use parts::TemplateParts;

/// Header of a zlib stream: deflate, a window of 32 KiB, strongest compression (RFC 1950, clause 2.2).
const ZLIB_HEADER: [u8; 2] = [0x78, 0xda];

/// The part of a picture that is known before its symbol.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TemplateInput<'a> {
    pub(crate) style: &'a Style,
    pub(crate) logo: Option<PlacedLogo<&'a Logo>>,
    /// A caption like those to come, if there are any.
    pub(crate) caption: Option<CaptionPixels<'a>>,
}

/// All of a file but its symbol's modules.
#[derive(Debug)]
pub(crate) struct Template {
    pub(crate) layout: ScanlineLayout,
    pub(crate) palette: Palette,
    pub(crate) side_px: u32,
    /// The file up to the deflate stream.
    pub(crate) head: Vec<u8>,
    /// The start of the chunk of image data in `head`.
    pub(crate) data_chunk: usize,
    /// The bits from the block's header to the first row's data.
    pub(crate) top: BitString,
    /// The bits from a row's data to the next row's, as in [`QuietZone::gaps`](super::quiet_zone::QuietZone::gaps).
    pub(crate) gaps: [BitString; 4],
    /// The bits from the last row's data to the end of the block, by whether the row's last group is merged.
    pub(crate) bottoms: [BitString; 2],
    /// A row's first and last groups that equal those above are merged into the gap.
    pub(crate) merges_equal_groups: bool,
    /// The caption's own block, in a template with captions.
    pub(crate) caption: Option<CaptionCode>,
    /// A row's first group.
    pub(crate) first: GroupTable,
    /// The groups between.
    pub(crate) middle: GroupTable,
    /// A row's last group.
    pub(crate) last: GroupTable,
    pub(crate) logo: Option<LogoTemplate>,
    /// The sums of everything but the modules: those of the margins and of the logo. Drawing adds the groups' to them.
    pub(crate) static_sums: Adler32,
    /// A row's first group waits for the flush of the middle groups after it: all fit into one piece.
    pub(crate) first_waits: bool,
    /// Middle groups between two flushes, as many as surely fit into one piece: 1, 2 or 4. 0 where some group needs more than
    /// one piece, or a row needs a long line.
    pub(crate) groups_per_piece: usize,
    /// A row's last group waits for the flush of the gap after it.
    pub(crate) last_waits: bool,
    /// An upper bound of the length of a file without a caption, with room for the writer.
    pub(crate) longest_file: usize,
    /// The memory that the template takes, in bytes, without a caption's code of some KiB.
    pub(crate) memory_bytes: usize,
}

/// The rows that the boxes of a logo interrupt.
#[derive(Debug)]
pub(crate) struct LogoTemplate {
    pub(crate) first_row: usize,
    pub(crate) rows: Vec<LogoRow>,
    /// The groups beside each box.
    pub(crate) beside: Vec<BesideBox>,
}

/// The groups that a box interrupts.
#[derive(Debug)]
pub(crate) struct BesideBox {
    /// The group in which the box begins, and the group up to the box.
    pub(crate) left_group: usize,
    pub(crate) left: GroupTable,
    /// The group in which the box ends, and the group from the box on.
    pub(crate) right_group: usize,
    pub(crate) right: GroupTable,
}

/// A row that the box of a logo interrupts.
#[derive(Debug)]
pub(crate) struct LogoRow {
    /// The place of its box in [`LogoTemplate::beside`].
    pub(crate) beside: usize,
    /// The box in the row's first line.
    pub(crate) boxed: BitString,
    /// The bits from the row's data to the next row's.
    pub(crate) gap: BitString,
}

impl LogoTemplate {
    /// The logo of these parts, if there is one.
    fn new(parts: &TemplateParts<'_>, code: &Code, parser: &mut OptimalParser) -> Option<Self> {
        let layout = parts.layout;
        let mut rows = Vec::new();
        for (beside, logo) in parts.logo.iter().enumerate() {
            let lines = logo.logo_box.parse(code, Unused::Forbidden, layout.stride);
            let row = |lines: &[Vec<Token>]| LogoRow {
                beside,
                boxed: code.encoded(&lines[0]),
                gap: code.encoded(&logo.around.gap(&lines[1..])),
            };
            rows.extend(logo.logo_box.rows.iter().zip(lines.chunks_exact(layout.pixels_per_module).map(row)));
        }
        rows.sort_by_key(|(row, _)| **row);
        let first_row = *rows.first()?.0;
        let beside = parts.logo.iter().map(|logo| {
            let [left, right] = logo.beside.each_ref().map(|set| GroupTable::new(set, code, parser));
            BesideBox {
                left_group: logo.logo_box.left_group(layout),
                left,
                right_group: logo.logo_box.right_group(layout),
                right,
            }
        });
        let beside = beside.collect();
        Some(Self { first_row, rows: rows.into_iter().map(|(_, row)| row).collect(), beside })
    }

    /// The symbol's rows that are interrupted.
    pub(crate) fn rows(&self) -> Range<usize> {
        self.first_row..self.first_row + self.rows.len()
    }

    /// The memory that the logo takes, in bytes.
    fn memory_bytes(&self) -> usize {
        let rows = self.rows.iter().map(|row| row.boxed.memory_bytes() + row.gap.memory_bytes());
        let beside =
            self.beside.iter().map(|beside| beside.left.memory_bytes() + beside.right.memory_bytes());
        size_of_val(&self.rows[..]) + rows.sum::<usize>() + beside.sum::<usize>()
    }

    /// The most bits of the groups beside a box.
    fn longest_beside(&self) -> usize {
        self.beside.iter().map(|beside| beside.left.longest + beside.right.longest).max().unwrap_or(0)
    }
}

impl Template {
    pub(crate) fn new(input: &TemplateInput<'_>, version: Version) -> Self {
        let side_px = image_side_px(input.style, version);
        let (palette, layout, logo_boxes) = laid_out(input, version);
        let parts = TemplateParts::new(&layout, &palette, logo_boxes, version);
        let code = parts.code();
        let caption = input.caption.map(|sample| {
            CaptionCode::new(
                sample,
                Canvas { palette: &palette, width_px: side_px as usize, stride: layout.stride },
            )
        });

        let mut top = code.header(caption.is_none());
        code.encode(&parts.quiet_zone.top(), &mut top);
        let gaps = parts.quiet_zone.gaps().map(|tokens| code.encoded(&tokens));
        let bottoms = parts.quiet_zone.bottoms().map(|tokens| {
            let mut bits = code.encoded(&tokens);
            code.encode_end(&mut bits);
            bits
        });
        let mut parser = layout.parser(&code, Unused::Forbidden);
        let [first, middle, last] =
            parts.groups.each_ref().map(|set| GroupTable::new(set, &code, &mut parser));
        let logo = LogoTemplate::new(&parts, &code, &mut parser);

        let mut head = palette.head(side_px, side_px);
        // All members by name: the compiler asks what becomes of a new one.
        let &Style {
            // In the layout of the lines.
            pixels_per_module: _,
            quiet_zone_modules: _,
            // In the palette.
            foreground: _,
            background: _,
            caption_colour: _,
            dots_per_inch,
        } = input.style;
        if let Some(dots) = dots_per_inch {
            push_density(&mut head, dots);
        }
        let data_chunk = begin_chunk(&mut head, *b"IDAT");
        head.extend_from_slice(&ZLIB_HEADER);

        let middles = layout.groups - 2;
        let mut longest_row = first.longest + middles * middle.longest + last.longest;
        let mut bits = top.length() + longest(&bottoms);
        if let Some(logo) = &logo {
            longest_row += logo.longest_beside();
            bits += logo.rows.iter().map(|row| row.boxed.length() + row.gap.length()).sum::<usize>();
        }
        bits += version.size() * (longest_row + longest(&gaps));
        assert!(longest_row <= most_bits(LONG_LINE), "a row of {longest_row} bits");
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
        let waiting = gaps
            .iter()
            .chain(&bottoms)
            .chain(logo.iter().flat_map(|logo| logo.rows.iter().map(|row| &row.gap)));
        let after_last = waiting.map(BitString::waiting).max().unwrap_or(0);
        let last_waits = single && last.longest + after_last <= piece;

        let longest_write = if single { SHORT_LINE } else { LONG_LINE };
        let longest_file =
            head.len() + bits.div_ceil(8) + BitWriter::ROOM.max(longest_write) + 4 + 4 + IEND.len();
        let static_sums = parts.sums();
        let merges_equal_groups = parts.quiet_zone.merges_equal_groups();
        let tables = [&first, &middle, &last].map(GroupTable::memory_bytes);
        let strings = gaps.iter().chain(&bottoms).chain([&top]).map(BitString::memory_bytes);
        let memory_bytes = size_of::<Self>()
            + head.len()
            + tables.iter().sum::<usize>()
            + strings.sum::<usize>()
            + logo.as_ref().map_or(0, LogoTemplate::memory_bytes);

        Self {
            layout,
            palette,
            side_px,
            head,
            data_chunk,
            top,
            gaps,
            bottoms,
            merges_equal_groups,
            caption,
            first,
            middle,
            last,
            logo,
            static_sums,
            first_waits,
            groups_per_piece,
            last_waits,
            longest_file,
            memory_bytes,
        }
    }
}

/// The length of the longest.
fn longest(strings: &[BitString]) -> usize {
    strings.iter().map(BitString::length).max().unwrap_or(0)
}

/// The palette, the places of things in a line, and the boxes of the logo if there is one that shows.
fn laid_out(input: &TemplateInput<'_>, version: Version) -> (Palette, ScanlineLayout, Vec<LogoBox>) {
    let style = input.style;
    let placed = input.logo.map(|PlacedLogo { logo, ratio_millionths, level }| {
        (logo, LogoPlacement::new(style, version, level, logo.outline(), ratio_millionths))
    });
    if let Some((logo, placement)) = placed.filter(|(_, placement)| !placement.rows().is_empty()) {
        let (palette, picture) =
            Palette::with_logo(style, logo, &placement, version, input.caption.is_some());
        let layout = ScanlineLayout::new(style, version, palette.bits_per_pixel);
        let boxes = LogoBox::all(&placement, &picture, &layout);
        return (palette, layout, boxes);
    }
    let palette =
        if input.caption.is_some() { Palette::with_caption(style) } else { Palette::of_code(style) };
    let layout = ScanlineLayout::new(style, version, palette.bits_per_pixel);
    (palette, layout, Vec::new())
}
