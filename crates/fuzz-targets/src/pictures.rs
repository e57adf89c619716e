//! The pictures of a rendered chunk, as others read them.

use std::io::Cursor;

use qrpress_batch::RenderStyle;

/// Bytes of a local file header (APPNOTE 6.3, section 4.3.7).
const LOCAL_FILE_HEADER: usize = 30;

/// Every entry of a ZIP segment is a picture that is whole, an SVG or a PNG.
///
/// # Panics
/// If one is not.
pub(crate) fn assert_pictures(mut segment: &[u8], style: &RenderStyle) {
    while !segment.is_empty() {
        let (header, rest) = segment.split_at(LOCAL_FILE_HEADER);
        let size = u32::from_le_bytes([18, 19, 20, 21].map(|at| header[at])) as usize;
        let name_bytes = u16::from_le_bytes([26, 27].map(|at| header[at])) as usize;
        let (name, rest) = rest.split_at(name_bytes);
        let (picture, rest) = rest.split_at(size);
        if name.ends_with(b".png") {
            assert_png(picture, style);
        } else {
            let text = str::from_utf8(picture).expect("an SVG is UTF-8");
            assert!(text.starts_with("<svg ") && text.trim_end().ends_with("</svg>"), "{text}");
        }
        segment = rest;
    }
}

/// Its checksums are right, and it is a whole number of modules wide and at least as high.
fn assert_png(file: &[u8], style: &RenderStyle) {
    let mut reader = png::Decoder::new(Cursor::new(file)).read_info().expect("a PNG begins with its header");
    let bytes = reader.output_buffer_size().expect("a picture of at most 4,096 pixels a side fits memory");
    let mut pixels = vec![0; bytes];
    reader.next_frame(&mut pixels).expect("a PNG has all of its pixels");
    reader.finish().expect("a PNG has an end");
    let (scale, margin) = (u32::from(style.pixels_per_module), u32::from(style.quiet_zone_modules));
    let (width, height) = reader.info().size();
    assert!(width % scale == 0 && width / scale >= 21 + 2 * margin && (width..=4096).contains(&height));
}
