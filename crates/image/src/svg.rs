//! Symbols as SVG files: one filled path, whose subpaths are the outlines of the dark areas.
//!
//! User units are the pixels of the PNG. The path is in modules, and a transform places them.

mod outlines;

use std::sync::Arc;

use qrpress_logo::Logo;
use qrpress_symbol::{ROW_WORDS, Symbol, Version};

use crate::placement::assert_ratio;
use crate::placement::row_of_columns;
use crate::{
    CaptionOutline, ClearedModules, Colour, LogoPlacement, PixelRect, PlacedLogo, Style, image_side_px,
};
use outlines::Outlines;

/// Draws symbols in one style as SVG files.
#[derive(Debug)]
pub struct SvgRenderer {
    style: Style,
    logo: Option<PlacedLogo<Arc<Logo>>>,
    outlines: Outlines,
    /// The heads by version: those of pictures without a caption, and the latest with one.
    heads: [Option<Box<Head>>; Version::MAX.number() as usize],
    caption_heads: [Option<Box<Head>>; Version::MAX.number() as usize],
    /// The logo by version.
    logos: [Option<Box<SvgLogo>>; Version::MAX.number() as usize],
    /// The text up to the outlines of a caption.
    caption_start: String,
}

impl SvgRenderer {
    /// A renderer for `style`.
    pub fn new(style: Style) -> Self {
        Self {
            outlines: Outlines::new(),
            heads: [const { None }; _],
            caption_heads: [const { None }; _],
            logos: [const { None }; _],
            // The code's edges are crisp, letters are smooth.
            caption_start: format!(
                r#"<path fill="{}" shape-rendering="auto" d=""#,
                hex(style.caption_colour)
            ),
            logo: None,
            style,
        }
    }

    /// A renderer that draws a logo over the middle of every code.
    ///
    /// # Panics
    /// When the logo's ratio is above 1,000,000 millionths.
    #[must_use]
    pub fn with_logo(self, logo: PlacedLogo<Arc<Logo>>) -> Self {
        assert_ratio(logo.ratio_millionths);
        Self { logo: Some(logo), ..self }
    }

    /// The memory that the renderer has built so far, in bytes, without the logo itself and some KiB for the rest.
    pub fn memory_bytes(&self) -> usize {
        self.logos.iter().flatten().map(|logo| logo.below.capacity() + logo.above.capacity()).sum()
    }

    /// Appends the SVG file of `symbol` to `out`, with the band of a caption under the code. The same symbol and caption
    /// give the same bytes whatever was drawn before.
    pub fn render(&mut self, symbol: &Symbol, caption: Option<CaptionOutline<'_>>, out: &mut Vec<u8>) {
        let version = symbol.version();
        let caption = caption.filter(|caption| caption.height_px > 0);
        let heads = if caption.is_some() { &mut self.caption_heads } else { &mut self.heads };
        let band_px = caption.map_or(0, |caption| caption.height_px);
        let index = usize::from(version.number()) - 1;
        let logo = &**self.logos[index]
            .get_or_insert_with(|| Box::new(SvgLogo::new(&self.style, version, self.logo.as_ref())));
        let head = match &mut heads[index] {
            Some(head) if head.band_px == band_px => head,
            outdated => outdated.insert(Box::new(Head::new(&self.style, version, band_px, logo.shows()))),
        };
        out.extend_from_slice(head.start.as_bytes());
        if let Some(caption) = caption {
            out.extend_from_slice(b"<title>");
            push_escaped(caption.text, out);
            out.extend_from_slice(b"</title>");
        }
        out.extend_from_slice(head.backdrop.as_bytes());
        out.extend_from_slice(logo.below.as_bytes());
        out.extend_from_slice(head.code.as_bytes());

        // With a transparent foreground it is the light modules that are painted.
        let flipped = match self.style.foreground {
            Colour::Rgb(_) => [0; ROW_WORDS],
            Colour::Transparent => row_of_columns(&(0..symbol.size())),
        };
        out.extend_from_slice(self.outlines.draw(symbol, flipped, &logo.cleared));
        out.extend_from_slice(b"\"/>");
        out.extend_from_slice(logo.above.as_bytes());
        if let Some(caption) = caption {
            out.extend_from_slice(self.caption_start.as_bytes());
            out.extend_from_slice(caption.path);
            out.extend_from_slice(b"\"/>");
        }
        out.extend_from_slice(b"</svg>");
    }
}

/// A file up to the commands of the symbol's rows.
#[derive(Debug)]
struct Head {
    /// Height of the caption band.
    band_px: u32,
    /// The text up to the title, if there is one.
    start: String,
    /// The background.
    backdrop: String,
    /// The text from there up to the commands.
    code: String,
}

impl Head {
    /// A head of pictures with or without a logo.
    fn new(style: &Style, version: Version, band_px: u32, has_logo: bool) -> Self {
        let side = image_side_px(style, version);
        let height = side + band_px;
        // All members by name: the compiler asks what becomes of a new one.
        let &Style {
            pixels_per_module: scale,
            quiet_zone_modules,
            foreground,
            background,
            // In `caption_start`.
            caption_colour: _,
            dots_per_inch,
        } = style;
        let corner = quiet_zone_modules * scale;
        let outline = format!("M0 0h{side}v{height}H0z");
        let (painted, backdrop) = match (foreground, background) {
            (Colour::Transparent, background) => {
                let symbol_side = version.size() as u32 * scale;
                // The hole runs against the outline.
                let hole = format!("M{corner} {corner}v{symbol_side}h{symbol_side}v-{symbol_side}z");
                (background, outline + &hole)
            }
            (foreground, _) => (foreground, outline),
        };
        let backdrop = match background {
            Colour::Rgb(rgb) => format!(r#"<path fill="{}" d="{backdrop}"/>"#, hex(rgb)),
            Colour::Transparent => String::new(),
        };
        let Colour::Rgb(fill) = painted else { unreachable!("a style has a visible colour") };
        let start = format!(
            concat!(
                r#"<svg xmlns="http://www.w3.org/2000/svg"{xlink} width="{shown_width}" height="{shown_height}""#,
                r#" viewBox="0 0 {side} {height}" shape-rendering="crispEdges">"#,
            ),
            xlink = if has_logo { r#" xmlns:xlink="http://www.w3.org/1999/xlink""# } else { "" },
            shown_width = length(side, dots_per_inch),
            shown_height = length(height, dots_per_inch),
            side = side,
            height = height,
        );
        let code = format!(
            r#"<path fill="{}" fill-rule="evenodd" transform="matrix({scale} 0 0 {scale} {corner} {corner})" d=""#,
            hex(fill)
        );
        Self { band_px, start, backdrop, code }
    }
}

/// A logo in the pictures of a version; all is empty where there is none, or none that shows.
#[derive(Debug, Default)]
struct SvgLogo {
    cleared: ClearedModules,
    /// The logo below the code, so that every module is whole.
    below: String,
    /// The logo above the code, where the code's path paints what is cleared.
    above: String,
}

impl SvgLogo {
    fn new(style: &Style, version: Version, logo: Option<&PlacedLogo<Arc<Logo>>>) -> Self {
        let Some(PlacedLogo { logo, ratio_millionths, level }) = logo else { return Self::default() };
        let placement = LogoPlacement::new(style, version, *level, logo.outline(), *ratio_millionths);
        if placement.rows().is_empty() {
            return Self::default();
        }
        let cleared = placement.cleared_modules();
        let image = image(logo, &placement);
        match style.foreground {
            Colour::Rgb(_) => Self { cleared, below: image, above: String::new() },
            Colour::Transparent => Self { cleared, below: String::new(), above: image },
        }
    }

    fn shows(&self) -> bool {
        !self.cleared.is_empty()
    }
}

/// The logo's element, of which only what lies on cleared modules is visible. Its file is in `xlink:href`, the name of SVG 1.1:
/// Adobe Illustrator and old versions of `CairoSVG` know no other, and all readers of SVG 2 know it too.
fn image(logo: &Logo, placement: &LogoPlacement) -> String {
    let PixelRect { x, y, width, height } = placement.logo;
    let file = logo.data_url(width, height, |column, row| placement.shows(column, row));
    format!(
        concat!(
            r#"<image x="{x}" y="{y}" width="{width}" height="{height}" preserveAspectRatio="none""#,
            r#" xlink:href="{file}"/>"#,
        ),
        x = x,
        y = y,
        width = width,
        height = height,
        file = file,
    )
}

/// A length in pixels, or in millimetres where it is known how many of them there are.
fn length(px: u32, dots_per_inch: Option<u32>) -> String {
    let Some(dots) = dots_per_inch.map(u64::from) else { return px.to_string() };
    // An inch has 25.4 mm.
    let micrometres = (u64::from(px) * 25_400 + dots / 2) / dots;
    let (whole, thousandths) = (micrometres / 1000, micrometres % 1000);
    let decimals = format!(".{thousandths:03}");
    format!("{whole}{}mm", decimals.trim_end_matches('0').trim_end_matches('.'))
}

/// `#rgb` where that says it all, else `#rrggbb`.
fn hex([red, green, blue]: [u8; 3]) -> String {
    if [red, green, blue].iter().all(|channel| channel % 0x11 == 0) {
        format!("#{:x}{:x}{:x}", red / 0x11, green / 0x11, blue / 0x11)
    } else {
        format!("#{red:02x}{green:02x}{blue:02x}")
    }
}

/// Appends a text as the content of an XML element (XML 1.0, clauses 2.2 and 2.4); characters that XML cannot hold become
/// U+FFFD.
fn push_escaped(text: &str, out: &mut Vec<u8>) {
    let mut rest = text;
    while let Some(at) = rest.find(is_special) {
        let (plain, special) = rest.split_at(at);
        out.extend_from_slice(plain.as_bytes());
        let mut characters = special.chars();
        out.extend_from_slice(match characters.next() {
            Some('&') => b"&amp;",
            Some('<') => b"&lt;",
            Some('>') => b"&gt;",
            // A reader would make it a line feed.
            Some('\r') => b"&#13;",
            _ => "\u{fffd}".as_bytes(),
        });
        rest = characters.as_str();
    }
    out.extend_from_slice(rest.as_bytes());
}

fn is_special(character: char) -> bool {
    match character {
        '&' | '<' | '>' | '\u{fffe}' | '\u{ffff}' => true,
        '\t' | '\n' => false,
        other => other < ' ',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_what_xml_lacks() {
        let mut out = Vec::new();
        push_escaped("a & b <i>é\u{0}\u{b}\r\n\t東\u{ffff}]]>", &mut out);
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "a &amp; b &lt;i&gt;é\u{fffd}\u{fffd}&#13;\n\t東\u{fffd}]]&gt;"
        );
    }
}
