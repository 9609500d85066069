//! What a session runs on.

use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use crate::{Cancel, Engine, Work};

/// The options of a session: what it runs on. The default chooses by itself.
///
/// ```
/// use tribin::{DeviceChoice, Options};
///
/// let mut options = Options::default();
/// options.device = DeviceChoice::Cpu;
/// ```
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The device.
    pub device: DeviceChoice,
    /// Whether a GPU that was asked for is opened while the first file is read, or when it is first needed. If it cannot be used,
    /// that is then the error of the first work that needs it.
    pub open_later: bool,
    /// An engine of your own, in place of the device ([`Engine`]).
    pub engine: Option<Arc<dyn Engine>>,
    /// CPU threads for reading, preparing and counting. `None` takes the rayon pool that the caller runs in,
    /// or the global one: a thread for each core that the process may use.
    pub threads: Option<NonZeroUsize>,
    /// Bytes of device memory that a GPU may use at most; `None` takes what is free.
    pub device_memory: Option<u64>,
    /// Bytes of host memory that work on a graph may use at most, wherever it runs. One that takes more in memory is
    /// worked on out of core: its edges go to scratch files ([`scratch`](Self::scratch)). `None` takes what is free, and leaves
    /// graphs in memory there.
    pub memory: Option<u64>,
    /// The folder for scratch files, which are removed at the end. `None` takes a folder of the system's for
    /// temporary files that is on a disk and has room.
    pub scratch: Option<PathBuf>,
    /// The number of parts in which several GPUs prepare a graph, for tests and measurements: also one GPU then prepares it in
    /// parts. `None` leaves it to the plan.
    #[doc(hidden)]
    pub parts: Option<u32>,
    /// The token that stops whatever the session does.
    pub cancel: Cancel,
    /// The gauge that says how much of a phase is done.
    pub work: Work,
}

/// The device to count on: `auto`, `cpu`, `gpu`, `gpu:N`, `gpu:all`, or a list such as `gpu:0-3` or `gpu:0,2,5`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DeviceChoice {
    /// The device of each graph is whichever is predicted to be done first: a GPU if one can be used, with the time that it takes to open
    /// it, or the CPU; several GPUs where that is predicted to pay. A GPU that is there and fails is reported as a warning, and
    /// the CPU takes over.
    #[default]
    Auto,
    /// All CPU threads.
    Cpu,
    /// A GPU: the one with this ordinal (from 0), or the first. A GPU that fails is an error.
    Gpu(Option<u32>),
    /// All GPUs of the machine that the kernels run on.
    AllGpus,
    /// Several GPUs, by their ordinals.
    Gpus(GpuList),
}

/// A list of GPUs of a machine, by their ordinals below 64: at least two.
///
/// ```
/// use tribin::{DeviceChoice, GpuList};
///
/// let list = GpuList::new([0, 1, 2, 5]).unwrap();
/// assert_eq!(list.ordinals().collect::<Vec<_>>(), [0, 1, 2, 5]);
/// assert_eq!("gpu:0-2,5".parse(), Ok(DeviceChoice::Gpus(list)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GpuList(u64);

impl GpuList {
    /// A list of these GPUs; `None` for fewer than two different ones, and for ordinals from 64 on.
    pub fn new(ordinals: impl IntoIterator<Item = u32>) -> Option<GpuList> {
        let mut bits = 0u64;
        for ordinal in ordinals {
            bits |= 1u64.checked_shl(ordinal)?;
        }
        (bits.count_ones() > 1).then_some(GpuList(bits))
    }

    /// The ordinals of the GPUs, ascending.
    pub fn ordinals(self) -> impl Iterator<Item = u32> {
        (0..u64::BITS).filter(move |ordinal| self.0 >> ordinal & 1 == 1)
    }
}

impl fmt::Display for GpuList {
    /// Writes the list as `--device` takes it after `gpu:`, neighbours as ranges.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.ordinals().peekable();
        let mut comma = "";
        while let Some(first) = rest.next() {
            let mut last = first;
            while rest.next_if_eq(&(last + 1)).is_some() {
                last += 1;
            }
            match last - first {
                0 => write!(f, "{comma}{first}")?,
                _ => write!(f, "{comma}{first}-{last}")?,
            }
            comma = ",";
        }
        Ok(())
    }
}

/// The ordinals of `0,2,5` or `0-3`: one or more, each once.
fn ordinals(text: &str) -> Option<Vec<u32>> {
    let mut found = Vec::new();
    for item in text.split(',') {
        let (first, last) = item.split_once('-').unwrap_or((item, item));
        let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
        if first > last || last >= u64::BITS || found.iter().any(|n| (first..=last).contains(n)) {
            return None;
        }
        found.extend(first..=last);
    }
    Some(found)
}

impl FromStr for DeviceChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let unknown = || {
            format!(
                "`{text}` is none of `auto`, `cpu`, `gpu`, `gpu:N` (N from 0), `gpu:all`, and a list \
                 of GPUs such as `gpu:0-3` or `gpu:0,2,5`"
            )
        };
        match text {
            "auto" => Ok(DeviceChoice::Auto),
            "cpu" => Ok(DeviceChoice::Cpu),
            "gpu" => Ok(DeviceChoice::Gpu(None)),
            "gpu:all" => Ok(DeviceChoice::AllGpus),
            _ => {
                let named = text.strip_prefix("gpu:").ok_or_else(unknown)?;
                if let Ok(ordinal) = named.parse() {
                    return Ok(DeviceChoice::Gpu(Some(ordinal)));
                }
                let named = ordinals(named).ok_or_else(unknown)?;
                let several = GpuList::new(named.iter().copied());
                Ok(several.map_or(DeviceChoice::Gpu(Some(named[0])), DeviceChoice::Gpus))
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
            DeviceChoice::AllGpus => f.write_str("gpu:all"),
            DeviceChoice::Gpus(list) => write!(f, "gpu:{list}"),
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
            DeviceChoice::AllGpus,
            DeviceChoice::Gpus(GpuList::new([0, 63]).unwrap()),
            DeviceChoice::Gpus(GpuList::new([0, 1, 2, 5, 7, 8]).unwrap()),
        ] {
            assert_eq!(choice.to_string().parse(), Ok(choice));
        }
    }

    #[test]
    fn what_is_no_choice_is_refused() {
        for text in [
            "",
            "CPU",
            "gpu:",
            "gpu:-1",
            "gpu:x",
            "gpu:4294967296",
            "tpu",
            "gpu:0,",
            "gpu:,1",
            "gpu:1-0",
            "gpu:0-64",
            "gpu:0,0",
            "gpu:0-2,1",
            "gpu:0-1-2",
            "gpu:all,0",
            "gpu: 0",
            "gpus:0-1",
        ] {
            let message = text.parse::<DeviceChoice>().unwrap_err();
            assert!(
                message.starts_with(&format!("`{text}` is none of `auto`, `cpu`, ")),
                "{message}"
            );
        }
    }

    #[test]
    fn lists_of_gpus_are_read_in_any_order_and_written_in_one() {
        for (text, written) in [
            ("gpu:0,1", "gpu:0-1"),
            ("gpu:5,0,2", "gpu:0,2,5"),
            ("gpu:0-3", "gpu:0-3"),
            ("gpu:6-7,1,2-4", "gpu:1-4,6-7"),
            ("gpu:3-3", "gpu:3"),
        ] {
            assert_eq!(text.parse::<DeviceChoice>().unwrap().to_string(), written);
        }
    }
}
