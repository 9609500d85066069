//! Cycles of four edges.
//!
//! Each is counted at its smallest rank u, the vertex of the highest degree where ranks go by degrees: from u there are paths of two
//! edges u – v – w over larger ranks, and any two of these that end at the same w are a cycle. (Chiba and Nishizeki, "Arboricity and
//! subgraph listing algorithms", SIAM J. Comput. 1985.)

use super::above::RanksAbove;
use crate::Result;
use crate::control::{Context, memory};
use crate::graph::OrientedGraph;
use tribin_base::par::{self, Spare};

/// The lowest ranks that are tasks of their own: they have the most neighbours.
const HUBS: usize = 1 << 12;

/// Ranks of any other task.
const BLOCK: usize = 1 << 8;

/// What a task works in.
#[derive(Default)]
struct Paths {
    /// For each rank, the paths that end there.
    to: Vec<u32>,
    /// The ranks where any ends.
    reached: Vec<u32>,
}

/// The number of cycles of four edges, whether their vertices have other edges among them or not.
///
/// O(m^1.5) work where ranks go by degrees, on the current rayon pool; memory: 4 bytes an edge and 8 a rank, and 4 for each rank and
/// thread. Fewer than 2³² paths end at a rank, so that pairs of them fit 63 bits, and all cycles 128.
///
/// # Errors
/// [`Error::Cancelled`](crate::Error::Cancelled), and [`Error::Input`](crate::Error::Input) where there is no memory.
pub fn four_cycles(graph: &OrientedGraph, context: &Context) -> Result<u128> {
    let above = RanksAbove::new(graph, HUBS, context)?;
    let ranks = graph.vertices();
    let hubs = HUBS.min(ranks);
    let blocks = par::blocks(ranks - hubs, BLOCK);
    let tasks: Vec<_> = (0..hubs)
        .map(|hub| hub..hub + 1)
        .chain(blocks.map(|block| block.start + hubs..block.end + hubs))
        .collect();
    context.work().begin(tasks.len() as u64);
    let spare = Spare::new();
    let found = par::try_map(tasks, |task| {
        let cycles = spare.with(Paths::default, |paths| -> Result<u128> {
            if paths.to.is_empty() {
                paths.to = memory::zeroed(ranks)?;
            }
            let mut cycles = 0;
            for rank in task {
                context.cancel().check()?;
                cycles += at_smallest(graph, &above, rank as u32, paths);
            }
            Ok(cycles)
        });
        context.work().add(1);
        cycles
    })?;
    Ok(found.into_iter().sum())
}

/// The cycles whose smallest rank is `u`.
fn at_smallest(graph: &OrientedGraph, above: &RanksAbove, u: u32, paths: &mut Paths) -> u128 {
    let Paths { to, reached } = paths;
    for &v in above.of(u) {
        let row = graph.row(v);
        let larger = &row[row.partition_point(|&w| w <= u)..];
        for &w in larger.iter().chain(above.of(v)) {
            let paths = &mut to[w as usize];
            if *paths == 0 {
                reached.push(w);
            }
            *paths += 1;
        }
    }
    let mut cycles = 0;
    for w in reached.drain(..) {
        let paths = u64::from(std::mem::take(&mut to[w as usize]));
        cycles += u128::from(paths * (paths - 1) / 2);
    }
    cycles
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use tribin_cpu::prepare::prepare;

    proptest! {
        /// Every two vertices close the pairs of their common neighbours, and each cycle has two such pairs of vertices.
        #[test]
        fn any_multigraph_as_by_common_neighbours(
            edges in prop::collection::vec(prop::array::uniform2(0u32..20), 0..120),
        ) {
            let mut joined = vec![[false; 20]; 20];
            for &[u, v] in edges.iter().filter(|[u, v]| u != v) {
                joined[u as usize][v as usize] = true;
                joined[v as usize][u as usize] = true;
            }
            let mut pairs = 0u128;
            for u in 0..20 {
                for v in 0..u {
                    let common = (0..20).filter(|&w| joined[u][w] && joined[v][w]).count() as u128;
                    pairs += common * common.saturating_sub(1) / 2;
                }
            }
            let graph = prepare(&edges, 20).oriented;
            prop_assert_eq!(four_cycles(&graph, &Context::silent()).unwrap(), pairs / 2);
        }
    }
}
