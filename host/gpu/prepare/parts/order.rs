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
use crate::plan::preparation::{KeySort, LabelledVertices, Missing, Order, key_sort, order};
use crate::plan::{Decision, EntryFacts, Task};

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

/// Measures each fact that the plan asks for on the devices' shares, until the order is known.
pub(super) fn decide<D: Member>(
    exchange: &PeerCopies<D>,
    mut loaded: Vec<Loaded<D>>,
    entries: u64,
    task: Task,
) -> Result<DecidedInParts<D>, Failed<D::Error>> {
    let team = exchange.team();
    let vertices = loaded[0].degrees.degree.len();
    let most_shared_bytes = team.each(|_, device| Ok(device.most_shared_bytes()))?;
    let most_shared_bytes = most_shared_bytes.into_iter().min().unwrap_or(0);
    let self_loops = team.each(|number, device| loaded[number].degrees.self_loops(device))?;
    let self_loops = sum_of_all(&self_loops);
    // Each device knows of its own share alone whether it is sorted.
    let mut facts = EntryFacts::unmeasured(entries, vertices, most_shared_bytes, task);
    let order = loop {
        match order(&facts) {
            Ok(chosen) => break chosen,
            Err(missing) => measure(missing, exchange, &mut loaded, &mut facts)?,
        }
    };
    let sort = loop {
        match key_sort(&facts, order.choice) {
            Ok(chosen) => break chosen,
            Err(missing) => measure(missing, exchange, &mut loaded, &mut facts)?,
        }
    };
    loaded.iter_mut().for_each(|loaded| loaded.degrees.landmarks = None);
    let labels = match order.choice.labels(entries) {
        None => loaded.iter().map(|_| None).collect(),
        Some(LabelledVertices { neighbours, most_degree }) => {
            let own = team.each(|number, device| {
                let Loaded { entries: own, degrees, .. } = &loaded[number];
                let (degrees, filled) = (&degrees.degree, facts.filled());
                min_hash_labels(device, own, degrees, neighbours, filled, most_degree)
            })?;
            exchange.all_reduce(own, Reduction::Largest)?.into_iter().map(Some).collect()
        }
    };
    let decisions =
        vec![order.decision("order of the vertices"), sort.decision("sort of the edges")];
    let (order, sort) = (order.choice, sort.choice);
    Ok(DecidedInParts {
        loaded,
        labels,
        order,
        sort,
        decisions,
        self_loops,
        most_shared_bytes,
        task,
    })
}

/// Measures a fact that the plan asks for on the devices' shares. Landmarks are forgotten then.
fn measure<D: Member>(
    missing: Missing,
    exchange: &PeerCopies<D>,
    loaded: &mut [Loaded<D>],
    facts: &mut EntryFacts,
) -> Result<(), Failed<D::Error>> {
    let (team, entries, vertices) = (exchange.team(), facts.entries, facts.vertices);
    match missing {
        Missing::Summary => measure_summary(exchange, loaded, facts)?,
        Missing::Near => {
            let of = |number: usize, device: &D| near(device, &loaded[number].entries, vertices);
            facts.near = Some(sum_of_all(&team.each(of)?));
        }
        Missing::Landmarks => {
            let own = loaded.iter_mut().map(|loaded| {
                let landmarks = loaded.degrees.landmarks.take();
                let LandmarkLabels { labels, floor } =
                    landmarks.expect("graphs that are asked for have them");
                (labels, floor)
            });
            let (own, floors): (Vec<_>, Vec<_>) = own.unzip();
            let all = exchange.all_reduce(own, Reduction::Largest)?.into_iter().zip(floors);
            let all: Vec<_> = all.map(|(labels, floor)| LandmarkLabels { labels, floor }).collect();
            let found = team.each(|number, device| {
                let Loaded { entries: own, degrees, .. } = &loaded[number];
                all[number].wedges(device, (own, entries), &degrees.degree, facts.filled())
            })?;
            facts.landmarks = Some(sum_of_all(&found));
        }
    }
    Ok(())
}

/// The figures that follow from the degrees, which all devices have.
fn measure_summary<D: Member>(
    exchange: &PeerCopies<D>,
    loaded: &[Loaded<D>],
    facts: &mut EntryFacts,
) -> Result<(), Failed<D::Error>> {
    let entries = facts.entries;
    let of = |number: usize, device: &D| {
        let degrees = &loaded[number].degrees.degree;
        if number == 0 { summary_of_degrees(device, degrees).map(Some) } else { Ok(None) }
    };
    let figures = exchange.team().each(of)?.into_iter().flatten().next();
    facts.summary = figures.map(|figures| Summary { edges: entries, ..figures });
    Ok(())
}

/// The sum of what the devices found, each a few words that are counts.
pub(super) fn sum_of_all<T: Pod>(of_devices: &[T]) -> T {
    let mut sum = vec![0; size_of::<T>() / size_of::<u64>()];
    for of_device in of_devices {
        let words: &[u64] = bytemuck::cast_slice(std::slice::from_ref(of_device));
        sum.iter_mut().zip(words).for_each(|(sum, word)| *sum += word);
    }
    bytemuck::pod_read_unaligned(bytemuck::cast_slice(&sum))
}
