//! The logo of a job: one image for all labels, shown through the modules that are cleared for it.

use std::sync::Arc;

use miniz_oxide::deflate::compress_to_vec_zlib;
use pdf_writer::{Chunk, Filter, Finish, Name, Ref, Settings};
use qrpress_image::{ClearedModules, LogoPlacement, PixelRect, PlacedLogo, Style};
use qrpress_logo::Logo;
use qrpress_symbol::Version;

use crate::numbers::push_decimal;

/// The longest side of the image in pixels: a logo of 30 mm at 800 to an inch.
const MAX_SIDE_PX: u32 = 1024;
/// The most colours of the image.
const MAX_COLOURS: usize = 256;
/// The level of compression that libraries have by default.
const COMPRESSION: u8 = 6;

/// The objects of the image and its soft mask.
pub(crate) fn write_image(logo: &Logo, image: Ref, mask: Ref) -> [Chunk; 2] {
    let longest = logo.size_px().into_iter().max().unwrap_or(1).max(1);
    let side = |side: u32| {
        let drawn = u64::from(side) * u64::from(longest.min(MAX_SIDE_PX)) / u64::from(longest);
        (drawn as u32).max(1)
    };
    let [width, height] = logo.size_px().map(side);
    let picture = logo.quantise(width, height, None, &[], MAX_COLOURS);
    let colours: Vec<u8> =
        picture.palette.iter().flat_map(|&[red, green, blue, _]| [red, green, blue]).collect();
    let alphas: Vec<u8> =
        picture.indices.iter().map(|&index| picture.palette[usize::from(index)][3]).collect();

    let [mut colour, mut opacity] = [(); 2].map(|()| Chunk::with_settings(Settings { pretty: false }));
    let pixels = compress_to_vec_zlib(&picture.indices, COMPRESSION);
    let mut object = colour.image_xobject(image, &pixels);
    object.filter(Filter::FlateDecode);
    object.width(width as i32).height(height as i32).bits_per_component(8);
    let last = picture.palette.len().saturating_sub(1) as i32;
    object.color_space().indexed(Name(b"DeviceRGB"), last, &colours);
    object.s_mask(mask);
    object.finish();

    let pixels = compress_to_vec_zlib(&alphas, COMPRESSION);
    let mut object = opacity.image_xobject(mask, &pixels);
    object.filter(Filter::FlateDecode);
    object.width(width as i32).height(height as i32).bits_per_component(8);
    object.color_space().device_gray();
    object.finish();
    [colour, opacity]
}

/// A logo in the codes of a version.
#[derive(Debug, Default)]
pub(crate) struct LabelLogo {
    pub cleared: ClearedModules,
    /// The operators that draw it, in pixels from the picture's top left corner, y downwards; empty where none of it shows.
    pub operators: Vec<u8>,
}

impl LabelLogo {
    pub fn new(style: &Style, version: Version, logo: Option<&PlacedLogo<Arc<Logo>>>) -> Self {
        let Some(PlacedLogo { logo, ratio_millionths, level }) = logo else { return Self::default() };
        let placement = LogoPlacement::new(style, version, *level, logo.outline(), *ratio_millionths);
        let rows = placement.rows();
        if rows.is_empty() {
            return Self::default();
        }
        let module = style.pixels_per_module as usize;
        let corner = style.quiet_zone_modules as usize * module;
        let mut operators = b"q\n".to_vec();
        for row in rows {
            let columns = placement.columns(row);
            let rectangle =
                [corner + columns.start * module, corner + row * module, columns.len() * module, module];
            for number in rectangle {
                push_decimal(number as i64, 0, &mut operators);
            }
            operators.extend_from_slice(b"re\n");
        }
        operators.extend_from_slice(b"W n\n");
        let PixelRect { x, y, width, height } = placement.logo;
        // The rows of an image go upwards from the bottom of a unit square.
        let [x, y, width, height] = [x, y, width, height].map(i64::from);
        for number in [width, 0, 0, -height, x, y + height] {
            push_decimal(number, 0, &mut operators);
        }
        operators.extend_from_slice(b"cm\n/L Do\nQ\n");
        Self { cleared: placement.cleared_modules(), operators }
    }
}
