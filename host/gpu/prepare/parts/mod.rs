//! Preparation by several devices, in several parts.
//!
//! Every device takes a share of the entries, and every part has the rows of a range of ranks. At the end each device has the whole oriented graph, as if it had prepared it alone.
//!
//! | step | module | what happens |
//! | --- | --- | --- |
//! | upload | here | each device takes its share of the entries, and counts degrees |
//! | even out | `even` | entries that are on devices already are spread over all of them |
//! | degrees | here | the sum over all devices |
//! | order | `order` | in what order the vertices are ranked: decided once for all |
//! | keys | `sort`, `ranges` | every entry becomes a key of two ranks, and goes to its part |
//! | rows | `sort` | each part brings its keys into rows, and drops duplicates |
//! | graph | `assemble` | every device takes the rows of all parts |

mod assemble;
mod even;
mod order;
mod ranges;
mod sort;

pub use assemble::starts_of;
pub use even::shares_are_even;

use std::ops::Range;
use std::time::Instant;

use warpwise_device::launch::{Buffer, Device, Peer};

use super::degrees::{Arriving, DeviceDegrees};
use super::upload::upload_entries;
use crate::control::{Cancel, Context, EngineSeconds};
use crate::device::team::{Failed, share};
use crate::device_graph::DeviceGraph;
use crate::exchange::PeerCopies;
use crate::plan::memory::MAX_ENTRIES;
use crate::plan::{Decision, Task};
use crate::{Error, Graph};

/// A device that can be one of several that prepare a graph.
pub trait Member:
    Peer<Error: Into<Error> + Send, Memory: Send + Sync> + Send + Sync + 'static
{
}

impl<D: Peer<Error: Into<Error> + Send, Memory: Send + Sync> + Send + Sync + 'static> Member for D {}

/// The reason why several devices did not prepare a graph.
#[derive(Debug)]
pub enum PartsStopped<E> {
    /// A device failed.
    Failed(Failed<E>),
    /// One part has more keys than a device can sort.
    TooManyKeys {
        /// Keys of the largest part.
        keys: u64,
    },
    /// The graph has more edges than a device numbers.
    TooManyEdges {
        /// Its edges.
        edges: u64,
    },
    /// The work was stopped.
    Cancelled,
}

impl<E> From<Failed<E>> for PartsStopped<E> {
    fn from(failed: Failed<E>) -> Self {
        PartsStopped::Failed(failed)
    }
}

/// The graph on every device.
pub struct OnDevices<D: Device> {
    /// The graph of each device; all are the same but for their share.
    pub graphs: Vec<DeviceGraph<D>>,
    /// What the first device has, without its graph.
    pub prepared: PreparedInParts,
}

/// The division of a graph into parts that are prepared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Division {
    /// Parts: from one to [`MOST_PARTS`](tribin_kernels::parts::MOST_PARTS).
    pub parts: u32,
    /// Whether results by vertex are wanted.
    pub task: Task,
    /// Most edges that a device takes.
    pub most_edges: u64,
}

impl Division {
    /// A division into this number of parts.
    pub fn new(parts: u32, task: Task) -> Division {
        Division { parts, task, most_edges: MAX_ENTRIES }
    }
}

/// The figures that several devices found out while they prepared a graph.
#[derive(Debug, Clone)]
pub struct PreparedInParts {
    /// The graph's figures.
    pub figures: crate::Summary,
    /// Seconds of the phases, by the host's clock.
    pub seconds: EngineSeconds,
    /// The decisions on the way, with their reasons.
    pub decisions: Vec<Decision>,
    /// The order of the vertices.
    pub order: crate::plan::preparation::Order,
    /// Bytes that devices took from other devices.
    pub exchanged: u64,
    /// Seconds that the copies between devices took, which are in no phase.
    pub exchange: f64,
}

/// The entries that a device starts from, and what they tell of degrees.
pub struct Loaded<D: Device> {
    /// The device's share of the entries, two vertices a word.
    pub entries: Buffer<u64, D>,
    /// Degrees in that share.
    pub degrees: DeviceDegrees<D>,
}

impl<D: Device> Loaded<D> {
    /// A share of the entries that is on its device, of a graph of `all` entries between the vertices `0..vertices`.
    fn counted(
        device: &D,
        entries: Buffer<u64, D>,
        [all, vertices]: [u64; 2],
    ) -> Result<Self, D::Error> {
        let mut degrees = DeviceDegrees::with_landmarks(device, vertices, all)?;
        degrees.add(device, &entries, 0..entries.len())?;
        Ok(Loaded { entries, degrees })
    }
}

/// The share of device `number` of the entries of a graph in host memory.
fn load<D: Device>(
    device: &D,
    graph: &Graph,
    number: usize,
    devices: usize,
) -> Result<Loaded<D>, D::Error> {
    let (all, vertices) = (graph.edges(), graph.vertex_bound() as u64);
    let Range { start, end } = share(number, devices, all.len() as u64);
    let own = &all[start as usize..end as usize];
    let mut degrees = DeviceDegrees::with_landmarks(device, vertices, all.len() as u64)?;
    let mut entries = Buffer::uninitialized(device, own.len() as u64)?;
    let mut arriving = Arriving::of(own.len() as u64);
    upload_entries(device, own, vertices, &mut entries, |entries, places| {
        let Some(due) = arriving.due(places.end) else { return Ok(()) };
        degrees.add(device, entries, due)
    })?;
    Ok(Loaded { entries, degrees })
}

/// Prepares a graph in host memory on all devices.
///
/// # Errors
/// As [`PartsStopped`] says.
///
/// # Panics
/// If there are fewer parts than one, or more than [`MOST_PARTS`](tribin_kernels::parts::MOST_PARTS).
pub fn prepare_in_parts<D: Member>(
    exchange: &PeerCopies<D>,
    graph: &Graph,
    division: Division,
    context: &Context,
) -> Result<OnDevices<D>, PartsStopped<D::Error>> {
    let team = exchange.team();
    let upload = || Ok(team.each(|number, device| load(device, graph, number, team.len()))?);
    prepare_loaded(exchange, graph.edges().len() as u64, upload, division, context.cancel())
}

/// Prepares a graph whose entries are on the devices already: `packed[i]` on device i, two vertices a
/// word. They need not be as many on each.
///
/// # Errors
/// As [`prepare_in_parts`].
///
/// # Panics
/// As [`prepare_in_parts`].
pub fn prepare_packed<D: Member>(
    exchange: &PeerCopies<D>,
    packed: Vec<Buffer<u64, D>>,
    vertices: u64,
    division: Division,
    context: &Context,
) -> Result<OnDevices<D>, PartsStopped<D::Error>> {
    let size = [packed.iter().map(Buffer::len).sum(), vertices];
    let count = || {
        let even = even::even_out(exchange, packed)?;
        let counted =
            exchange.team().step(even, |_, device, entries| Loaded::counted(device, entries, size));
        Ok(counted?)
    };
    prepare_loaded(exchange, size[0], count, division, context.cancel())
}

/// Prepares a graph in parts, from what `load` brings to each device. `entries` is the number of entries.
fn prepare_loaded<D: Member>(
    exchange: &PeerCopies<D>,
    entries: u64,
    load: impl FnOnce() -> Result<Vec<Loaded<D>>, PartsStopped<D::Error>>,
    division: Division,
    cancel: &Cancel,
) -> Result<OnDevices<D>, PartsStopped<D::Error>> {
    let Division { parts, task, most_edges } = division;
    let go_on = || cancel.check().map_err(|_| PartsStopped::Cancelled);
    let (bytes_before, seconds_before) = (exchange.bytes(), exchange.seconds());
    let start = Instant::now();
    go_on()?;
    let loaded = load()?;
    let uploaded = Instant::now();
    go_on()?;
    let mut decided = order::decide(exchange, loaded, entries, task)?;
    go_on()?;
    let decisions = std::mem::take(&mut decided.decisions);
    let order = decided.order;
    let parted = sort::to_parts(exchange, decided, entries, parts)?;
    let oriented = Instant::now();
    let exchanged_first = exchange.seconds() - seconds_before;
    go_on()?;
    let sorted = sort::sort_parts(exchange, parted, parts)?;
    go_on()?;
    if sorted.edges() > most_edges {
        return Err(PartsStopped::TooManyEdges { edges: sorted.edges() });
    }
    let (graphs, figures) = assemble::assemble(exchange, sorted, entries)?;
    let exchange_seconds = exchange.seconds() - seconds_before;
    let seconds = EngineSeconds {
        upload: (uploaded - start).as_secs_f64(),
        orient: (oriented - uploaded).as_secs_f64() - exchanged_first,
        clean: oriented.elapsed().as_secs_f64() - (exchange_seconds - exchanged_first),
        ..EngineSeconds::default()
    };
    let (exchanged, exchange) = (exchange.bytes() - bytes_before, exchange_seconds);
    let prepared = PreparedInParts { figures, seconds, decisions, order, exchanged, exchange };
    Ok(OnDevices { graphs, prepared })
}

#[cfg(test)]
mod tests;
