//! The sections of a picture as the strings of bits around their symbol's modules.

use std::ops::Range;

use super::adler::LineWeight;
use super::bits::BitString;
use super::deflate::{Code, Token};
use super::draft::Draft;
use super::margins::{gap_index, takes_equal_groups};
use super::sections::Section;

/// How a section's rows are drawn.
#[derive(Debug)]
pub(super) enum SectionPlan {
    Code(Box<CodeRows>),
    Logo(Vec<LogoRow>),
}

/// Rows of nothing but modules.
#[derive(Debug)]
pub(super) struct CodeRows {
    pub(super) rows: Range<usize>,
    /// From a row's data to the next row's, as in [`Margins::gaps`].
    pub(super) gaps: [BitString; 4],
    /// From the last row's data to that of the next section, or to the end of the block, by whether the row's last
    /// group is taken in.
    pub(super) ends: [BitString; 2],
    /// Whether groups are taken in.
    pub(super) takes_equal_groups: bool,
    /// The weight of the last row.
    pub(super) last_weight: LineWeight,
}

/// A row that a plate interrupts.
#[derive(Debug)]
pub(super) struct LogoRow {
    pub(super) row: usize,
    /// The box in its first line.
    pub(super) boxed: BitString,
    /// From its data to the next row's.
    pub(super) gap: BitString,
    pub(super) weight: LineWeight,
}

impl SectionPlan {
    /// Bits that no symbol exceeds, where its groups take at most `longest_row` in a row.
    pub(super) fn longest(&self, longest_row: usize) -> usize {
        let longest = |strings: &[BitString]| strings.iter().map(BitString::length).max().unwrap_or(0);
        match self {
            Self::Code(code) => code.rows.len() * (longest_row + longest(&code.gaps)) + longest(&code.ends),
            Self::Logo(rows) => {
                rows.iter().map(|row| longest_row + row.boxed.length() + row.gap.length()).sum()
            }
        }
    }

    /// Most bits that wait for a flush before a row's first group.
    pub(super) fn waiting(&self) -> usize {
        let waiting = match self {
            Self::Code(code) => code.gaps.iter().chain(&code.ends).map(BitString::waiting).max(),
            Self::Logo(rows) => rows.iter().map(|row| row.gap.waiting()).max(),
        };
        waiting.unwrap_or(0)
    }
}

impl Draft<'_> {
    /// The strings of one of its sections. `boxed` are the tokens of the box, line by line.
    pub(super) fn coded(
        &self,
        section: &Section,
        code: &Code,
        boxed: &[Vec<Token>],
        picture_lines: usize,
    ) -> SectionPlan {
        let weight = |row| section.weight(row, self.lines, picture_lines);
        if let (Some(plate), Some(around), true) = (&self.plate, &self.around, section.has_plate) {
            let row = |row: usize| {
                let first = section.first_line - plate.rows.start + row * section.height;
                let boxed = &boxed[first..first + section.height];
                LogoRow {
                    row: section.rows.start + row,
                    boxed: code.encoded(&boxed[0]),
                    gap: code.encoded(&around.gap(&boxed[1..])),
                    weight: weight(row),
                }
            };
            return SectionPlan::Logo((0..section.rows.len()).map(row).collect());
        }
        let gaps = self.margins.gaps(section.height).map(|tokens| code.encoded(&tokens));
        let ends = if self.sections.last() == Some(section) {
            self.margins.bottoms(section.height).map(|tokens| {
                let mut bits = code.encoded(&tokens);
                code.encode_end(&mut bits);
                bits
            })
        } else {
            [false, true].map(|takes_last| gaps[gap_index(takes_last, false)].clone())
        };
        SectionPlan::Code(Box::new(CodeRows {
            rows: section.rows.clone(),
            gaps,
            ends,
            takes_equal_groups: takes_equal_groups(section.height),
            last_weight: weight(section.rows.len() - 1),
        }))
    }
}
