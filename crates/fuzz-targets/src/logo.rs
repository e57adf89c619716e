//! Logos, as data URLs and as PNG files.

use qrpress_logo::Logo;

/// Reads a logo and draws it in a few sizes.
///
/// # Panics
/// When a law is broken.
pub fn logo(bytes: &[u8]) {
    let url = str::from_utf8(bytes).ok().filter(|text| text.starts_with("data:"));
    let Ok(logo) = url.map_or_else(|| Logo::from_png(bytes), Logo::from_data_url) else { return };
    let [width, height] = logo.size_px();
    assert!((1..=4096).contains(&width) && (1..=4096).contains(&height));
    let code = [[0, 0, 0, 255], [0; 4]];
    for (width, height) in [(1, 1), (9, 40), (width.min(70), height.min(70))] {
        for background in [Some([200, 30, 40]), None] {
            for max_colours in [2, 16, 40] {
                let picture = logo.quantise(width, height, background, &code, max_colours);
                assert_eq!(picture.indices.len() as u32, width * height);
                assert!(picture.palette.starts_with(&code) && picture.palette.len() <= max_colours);
                assert!(picture.indices.iter().all(|&index| usize::from(index) < picture.palette.len()));
                let opaque = |index: &u8| picture.palette[usize::from(*index)][3] == 255;
                assert!(background.is_none() || max_colours == 2 || picture.indices.iter().all(opaque));
            }
        }
    }
    assert!(Logo::from_data_url(&logo.data_url(30, 20, |column, row| column > row)).is_ok());
}
