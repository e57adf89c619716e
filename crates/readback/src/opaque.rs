//! The pictures of a file that a phone is shown: opaque PNG files.

use resvg::tiny_skia::Pixmap;

use crate::png::PngRows;
use crate::reader::FileFormat;
use crate::svg::{SvgSampler, light_of_pixel};
use crate::{Geometry, ReadError};

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
