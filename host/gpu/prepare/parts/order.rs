//! In what order the vertices are ranked, decided once for all devices.

use bytemuck::Pod;
use warpwise_device::launch::Buffer;

use super::super::vertex_order::min_hash_labels;
use super::{Loaded, Member};
use crate::device::team::Failed;
use crate::exchange::{PeerCopies, Reduction};
use crate::plan::preparation::{KeySort, Order, key_sort, order};
use crate::plan::{Decision, EdgeOrder, EntryFacts, Task};

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

/// Gives every device the degrees and landmarks of all, measures the facts that the plan goes by on the devices' shares, and decides.
/// Landmarks are forgotten then.
pub(super) fn decide<D: Member>(
    exchange: &PeerCopies<D>,
    mut loaded: Vec<Loaded<D>>,
    entries: u64,
    task: Task,
) -> Result<DecidedInParts<D>, Failed<D::Error>> {
    let team = exchange.team();
    let own = loaded.iter_mut().map(|loaded| &mut loaded.degrees.degree);
    exchange.all_reduce(own.collect(), Reduction::Sum)?;
    let own = loaded.iter_mut().filter_map(|loaded| loaded.degrees.landmarks.as_mut());
    let own: Vec<_> = own.map(|landmarks| &mut landmarks.labels).collect();
    if !own.is_empty() {
        exchange.all_reduce(own, Reduction::Largest)?;
    }
    let looked = team.step(loaded, |_, device, mut loaded: Loaded<D>| {
        let facts = loaded.degrees.look(device, &loaded.entries, entries, task)?;
        Ok((loaded, facts))
    })?;
    let (loaded, shares): (Vec<_>, Vec<EntryFacts>) = looked.into_iter().unzip();
    let most_shared_bytes = shares.iter().map(|share| share.most_shared_bytes).min().unwrap_or(0);
    let facts = EntryFacts {
        // Each device knows of its own share alone whether it is sorted.
        order: EdgeOrder::Unsorted,
        most_shared_bytes,
        near: sum_of_all(shares.iter().map(|share| share.near)),
        landmarks: sum_of_all(shares.iter().map(|share| share.landmarks)),
        ..shares[0]
    };
    let order = order(&facts);
    let sort = key_sort(&facts, order.choice);
    let labels = match order.choice.labels(entries) {
        None => loaded.iter().map(|_| None).collect(),
        Some(labelled) => {
            let mut labels = team.each(|number, device| {
                let Loaded { entries: own, degrees } = &loaded[number];
                min_hash_labels(device, own, &degrees.degree, labelled, facts.summary.vertices)
            })?;
            exchange.all_reduce(labels.iter_mut().collect(), Reduction::Largest)?;
            labels.into_iter().map(Some).collect()
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
        self_loops: shares.iter().map(|share| share.summary.self_loops_dropped).sum(),
        most_shared_bytes,
        task,
    })
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
