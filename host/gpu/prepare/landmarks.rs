//! Landmarks: how many wedges close, while the edges are in any order still.

use tribin_kernels::min_hash::{self, landmark_wedges};
use warpwise_device::launch::{Buffer, Device, View, ViewMut};

use super::vertex_order::{EntrySample, floor};
use crate::plan::{LandmarkClass, Landmarks};

/// Landmarks in a neighbourhood on average, in eighths: a quarter of one, so that few wedges at a landmark are
/// missed because an end of theirs is beside a greater one.
const EIGHTHS: u64 = 2;

/// Words that a sample's wedges are found in.
pub(super) const WORDS: u64 = min_hash::SUMS * min_hash::CLASSES;

/// The landmark beside each vertex, found where degrees are counted, in the same pass over the edges. The labels of a
/// whole graph are the largest of those of its shares.
pub struct LandmarkLabels<D: Device> {
    /// The greatest hash above the floor of a vertex' neighbours; 0 for none.
    pub(super) labels: Buffer<u32, D>,
    /// A landmark is a vertex with a hash above this.
    pub(super) floor: u32,
}

impl<D: Device> LandmarkLabels<D> {
    /// None yet, of a graph of `entries` entries between the vertices `0..vertices`.
    ///
    /// # Errors
    /// What the device reports.
    pub(super) fn none(device: &D, vertices: u64, entries: u64) -> Result<Self, D::Error> {
        let labels = Buffer::zeroed(device, vertices)?;
        Ok(LandmarkLabels { labels, floor: floor(EIGHTHS, 2 * entries, vertices) })
    }

    /// Adds the wedges at landmarks of a sample of `edges` to [`WORDS`] words that are zero before, and returns how many edges the
    /// sample has. The graph has `entries` entries, of which `edges` are some or all, and these degrees. `figures` are those of the
    /// degrees.
    ///
    /// # Errors
    /// What the device reports.
    pub(super) fn add_wedges(
        &self,
        device: &D,
        (edges, entries): (&Buffer<u64, D>, u64),
        degrees: &Buffer<u32, D>,
        figures: View<'_, u64, D>,
        words: ViewMut<'_, u64, D>,
    ) -> Result<u64, D::Error> {
        let EntrySample { step, sampled, shape } = EntrySample::of(edges.len());
        landmark_wedges(
            device,
            shape,
            edges.view(),
            degrees.view(),
            self.labels.view(),
            figures,
            words,
            entries,
            edges.len(),
            step,
            self.floor,
        )?;
        Ok(sampled)
    }
}

/// The figures of `sampled` edges, from the [`WORDS`] words of their sample.
pub(super) fn of_words(sampled: u64, words: &[u64]) -> Landmarks {
    let of_class = |class: usize| {
        let [edges, wedges, closed] = [min_hash::EDGES, min_hash::WEDGES, min_hash::CLOSED]
            .map(|sum| words[class * min_hash::SUMS as usize + sum as usize]);
        LandmarkClass { edges, wedges, closed }
    };
    Landmarks { sampled, classes: std::array::from_fn(of_class) }
}

#[cfg(test)]
mod tests {
    use warpwise_device::emulated::{Config, Emulator};

    use super::super::degrees::DeviceDegrees;
    use super::super::vertex_order::tests::upload;
    use crate::plan::Task;

    /// In cliques every wedge closes, in bipartite graphs none does, and a hub beside all vertices is in no class.
    #[test]
    fn landmarks_tell_how_many_wedges_close() {
        let device = Emulator::with(Config::seeded(2));
        let (copies, n) = (100, 40);
        let hub = copies * n;
        let pairs = |joined: fn(u32, u32) -> bool| {
            let of_copy = move |copy: u32| {
                let pairs = (0..n).flat_map(move |u| (0..u).map(move |v| [u, v]));
                pairs
                    .filter(move |&[u, v]| joined(u, v))
                    .map(move |ends| ends.map(|v| copy * n + v))
            };
            (0..copies).flat_map(of_copy).chain((0..hub).map(|v| [hub, v])).collect::<Vec<_>>()
        };
        let found = |edges: Vec<[u32; 2]>| {
            let edges = upload(&device, edges.into_iter());
            let (entries, filled) = (edges.len(), u64::from(hub + 1));
            let mut degrees = DeviceDegrees::zeroed(&device, filled).unwrap();
            degrees.find_landmarks(&device, entries).unwrap();
            degrees.add(&device, &edges, 0..entries).unwrap();
            let found = degrees.look(&device, &edges, entries, Task::Count).unwrap().landmarks;
            assert_eq!(found.sampled, entries);
            // All but the hub have nearly the mean degree.
            assert_eq!(found.up_to(5), found.classes[0]);
            assert_eq!(found.classes[0].edges, entries - u64::from(hub));
            found.classes[0]
        };
        let cliques = found(pairs(|_, _| true));
        assert!(cliques.wedges > 5_000 && cliques.closed == cliques.wedges, "{cliques:?}");
        let bipartite = found(pairs(|u, v| u % 2 != v % 2));
        assert!(bipartite.wedges > 5_000 && bipartite.closed == 0, "{bipartite:?}");
    }
}
