//! Wedges that are drawn at random, and whether they are closed.

use fastrand::Rng;

use super::super::EstimateOptions;
use super::above::RanksAbove;
use crate::Result;
use crate::control::{Context, memory};
use crate::graph::OrientedGraph;
use crate::interval::interval;
use tribin_base::par;

/// Draws of a task.
const BLOCK: usize = 1 << 14;

/// Ranks that are weighed between two looks at whether to stop.
const CHECKED: usize = 1 << 20;

/// Draws of the first pilot.
const PILOT: u64 = 1 << 10;

/// Closed wedges that a pilot goes by. The number of draws is planned for a share so low that pilots find a lower one 1 time in 1,000:
/// with this many, a fifth below what the pilot found.
const ENOUGH: u64 = 256;

/// The confidence of that.
const PILOT_CONFIDENCE: f64 = 0.998;

/// How far below the expected number of hits a sample is 1 time in 200, in standard deviations.
const SPREAD: f64 = 2.6;

/// Ways to draw a wedge: of a rank, as often as it is weighed, and of two of its neighbours.
pub struct Wedges<'g> {
    graph: &'g OrientedGraph,
    above: Option<RanksAbove>,
    /// The sum of the weights of each rank and of all before it.
    weights: Vec<u64>,
    /// The wedges that can be drawn.
    wedges: u64,
}

/// The number of pairs of `neighbours` neighbours.
fn pairs(neighbours: usize) -> u64 {
    let neighbours = neighbours as u64;
    neighbours * neighbours.saturating_sub(1) / 2
}

impl<'g> Wedges<'g> {
    /// All oriented wedges: two neighbours of lower rank. Each triangle closes one of them, and three of all wedges. There are
    /// mostly fewer than a third as many, so that a larger share is closed, and fewer draws are enough. O(n); 8 bytes a rank.
    ///
    /// # Errors
    /// [`Error::Cancelled`](crate::Error::Cancelled), and [`Error::Input`](crate::Error::Input) where there is no memory.
    pub fn oriented(graph: &'g OrientedGraph, context: &Context) -> Result<Wedges<'g>> {
        let wedges = Wedges::weighed(graph, context, |rank| pairs(graph.row(rank).len()))?;
        Ok(Wedges { wedges: wedges.weight(), ..wedges })
    }

    /// Two neighbours of a vertex that has two or more, and each such vertex as often. The share of closed ones is the mean of the
    /// vertices' clustering coefficients. O(n + m); 4 bytes an edge and 16 a rank.
    ///
    /// # Errors
    /// [`Error::Cancelled`](crate::Error::Cancelled), and [`Error::Input`](crate::Error::Input) where there is no memory.
    pub fn of_vertices(graph: &'g OrientedGraph, context: &Context) -> Result<Wedges<'g>> {
        let above = RanksAbove::new(graph, 1 << 12, context)?;
        let mut wedges = 0u64;
        let weighed = Wedges::weighed(graph, context, |rank| {
            let of_rank = pairs(graph.row(rank).len() + above.of(rank).len());
            wedges = wedges.saturating_add(of_rank);
            of_rank.min(1)
        })?;
        Ok(Wedges { above: Some(above), wedges, ..weighed })
    }

    fn weighed(
        graph: &'g OrientedGraph,
        context: &Context,
        mut weight: impl FnMut(u32) -> u64,
    ) -> Result<Wedges<'g>> {
        let mut weights: Vec<u64> = memory::zeroed(graph.vertices())?;
        let mut sum = 0;
        for (rank, before) in weights.iter_mut().enumerate() {
            if rank % CHECKED == 0 {
                context.cancel().check()?;
            }
            sum += weight(rank as u32);
            *before = sum;
        }
        Ok(Wedges { graph, above: None, weights, wedges: 0 })
    }

    /// The weights of all ranks.
    pub fn weight(&self) -> u64 {
        self.weights.last().copied().unwrap_or(0)
    }

    /// How many draws make an interval as narrow as is asked for; `None` where that takes more than `most`, or more than
    /// there are wedges. Pilots find out, and are no part of the sample: so its size does not depend on what is drawn.
    ///
    /// # Errors
    /// [`Error::Cancelled`](crate::Error::Cancelled).
    pub fn draws(
        &self,
        options: &EstimateOptions,
        most: u64,
        random: &mut Rng,
        context: &Context,
    ) -> Result<Option<u64>> {
        let most = most.min(self.wedges);
        let mut draws = PILOT;
        while draws <= most {
            let closed = self.closed(draws, random, context)?;
            if closed >= ENOUGH {
                let [share, _] = interval(closed, draws, PILOT_CONFIDENCE);
                return Ok(draws_for(share, options, most));
            }
            draws *= 2;
        }
        Ok(None)
    }

    /// How many of so many drawn wedges are closed. The weights are cut into as many equal parts, and one wedge is drawn of each: where
    /// ranks go by degrees, the parts are strata of vertices of about the same degree.
    ///
    /// # Errors
    /// [`Error::Cancelled`](crate::Error::Cancelled).
    pub fn closed(&self, draws: u64, random: &mut Rng, context: &Context) -> Result<u64> {
        let blocks: Vec<_> =
            par::blocks(draws as usize, BLOCK).map(|block| (block, random.fork())).collect();
        let weight = self.weight();
        context.work().begin(draws);
        let closed = par::try_map(blocks, |(block, mut random)| {
            context.cancel().check()?;
            context.work().add(block.len() as u64);
            let (mut closed, mut above) = (0, Vec::new());
            for part in block {
                // In units of one weight by the number of draws, parts have equal sizes without rounding.
                let within = u128::from(random.u64(..weight));
                let drawn = (part as u128 * u128::from(weight) + within) / u128::from(draws);
                closed += u64::from(self.is_closed(drawn as u64, &mut random, &mut above));
            }
            Ok::<u64, crate::Error>(closed)
        })?;
        Ok(closed.into_iter().sum())
    }

    /// Whether two random neighbours of the rank at this weight are joined. Works in `sorted`.
    fn is_closed(&self, drawn: u64, random: &mut Rng, sorted: &mut Vec<u32>) -> bool {
        let rank = self.weights.partition_point(|&weights| weights <= drawn) as u32;
        let row = self.graph.row(rank);
        let above = self.above.as_ref().map_or(&[][..], |above| above.of(rank));
        let degree = row.len() + above.len();
        let (i, j) = (random.usize(..degree), random.usize(..degree - 1));
        // Neighbours above a rank are in any order, and draws must not depend on it.
        let mut neighbour = |i: usize| match row.get(i) {
            Some(&below) => below,
            None => {
                sorted.clear();
                sorted.extend_from_slice(above);
                *sorted.select_nth_unstable(i - row.len()).1
            }
        };
        let (a, b) = (neighbour(i), neighbour(if j < i { j } else { j + 1 }));
        self.graph.row(a.max(b)).binary_search(&a.min(b)).is_ok()
    }
}

/// The fewest draws, or a little more, for which an interval is that narrow if the share of closed ones is this, and 199 of 200 samples
/// have no fewer; `None` where that takes more than `most`.
fn draws_for(share: f64, options: &EstimateOptions, most: u64) -> Option<u64> {
    let EstimateOptions { error, confidence, .. } = *options;
    let mut draws = ((1.0 - share) / (share * error * error)).max(1.0 / error);
    while draws <= most as f64 {
        let hits = draws * share - SPREAD * (draws * share * (1.0 - share)).sqrt();
        let [low, high] = interval(hits.max(1.0) as u64, draws as u64, confidence);
        let found = (high - low) / 2.0 / (hits.max(1.0) / draws);
        if found <= error {
            return Some(draws.ceil() as u64);
        }
        // Widths fall with the root of the draws, or faster: this comes near from below.
        draws *= (found / error).max(1.005);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use tribin_cpu::prepare::prepare;

    /// As many draws as there are weights draw each rank as often as it is weighed; in a complete graph all wedges are closed, and
    /// in a star none.
    #[test]
    fn ranks_are_drawn_by_their_weights() {
        let context = Context::silent();
        let complete: Vec<_> = (0..40u32).flat_map(|u| (0..u).map(move |v| [u, v])).collect();
        let star: Vec<_> = (1..40u32).map(|v| [0, v]).collect();
        for (edges, share) in [(complete, 1), (star, 0)] {
            let graph = prepare(&edges, 40).oriented;
            let oriented = Wedges::oriented(&graph, &context).unwrap();
            let vertices = Wedges::of_vertices(&graph, &context).unwrap();
            assert_eq!(oriented.weight(), graph.wedges());
            assert_eq!(vertices.weight(), if share == 1 { 40 } else { 1 });
            for wedges in [oriented, vertices].iter().filter(|wedges| wedges.weight() > 0) {
                let closed = wedges.closed(5_000, &mut Rng::with_seed(1), &context).unwrap();
                assert_eq!(closed, share * 5_000);
            }
        }
    }

    #[test]
    fn as_many_draws_as_the_width_asks_for() {
        for (share, error, confidence, expected) in [
            (0.1, 0.01, 0.95, 351_000.0),
            (0.1, 0.1, 0.95, 4_010.0),
            (0.5, 0.01, 0.99, 67_700.0),
            (1.0, 0.01, 0.95, 184.0),
            (1e-5, 0.05, 0.95, 1.65e8),
        ] {
            let options = EstimateOptions { error, confidence, ..EstimateOptions::default() };
            let found = draws_for(share, &options, u64::MAX).unwrap() as f64;
            assert!((0.98..1.05).contains(&(found / expected)), "{share}: {found}, {expected}");
            assert_eq!(draws_for(share, &options, (expected / 2.0) as u64), None);
        }
        // As soon as it is clear.
        let narrow = EstimateOptions { error: 1e-12, ..EstimateOptions::default() };
        assert_eq!(draws_for(0.1, &narrow, 1 << 50), None);
    }
}
