//! What a session runs on.

use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

use crate::{Cancel, Work};

/// What a session runs on. The default chooses by itself.
///
/// ```
/// use tribin::{DeviceChoice, Options};
///
/// let mut options = Options::default();
/// options.device = DeviceChoice::Cpu;
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The device.
    pub device: DeviceChoice,
    /// CPU threads for reading, preparing and counting. `None` takes the rayon pool that the caller runs in,
    /// or the global one: a thread for each core that the process may use.
    pub threads: Option<NonZeroUsize>,
    /// Bytes of device memory that a GPU may use at most; `None` takes what is free. The radix engine makes
    /// its batches fit, and takes three quarters of what is free by default.
    pub device_memory: Option<u64>,
    /// Bytes of host memory that a count on the CPU may use at most. A graph that takes more in memory is counted out
    /// of core: its edges go to scratch files ([`scratch`](Self::scratch)). `None` takes what is free. It holds for
    /// [`Session::count_file`](crate::Session::count_file).
    pub memory: Option<u64>,
    /// The folder for scratch files, which are removed at the end. `None` takes a folder of the system's for
    /// temporary files that is on a disk and has room.
    pub scratch: Option<PathBuf>,
    /// The token that stops whatever the session does.
    pub cancel: Cancel,
    /// The gauge that says how much of a phase is done.
    pub work: Work,
}

/// What to count on: `auto`, `cpu`, `gpu` or `gpu:N`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
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
    }
}
