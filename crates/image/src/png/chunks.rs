//! The chunks of a two-colour PNG (PNG third edition, clause 11) and what a bit means in them.

use crate::{Colour, Style};

const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// How the two colours of a style become one bit per pixel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pixels {
    colours: Kind,
    foreground: Colour,
    background: Colour,
    /// The bit of a background pixel; a foreground pixel has the other.
    background_bit: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Black and white, or one of them and transparent: 0 is black, 1 is white.
    Grey,
    /// Any other two: the background is entry 0, so that margins are zeros as the filter types are.
    Palette,
}

impl Pixels {
    pub(super) fn new(style: &Style) -> Self {
        let (foreground, background) = (style.foreground(), style.background());
        let grey = |background_bit| (Kind::Grey, background_bit);
        let (colours, background_bit) =
            match (foreground, background) {
                (Colour::BLACK, Colour::WHITE | Colour::Transparent)
                | (Colour::Transparent, Colour::WHITE) => grey(true),
                (Colour::WHITE, Colour::BLACK | Colour::Transparent)
                | (Colour::Transparent, Colour::BLACK) => grey(false),
                _ => (Kind::Palette, false),
            };
        Self { colours, foreground, background, background_bit }
    }

    /// A byte of background pixels: 0 or 255.
    pub(super) fn background_byte(&self) -> u8 {
        if self.background_bit { 255 } else { 0 }
    }

    /// The signature and every chunk before the image data, for a picture of these pixels.
    pub(super) fn head(&self, width_px: u32, height_px: u32) -> Vec<u8> {
        let mut file = SIGNATURE.to_vec();
        let mut header = [0; 13];
        header[..4].copy_from_slice(&width_px.to_be_bytes());
        header[4..8].copy_from_slice(&height_px.to_be_bytes());
        header[8] = 1;
        header[9] = if self.colours == Kind::Grey { 0 } else { 3 };
        push_chunk(&mut file, *b"IHDR", &header);
        let transparent = |colour| colour == Colour::Transparent;
        match self.colours {
            Kind::Grey if transparent(self.background) => {
                push_chunk(&mut file, *b"tRNS", &[0, u8::from(self.background_bit)]);
            }
            Kind::Grey if transparent(self.foreground) => {
                push_chunk(&mut file, *b"tRNS", &[0, u8::from(!self.background_bit)]);
            }
            Kind::Grey => {}
            Kind::Palette => {
                // A viewer that ignores transparency shows white.
                let rgb = |colour| if let Colour::Rgb(rgb) = colour { rgb } else { [255; 3] };
                push_chunk(&mut file, *b"PLTE", [rgb(self.background), rgb(self.foreground)].as_flattened());
                if transparent(self.background) {
                    push_chunk(&mut file, *b"tRNS", &[0]);
                } else if transparent(self.foreground) {
                    push_chunk(&mut file, *b"tRNS", &[255, 0]);
                }
            }
        }
        file
    }
}

fn push_chunk(file: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) {
    let start = begin_chunk(file, kind);
    file.extend_from_slice(data);
    end_chunk(file, start);
}

/// Appends a chunk's length, still unknown, and its type; the place where the chunk starts.
pub(super) fn begin_chunk(file: &mut Vec<u8>, kind: [u8; 4]) -> usize {
    let start = file.len();
    file.extend_from_slice(&[0; 4]);
    file.extend_from_slice(&kind);
    start
}

/// Ends the chunk that starts at `start`: fills in its length, and appends its CRC.
pub(super) fn end_chunk(file: &mut Vec<u8>, start: usize) {
    let length = (file.len() - start - 8) as u32;
    file[start..start + 4].copy_from_slice(&length.to_be_bytes());
    let crc = crc32fast::hash(&file[start + 4..]);
    file.extend_from_slice(&crc.to_be_bytes());
}

/// The last chunk, which is empty.
pub(super) const IEND: [u8; 12] = *b"\0\0\0\0IEND\xaeB`\x82";
