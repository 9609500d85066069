//! What the user may choose.

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;

use crate::methods::radix_binning::Orientation;

/// What to count with and on. The default chooses by itself.
///
/// ```
/// use tribin::count::{DeviceChoice, Options};
///
/// let mut options = Options::default();
/// options.device = DeviceChoice::Cpu;
/// options.verify = true;
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// What to count on.
    pub device: DeviceChoice,
    /// The counting method.
    pub engine: EngineChoice,
    /// CPU threads for reading, preparing and counting; `None` takes one for each core that the
    /// process may use.
    pub threads: Option<NonZeroUsize>,
    /// Count again with an independent engine and compare every figure.
    pub verify: bool,
    /// Bytes of device memory that the GPU engine may use at most; `None` takes what is free. The radix
    /// engine makes its batches fit, and takes three quarters of what is free by default.
    pub memory_limit: Option<u64>,
    /// Which wedges the radix engine takes as candidates; `None` takes those of the graph oriented by
    /// degree. Other engines refuse it.
    pub orientation: Option<Orientation>,
    /// Report what the radix engine's levels did. Other engines refuse it.
    pub stats: bool,
}

/// What to count on: `auto`, `cpu`, `gpu` or `gpu:N`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DeviceChoice {
    /// A GPU if one can be used, else the CPU. A GPU that is there and fails is reported as a
    /// warning, and the CPU takes over.
    #[default]
    Auto,
    /// All CPU threads.
    Cpu,
    /// A GPU: the one with this ordinal (from 0), or the first. A GPU that fails is an error.
    Gpu(Option<u32>),
}

impl FromStr for DeviceChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let unknown = || format!("`{text}` is none of `auto`, `cpu`, `gpu`, `gpu:N` (N from 0)");
        match text {
            "auto" => Ok(DeviceChoice::Auto),
            "cpu" => Ok(DeviceChoice::Cpu),
            "gpu" => Ok(DeviceChoice::Gpu(None)),
            _ => {
                let ordinal = text.strip_prefix("gpu:").ok_or_else(unknown)?;
                ordinal.parse().map(|n| DeviceChoice::Gpu(Some(n))).map_err(|_| unknown())
            }
        }
    }
}

impl fmt::Display for DeviceChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeviceChoice::Auto => f.write_str("auto"),
            DeviceChoice::Cpu => f.write_str("cpu"),
            DeviceChoice::Gpu(None) => f.write_str("gpu"),
            DeviceChoice::Gpu(Some(ordinal)) => write!(f, "gpu:{ordinal}"),
        }
    }
}

/// The counting method: `auto`, `forward`, `hybrid`, `merge-path`, `bitmap` or `radix`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum EngineChoice {
    /// The fastest method that the device has.
    #[default]
    Auto,
    /// Intersect the oriented lists at both ends of every edge.
    Forward,
    /// The same intersections, each by the method that its rows call for: GPU only.
    Hybrid,
    /// The same intersections, each cut into equal shares for several threads: GPU only.
    MergePath,
    /// The rows as segments of bits, multiplied: GPU only.
    Bitmap,
    /// Candidate edges for all wedges, intersected with the edges by radix binning (paper 003): GPU only.
    Radix,
}

impl EngineChoice {
    /// Every choice.
    pub const ALL: [EngineChoice; 6] = [
        EngineChoice::Auto,
        EngineChoice::Forward,
        EngineChoice::Hybrid,
        EngineChoice::MergePath,
        EngineChoice::Bitmap,
        EngineChoice::Radix,
    ];

    /// The choice as `--engine` takes it.
    pub const fn name(self) -> &'static str {
        match self {
            EngineChoice::Auto => "auto",
            EngineChoice::Forward => "forward",
            EngineChoice::Hybrid => "hybrid",
            EngineChoice::MergePath => "merge-path",
            EngineChoice::Bitmap => "bitmap",
            EngineChoice::Radix => "radix",
        }
    }

    /// Whether the method needs a GPU.
    pub(super) const fn is_for_gpus_only(self) -> bool {
        !matches!(self, EngineChoice::Auto | EngineChoice::Forward)
    }
}

impl FromStr for EngineChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        EngineChoice::ALL.into_iter().find(|choice| choice.name() == text).ok_or_else(|| {
            let names = EngineChoice::ALL.map(|choice| format!("`{}`", choice.name()));
            format!("`{text}` is none of {}", names.join(", "))
        })
    }
}

impl fmt::Display for EngineChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_parse_back_from_their_text() {
        for choice in [
            DeviceChoice::Auto,
            DeviceChoice::Cpu,
            DeviceChoice::Gpu(None),
            DeviceChoice::Gpu(Some(0)),
            DeviceChoice::Gpu(Some(17)),
        ] {
            assert_eq!(choice.to_string().parse(), Ok(choice));
        }
        for choice in EngineChoice::ALL {
            assert_eq!(choice.to_string().parse(), Ok(choice));
        }
    }

    #[test]
    fn what_is_no_choice_is_refused() {
        for text in ["", "CPU", "gpu:", "gpu:-1", "gpu:x", "gpu:4294967296", "tpu"] {
            let message = text.parse::<DeviceChoice>().unwrap_err();
            assert_eq!(
                message,
                format!("`{text}` is none of `auto`, `cpu`, `gpu`, `gpu:N` (N from 0)")
            );
        }
        assert_eq!(
            "fast".parse::<EngineChoice>().unwrap_err(),
            "`fast` is none of `auto`, `forward`, `hybrid`, `merge-path`, `bitmap`, `radix`"
        );
    }
}
