//! The CPU: its threads, and what reports say of it.

use std::num::NonZeroUsize;

use crate::par::{self, Pool};
use crate::{Error, Message, Result};

/// The most threads of a pool: more than any machine has cores, and few enough for any to start.
pub const MOST_THREADS: usize = 1024;

/// The variable that sets the number of threads where no option does.
const VARIABLE: &str = "RAYON_NUM_THREADS";

/// A pool of this many threads; `None` takes what RAYON_NUM_THREADS says, or one for each core that the
/// process may use.
///
/// # Errors
/// [`Error::Usage`] for more than [`MOST_THREADS`], and [`Error::Device`] if they cannot be started.
pub fn thread_pool(threads: Option<NonZeroUsize>) -> Result<Pool> {
    let asked = asked_for(threads)?;
    let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let threads = if asked == 0 { cores().min(MOST_THREADS) } else { asked };
    Pool::start(threads, "tribin").map_err(|error| no_threads(threads, error))
}

/// Checks that the pool that work runs in, or the global one that would start for it, has no more than
/// [`MOST_THREADS`], and starts the global one.
///
/// # Errors
/// [`Error::Usage`] if it would, and [`Error::Device`] if its threads cannot be started.
pub fn check_current_pool() -> Result<()> {
    if par::thread().is_some() {
        return Ok(());
    }
    let asked = asked_for(None)?;
    par::start_global(asked).map_err(|error| no_threads(asked, error))
}

/// The number of threads that is asked for; 0 leaves it to rayon.
fn asked_for(threads: Option<NonZeroUsize>) -> Result<usize> {
    let variable = || std::env::var(VARIABLE).ok().and_then(|text| text.parse::<usize>().ok());
    let asked = threads.map(NonZeroUsize::get).or_else(variable).unwrap_or(0);
    if asked <= MOST_THREADS {
        return Ok(asked);
    }
    Err(Error::Usage(match threads {
        Some(_) => Message::from("")
            .with_hint(format!("`--threads` asks for {asked} threads: use at most {MOST_THREADS}")),
        None => format!("{VARIABLE} asks for {asked} threads: use at most {MOST_THREADS}").into(),
    }))
}

/// The error of threads that cannot be started.
pub fn no_threads(threads: usize, error: impl std::error::Error + Send + Sync + 'static) -> Error {
    let number = if threads == 0 { String::new() } else { format!("{threads} ") };
    Error::Device(
        Message::from(format!("cannot start {number}threads: {error}")).with_source(error),
    )
}

/// The processor's name where the system tells it (Linux: the first `model name` of /proc/cpuinfo),
/// else its architecture.
pub fn name() -> String {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    model_name(&cpuinfo).unwrap_or(std::env::consts::ARCH).to_owned()
}

fn model_name(cpuinfo: &str) -> Option<&str> {
    let (_, value) = cpuinfo
        .lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(key, _)| matches!(key.trim(), "model name" | "Model"))?;
    Some(value.trim()).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_model_name_counts() {
        let text = "processor\t: 0\nmodel name\t: AMD EPYC 9R14\n\nmodel name\t: other\n";
        assert_eq!(model_name(text), Some("AMD EPYC 9R14"));
        assert_eq!(model_name("processor\t: 0\n"), None);
        assert_eq!(model_name("model name\t:\n"), None);
    }
}
