//! Decides how entries on a device are oriented.

use warpwise_device::launch::{Buffer, Device};

use super::degrees::DeviceDegrees;
use super::vertex_order::{VertexOrder, min_hash_labels};
use crate::plan::preparation::{KeySort, Order, key_sort, order};
use crate::plan::{Chosen, EntryFacts};

/// The choices by which entries are oriented, with their reasons.
pub struct DecidedOrientation<D: Device> {
    /// The order of the vertices.
    pub order: Chosen<Order>,
    /// How the keys are sorted; `None` where the entries stay as they are.
    pub sort: Option<Chosen<KeySort>>,
    labels: Option<Buffer<u32, D>>,
}

impl<D: Device> DecidedOrientation<D> {
    /// The order and the sort of entries that become keys, and do not stay as they are.
    pub fn orientation(self) -> (VertexOrder<D>, KeySort) {
        let order = VertexOrder { order: self.order.choice, labels: self.labels };
        (order, self.sort.map_or(KeySort::Whole, |sort| sort.choice))
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
    Ok(DecidedOrientation { order, sort, labels: labels.transpose()? })
}
