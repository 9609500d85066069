//! The wire of GPUs: NCCL.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use tribin_cuda::nccl::{GoOn, Link, Nccl, UNIQUE_ID_BYTES, UniqueId};
use tribin_device::launch::{View, ViewMut};

use super::{Peers, Reduction, Take, Watch, Wire};
use crate::device::cuda::Gpu;
use crate::device::team::Team;
use crate::{Error, Hint, Message, Result};

/// The variable that names NCCL's file, where it is not found by itself.
const NAMED: &str = "TRIBIN_NCCL";

/// How long NCCL's error waits for news of another process: NCCL may see first that one is gone, and does not say
/// which.
const NEWS: Duration = Duration::from_millis(500);

/// Finds NCCL and loads it.
///
/// # Safety
/// No other thread uses the environment meanwhile but through [`std::env`].
///
/// # Errors
/// [`Error::Device`] says what was tried, and what helps.
pub unsafe fn load() -> Result<&'static Nccl> {
    let named = std::env::var_os(NAMED).filter(|name| !name.is_empty()).map(PathBuf::from);
    // SAFETY: the caller's promise.
    let found = unsafe { Nccl::load(named.as_deref()) }.map_err(|error| {
        let text = format!(
            "{error}. Install the package nvidia-nccl-cu13 (nvidia-nccl-cu12 where the driver is of CUDA 12), or \
             name the file in {NAMED}"
        );
        Error::Device(Message::from(text).with_hint(Hint::OneProcess).with_source(error))
    })?;
    tracing::info!("NCCL {} ({})", found.version(), found.file().display());
    Ok(found)
}

/// NCCL's links of the GPUs of this process.
pub struct NcclWire {
    first: usize,
    links: Vec<Link>,
}

impl NcclWire {
    /// Links the GPUs of this process, of which the first is number `first` of `devices`. Rank 0 makes what the
    /// others are told.
    ///
    /// # Errors
    /// What NCCL, a GPU or another process reports.
    pub fn join(
        nccl: &'static Nccl,
        peers: &dyn Peers,
        team: &Team<Gpu>,
        (first, devices): (usize, usize),
    ) -> Result<NcclWire> {
        let own = match peers.rank() {
            0 => nccl.unique_id()?.0.to_vec(),
            _ => Vec::new(),
        };
        let id = peers.all_gather(&own)?.swap_remove(0);
        let id: [u8; UNIQUE_ID_BYTES] = id.try_into().map_err(|_| {
            Error::Device("rank 0 answered with something else than NCCL's id".into())
        })?;
        let ended = AtomicBool::new(false);
        let watch = || if ended.load(Relaxed) { Err(Error::Cancelled) } else { peers.check() };
        let links = team.each(|own, gpu| {
            let link = watched(&watch, |go_on| {
                Link::join(nccl, gpu, UniqueId(id), (first + own, devices), go_on)
            });
            if link.is_err() {
                ended.store(true, Relaxed);
            }
            Ok(link)
        });
        let links = links.map_err(|failed| Error::from(failed.error))?;
        // Those that waited for one that failed say less than that one.
        let (linked, failed): (Vec<_>, Vec<_>) = links.into_iter().partition(Result::is_ok);
        let mut failed: Vec<Error> = failed.into_iter().filter_map(Result::err).collect();
        let own = failed.iter().position(|error| !matches!(error, Error::Cancelled));
        match failed.is_empty() {
            true => Ok(NcclWire { first, links: linked.into_iter().flatten().collect() }),
            false => Err(failed.swap_remove(own.unwrap_or(0))),
        }
    }
}

/// Runs something that waits for other GPUs, and goes on as long as `watch` finds nothing. What it finds is the error
/// then.
fn watched<R>(watch: Watch, run: impl FnOnce(GoOn) -> Result<R, tribin_cuda::Error>) -> Result<R> {
    let found = RefCell::new(None);
    let go_on = || match watch() {
        Ok(()) => true,
        Err(error) => {
            found.replace(Some(error));
            false
        }
    };
    match run(&go_on) {
        Ok(done) => Ok(done),
        Err(error) => {
            let begin = Instant::now();
            while found.borrow().is_none() && go_on() && begin.elapsed() < NEWS {
                thread::sleep(Duration::from_millis(5));
            }
            Err(found.take().unwrap_or_else(|| error.into()))
        }
    }
}

impl Wire<Gpu> for NcclWire {
    fn all_reduce(
        &self,
        own: usize,
        gpu: &Gpu,
        words: ViewMut<'_, u32, Gpu>,
        by: Reduction,
        watch: Watch,
    ) -> Result<()> {
        let link = &self.links[own - self.first];
        watched(watch, |go_on| link.all_reduce(gpu, words, by == Reduction::Largest, go_on))
    }

    fn swap(
        &self,
        own: usize,
        gpu: &Gpu,
        given: &[(usize, View<'_, u8, Gpu>)],
        mut taken: Vec<Take<'_, Gpu>>,
        watch: Watch,
    ) -> Result<()> {
        let link = &self.links[own - self.first];
        watched(watch, |go_on| link.swap(gpu, given, &mut taken, go_on))
    }
}
