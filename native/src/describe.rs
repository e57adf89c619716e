//! The description of this build of the engine.

use napi_derive::napi;
use qrpress_batch::SimdLevel;

use crate::confinement::confinement;
use crate::error::Result;
use crate::fonts::fonts;

/// The engine, for operators and bench records.
#[napi(object, object_from_js = false)]
pub struct EngineDescription {
    /// The engine's version.
    pub version: String,
    /// The code path that symbols are drawn with on this CPU. All paths give the same bytes.
    pub cpu_path: String,
    /// All that this CPU could take.
    pub available_cpu_paths: Vec<String>,
    /// Fonts in use.
    pub fonts: u32,
    /// Files of the font folders that are not used, each with the reason.
    pub rejected_fonts: Vec<String>,
    /// Resources that this process cannot reach: some of `network` and `files`.
    pub confinement: Vec<String>,
}

/// The processors that this process may use: those of its affinity, and no more than the quota of its control group.
#[napi(catch_unwind)]
pub fn available_threads() -> u32 {
    std::thread::available_parallelism().map_or(1, |threads| threads.get() as u32)
}

/// Describes the engine.
///
/// Throws `fonts`.
#[napi(catch_unwind)]
pub fn describe_engine() -> Result<EngineDescription> {
    let fonts = fonts()?;
    Ok(EngineDescription {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        cpu_path: SimdLevel::detect().name().to_owned(),
        available_cpu_paths: SimdLevel::available().map(|level| level.name().to_owned()).collect(),
        fonts: fonts.len() as u32,
        rejected_fonts: fonts
            .rejected()
            .iter()
            .map(|(path, reason)| format!("{}: {reason}", path.display()))
            .collect(),
        confinement: confinement().iter().map(|&name| name.to_owned()).collect(),
    })
}
