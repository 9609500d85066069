//! Decides how entries on a device are oriented: measures each fact that the plan asks for, until it knows.

use tribin_device::launch::{Buffer, Device};

use super::degrees::{DeviceDegrees, Seen};
use super::keys::KeyOrientation;
use super::vertex_order::{VertexOrder, min_hash_labels};
use crate::plan::preparation::{KeySort, LabelledVertices, Missing, Order, key_sort, order};
use crate::plan::{Chosen, EntryFacts, Task};

/// The choices by which entries are oriented, with their reasons.
pub struct DecidedOrientation<D: Device> {
    /// The order of the vertices.
    pub order: Chosen<Order>,
    /// How the keys are sorted; `None` where the entries stay as they are.
    pub sort: Option<Chosen<KeySort>>,
    /// The facts that were measured for the choices.
    pub facts: EntryFacts,
    labels: Option<Buffer<u32, D>>,
}

impl<D: Device> DecidedOrientation<D> {
    /// The orientation that turns entries into keys.
    ///
    /// # Panics
    /// If the entries are to stay as they are.
    pub fn orientation(self) -> KeyOrientation<D> {
        let task = self.facts.task;
        let order = VertexOrder::of(self.order.choice, self.labels);
        let sort = self.sort.map_or(KeySort::Whole, |sort| sort.choice);
        KeyOrientation { order, sort, task }
    }
}

/// Decides for entries with these degrees, of which this was seen. Landmarks are forgotten.
///
/// At most one pass over the edges, where labels are made.
///
/// # Errors
/// What the device reports.
pub fn decide<D: Device>(
    device: &D,
    edges: &Buffer<u64, D>,
    degrees: &mut DeviceDegrees<D>,
    seen: &Seen,
    task: Task,
) -> Result<DecidedOrientation<D>, D::Error> {
    let vertices = degrees.degree.len();
    let most_shared_bytes = device.most_shared_bytes();
    let facts = EntryFacts::unmeasured(edges.len(), vertices, most_shared_bytes, task);
    let mut facts = EntryFacts { order: seen.order, ..facts };
    let measure = |missing: Missing, facts: &mut EntryFacts| match missing {
        Missing::Summary => facts.summary = Some(seen.summary),
        Missing::Near => facts.near = Some(seen.near),
        Missing::Landmarks => {
            facts.landmarks = Some(seen.landmarks.expect("graphs that are asked for have them"));
        }
    };
    let order = loop {
        match order(&facts) {
            Err(missing) => measure(missing, &mut facts),
            Ok(chosen) => break chosen,
        }
    };
    let mut sort = None;
    while order.choice != Order::AsTheyAre && sort.is_none() {
        match key_sort(&facts, order.choice) {
            Err(missing) => measure(missing, &mut facts),
            Ok(chosen) => sort = Some(chosen),
        }
    }
    let made =
        order.choice.labels(edges.len()).map(|LabelledVertices { neighbours, most_degree }| {
            let (degrees, filled) = (&degrees.degree, facts.filled());
            min_hash_labels(device, edges, degrees, neighbours, filled, most_degree)
        });
    let labels = made.transpose()?;
    Ok(DecidedOrientation { order, sort, facts, labels })
}
