//! The header of a spool: what every chunk of a job needs beside its items.
//!
//! | Bytes | Settings |
//! |---|---|
//! | 1, 1, 1, 1 | output format, level, pixels per module, quiet zone |
//! | 4, 4 | foreground, background: 1 and the colour, or zeros for transparent |
//! | 2 | pixels per inch, or 0 |
//! | 3, 2 | caption: colour, font size |
//! | 2, … | caption: length, text in UTF-8 |
//! | 4, 4, … | logo: ratio, length, data URL; the length is 0 where there is none |

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use qrpress_symbol::ErrorCorrectionLevel;

use super::{SpoolHeader, field_length};
use crate::style::{CaptionStyle, LogoStyle};
use crate::{BatchError, Colour, OutputFormat, RenderStyle};

const MAGIC: [u8; 8] = *b"QRPSPOOL";
const LAYOUT_VERSION: u32 = 3;
const PREFIX_BYTES: usize = 16;
/// No settings are longer: what claims to be is not read.
const MAX_SETTINGS_BYTES: usize = 1 << 20;

/// Appends the header to `out`.
pub(super) fn encode(header: &SpoolHeader, out: &mut Vec<u8>) -> Result<(), BatchError> {
    let SpoolHeader { format, style } = header;
    let mut settings = vec![
        match format {
            OutputFormat::Png => 0,
            OutputFormat::Svg => 1,
            OutputFormat::Both => 2,
        },
        style.error_correction_level as u8,
        style.pixels_per_module,
        style.quiet_zone_modules,
    ];
    for colour in [style.foreground, style.background] {
        match colour {
            Colour::Transparent => settings.extend_from_slice(&[0; 4]),
            Colour::Rgb([red, green, blue]) => settings.extend_from_slice(&[1, red, green, blue]),
        }
    }
    settings.extend_from_slice(&style.dots_per_inch.unwrap_or(0).to_le_bytes());
    let caption = &style.caption;
    settings.extend_from_slice(&caption.colour);
    settings.extend_from_slice(&caption.font_size_px.to_le_bytes());
    settings.extend_from_slice(&field_length(&caption.text)?.to_le_bytes());
    settings.extend_from_slice(caption.text.as_bytes());

    let (ratio, data_url) =
        style.logo.as_ref().map_or((0, ""), |logo| (logo.ratio_millionths, logo.data_url.as_str()));
    settings.extend_from_slice(&ratio.to_le_bytes());
    settings.extend_from_slice(&(data_url.len() as u32).to_le_bytes());
    settings.extend_from_slice(data_url.as_bytes());
    if settings.len() > MAX_SETTINGS_BYTES {
        return Err(BatchError::FieldTooLong { bytes: data_url.len() });
    }

    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&LAYOUT_VERSION.to_le_bytes());
    out.extend_from_slice(&(settings.len() as u32).to_le_bytes());
    out.append(&mut settings);
    Ok(())
}

/// Reads the header that `file`, at its beginning, has.
pub(super) fn read(file: &mut File, path: &Path) -> Result<SpoolHeader, BatchError> {
    let cut_off_or_io = |error: std::io::Error| match error.kind() {
        ErrorKind::UnexpectedEof => corrupt(0, "the header is cut off"),
        _ => BatchError::io(path)(error),
    };
    let mut prefix = [0; PREFIX_BYTES];
    file.read_exact(&mut prefix).map_err(cut_off_or_io)?;
    let number = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|byte| prefix[at + byte]));
    if prefix[..MAGIC.len()] != MAGIC {
        return Err(corrupt(0, "no spool"));
    }
    if number(8) != LAYOUT_VERSION {
        return Err(corrupt(8, "a layout of another version"));
    }
    let length = number(12) as usize;
    if length > MAX_SETTINGS_BYTES {
        return Err(corrupt(12, "settings of another length"));
    }
    let mut settings = vec![0; length];
    file.read_exact(&mut settings).map_err(cut_off_or_io)?;
    decode(Settings { bytes: &settings, at: 0 })
}

fn decode(mut settings: Settings<'_>) -> Result<SpoolHeader, BatchError> {
    let format = match settings.byte()? {
        0 => OutputFormat::Png,
        1 => OutputFormat::Svg,
        2 => OutputFormat::Both,
        _ => return Err(settings.corrupt("no output format")),
    };
    let level = ErrorCorrectionLevel::ALL.get(usize::from(settings.byte()?)).copied();
    let style = RenderStyle {
        error_correction_level: level.ok_or_else(|| settings.corrupt("no error correction level"))?,
        pixels_per_module: settings.byte()?,
        quiet_zone_modules: settings.byte()?,
        foreground: settings.colour()?,
        background: settings.colour()?,
        dots_per_inch: Some(u16::from_le_bytes(settings.array()?)).filter(|&dots| dots > 0),
        caption: CaptionStyle {
            colour: settings.array()?,
            font_size_px: u16::from_le_bytes(settings.array()?),
            text: {
                let length = u16::from_le_bytes(settings.array()?);
                settings.text(length.into())?
            },
        },
        logo: {
            let ratio_millionths = settings.number()?;
            let length = settings.number()?;
            let data_url = settings.text(length as usize)?;
            (length > 0).then_some(LogoStyle { data_url, ratio_millionths })
        },
    };
    if style.pixels_per_module == 0 || style.caption.font_size_px == 0 {
        return Err(settings.corrupt("a size of nothing"));
    }
    if settings.at < settings.bytes.len() {
        return Err(settings.corrupt("settings of another length"));
    }
    Ok(SpoolHeader { format, style })
}

/// Settings that are taken field by field.
struct Settings<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Settings<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], BatchError> {
        let taken = self.bytes[self.at..].get(..length);
        let taken = taken.ok_or_else(|| self.corrupt("the settings are cut off"))?;
        self.at += length;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], BatchError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    fn byte(&mut self) -> Result<u8, BatchError> {
        self.array().map(|[byte]| byte)
    }

    fn colour(&mut self) -> Result<Colour, BatchError> {
        match self.array()? {
            [0, 0, 0, 0] => Ok(Colour::Transparent),
            [1, red, green, blue] => Ok(Colour::Rgb([red, green, blue])),
            _ => Err(self.corrupt("no colour")),
        }
    }

    fn number(&mut self) -> Result<u32, BatchError> {
        self.array().map(u32::from_le_bytes)
    }

    fn text(&mut self, length: usize) -> Result<String, BatchError> {
        let bytes = self.take(length)?;
        String::from_utf8(bytes.to_vec()).map_err(|_| self.corrupt("a text is not UTF-8"))
    }

    /// Something is wrong with the field before this place.
    fn corrupt(&self, reason: &'static str) -> BatchError {
        corrupt(PREFIX_BYTES + self.at, reason)
    }
}

fn corrupt(offset: usize, reason: &'static str) -> BatchError {
    BatchError::CorruptSpool { offset: offset as u64, reason }
}
