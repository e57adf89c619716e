//! A logo as it is drawn: pixels by their index in a palette.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use png::{BitDepth, ColorType, Compression, Encoder, Filter};

use crate::data_url;

/// A picture of at most 256 colours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogoPicture {
    /// Pixels in a row, 1 or more.
    pub width_px: u32,
    /// Rows, 1 or more.
    pub height_px: u32,
    /// Red, green, blue and straight alpha in sRGB; all 0 where transparent.
    pub palette: Vec<[u8; 4]>,
    /// An index into `palette` for each pixel, row by row.
    pub indices: Vec<u8>,
}

impl LogoPicture {
    /// Bits per pixel that the palette needs: 1, 2, 4 or 8.
    pub fn bit_depth(&self) -> u8 {
        match self.palette.len() {
            0..=2 => 1,
            3..=4 => 2,
            5..=16 => 4,
            _ => 8,
        }
    }

    /// The data URL of the picture as a PNG file.
    pub(crate) fn data_url(&self) -> String {
        let mut url = data_url::START.to_owned();
        match self.png() {
            Ok(file) => STANDARD.encode_string(file, &mut url),
            Err(error) => unreachable!("a picture in memory becomes a file in memory: {error}"),
        }
        url
    }

    fn png(&self) -> Result<Vec<u8>, png::EncodingError> {
        let mut file = Vec::new();
        let mut encoder = Encoder::new(&mut file, self.width_px, self.height_px);
        encoder.set_color(ColorType::Indexed);
        encoder.set_depth(match self.bit_depth() {
            1 => BitDepth::One,
            2 => BitDepth::Two,
            4 => BitDepth::Four,
            _ => BitDepth::Eight,
        });
        let colours: Vec<u8> =
            self.palette.iter().flat_map(|&[red, green, blue, _]| [red, green, blue]).collect();
        encoder.set_palette(colours);
        if self.palette.iter().any(|&[.., alpha]| alpha < 255) {
            encoder.set_trns(self.palette.iter().map(|&[.., alpha]| alpha).collect::<Vec<u8>>());
        }
        encoder.set_compression(Compression::High);
        // Neighbouring indices are no neighbouring colours: differences would only hide what is the same.
        encoder.set_filter(Filter::NoFilter);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.packed())?;
        writer.finish()?;
        Ok(file)
    }

    /// Rows of pixels in as many bits as they need, the first in the highest; each row ends with a byte.
    fn packed(&self) -> Vec<u8> {
        let depth = self.bit_depth();
        let pack = |indices: &[u8]| {
            let byte = indices.iter().fold(0_u32, |byte, &index| byte << depth | u32::from(index));
            (byte << (usize::from(depth) * (usize::from(8 / depth) - indices.len()))) as u8
        };
        self.indices
            .chunks(self.width_px as usize)
            .flat_map(|row| row.chunks(usize::from(8 / depth)).map(pack))
            .collect()
    }
}
