//! Where logos lie: in the middle, as large as was asked for, on a plate half a module wider on each side.

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
    assert_eq!(wide.plate, PixelRect { x: 199, y: 219, width: 92, height: 51 });
    let tall = placement(10, 4, 6, [1, 4096], 200_000);
    assert_eq!((tall.logo.width, tall.logo.height), (1, 82));
}

#[test]
fn every_version_and_scale() {
    for version in 1..=40 {
        for scale in 1..=40 {
            for ratio in [50_000, 123_457, 200_000, 300_000] {
                for size in [[1, 1], [4096, 1], [30, 70]] {
                    let LogoPlacement { logo, plate } = placement(scale, 2, version, size, ratio);
                    let symbol = (u32::from(version) * 4 + 17) * scale;
                    let exact = f64::from(symbol) * f64::from(ratio) / 1e6;
                    let edge = logo.width.max(logo.height);
                    assert!((f64::from(edge) - exact).abs() <= 0.5 || edge == 1);
                    let before = [logo.x - 2 * scale, logo.y - 2 * scale];
                    let after = [symbol - before[0] - logo.width, symbol - before[1] - logo.height];
                    assert!(after[0] - before[0] <= 1 && after[1] - before[1] <= 1, "in the middle");
                    let rim = scale.div_ceil(2);
                    assert_eq!((plate.x + rim, plate.y + rim), (logo.x, logo.y));
                    assert_eq!((plate.width - 2 * rim, plate.height - 2 * rim), (logo.width, logo.height));
                }
            }
        }
    }
}
