//! The pictures of a file that a phone is shown, and people: opaque PNG files.

use resvg::tiny_skia::Pixmap;

use crate::png::PngRows;
use crate::reader::FileFormat;
use crate::svg::{SvgSampler, light_of_pixel};
use crate::{Geometry, Modules, ReadError};

/// Pixels of a module in the picture of an SVG file, which has no pixels of its own.
const SVG_PIXELS_PER_MODULE: u32 = 4;

/// The picture of a file as opaque PNG files. A PNG file without transparency is its own picture; of one that is transparent
/// there are two, over white and over black, in greys. An SVG file is drawn.
///
/// # Errors
/// The reason why the file is no picture.
pub fn opaque_pictures(
    file: &[u8],
    format: FileFormat,
    geometry: Geometry,
) -> Result<Vec<Vec<u8>>, ReadError> {
    let (width, lights) = match format {
        FileFormat::Png => {
            let picture = PngRows::open(file)?;
            if !picture.pixels.may_be_transparent() {
                return Ok(vec![file.to_vec()]);
            }
            png_lights(picture)?
        }
        FileFormat::Svg => svg_lights(&SvgSampler::new().draw(file, geometry, SVG_PIXELS_PER_MODULE)?),
    };
    let is_transparent = lights.iter().any(|[white, black]| white != black);
    (0..=usize::from(is_transparent)).map(|backdrop| grey_png(width, &lights, backdrop)).collect()
}

/// A PNG file in greys for people: the picture of a file as it is over white, and right of it the modules that were seen, in their
/// places.
///
/// # Errors
/// The reason why the file is no picture.
pub fn beside_modules(
    file: &[u8],
    format: FileFormat,
    geometry: Geometry,
    modules: Option<&Modules>,
) -> Result<Vec<u8>, ReadError> {
    let ((width, lights), pixels_per_module) = match format {
        FileFormat::Png => (png_lights(PngRows::open(file)?)?, geometry.pixels_per_module),
        FileFormat::Svg => {
            let pixels = SvgSampler::new().draw(file, geometry, SVG_PIXELS_PER_MODULE)?;
            (svg_lights(&pixels), SVG_PIXELS_PER_MODULE)
        }
    };
    let module = |pixel: usize| {
        let place = pixel as u32 / pixels_per_module;
        place.checked_sub(geometry.quiet_zone_modules).map(|place| place as usize)
    };
    let is_dark = |x: usize, y: usize| {
        let (Some(modules), Some(x), Some(y)) = (modules, module(x), module(y)) else { return false };
        x.max(y) < modules.size() && modules.is_dark(x, y)
    };
    let mut pair = Vec::with_capacity(2 * lights.len());
    for (y, row) in lights.chunks(width as usize).enumerate() {
        pair.extend_from_slice(row);
        pair.extend((0..width as usize).map(|x| if is_dark(x, y) { [0; 2] } else { [u8::MAX; 2] }));
    }
    grey_png(2 * width, &pair, 0)
}

/// The width of a picture, and the light of its pixels over white and over black.
type Lights = (u32, Vec<[u8; 2]>);

fn png_lights(mut picture: PngRows<'_>) -> Result<Lights, ReadError> {
    let (width, height) = picture.size();
    let (mut row, mut lights) = (Vec::new(), Vec::new());
    for _ in 0..height {
        picture.read(&mut row)?;
        lights.extend((0..width as usize).map(|x| picture.pixels.light(&row, x)));
    }
    Ok((width, lights))
}

fn svg_lights(pixels: &Pixmap) -> Lights {
    (pixels.width(), pixels.pixels().iter().map(|&pixel| light_of_pixel(pixel)).collect())
}

fn grey_png(width: u32, lights: &[[u8; 2]], backdrop: usize) -> Result<Vec<u8>, ReadError> {
    let greys: Vec<u8> = lights.iter().map(|light| light[backdrop]).collect();
    let height = greys.len() as u32 / width.max(1);
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fastest);
    encoder
        .write_header()
        .and_then(|mut writer| writer.write_image_data(&greys))
        .map_err(|error| ReadError::Picture(error.to_string()))?;
    Ok(file)
}
