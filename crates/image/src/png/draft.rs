//! A plan before its code is known: what is to be coded, and the code that suits it.

use qrpress_symbol::Version;

use super::deflate::{Code, Frequencies, LONGEST_CODEWORD, Token};
use super::groups::{Slot, Slotted};
use super::lines::Lines;
use super::margins::{AroundBox, Margins};
use super::palette::Palette;
use super::parse::{Parser, Unused};
use super::plate::Plate;
use super::sections::{Section, sections};
use crate::windows::WINDOWS;

/// How often the code is made anew from the cheapest tokens under the one before.
const ROUNDS: usize = 3;

/// The parts of a plan before they are coded.
pub(super) struct Draft<'a> {
    pub(super) lines: &'a Lines,
    pub(super) margins: Margins<'a>,
    pub(super) sections: Vec<Section>,
    /// A row's first group, those between, and its last.
    pub(super) slots: [Slotted; 3],
    pub(super) plate: Option<Plate>,
    /// The groups beside the plate.
    pub(super) beside: Option<[Slotted; 2]>,
    pub(super) around: Option<AroundBox>,
}

impl<'a> Draft<'a> {
    pub(super) fn new(lines: &'a Lines, palette: &Palette, plate: Option<Plate>, version: Version) -> Self {
        let margins = Margins { lines, background: palette.background_byte() };
        let slots = [Slot::first, Slot::middle, Slot::last];
        let beside = [Slot::left_of, Slot::right_of];
        Self {
            lines,
            margins,
            sections: sections(lines, version.size(), plate.as_ref()),
            slots: slots.map(|slot| Slotted::new(&slot(lines, version), lines, palette)),
            beside: plate
                .as_ref()
                .map(|plate| beside.map(|slot| Slotted::new(&slot(plate, lines, version), lines, palette))),
            around: plate.as_ref().map(|plate| margins.around(plate)),
            plate,
        }
    }

    /// The tokens of the lines of the logo's box.
    pub(super) fn boxed(&self, code: &Code, unused: Unused) -> Vec<Vec<Token>> {
        self.plate.as_ref().map_or_else(Vec::new, |plate| plate.parse(code, unused, self.lines.stride))
    }

    /// The code that suits a symbol of random modules: what masking makes of every symbol, so that files come out
    /// nearly as small as with a code of their own.
    pub(super) fn tuned_code(&self) -> Code {
        let once = WINDOWS as u64;
        let mut always = Frequencies::new(once);
        always.add(&self.margins.top(), once);
        for section in &self.sections {
            let rows = section.rows.len() as u64;
            match &self.around {
                Some(around) if section.has_plate => {
                    let times = once * rows;
                    if section.height == 1 {
                        always.add(&around.past, times);
                    } else {
                        always.add(&around.into, times);
                        always.add(&around.between, times * (section.height as u64 - 2));
                        always.add(&around.out_of, times);
                    }
                }
                _ => {
                    // The equal groups of the finder patterns, and some that are equal by chance.
                    let gaps = [rows.saturating_sub(9).max(1), 2, 5, 1];
                    for (gap, count) in self.margins.gaps(section.height).iter().zip(gaps) {
                        always.add(gap, once * count);
                    }
                }
            }
        }
        let last_height = self.sections.last().map_or(1, |section| section.height);
        for bottom in &self.margins.bottoms(last_height) {
            always.add(bottom, once / 2);
        }

        let mut frequencies = always.clone();
        let slots = || self.slots.iter().chain(self.beside.iter().flatten());
        for group in slots().flat_map(|slot| &slot.groups) {
            frequencies.add_literals(&group.bytes[group.start..], group.weight);
        }
        if let Some(plate) = &self.plate {
            frequencies.add_literals(plate.packed(), once);
        }
        for _ in 0..ROUNDS {
            let code = Code::new(&frequencies, LONGEST_CODEWORD);
            let mut parser = Parser::new(&code, self.lines, Unused::Allowed);
            frequencies = always.clone();
            for slot in slots() {
                parser.for_each_group(slot, |group, tokens| frequencies.add(tokens, group.weight));
            }
            for tokens in self.boxed(&code, Unused::Allowed) {
                frequencies.add(&tokens, once);
            }
        }
        Code::new(&frequencies, LONGEST_CODEWORD)
    }
}
