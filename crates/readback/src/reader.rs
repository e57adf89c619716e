//! The reader of files: what a thread keeps for the codes of a job.

use crate::light::{Light, check_finder_patterns};
use crate::png::PngSampler;
use crate::svg::SvgSampler;
use crate::symbol::SymbolDecoder;
use crate::{Geometry, Modules, ReadError};

/// The thresholds that are tried one after the other, in eighths of the way from dark to light. The first is that of
/// ISO/IEC 15415; under a logo of middling light another may leave fewer errors.
const THRESHOLD_EIGHTHS: [u32; 5] = [4, 3, 5, 2, 6];

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// PNG, third edition.
    Png,
    /// SVG, version 1.1 or 2.
    Svg,
}

/// A code that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading<'a> {
    /// The bytes of its segments.
    pub data: &'a [u8],
    /// The share of error correction that is left in its worst block, in thousandths.
    pub unused_thousandths: u16,
}

/// Reads the codes of files in one style; keeps its buffers, and what each version needs.
pub struct Reader {
    geometry: Geometry,
    png: PngSampler,
    svg: SvgSampler,
    light: Light,
    modules: Modules,
    decoder: SymbolDecoder,
}

impl Reader {
    /// A reader of pictures whose modules are where `geometry` says.
    pub fn new(geometry: Geometry) -> Self {
        Self {
            geometry,
            png: PngSampler::default(),
            svg: SvgSampler::new(),
            light: Light::default(),
            modules: Modules::default(),
            decoder: SymbolDecoder::new(),
        }
    }

    /// Reads the code of a file. Where the picture is transparent, it is enough that it is read over white or over black.
    ///
    /// # Errors
    /// The reason why no code was read, over white.
    pub fn read(&mut self, file: &[u8], format: FileFormat) -> Result<Reading<'_>, ReadError> {
        self.sample(file, format)?;
        let Self { light, modules, decoder, .. } = self;
        let mut reason = None;
        for backdrop in light.backdrops() {
            let contrast = match light.contrast(backdrop) {
                Ok(contrast) => contrast,
                Err(error) => {
                    reason.get_or_insert(error);
                    continue;
                }
            };
            for eighths in THRESHOLD_EIGHTHS {
                light.modules(backdrop, contrast.threshold(eighths), modules);
                let outcome = check_finder_patterns(modules).and_then(|()| decoder.decode(modules));
                match outcome {
                    Ok(unused_thousandths) => {
                        return Ok(Reading { data: decoder.text(), unused_thousandths });
                    }
                    Err(error) => {
                        reason.get_or_insert(error);
                    }
                }
            }
        }
        Err(reason.unwrap_or(ReadError::Contrast))
    }

    /// The modules that the reader sees in a file, over white, or over black where white shows none.
    ///
    /// # Errors
    /// The reason why it sees none.
    pub fn modules(&mut self, file: &[u8], format: FileFormat) -> Result<Modules, ReadError> {
        self.sample(file, format)?;
        let Self { light, .. } = self;
        let contrasts = light.backdrops().map(|backdrop| (backdrop, light.contrast(backdrop)));
        let (backdrop, contrast) = contrasts
            .into_iter()
            .find_map(|(backdrop, contrast)| contrast.ok().map(|contrast| (backdrop, contrast)))
            .ok_or(ReadError::Contrast)?;
        let mut modules = Modules::default();
        light.modules(backdrop, contrast.threshold(THRESHOLD_EIGHTHS[0]), &mut modules);
        Ok(modules)
    }

    fn sample(&mut self, file: &[u8], format: FileFormat) -> Result<(), ReadError> {
        match format {
            FileFormat::Png => self.png.sample(file, self.geometry, &mut self.light),
            FileFormat::Svg => self.svg.sample(file, self.geometry, &mut self.light),
        }
    }
}
