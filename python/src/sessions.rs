//! Devices and threads, which all graphs of a process share.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::{env, process, thread};

use pyo3::prelude::*;
use tribin::cli::size;
use tribin::papers::PaperEngine;
use tribin::{DeviceChoice, Error, Options, Result, Session};

/// The device, threads and limits that a graph is made with.
#[derive(Debug, Clone, PartialEq, Eq, Hash, FromPyObject)]
pub struct Resources {
    #[pyo3(attribute)]
    device: String,
    #[pyo3(attribute)]
    engine: String,
    #[pyo3(attribute)]
    threads: Option<usize>,
    #[pyo3(attribute)]
    memory: Option<u64>,
    #[pyo3(attribute)]
    device_memory: Option<u64>,
    #[pyo3(attribute)]
    scratch: Option<PathBuf>,
}

/// Threads do not outlive a fork: the child has sessions of its own.
type Key = (u32, Resources);

static SESSIONS: Mutex<Option<HashMap<Key, Session>>> = Mutex::new(None);

/// The session of these resources, opened when it is first asked for.
pub fn session(resources: &Resources) -> Result<Session> {
    let key = (process::id(), resources.clone());
    let mut sessions = SESSIONS.lock().unwrap_or_else(PoisonError::into_inner);
    let sessions = sessions.get_or_insert_default();
    if let Some(session) = sessions.get(&key) {
        return Ok(session.clone());
    }
    let mut options = Options::default();
    options.device = resources.device.parse::<DeviceChoice>().map_err(usage)?;
    options.threads = Some(match resources.threads {
        Some(threads) => NonZeroUsize::new(threads)
            .ok_or_else(|| usage("`threads` is 0: there must be one at least".into()))?,
        None => default_threads(),
    });
    size::limit(&mut options, resources.memory, resources.device_memory);
    options.scratch.clone_from(&resources.scratch);
    if resources.engine != "auto" {
        let engine: PaperEngine = resources.engine.parse().map_err(usage)?;
        options.engine = Some(engine.open(&options)?);
    }
    let session = Session::open(options)?;
    sessions.insert(key, session.clone());
    Ok(session)
}

/// The number of threads that a pool of rayon's has by default. Rayon's global pool is left alone: other modules
/// may use it, and it does not survive a fork.
fn default_threads() -> NonZeroUsize {
    let asked = env::var("RAYON_NUM_THREADS").ok().and_then(|text| text.parse().ok());
    asked.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
}

fn usage(message: String) -> Error {
    Error::Usage(message.into())
}
