//! In what order the vertices are ranked, decided once for all devices.

use bytemuck::Pod;
use tribin_device::launch::Buffer;

use super::super::landmarks::LandmarkLabels;
use super::super::summary::summary_of_degrees;
use super::super::vertex_order::{min_hash_labels, near};
use super::{Loaded, Member};
use crate::device::team::Failed;
use crate::exchange::{PeerCopies, Reduction};
use crate::graph::Summary;
use crate::plan::preparation::{KeySort, Order, key_sort, order};
use crate::plan::{Decision, EdgeOrder, EntryFacts, Landmarks, Share, Task};

/// The entries of each device, and the decisions on how all of them go on.
pub(super) struct DecidedInParts<D: Member> {
    pub loaded: Vec<Loaded<D>>,
    pub labels: Vec<Option<Buffer<u32, D>>>,
    pub order: Order,
    pub sort: KeySort,
    pub decisions: Vec<Decision>,
    /// Self-loops of all devices.
    pub self_loops: u64,
    /// Most bytes of shared memory of a block, on every device.
    pub most_shared_bytes: u32,
    /// Whether results by vertex are wanted.
    pub task: Task,
}

/// The facts that a device finds of its share of the entries.
struct ShareFacts {
    self_loops: u64,
    near: Share,
    most_shared_bytes: u32,
    /// The figures that follow from the degrees, which all devices have: on the first device.
    summary: Summary,
}

/// Measures the facts that the plan goes by on the devices' shares, and decides. Landmarks are forgotten then.
pub(super) fn decide<D: Member>(
    exchange: &PeerCopies<D>,
    mut loaded: Vec<Loaded<D>>,
    entries: u64,
    task: Task,
) -> Result<DecidedInParts<D>, Failed<D::Error>> {
    let team = exchange.team();
    let vertices = loaded[0].degrees.degree.len();
    let shares = team.each(|number, device| {
        let Loaded { entries, degrees } = &loaded[number];
        let summary = match number {
            0 => summary_of_degrees(device, &degrees.degree)?,
            _ => Summary::default(),
        };
        Ok(ShareFacts {
            self_loops: degrees.self_loops(device)?,
            near: near(device, entries, vertices)?,
            most_shared_bytes: device.most_shared_bytes(),
            summary,
        })
    })?;
    let summary = Summary { edges: entries, ..shares[0].summary };
    let most_shared_bytes = shares.iter().map(|share| share.most_shared_bytes).min().unwrap_or(0);
    let facts = EntryFacts {
        entries,
        vertices,
        // Each device knows of its own share alone whether it is sorted.
        order: EdgeOrder::Unsorted,
        most_shared_bytes,
        task,
        summary,
        near: sum_of_all(shares.iter().map(|share| share.near)),
        landmarks: landmarks(exchange, &mut loaded, entries, summary.vertices)?,
    };
    let order = order(&facts);
    let sort = key_sort(&facts, order.choice);
    let labels = match order.choice.labels(entries) {
        None => loaded.iter().map(|_| None).collect(),
        Some(labelled) => {
            let own = team.each(|number, device| {
                let Loaded { entries: own, degrees } = &loaded[number];
                min_hash_labels(device, own, &degrees.degree, labelled, summary.vertices)
            })?;
            exchange.all_reduce(own, Reduction::Largest)?.into_iter().map(Some).collect()
        }
    };
    let decisions =
        vec![order.decision("order of the vertices"), sort.decision("sort of the edges")];
    Ok(DecidedInParts {
        loaded,
        labels,
        order: order.choice,
        sort: sort.choice,
        decisions,
        self_loops: shares.iter().map(|share| share.self_loops).sum(),
        most_shared_bytes,
        task,
    })
}

/// The wedges at landmarks of all entries, where landmarks were looked for, of a graph of which `filled` vertices have an edge.
fn landmarks<D: Member>(
    exchange: &PeerCopies<D>,
    loaded: &mut [Loaded<D>],
    entries: u64,
    filled: u64,
) -> Result<Landmarks, Failed<D::Error>> {
    let own = loaded.iter_mut().filter_map(|loaded| loaded.degrees.landmarks.take());
    let (own, floors): (Vec<_>, Vec<_>) =
        own.map(|LandmarkLabels { labels, floor }| (labels, floor)).unzip();
    if own.is_empty() {
        return Ok(Landmarks::default());
    }
    let all = exchange.all_reduce(own, Reduction::Largest)?.into_iter().zip(floors);
    let all: Vec<_> = all.map(|(labels, floor)| LandmarkLabels { labels, floor }).collect();
    let found = exchange.team().each(|number, device| {
        let Loaded { entries: own, degrees } = &loaded[number];
        all[number].wedges(device, (own, entries), &degrees.degree, filled)
    })?;
    Ok(sum_of_all(found))
}

/// The sum of what the devices found, each a few words that are counts.
fn sum_of_all<T: Pod>(of_devices: impl IntoIterator<Item = T>) -> T {
    let mut sum = vec![0; size_of::<T>() / size_of::<u64>()];
    for of_device in of_devices {
        let words: &[u64] = bytemuck::cast_slice(std::slice::from_ref(&of_device));
        sum.iter_mut().zip(words).for_each(|(sum, word)| *sum += word);
    }
    bytemuck::pod_read_unaligned(bytemuck::cast_slice(&sum))
}
