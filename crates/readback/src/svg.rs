//! The light of the modules of an SVG file.
#![expect(clippy::cast_precision_loss, reason = "sides of pictures are far below 2^23")]

use resvg::tiny_skia::{Pixmap, PremultipliedColorU8, Transform};
use resvg::usvg::{ImageHrefResolver, Options, Tree, roxmltree};

use crate::light::{Light, light_of};
use crate::{Geometry, ReadError};

/// Draws pictures with as many pixels as the reader needs.
pub(crate) struct SvgSampler {
    options: Options<'static>,
    pixels: Option<Pixmap>,
}

impl SvgSampler {
    pub fn new() -> Self {
        // A picture names no other files.
        let image_href_resolver =
            ImageHrefResolver { resolve_string: Box::new(|_, _| None), ..ImageHrefResolver::default() };
        Self { options: Options { image_href_resolver, ..Options::default() }, pixels: None }
    }

    /// Takes the light in the middle of each module: the symbol is drawn with one pixel for each.
    pub fn sample(&mut self, file: &[u8], geometry: Geometry, light: &mut Light) -> Result<(), ReadError> {
        let picture = SvgPicture::parse(file, &self.options)?;
        let size = geometry.modules(picture.width, picture.height)?;
        let quiet_zone = geometry.quiet_zone_modules as f32;
        let pixels = match &mut self.pixels {
            Some(pixels) if pixels.width() as usize == size => {
                pixels.data_mut().fill(0);
                pixels
            }
            other => other.insert(new_pixels(size as u32, size as u32)?),
        };
        let place = picture.scale(1.0 / geometry.pixels_per_module as f32);
        resvg::render(&picture.tree, place.post_translate(-quiet_zone, -quiet_zone), &mut pixels.as_mut());
        light.clear(size);
        light.extend(pixels.pixels().iter().map(|&pixel| light_of_pixel(pixel)));
        Ok(())
    }

    /// The whole picture, with so many pixels a module.
    pub fn draw(&self, file: &[u8], geometry: Geometry, pixels_per_module: u32) -> Result<Pixmap, ReadError> {
        let picture = SvgPicture::parse(file, &self.options)?;
        geometry.modules(picture.width, picture.height)?;
        let factor = pixels_per_module as f32 / geometry.pixels_per_module as f32;
        let side = |length: u32| (length * pixels_per_module).div_ceil(geometry.pixels_per_module);
        let mut pixels = new_pixels(side(picture.width), side(picture.height))?;
        resvg::render(&picture.tree, picture.scale(factor), &mut pixels.as_mut());
        Ok(pixels)
    }
}

/// A picture and its size in user units.
struct SvgPicture {
    tree: Tree,
    width: u32,
    height: u32,
}

impl SvgPicture {
    fn parse(file: &[u8], options: &Options<'_>) -> Result<Self, ReadError> {
        let refused = |message: String| ReadError::Picture(message);
        let text = std::str::from_utf8(file).map_err(|error| refused(error.to_string()))?;
        let document = roxmltree::Document::parse(text).map_err(|error| refused(error.to_string()))?;
        let view_box = document.root_element().attribute("viewBox").unwrap_or_default();
        let numbers: Vec<u32> = view_box.split(' ').map_while(|number| number.parse().ok()).collect();
        let [0, 0, width, height] = numbers[..] else {
            return Err(refused("it has no viewBox of whole numbers".to_owned()));
        };
        let tree = Tree::from_xmltree(&document, options).map_err(|error| refused(error.to_string()))?;
        Ok(Self { tree, width, height })
    }

    /// The transform that makes a user unit `factor` pixels.
    fn scale(&self, factor: f32) -> Transform {
        let size = self.tree.size();
        let [x, y] = [(self.width, size.width()), (self.height, size.height())]
            .map(|(units, shown)| units as f32 / shown * factor);
        Transform::from_scale(x, y)
    }
}

fn new_pixels(width: u32, height: u32) -> Result<Pixmap, ReadError> {
    Pixmap::new(width, height).ok_or(ReadError::Size { width, height })
}

/// The light of a pixel over white and over black.
pub(crate) fn light_of_pixel(pixel: PremultipliedColorU8) -> [u8; 2] {
    let colour = pixel.demultiply();
    light_of([colour.red(), colour.green(), colour.blue()], colour.alpha())
}
