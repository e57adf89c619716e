//! The data of one code as the fields of its kind, and back, in the process that asks for it.

use napi::Error;
use napi_derive::napi;
use qrpress_spreadsheet::Kind;

use crate::error::Result;

/// A kind, and its values in the order of its fields.
#[napi(object)]
pub struct KindValues {
    /// The name of the kind.
    pub kind: String,
    /// The values. One that is empty is absent.
    pub values: Vec<String>,
}

/// The data of a code, or what is wrong with a value.
#[napi(object, object_from_js = false)]
pub struct ComposedData {
    /// Absent where a value is wrong.
    pub data: Option<String>,
    /// The field whose value is wrong.
    pub field: Option<String>,
    /// A sentence about it that begins in lower case.
    pub message: Option<String>,
}

/// Reads the kind and the values from data that [`compose_data`] would write in the same way; null for any other. Takes
/// microseconds, and reads no file.
///
/// Throws `panic`.
#[napi(catch_unwind)]
pub fn read_data(data: String) -> Option<KindValues> {
    Kind::read(&data).map(|(kind, values)| KindValues { kind: kind.name().to_owned(), values })
}

/// Puts the data of a code together. Takes microseconds, and reads no file.
///
/// Throws `invalid_argument` for a kind that is unknown, or `panic`.
#[napi(catch_unwind)]
pub fn compose_data(KindValues { kind, values }: KindValues) -> Result<ComposedData> {
    let known = Kind::of_name(&kind);
    let kind = known.ok_or_else(|| Error::new("invalid_argument", format!("there is no kind {kind}")))?;
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
    Ok(match kind.compose(&values) {
        Ok(data) => ComposedData { data: Some(data), field: None, message: None },
        Err(fault) => {
            ComposedData { data: None, field: Some(fault.field.to_owned()), message: Some(fault.message) }
        }
    })
}

/// Lines that name the fields of codes.
#[napi(object, object_from_js = false)]
pub struct FieldsOfLines {
    /// The kind of the codes: `wifi` or `contact`.
    pub kind: &'static str,
    /// Their table leaves out other lines.
    pub leaves_lines: bool,
}

/// Lines that name the fields of codes, such as `SSID: Guest`; null for others. Takes microseconds for some hundred lines, and reads no
/// file.
///
/// Throws `panic`.
#[napi(catch_unwind)]
pub fn fields_of_lines(lines: String) -> Option<FieldsOfLines> {
    let (kind, leaves_lines) = qrpress_spreadsheet::kind_of_fields(&lines)?;
    Some(FieldsOfLines { kind: kind.name(), leaves_lines })
}

/// The numbers of the lines that say how to join a network, from 1.
#[napi(object, object_from_js = false)]
pub struct NetworkLines {
    /// Lines that can become codes.
    pub whole: Vec<u32>,
    /// Lines with a network and a password, not all of which is sure.
    pub unsure: Vec<u32>,
    /// The first of those whose code can be written.
    pub written_line: Option<u32>,
    /// Its code.
    pub written: Option<String>,
}

/// The lines that say how to join a network each: `WLAN: Guest, Password: abc12345`. Takes microseconds for each, and reads no file.
///
/// Throws `panic`.
#[napi(catch_unwind)]
pub fn lines_of_networks(lines: String) -> NetworkLines {
    let qrpress_spreadsheet::NetworkLines { whole, unsure, written } =
        qrpress_spreadsheet::lines_of_networks(&lines);
    let (written_line, written) = written.unzip();
    NetworkLines { whole, unsure, written_line, written }
}
