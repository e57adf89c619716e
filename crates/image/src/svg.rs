//! Symbols as SVG files: one stroked path, whose subpaths are the runs of modules row by row.
//!
//! User units are the pixels of the PNG. The path is in modules, and a transform places them: rows are stroked along
//! their middles, and within a row every command is relative, so that the same text serves in every place.

mod runs;

use qrpress_symbol::{ROW_WORDS, Symbol, Version};

use crate::{Colour, Style, image_side_px};
use runs::RunTables;

/// Draws symbols in one style as SVG files.
#[derive(Debug)]
pub struct SvgRenderer {
    style: Style,
    runs: RunTables,
    heads: [Option<Box<str>>; Version::MAX.number() as usize],
}

const TAIL: &str = "\"/></svg>";

impl SvgRenderer {
    /// A renderer for `style`.
    pub fn new(style: Style) -> Self {
        Self { style, runs: RunTables::new(), heads: [const { None }; _] }
    }

    /// Appends the SVG file of `symbol` to `out`. The same symbol gives the same bytes whatever was drawn before.
    pub fn render(&mut self, symbol: &Symbol, out: &mut Vec<u8>) {
        let version = symbol.version();
        let head = self.heads[usize::from(version.number()) - 1]
            .get_or_insert_with(|| head(&self.style, version).into());
        out.extend_from_slice(head.as_bytes());

        // With a transparent foreground it is the light modules that are painted.
        let flipped = match self.style.foreground() {
            Colour::Rgb(_) => [0; ROW_WORDS],
            Colour::Transparent => columns(symbol.size()),
        };
        let start = out.len();
        out.resize(start + RunTables::longest(symbol.size()), 0);
        let length = self.runs.draw(symbol, flipped, &mut out[start..]);
        out.truncate(start + length);
        out.extend_from_slice(TAIL.as_bytes());
    }
}

/// The row of which all `size` modules are set.
fn columns(size: usize) -> [u64; ROW_WORDS] {
    std::array::from_fn(|word| match size.saturating_sub(64 * word).min(64) {
        0 => 0,
        columns => u64::MAX >> (64 - columns),
    })
}

/// The file up to the commands of the symbol's rows.
fn head(style: &Style, version: Version) -> String {
    let side = image_side_px(style, version);
    let scale = style.pixels_per_module();
    let corner = style.quiet_zone_modules() * scale;
    let (painted, backdrop) = match (style.foreground(), style.background()) {
        (Colour::Transparent, background) => {
            let symbol_side = version.size() as u32 * scale;
            // The hole runs against the outline.
            (
                background,
                format!(
                    "M0 0h{side}v{side}H0zM{corner} {corner}v{symbol_side}h{symbol_side}v-{symbol_side}z"
                ),
            )
        }
        (foreground, _) => (foreground, format!("M0 0h{side}v{side}H0z")),
    };
    let backdrop = match style.background() {
        Colour::Rgb(rgb) => format!(r#"<path fill="{}" d="{backdrop}"/>"#, hex(rgb)),
        Colour::Transparent => String::new(),
    };
    let Colour::Rgb(stroke) = painted else { unreachable!("a style has a visible colour") };
    // The first row is stroked along its middle.
    let middle = format!("{}{}", corner + scale / 2, if scale % 2 == 1 { ".5" } else { "" });
    format!(
        concat!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{side}" height="{side}" viewBox="0 0 {side} {side}""#,
            r#" shape-rendering="crispEdges">{backdrop}"#,
            r#"<path stroke="{stroke}" transform="matrix({scale} 0 0 {scale} {corner} {middle})" d=""#,
        ),
        side = side,
        backdrop = backdrop,
        stroke = hex(stroke),
        scale = scale,
        corner = corner,
        middle = middle,
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
