//! How an emulator schedules and when it gives up.

use std::time::Duration;

/// The environment variable that replaces [`Config::seed`]: decimal, or hexadecimal after `0x`.
pub(crate) const SEED_VARIABLE: &str = "WARPWISE_EMU_SEED";

/// The order in which threads and blocks go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Schedule {
    /// Threads and blocks go by index; a thread runs until it waits or has made 4096 accesses.
    InOrder,
    /// Drawn from the seed, also in the middle of a thread's run between two accesses.
    Shuffled,
}

/// The settings of an [`Emulator`](crate::Emulator).
#[derive(Debug, Clone)]
pub struct Config {
    /// What the schedule is drawn from. `WARPWISE_EMU_SEED` replaces it.
    pub seed: u64,
    /// The order in which threads and blocks go.
    pub schedule: Schedule,
    /// Most blocks that are under way at a time; at least 1. Fewer where blocks have more than 256 threads.
    pub resident_blocks: u32,
    /// Mean number of accesses between two interruptions of a thread in a shuffled schedule.
    pub preempt_every: u32,
    /// Steps (accesses; a sleep counts 64) that a launch may take while no word of memory changes and no thread returns, beside
    /// 16,384 for each thread that is under way. A thirty-second of them is enough where every thread accesses a few words again and again.
    pub idle_limit: u64,
    /// Steps that one block may take.
    pub step_limit: u64,
    /// Processor time that a thread of a kernel may compute for without an access, a barrier or a warp operation, on Linux. After that it counts
    /// as in an endless loop, and the process ends with a message. It is long so that no kernel is hit that ends.
    pub compute_limit: Duration,
    /// Whether a read of global memory that nothing wrote is a finding.
    pub check_uninitialized_global: bool,
    /// What [`Device::multiprocessors`](warpwise_launch::Device::multiprocessors) says.
    pub multiprocessors: u32,
    /// Whether lines that kernels trace are printed to standard error as they come. They are kept either way:
    /// see [`Emulator::take_trace`](crate::Emulator::take_trace).
    pub print_trace: bool,
    /// Most lines of a launch that are kept; later ones are dropped.
    pub trace_lines: usize,
    /// The PTX that GPUs get. A launch of a kernel that is not in it, or takes something else there, is an error, as on a GPU.
    pub ptx: Option<&'static str>,
}

impl Default for Config {
    /// Shuffled, 8 resident blocks, all checks.
    fn default() -> Config {
        Config {
            seed: 1,
            schedule: Schedule::Shuffled,
            resident_blocks: 8,
            preempt_every: 64,
            idle_limit: 1 << 23,
            step_limit: 1 << 32,
            compute_limit: Duration::from_secs(60),
            check_uninitialized_global: true,
            multiprocessors: 2,
            print_trace: true,
            trace_lines: 1 << 16,
            ptx: None,
        }
    }
}

impl Config {
    /// The default with another seed.
    pub fn seeded(seed: u64) -> Config {
        Config { seed, ..Config::default() }
    }
}

/// The seed in `text`, if it is one.
pub(crate) fn parse_seed(text: &str) -> Option<u64> {
    let text = text.trim();
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::parse_seed;

    #[test]
    fn seeds_are_decimal_or_hexadecimal() {
        assert_eq!(parse_seed("17"), Some(17));
        assert_eq!(parse_seed(" 0xfF "), Some(255));
        assert_eq!(parse_seed("0xffffffffffffffff"), Some(u64::MAX));
        assert_eq!(parse_seed("ff"), None);
        assert_eq!(parse_seed(""), None);
        assert_eq!(parse_seed("-1"), None);
    }
}
