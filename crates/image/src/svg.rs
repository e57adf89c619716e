//! Symbols as SVG files: one stroked path, whose subpaths are the runs of modules row by row.
//!
//! User units are the pixels of the PNG. The path is in modules, and a transform places them: rows are stroked along
//! their middles, and within a row every command is relative, so that the same text serves in every place.

mod runs;
mod text;

use std::sync::Arc;

use qrpress_symbol::{ROW_WORDS, Symbol, Version};

use crate::{CaptionOutline, Colour, Logo, LogoPlacement, PixelRect, Style, image_side_px};
use runs::RunTables;
use text::push_escaped;

/// Draws symbols in one style as SVG files.
#[derive(Debug)]
pub struct SvgRenderer {
    style: Style,
    /// With its size, as in [`LogoPlacement::new`].
    logo: Option<(Arc<Logo>, u32)>,
    runs: RunTables,
    /// By version, those of pictures without a caption, and the latest with one.
    heads: [Option<Box<Head>>; Version::MAX.number() as usize],
    caption_heads: [Option<Box<Head>>; Version::MAX.number() as usize],
    /// By version, what is drawn over the code: nothing but the end of its path where there is no logo.
    covers: [Option<Box<str>>; Version::MAX.number() as usize],
    /// Up to the outlines of a caption.
    caption_start: String,
}

impl SvgRenderer {
    /// A renderer for `style`.
    pub fn new(style: Style) -> Self {
        Self {
            runs: RunTables::new(),
            heads: [const { None }; _],
            caption_heads: [const { None }; _],
            covers: [const { None }; _],
            // The code's edges are crisp, letters are smooth.
            caption_start: format!(
                r#"<path fill="{}" shape-rendering="auto" d=""#,
                hex(style.caption_colour())
            ),
            logo: None,
            style,
        }
    }

    /// A renderer that draws a logo over the middle of every code. Its longer edge is `ratio_millionths`, 50,000 to
    /// 300,000, of the symbol's edge without quiet zone.
    #[must_use]
    pub fn with_logo(self, logo: Arc<Logo>, ratio_millionths: u32) -> Self {
        Self { logo: Some((logo, ratio_millionths)), ..self }
    }

    /// Appends the SVG file of `symbol` to `out`, with the band of a caption under the code. The same symbol and caption
    /// give the same bytes whatever was drawn before.
    pub fn render(&mut self, symbol: &Symbol, caption: Option<CaptionOutline<'_>>, out: &mut Vec<u8>) {
        let version = symbol.version();
        let caption = caption.filter(|caption| caption.height_px > 0);
        let heads = if caption.is_some() { &mut self.caption_heads } else { &mut self.heads };
        let band_px = caption.map_or(0, |caption| caption.height_px);
        let index = usize::from(version.number()) - 1;
        let placed = self.logo.as_ref().map(|(logo, ratio_millionths)| {
            (&**logo, LogoPlacement::new(&self.style, version, logo.size_px(), *ratio_millionths))
        });
        let place = &mut heads[index];
        let head = match place {
            Some(head) if head.band_px == band_px => head,
            _ => {
                let placement = placed.map(|(_, placement)| placement);
                place.insert(Box::new(Head::new(&self.style, version, band_px, placement)))
            }
        };
        let cover = self.covers[index].get_or_insert_with(|| cover(&self.style, placed).into());
        out.extend_from_slice(head.start.as_bytes());
        if let Some(caption) = caption {
            out.extend_from_slice(b"<title>");
            push_escaped(caption.text, out);
            out.extend_from_slice(b"</title>");
        }
        out.extend_from_slice(head.code.as_bytes());

        // With a transparent foreground it is the light modules that are painted.
        let flipped = match self.style.foreground() {
            Colour::Rgb(_) => [0; ROW_WORDS],
            Colour::Transparent => columns(symbol.size()),
        };
        let start = out.len();
        out.resize(start + RunTables::longest(symbol.size()), 0);
        let length = self.runs.draw(symbol, flipped, &mut out[start..]);
        out.truncate(start + length);
        out.extend_from_slice(cover.as_bytes());
        if let Some(caption) = caption {
            out.extend_from_slice(self.caption_start.as_bytes());
            out.extend_from_slice(caption.path);
            out.extend_from_slice(b"\"/>");
        }
        out.extend_from_slice(b"</svg>");
    }
}

/// The row of which all `size` modules are set.
fn columns(size: usize) -> [u64; ROW_WORDS] {
    std::array::from_fn(|word| match size.saturating_sub(64 * word).min(64) {
        0 => 0,
        columns => u64::MAX >> (64 - columns),
    })
}

/// A file up to the commands of the symbol's rows.
#[derive(Debug)]
struct Head {
    /// Height of the caption band.
    band_px: u32,
    /// Up to the title, if there is one.
    start: String,
    /// Up to the commands.
    code: String,
}

impl Head {
    fn new(style: &Style, version: Version, band_px: u32, logo: Option<LogoPlacement>) -> Self {
        let side = image_side_px(style, version);
        let height = side + band_px;
        let scale = style.pixels_per_module();
        let corner = style.quiet_zone_modules() * scale;
        let outline = format!("M0 0h{side}v{height}H0z");
        let (painted, backdrop) = match (style.foreground(), style.background()) {
            (Colour::Transparent, background) => {
                let symbol_side = version.size() as u32 * scale;
                // The hole runs against the outline.
                let hole = format!("M{corner} {corner}v{symbol_side}h{symbol_side}v-{symbol_side}z");
                (background, outline + &hole)
            }
            (foreground, _) => (foreground, outline),
        };
        let backdrop = match style.background() {
            Colour::Rgb(rgb) => format!(r#"<path fill="{}" d="{backdrop}"/>"#, hex(rgb)),
            Colour::Transparent => String::new(),
        };
        let clip = match logo {
            Some(LogoPlacement { plate, .. }) if clears_plate(style) => clip(plate, side),
            _ => String::new(),
        };
        let Colour::Rgb(stroke) = painted else { unreachable!("a style has a visible colour") };
        // The first row is stroked along its middle.
        let middle = format!("{}{}", corner + scale / 2, if scale % 2 == 1 { ".5" } else { "" });
        let start = format!(
            concat!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" width="{side}" height="{height}""#,
                r#" viewBox="0 0 {side} {height}" shape-rendering="crispEdges">"#,
            ),
            side = side,
            height = height,
        );
        let code = format!(
            r#"{backdrop}{clip}<path stroke="{}" transform="matrix({scale} 0 0 {scale} {corner} {middle})" d=""#,
            hex(stroke)
        );
        Self { band_px, start, code }
    }
}

/// Whether what lies under a logo is left out, since no plate can hide it.
fn clears_plate(style: &Style) -> bool {
    style.background() == Colour::Transparent
}

/// Begins a group of which nothing is drawn on the plate.
fn clip(plate: PixelRect, side: u32) -> String {
    let PixelRect { x, y, width, height } = plate;
    // Files whose ids are the same clip the same, so that they may stand in one document.
    let id = format!("around-{x}-{y}-{width}-{height}-in-{side}");
    let around = format!("M0 0h{side}v{side}H0z{}", rectangle(plate));
    format!(
        r#"<clipPath id="{id}"><path clip-rule="evenodd" d="{around}"/></clipPath><g clip-path="url(#{id})">"#
    )
}

fn rectangle(PixelRect { x, y, width, height }: PixelRect) -> String {
    format!("M{x} {y}h{width}v{height}h-{width}z")
}

/// The end of the code's path, and a logo over it.
fn cover(style: &Style, logo: Option<(&Logo, LogoPlacement)>) -> String {
    let Some((logo, placement)) = logo else { return r#""/>"#.to_owned() };
    let plate = match style.background() {
        Colour::Rgb(rgb) => format!(r#"<path fill="{}" d="{}"/>"#, hex(rgb), rectangle(placement.plate)),
        Colour::Transparent => "</g>".to_owned(),
    };
    let PixelRect { x, y, width, height } = placement.logo;
    format!(
        concat!(
            r#""/>{plate}<image x="{x}" y="{y}" width="{width}" height="{height}""#,
            r#" preserveAspectRatio="none" href="{file}"/>"#,
        ),
        plate = plate,
        x = x,
        y = y,
        width = width,
        height = height,
        file = logo.data_url(width, height),
    )
}

/// `#rgb` where that says it all, else `#rrggbb`.
fn hex([red, green, blue]: [u8; 3]) -> String {
    if [red, green, blue].iter().all(|channel| channel % 0x11 == 0) {
        format!("#{:x}{:x}{:x}", red / 0x11, green / 0x11, blue / 0x11)
    } else {
        format!("#{red:02x}{green:02x}{blue:02x}")
    }
}
