//! The light of the modules of an SVG file.
#![expect(clippy::cast_precision_loss, reason = "sides of pictures are far below 2^23")]

use resvg::tiny_skia::{Pixmap, PremultipliedColorU8, Transform};
use resvg::usvg::{ImageHrefResolver, ImageKind, Options, Tree, roxmltree};

use crate::geometry::MOST_PIXELS;
use crate::light::{Light, light_of};
use crate::{Geometry, ReadError};

/// The elements of a picture, and what each may say of itself. resvg knows much more, but some of it takes unbounded work: copies of
/// copies, filters, elements nested without end.
const ELEMENTS: [(&str, &[&str]); 4] = [
    ("svg", &["width", "height", "viewBox", "shape-rendering"]),
    ("title", &[]),
    ("path", &["fill", "fill-rule", "shape-rendering", "transform", "d"]),
    ("image", &["x", "y", "width", "height", "preserveAspectRatio", "href"]),
];

/// Draws pictures with as many pixels as the reader needs.
pub(crate) struct SvgSampler {
    options: Options<'static>,
    pixels: Option<Pixmap>,
}

impl SvgSampler {
    pub fn new() -> Self {
        let image_href_resolver = ImageHrefResolver {
            resolve_data: Box::new(|kind, data, _| {
                (kind == "image/png" && is_small_png(&data)).then_some(ImageKind::PNG(data))
            }),
            // A picture names no other files.
            resolve_string: Box::new(|_, _| None),
        };
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
        if !is_plain(&document) {
            return Err(refused("it has elements that are never drawn".to_owned()));
        }
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

/// Tells whether a document is an element with others in it, and all of them are known.
fn is_plain(document: &roxmltree::Document<'_>) -> bool {
    let root = document.root_element();
    let is_known = |element: roxmltree::Node<'_, '_>| {
        let name = element.tag_name().name();
        let known = ELEMENTS.iter().find(|(known, _)| *known == name);
        known.is_some_and(|(_, members)| element.attributes().all(|member| members.contains(&member.name())))
    };
    let is_leaf = |element: roxmltree::Node<'_, '_>| {
        element.tag_name().name() != "svg" && !element.children().any(|child| child.is_element())
    };
    root.tag_name().name() == "svg"
        && is_known(root)
        && root.children().filter(roxmltree::Node::is_element).all(|child| is_leaf(child) && is_known(child))
}

/// Tells whether a PNG file has no more pixels than a picture.
fn is_small_png(file: &[u8]) -> bool {
    let side = |at: usize| {
        file.get(at..at + 4).map(|bytes| bytes.iter().fold(0, |side, &byte| side << 8 | u32::from(byte)))
    };
    [16, 20].map(side).iter().all(|side| side.is_some_and(|side| side <= MOST_PIXELS))
}

fn new_pixels(width: u32, height: u32) -> Result<Pixmap, ReadError> {
    Pixmap::new(width, height).ok_or(ReadError::Size { width, height })
}

/// The light of a pixel over white and over black.
pub(crate) fn light_of_pixel(pixel: PremultipliedColorU8) -> [u8; 2] {
    let colour = pixel.demultiply();
    light_of([colour.red(), colour.green(), colour.blue()], colour.alpha())
}
