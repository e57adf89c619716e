//! Prints the QR code of a text: `cargo run --example terminal -- https://example.com`.

use qrpress_symbol::{DataTooLong, Encoder, ErrorCorrectionLevel};

/// Light modules that a reader needs on each side (ISO/IEC 18004, 6.3.8).
const QUIET_ZONE: usize = 4;

fn main() -> Result<(), DataTooLong> {
    let text = std::env::args().nth(1).unwrap_or_else(|| "https://example.com".to_owned());
    let mut encoder = Encoder::new();
    let symbol = encoder.encode(text.as_bytes(), ErrorCorrectionLevel::Medium)?;
    let side = symbol.size() + 2 * QUIET_ZONE;
    let is_dark = |x: usize, y: usize| {
        let inside = |place: usize| (QUIET_ZONE..QUIET_ZONE + symbol.size()).contains(&place);
        inside(x) && inside(y) && symbol.is_dark(x - QUIET_ZONE, y - QUIET_ZONE)
    };
    for y in 0..side {
        // Light is drawn, so that the code is right on a dark terminal.
        let row: String = (0..side).map(|x| if is_dark(x, y) { "  " } else { "██" }).collect();
        println!("{row}");
    }
    Ok(())
}
