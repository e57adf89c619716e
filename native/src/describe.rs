//! What this build of the engine is.

use napi_derive::napi;
use qrpress_batch::CpuPath;

/// The engine, for operators and bench records.
#[napi(object, object_from_js = false)]
pub struct EngineDescription {
    /// The engine's version.
    pub version: String,
    /// The code path that symbols are drawn with on this CPU. All paths give the same bytes.
    pub cpu_path: String,
    /// All that this CPU could take.
    pub available_cpu_paths: Vec<String>,
}

/// Describes the engine.
#[napi(catch_unwind)]
pub fn describe_engine() -> EngineDescription {
    EngineDescription {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        cpu_path: CpuPath::detect().name().to_owned(),
        available_cpu_paths: CpuPath::available().map(|path| path.name().to_owned()).collect(),
    }
}
