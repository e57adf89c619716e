//! A warning, and the kinds of warnings.

/// A warning about some items of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The kind.
    pub code: WarningCode,
    /// One or two sentences for people.
    pub message: String,
    /// Number of items that it concerns, 1 or more.
    pub items: u64,
    /// Index of the first of them in the job, from 0.
    pub first: u64,
    /// Indices of the first hundred of them. Empty where it concerns all items.
    pub listed: Vec<u64>,
}

impl Warning {
    /// A warning about `items` of the `total` items of a job, the first of which are `listed`.
    pub(super) fn about(
        code: WarningCode,
        message: String,
        [items, total]: [u64; 2],
        listed: Vec<u64>,
    ) -> Self {
        let first = listed.first().copied().unwrap_or(0);
        Self { code, message, items, first, listed: if items == total { Vec::new() } else { listed } }
    }
}

/// The kinds of warnings, in the order in which they are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WarningCode {
    /// Under the logo lie more codewords than error correction repairs, or nearly as many.
    LogoCoversTooMuch,
    /// Foreground and background are too similar.
    LowContrast,
    /// The foreground is lighter than the background.
    LightOnDark,
    /// Foreground and background are too similar in red light.
    LowContrastInRedLight,
    /// The quiet zone is narrower than the standard's.
    SmallQuietZone,
    /// Modules are too small in print.
    SmallModules,
    /// Letters of captions are too small.
    SmallCaption,
    /// Items have the same data as others: data of the same 64-bit hash. Of a million items without duplicates, two have the
    /// same hash with a probability of 3 · 10⁻⁸.
    DuplicateData,
    /// Data that was probably not meant.
    SuspiciousData,
    /// Text that readers take for another character set.
    AmbiguousCharset,
    /// GS1 Digital Links have a wrong check digit.
    Gs1CheckDigit,
    /// GS1 Digital Links do not have the form that GS1 gives them.
    Gs1Syntax,
    /// Modules of GS1 Digital Links are too small in print.
    Gs1ModuleSize,
}

impl WarningCode {
    /// The code by which clients know it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::LogoCoversTooMuch => "logo_covers_too_much",
            Self::LowContrast => "low_contrast",
            Self::LightOnDark => "light_on_dark",
            Self::LowContrastInRedLight => "low_contrast_in_red_light",
            Self::SmallQuietZone => "small_quiet_zone",
            Self::SmallModules => "small_modules",
            Self::SmallCaption => "small_caption",
            Self::DuplicateData => "duplicate_data",
            Self::SuspiciousData => "suspicious_data",
            Self::AmbiguousCharset => "ambiguous_charset",
            Self::Gs1CheckDigit => "gs1_check_digit",
            Self::Gs1Syntax => "gs1_syntax",
            Self::Gs1ModuleSize => "gs1_module_size",
        }
    }
}
