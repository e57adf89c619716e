//! The style in a job's small part: from its JSON text, through the rules that the engine holds, to pictures.

use qrpress_batch::{
    BodyForm, CaptionStyle, Colour, ErrorCorrectionLevel, LogoStyle, OutputFormat, RefusalCode, RenderStyle,
    SpoolHeader, style_issues,
};
use serde_json::Value;

use crate::body::{outline, read_in};
use crate::fonts::FONTS;

/// Writes JSON text where both forms of bodies have their style, and draws a job that looks as it says.
///
/// # Panics
/// Where a law is broken.
pub fn style(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let item = r#"{"data":"https://example.com/7","caption":"7"},{"data":"HTTPS://EXAMPLE.COM/7"}"#;
    let json = format!(r#"{{"style":{text},"items":[{item}]}}"#);
    let said = style_of(json.as_bytes(), BodyForm::Json);
    if !text.contains('\n') {
        // Whatever the text does to the items, it does to these as well.
        let ndjson = format!(r#"{{"style":{text},"items":[]}}"#);
        assert_eq!(said, style_of(ndjson.as_bytes(), BodyForm::Ndjson), "the forms differ");
    }
    let Some(style) = said.as_ref().and_then(resolved) else { return };
    let issues = style_issues(&style, &FONTS);
    for issue in &issues {
        assert!(matches!(issue.path.as_str(), "/style/logo/dataUrl" | "/style/caption/text"), "{issue:?}");
    }
    if issues.is_empty() {
        let header = SpoolHeader { format: OutputFormat::Both, style };
        let (_, report) = read_in(json.as_bytes(), BodyForm::Json, &header);
        let refusal = report.expect("there are items").refusal;
        assert!(refusal.is_none_or(|refusal| refusal.code == RefusalCode::QrTooLarge), "an item is refused");
    }
}

/// What the host sees of the style where the engine has nothing against the small part.
fn style_of(body: &[u8], form: BodyForm) -> Option<Value> {
    let outline = outline(body, form);
    let meta = outline.meta.filter(|_| outline.issues.count == 0)?;
    // A number out of range is refused here, and by the schema there.
    serde_json::from_str::<Value>(&meta).ok()?.get("style").cloned()
}

/// The style in the engine's words, if it follows the host's schema.
fn resolved(style: &Value) -> Option<RenderStyle> {
    let style =
        Members::of(style, &["ecLevel", "scale", "margin", "foreground", "background", "caption", "logo"])?;
    let error_correction_level = match style.get("ecLevel", Value::as_str, "M")? {
        "L" => ErrorCorrectionLevel::Low,
        "M" => ErrorCorrectionLevel::Medium,
        "Q" => ErrorCorrectionLevel::Quartile,
        "H" => ErrorCorrectionLevel::High,
        _ => return None,
    };
    let scale = in_range(style.get("scale", Value::as_u64, 10)?, 1, 40)?;
    let foreground: Colour = style.get("foreground", Value::as_str, "#000000")?.parse().ok()?;
    let background: Colour = style.get("background", Value::as_str, "#ffffff")?.parse().ok()?;
    if foreground == Colour::Transparent && background == Colour::Transparent {
        return None;
    }
    Some(RenderStyle {
        error_correction_level,
        pixels_per_module: scale as u8,
        quiet_zone_modules: in_range(style.get("margin", Value::as_u64, 4)?, 0, 16)? as u8,
        foreground,
        background,
        caption: match style.find("caption") {
            Some(caption) => caption_of(caption, scale, foreground)?,
            None => CaptionStyle { font_size_px: font_size_px(16, scale), ..CaptionStyle::default() },
        },
        logo: match style.find("logo") {
            Some(logo) => Some(logo_of(logo)?),
            None => None,
        },
    })
}

fn caption_of(caption: &Value, scale: u64, foreground: Colour) -> Option<CaptionStyle> {
    let caption = Members::of(caption, &["text", "colour", "fontSize"])?;
    let text = caption.get("text", Value::as_str, "")?;
    let colour = match caption.find("colour") {
        Some(colour) => colour.as_str()?.parse().ok()?,
        None => foreground,
    };
    let colour = match (colour, caption.find("colour")) {
        (Colour::Rgb(rgb), _) => rgb,
        (Colour::Transparent, None) => [0; 3],
        _ => return None,
    };
    let font_size = in_range(caption.get("fontSize", Value::as_u64, 16)?, 6, 64)?;
    (text.chars().count() <= 120).then(|| CaptionStyle {
        text: text.to_owned(),
        colour,
        font_size_px: font_size_px(font_size, scale),
    })
}

/// A font size at the default scale, at another.
fn font_size_px(font_size: u64, scale: u64) -> u16 {
    ((font_size * scale + 5) / 10).max(1) as u16
}

#[allow(clippy::cast_sign_loss, reason = "a ratio in its range is positive")]
fn logo_of(logo: &Value) -> Option<LogoStyle> {
    let logo = Members::of(logo, &["dataUrl", "sizeRatio"])?;
    let data_url = logo.find("dataUrl")?.as_str().filter(|url| url.len() <= 524_288)?;
    let ratio = logo.get("sizeRatio", Value::as_f64, 0.2)?;
    (0.05..=0.3)
        .contains(&ratio)
        .then(|| LogoStyle { data_url: data_url.to_owned(), ratio_millionths: (ratio * 1e6).round() as u32 })
}

fn in_range(number: u64, least: u64, most: u64) -> Option<u64> {
    (least..=most).contains(&number).then_some(number)
}

/// The members of an object.
struct Members<'a>(&'a serde_json::Map<String, Value>);

impl<'a> Members<'a> {
    /// Those of an object that has no others than the `known`.
    fn of(value: &'a Value, known: &[&str]) -> Option<Self> {
        let members = value.as_object()?;
        members.keys().all(|name| known.contains(&name.as_str())).then_some(Self(members))
    }

    fn find(&self, name: &str) -> Option<&'a Value> {
        self.0.get(name)
    }

    /// A member as `read` has it, or its default; none where it is something else.
    fn get<T>(&self, name: &str, read: impl FnOnce(&'a Value) -> Option<T>, default: T) -> Option<T> {
        self.find(name).map_or(Some(default), read)
    }
}
