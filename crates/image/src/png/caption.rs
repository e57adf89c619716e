//! The block of the deflate stream that holds the caption band.
//!
//! The band is one string of bytes, in which the background is 0 as the filter types are: between the ink of one line
//! and that of the next lies one run of zeros. Small letters are literals, straight from a table. In large ones most of
//! a line equals the line above, which is worth looking for.

pub(crate) mod packed;

use super::deflate::adler32::Adler32;
use super::deflate::bit_writer::{BitString, BitWriter, Piece};
use super::deflate::{Code, Frequencies, LONGEST_MATCH, SHORTEST_MATCH, Token, match_lengths};
use crate::CaptionPixels;
use packed::{Canvas, Extent, PackedCaption};

/// Most bits of a literal. So few keep the header short, and six can be written at once.
const LONGEST_LITERAL: u8 = 9;
/// Literals that are written at once.
const LITERALS_PER_WORD: usize = Piece::CAPACITY as usize / LONGEST_LITERAL as usize;
/// Bytes of ink that are worth a match.
const WORTHWHILE_MATCH: usize = 5;

/// The weight of the sample's tokens, where a token that it lacks has weight 1.
const SAMPLE_WEIGHT: u64 = 4;

/// The codewords of matches by their length.
type Matches = Box<[Piece; LONGEST_MATCH + 1]>;

/// The code in which a template writes captions.
#[derive(Debug)]
pub(crate) struct CaptionCode {
    header: BitString,
    literals: Box<[Piece; 256]>,
    /// The codewords of runs: matches of the byte before.
    runs: Matches,
    /// The codewords of matches of the line above, where they are looked for.
    repeats: Option<Matches>,
    end: Piece,
}

impl CaptionCode {
    /// The code for captions like `sample`.
    pub(crate) fn new(sample: CaptionPixels<'_>, canvas: Canvas<'_>) -> Self {
        let (straight, straight_bits) = code_of_sample(sample, canvas, Extent::OfLine);
        let (searched, searched_bits) = code_of_sample(sample, canvas, Extent::OfCaption);
        // The search takes longer, and has to be worth it.
        if 5 * searched_bits < 4 * straight_bits {
            let repeats = matches(&searched, canvas.stride);
            Self { repeats: Some(repeats), ..Self::straight(&searched) }
        } else {
            Self::straight(&straight)
        }
    }

    fn straight(code: &Code) -> Self {
        let mut end = BitString::default();
        code.encode_end(&mut end);
        Self {
            header: code.header(true),
            literals: Box::new(std::array::from_fn(|byte| code.literal(byte as u8).into())),
            runs: matches(code, 1),
            repeats: None,
            end: end.pieces().next().unwrap_or_default(),
        }
    }

    /// The extent in which the ink of its captions is taken.
    pub(crate) fn extent(&self) -> Extent {
        if self.repeats.is_some() { Extent::OfCaption } else { Extent::OfLine }
    }

    /// No caption takes more bytes.
    pub(crate) fn longest(&self, ink: &PackedCaption) -> usize {
        let mut bytes = self.header.length() / 8 + 8;
        ink.for_each_line(|zeros, inked, _| bytes += 8 * (zeros / LONGEST_MATCH + 3) + 2 * inked.len());
        bytes
    }

    /// Writes a caption's block, the last of the stream.
    pub(crate) fn draw(&self, ink: &PackedCaption, writer: &mut BitWriter<'_>, adler: &mut Adler32) {
        writer.put_all(&self.header);
        ink.for_each_line(|zeros, bytes, above| {
            let spelled = literal_zeros(zeros);
            writer.flush();
            for _ in 0..spelled {
                writer.join(self.literals[0]);
            }
            match_lengths(zeros - spelled).for_each(|length| writer.put(self.runs[length]));
            if let Some(repeats) = &self.repeats {
                for_each_caption_token(bytes, above, |token| match token {
                    CaptionToken::Literal(byte) => writer.put(self.literals[usize::from(byte)]),
                    CaptionToken::Run(length) => writer.put(self.runs[length]),
                    CaptionToken::Repeat(length) => writer.put(repeats[length]),
                });
            } else {
                self.draw_literals(bytes, writer);
            }
            adler.append_zeros(zeros);
            adler.append(bytes);
        });
        writer.put(self.end);
    }

    fn draw_literals(&self, bytes: &[u8], writer: &mut BitWriter<'_>) {
        let (words, rest) = bytes.as_chunks::<LITERALS_PER_WORD>();
        for word in words {
            writer.flush();
            for &byte in word {
                writer.join(self.literals[usize::from(byte)]);
            }
        }
        writer.flush();
        for &byte in rest {
            writer.join(self.literals[usize::from(byte)]);
        }
    }
}

/// The code for captions like `sample`, and the bits that the sample takes in it, with the header.
fn code_of_sample(sample: CaptionPixels<'_>, canvas: Canvas<'_>, extent: Extent) -> (Code, usize) {
    let distance = canvas.stride as u16;
    let mut ink = PackedCaption::default();
    ink.set(sample, canvas, extent);
    let mut tokens = Vec::new();
    ink.for_each_line(|zeros, bytes, above| {
        let spelled = literal_zeros(zeros);
        tokens.extend(std::iter::repeat_n(Token::Literal(0), spelled));
        match_lengths(zeros - spelled).for_each(|length| tokens.push(token(length, 1)));
        match extent {
            Extent::OfLine => tokens.extend(bytes.iter().map(|&byte| Token::Literal(byte))),
            Extent::OfCaption => for_each_caption_token(bytes, above, |found| {
                tokens.push(match found {
                    CaptionToken::Literal(byte) => Token::Literal(byte),
                    CaptionToken::Run(length) => token(length, 1),
                    CaptionToken::Repeat(length) => token(length, distance),
                });
            }),
        }
    });

    let mut frequencies = Frequencies::new(SAMPLE_WEIGHT);
    // Other captions may need whatever the sample lacks.
    frequencies.add_literals(&canvas.palette.caption_bytes(), 1);
    for length in SHORTEST_MATCH..=LONGEST_MATCH {
        frequencies.add(&[token(length, 1)], 1);
    }
    if extent == Extent::OfCaption {
        frequencies.add(&[token(LONGEST_MATCH, distance)], 1);
    }
    frequencies.add(&tokens, SAMPLE_WEIGHT);
    let code = Code::new(&frequencies, LONGEST_LITERAL);
    let bits = code.header(true).length() + code.encoded(&tokens).length();
    (code, bits)
}

fn token(length: usize, distance: u16) -> Token {
    Token::Match { length: length as u16, distance }
}

fn matches(code: &Code, distance: usize) -> Matches {
    let mut matches = Box::new([Piece::default(); LONGEST_MATCH + 1]);
    for (length, bits) in matches.iter_mut().enumerate().skip(SHORTEST_MATCH) {
        let coded = code.encoded(&[token(length, distance as u16)]);
        *bits = coded.pieces().next().unwrap_or_default();
    }
    matches
}

/// Zeros of a run that are literals: all where they are too few, else the first, which the others repeat.
fn literal_zeros(zeros: usize) -> usize {
    if zeros > SHORTEST_MATCH { 1 } else { zeros }
}

/// Bytes of ink that are one token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CaptionToken {
    Literal(u8),
    /// Bytes that equal the one before.
    Run(usize),
    /// Bytes that equal those above.
    Repeat(usize),
}

/// Cuts a line's ink up, at every byte into the longest stretch that begins there.
fn for_each_caption_token(bytes: &[u8], above: Option<&[u8]>, mut draw: impl FnMut(CaptionToken)) {
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let repeated =
            above.map_or(0, |above| rest.iter().zip(&above[at..]).take_while(|(a, b)| a == b).count());
        let run = match bytes[..at].last() {
            Some(last) => rest.iter().take_while(|&byte| byte == last).count(),
            None => 0,
        };
        if repeated.max(run) < WORTHWHILE_MATCH {
            draw(CaptionToken::Literal(bytes[at]));
            at += 1;
        } else if repeated >= run {
            match_lengths(repeated).for_each(|length| draw(CaptionToken::Repeat(length)));
            at += repeated;
        } else {
            match_lengths(run).for_each(|length| draw(CaptionToken::Run(length)));
            at += run;
        }
    }
}
