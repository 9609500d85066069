//! The wire of GPUs: NCCL.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use tribin_cuda::nccl::{GoOn, Link, Nccl, UNIQUE_ID_BYTES, UniqueId};
use tribin_device::launch::{Buffer, View, ViewMut};

use super::linked::all_done;
use super::{Peers, Reduction, Take, Watch, Wire};
use crate::device::cuda::Gpu;
use crate::device::team::Team;
use crate::{Error, Hint, Message, Result};

/// The variable that names NCCL's file, where it is not found by itself.
const NAMED: &str = "TRIBIN_NCCL";

/// Words that each GPU gives to warm the links up: enough for NCCL to go the way that large arrays go.
const WARM_UP: u64 = 1 << 22;

/// How long NCCL's error waits for news of another process: NCCL may see first that one is gone, and does not say
/// which.
const NEWS: Duration = Duration::from_millis(500);

/// Finds NCCL and loads it.
///
/// # Errors
/// [`Error::Device`] says what was tried, and what helps.
pub fn load() -> Result<&'static Nccl> {
    let named = std::env::var_os(NAMED).filter(|name| !name.is_empty()).map(PathBuf::from);
    let found = Nccl::load(named.as_deref()).map_err(|error| {
        if matches!(error, tribin_cuda::Error::Multicast) {
            return Error::Device(Message::from(error.to_string()).with_source(error));
        }
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
        let begin = Instant::now();
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
        let links = all_done(links.map_err(|failed| Error::from(failed.error))?)?;
        let joined = begin.elapsed();
        let wire = NcclWire { first, links };
        if devices > 1 {
            wire.warm_up(team, devices, (&watch, &ended))?;
        }
        let ready = begin.elapsed();
        tracing::debug!("NCCL: {devices} GPUs linked in {joined:?}, warm after {ready:?}");
        Ok(wire)
    }

    /// Moves a little between all GPUs once. NCCL sets up what it goes by at the first use, which takes a third of a second:
    /// no graph waits for it.
    /// `ended` is set where a GPU of this process fails, for `watch` to see.
    fn warm_up(
        &self,
        team: &Team<Gpu>,
        devices: usize,
        (watch, ended): (Watch, &AtomicBool),
    ) -> Result<()> {
        let begun = team.each(|_, gpu| {
            let words = || Buffer::<u32, Gpu>::zeroed(gpu, WARM_UP);
            Ok((words()?, words()?))
        });
        let begun = begun.map_err(|failed| Error::from(failed.error))?;
        let done = team.step(begun, |own, gpu, (mut words, given)| {
            let number = self.first + own;
            let view = words.view_mut();
            let mut done = self.all_reduce(number, gpu, view, Reduction::Largest, watch);
            // As a graph's rows go: to one and from one.
            for step in 1..devices {
                let to = (number + step) % devices;
                let from = (number + devices - step) % devices;
                done = done.and_then(|()| {
                    let given = [(to, given.view().cast())];
                    let taken = vec![(from, words.view_mut().cast())];
                    self.swap(number, gpu, &given, taken, watch)
                });
            }
            if done.is_err() {
                ended.store(true, Relaxed);
            }
            Ok(done)
        });
        all_done(done.map_err(|failed| Error::from(failed.error))?).map(drop)
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
