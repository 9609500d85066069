//! Keys that are made while entries are still on their way ([`plan`](crate::plan::preparation) says why and when).

use tribin_device::launch::{Buffer, Device};
use tribin_kernels::ranks::{degrees_of_ranks, tail_degrees};

use super::decide::DecidedOrientation;
use super::degrees::{Arriving, DeviceDegrees};
use super::keys::{Keys, OrientedKeys, Ranked, orient_by, over_vertices, rank_by_degrees};
use super::vertex_order::{EntrySample, VertexOrder};
use crate::plan::preparation::{EarlyFacts, KeySort, Order, foretell, keeps_keys};
use crate::plan::{Chosen, EntryFacts, Landmarks, Share, Task};

/// The keys that entries become as they arrive.
pub(super) struct Early<D: Device> {
    entries: u64,
    /// How many have to be there; `None` where nothing is foretold.
    from: Option<u64>,
    /// Whether results by vertex are wanted.
    pub task: Task,
    made: Option<EarlyKeys<D>>,
}

/// Keys of the first entries.
struct EarlyKeys<D: Device> {
    foretold: KeySort,
    /// The vertices ranked by the degrees of the first entries.
    ranked: Ranked<D>,
    keys: Keys<D>,
    /// The entries that are still to come.
    arriving: Arriving,
}

impl<D: Device> Early<D> {
    /// The early keys of a graph of `entries` entries, whose order is foretold once `from` of them are there, where
    /// that is asked.
    pub fn of(entries: u64, from: Option<u64>, task: Task) -> Self {
        Early { entries, from, task, made: None }
    }

    /// Whether entries have become keys.
    pub fn has_keys(&self) -> bool {
        self.made.is_some()
    }

    /// Does what can be done with the first `seen` entries, of which these are the degrees.
    ///
    /// # Errors
    /// What the device reports.
    pub fn go_on(
        &mut self,
        device: &D,
        edges: &Buffer<u64, D>,
        seen: u64,
        degrees: &DeviceDegrees<D>,
    ) -> Result<(), D::Error> {
        if self.from.is_some_and(|from| (from..self.entries).contains(&seen)) {
            self.from = None;
            self.made = self.begin(device, seen, degrees)?;
        }
        if let Some(made) = &mut self.made
            && let Some(due) = made.arriving.due(seen)
        {
            made.keys.add(device, edges, &made.ranked.rank, due)?;
        }
        Ok(())
    }

    /// Ranks the vertices in the order that the first entries foretell.
    fn begin(
        &self,
        device: &D,
        seen: u64,
        degrees: &DeviceDegrees<D>,
    ) -> Result<Option<EarlyKeys<D>>, D::Error> {
        let (summary, order) = degrees.so_far(device)?;
        let vertices = degrees.degree.len();
        let (degree, task) = (&degrees.degree, self.task);
        let facts = EntryFacts {
            entries: self.entries,
            vertices,
            order,
            most_shared_bytes: device.most_shared_bytes(),
            task,
            summary,
            // What is foretold asks for neither.
            near: Share { sampled: 0, found: 0 },
            landmarks: Landmarks::default(),
        };
        let Some(foretold) = foretell(seen, &facts) else { return Ok(None) };
        let order = VertexOrder { order: Order::Degrees, labels: None };
        let ranked = rank_by_degrees(device, degree, order, task)?;
        let degrees = Some(&ranked.degree_of_rank);
        let keys = Keys::none(device, self.entries, vertices, degrees, foretold)?;
        Ok(Some(EarlyKeys { foretold, ranked, keys, arriving: Arriving::to_keys(self.entries) }))
    }

    /// The keys of all entries, which are there now and have these degrees: those that were made, if they are kept, and new ones
    /// otherwise. Says why.
    ///
    /// # Errors
    /// What the device reports.
    pub fn finish(
        self,
        device: &D,
        edges: Buffer<u64, D>,
        degrees: DeviceDegrees<D>,
        decided: DecidedOrientation<D>,
    ) -> Result<(OrientedKeys<D>, Chosen<bool>), D::Error> {
        let Early { entries, task, made, .. } = self;
        let sort = decided.sort.as_ref().map(|sort| sort.choice);
        let mut facts = EarlyFacts {
            entries,
            foretold: made.as_ref().map(|made| made.foretold),
            chosen: (decided.order.choice, sort),
            degrees: [0; 2],
        };
        // What is of no use goes back before there are new keys.
        let mut made = made.filter(|_| facts.came_true());
        if let Some(EarlyKeys { ranked, keys, .. }) = &mut made {
            facts.degrees = take_degrees(device, ranked, keys, &degrees.degree)?;
        }
        let kept = keeps_keys(&facts);
        let Some(made) = made.filter(|_| kept.choice) else {
            let orientation = decided.orientation();
            return Ok((orient_by(device, edges, degrees, orientation, task)?, kept));
        };
        Ok((made.keys.oriented(edges, made.ranked, degrees.words), kept))
    }
}

/// Gives the ranks the degrees that all entries have. Returns, of a sample of the keys, the degrees of the tails, and those of
/// the ends that have the smaller degrees.
fn take_degrees<D: Device>(
    device: &D,
    ranked: &mut Ranked<D>,
    made: &Keys<D>,
    degree: &Buffer<u32, D>,
) -> Result<[u64; 2], D::Error> {
    let (vertices, shape) = (degree.len(), over_vertices(device, degree.len()));
    let to = ranked.degree_of_rank.view_mut();
    degrees_of_ranks(device, shape, ranked.rank.view(), degree.view(), to, vertices)?;
    let mut sums = Buffer::zeroed(device, 2)?;
    let (m, of_rank) = (made.keys.len(), ranked.degree_of_rank.view());
    let EntrySample { step, shape, .. } = EntrySample::of(m);
    let (keys, to) = (made.keys.view(), sums.view_mut());
    tail_degrees(device, shape, keys, of_rank, to, m, step, made.rank_bits)?;
    let sums = sums.to_vec(device)?;
    Ok([sums[0], sums[1]])
}

#[cfg(test)]
mod tests {
    use tribin_device::emulated::{Config, Emulator};

    use super::*;
    use crate::plan::preparation::SortPasses;

    /// Whatever the keys are sorted by, and whether all of them were made at once.
    #[test]
    fn degrees_of_tails_are_those_of_keys_of_any_sort() {
        let device = Emulator::with(Config::seeded(3));
        let mut random = fastrand::Rng::with_seed(1);
        let edges: Vec<[u32; 2]> =
            (0..900).map(|_| [random.u32(..40), random.u32(..300)]).collect();
        let mut degrees = vec![0; 300];
        edges.iter().filter(|[u, v]| u != v).flatten().for_each(|&v| degrees[v as usize] += 1);
        let words: Vec<u64> =
            edges.iter().map(|&[u, v]| u64::from(v) << 32 | u64::from(u)).collect();
        let words = Buffer::from_host(&device, &words).unwrap();
        let degree = Buffer::from_host(&device, &degrees).unwrap();
        let sorts = [KeySort::Whole, KeySort::Bins, KeySort::Quantiles];
        for sort in
            [sorts.as_slice(), &[KeySort::SortedBins { passes: SortPasses::wide(2) }]].concat()
        {
            let order = VertexOrder { order: Order::Degrees, labels: None };
            let mut ranked = rank_by_degrees(&device, &degree, order, Task::Count).unwrap();
            let of_ranks = Some(&ranked.degree_of_rank);
            let mut made = Keys::none(&device, 900, 300, of_ranks, sort).unwrap();
            for places in [0..500, 500..900] {
                made.add(&device, &words, &ranked.rank, places).unwrap();
            }
            let rank = ranked.rank.to_vec(&device).unwrap();
            let mut expected = [0; 2];
            for [u, v] in edges.iter().filter(|[u, v]| u != v).map(|edge| edge.map(|v| v as usize))
            {
                let tail = if rank[u] > rank[v] { u } else { v };
                expected[0] += u64::from(degrees[tail]);
                expected[1] += u64::from(degrees[u].min(degrees[v]));
            }
            // Few keys are all looked at.
            let found = take_degrees(&device, &mut ranked, &made, &degree).unwrap();
            assert_eq!(found, expected, "{sort:?}");
        }
    }
}
