//! The place of logos: in the middle, as large as was asked for, on the whole modules that they touch.

#![allow(clippy::unwrap_used, reason = "tests unwrap")]

use qrpress_image::{Colour, LogoPlacement, PixelRect, Style};
use qrpress_symbol::Version;

fn placement(scale: u32, margin: u32, version: u8, size: [u32; 2], ratio_millionths: u32) -> LogoPlacement {
    let style = Style::new(scale, margin, Colour::BLACK, Colour::WHITE).unwrap();
    LogoPlacement::new(&style, Version::new(version).unwrap(), size, ratio_millionths)
}

#[test]
fn the_longer_edge_is_the_share_of_the_symbols() {
    // 41 modules of 10 pixels: 82 is a fifth; the margin of 4 modules comes before.
    let wide = placement(10, 4, 6, [500, 250], 200_000);
    assert_eq!(wide.logo, PixelRect { x: 204, y: 224, width: 82, height: 41 });
    // Nine modules across and five down.
    assert_eq!(wide.cleared, PixelRect { x: 200, y: 220, width: 90, height: 50 });
    assert_eq!((wide.columns, wide.rows), (16..25, 18..23));
    let tall = placement(10, 4, 6, [1, 4096], 200_000);
    assert_eq!((tall.logo.width, tall.logo.height), (1, 82));
}

#[test]
fn every_version_and_scale() {
    for version in 1..=40 {
        for scale in 1..=40 {
            for ratio in [50_000, 123_457, 200_000, 300_000] {
                for size in [[1, 1], [4096, 1], [30, 70]] {
                    let LogoPlacement { logo, cleared, columns, rows } =
                        placement(scale, 2, version, size, ratio);
                    let symbol = (u32::from(version) * 4 + 17) * scale;
                    let exact = f64::from(symbol) * f64::from(ratio) / 1e6;
                    let edge = logo.width.max(logo.height);
                    assert!((f64::from(edge) - exact).abs() <= 0.5 || edge == 1);
                    let before = [logo.x - 2 * scale, logo.y - 2 * scale];
                    let after = [symbol - before[0] - logo.width, symbol - before[1] - logo.height];
                    assert!(after[0] - before[0] <= 1 && after[1] - before[1] <= 1, "in the middle");
                    let corner = 2 * scale;
                    let touched = |start: u32, length: u32| {
                        let modules = (start - corner) / scale..(start + length - corner).div_ceil(scale);
                        modules.start as usize..modules.end as usize
                    };
                    assert_eq!(columns, touched(cleared.x, cleared.width));
                    assert_eq!(rows, touched(cleared.y, cleared.height));
                    // The logo may lie half a pixel off the middle, and then touch a module more on one side.
                    let exact = touched(logo.x, logo.width);
                    assert!(columns.start <= exact.start && exact.end <= columns.end);
                    assert!(
                        columns.len() <= exact.len() + 1
                            && rows.len() <= touched(logo.y, logo.height).len() + 1
                    );
                }
            }
        }
    }
}
