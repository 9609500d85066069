//! Decides how entries on a device are oriented.

use tribin_device::launch::{Buffer, Device};

use super::degrees::DeviceDegrees;
use super::keys::KeyOrientation;
use super::vertex_order::{VertexOrder, min_hash_labels};
use crate::plan::preparation::{KeySort, Order, key_sort, order};
use crate::plan::{Chosen, EntryFacts, Task};

/// The choices by which entries are oriented, with their reasons.
pub struct DecidedOrientation<D: Device> {
    /// The order of the vertices.
    pub order: Chosen<Order>,
    /// How the keys are sorted; `None` where the entries stay as they are.
    pub sort: Option<Chosen<KeySort>>,
    /// Whether results by vertex are wanted.
    pub task: Task,
    labels: Option<Buffer<u32, D>>,
}

impl<D: Device> DecidedOrientation<D> {
    /// The orientation that turns entries into keys, which do not stay as they are.
    pub fn orientation(self) -> KeyOrientation<D> {
        let order = VertexOrder { order: self.order.choice, labels: self.labels };
        let sort = self.sort.map_or(KeySort::Whole, |sort| sort.choice);
        KeyOrientation { order, sort, task: self.task }
    }
}

/// Decides for entries with these degrees, of which these are the facts. At most one pass over the edges, where labels are made.
///
/// # Errors
/// What the device reports.
pub fn decide<D: Device>(
    device: &D,
    edges: &Buffer<u64, D>,
    degrees: &DeviceDegrees<D>,
    facts: &EntryFacts,
) -> Result<DecidedOrientation<D>, D::Error> {
    let order = order(facts);
    let is_sorted = order.choice != Order::AsTheyAre;
    let sort = is_sorted.then(|| key_sort(facts, order.choice));
    let labelled = order.choice.labels(facts.entries);
    let labels = labelled
        .map(|of| min_hash_labels(device, edges, &degrees.degree, of, facts.summary.vertices));
    Ok(DecidedOrientation { order, sort, task: facts.task, labels: labels.transpose()? })
}
