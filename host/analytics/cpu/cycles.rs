//! Cycles of four edges.
//!
//! Each is counted at its smallest rank u, the vertex of the highest degree where ranks go by degrees: from u there are paths of two
//! edges u – v – w over larger ranks, and any two of these that end at the same w are a cycle. (Chiba and Nishizeki, "Arboricity and
//! subgraph listing algorithms", SIAM J. Comput. 1985.)

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::above::RanksAbove;
use crate::control::{Context, memory};
use crate::graph::OrientedGraph;
use crate::{Error, Result};
use tribin_base::par::{self, Spare};

/// The lowest ranks that are tasks of their own: they have the most neighbours.
const HUBS: usize = 1 << 12;

/// Ranks of any other task.
const BLOCK: usize = 1 << 8;

/// The paths that a task has found, to work in.
#[derive(Default)]
struct PathBuffers {
    /// The number of paths that end at each rank.
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
/// [`Error::Cancelled`], and [`Error::Input`] where there is no memory.
pub fn four_cycles(graph: &OrientedGraph, context: &Context) -> Result<u128> {
    let all = Mutex::new(0);
    each_smallest(graph, context, |_, _, paths| {
        let mut cycles = 0;
        for w in paths.reached.drain(..) {
            cycles += u128::from(pairs(std::mem::take(&mut paths.to[w as usize])));
        }
        *all.lock().unwrap_or_else(PoisonError::into_inner) += cycles;
    })?;
    Ok(all.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// The number of cycles of four edges that each rank is in.
///
/// Work and memory are those of [`four_cycles`], with the paths taken twice and 8 bytes more a rank. A vertex with d neighbours is in
/// at most m · d cycles: it has at most 2m paths of two edges, of which each is in a pair with less than d others. That is below 2⁶⁴,
/// where there are fewer than 2³² edges.
///
/// # Errors
/// As [`four_cycles`], and [`Error::Input`] for 2³² edges or more.
pub fn four_cycles_at_ranks(graph: &OrientedGraph, context: &Context) -> Result<Vec<u64>> {
    if graph.edges() >= 1 << 32 {
        let message = "cycles at vertices are found in graphs of fewer than 2^32 edges";
        return Err(Error::Input { file: String::new(), message: message.into() });
    }
    let at: Vec<AtomicU64> = memory::zeroed(graph.vertices())?;
    let add = |rank: u32, cycles: u64| at[rank as usize].fetch_add(cycles, Relaxed);
    each_smallest(graph, context, |u, rows, paths| {
        for &v in rows.above.of(u) {
            // Each path u – v – w is in a cycle with each other path to w.
            let cycles = rows.beyond(u, v).map(|&w| u64::from(paths.to[w as usize] - 1));
            add(v, cycles.sum());
        }
        for w in paths.reached.drain(..) {
            let cycles = pairs(std::mem::take(&mut paths.to[w as usize]));
            add(w, cycles);
            add(u, cycles);
        }
    })?;
    Ok(at.into_iter().map(AtomicU64::into_inner).collect())
}

fn pairs(of: u32) -> u64 {
    u64::from(of) * u64::from(of.saturating_sub(1)) / 2
}

/// The neighbours of every rank, the larger ones beside the smaller ones.
struct BothRows<'g> {
    graph: &'g OrientedGraph,
    above: RanksAbove,
}

impl BothRows<'_> {
    /// The neighbours of `v` that are larger than `u`.
    fn beyond(&self, u: u32, v: u32) -> impl Iterator<Item = &u32> {
        let row = self.graph.row(v);
        row[row.partition_point(|&w| w <= u)..].iter().chain(self.above.of(v))
    }
}

/// Hands over, of every rank, the paths of two edges to larger ranks over larger ranks. What takes them leaves none behind.
fn each_smallest(
    graph: &OrientedGraph,
    context: &Context,
    take: impl Fn(u32, &BothRows<'_>, &mut PathBuffers) + Sync,
) -> Result<()> {
    let rows = BothRows { graph, above: RanksAbove::new(graph, HUBS, context)? };
    let ranks = graph.vertices();
    let hubs = HUBS.min(ranks);
    let blocks = par::blocks(ranks - hubs, BLOCK);
    let tasks: Vec<_> = (0..hubs)
        .map(|hub| hub..hub + 1)
        .chain(blocks.map(|block| block.start + hubs..block.end + hubs))
        .collect();
    context.work().begin(tasks.len() as u64);
    let spare = Spare::new();
    par::try_for_each(tasks, |task| {
        spare.with(PathBuffers::default, |paths| -> Result<()> {
            if paths.to.is_empty() {
                paths.to = memory::zeroed(ranks)?;
            }
            for rank in task {
                context.cancel().check()?;
                let u = rank as u32;
                for &v in rows.above.of(u) {
                    for &w in rows.beyond(u, v) {
                        let to = &mut paths.to[w as usize];
                        if *to == 0 {
                            paths.reached.push(w);
                        }
                        *to += 1;
                    }
                }
                take(u, &rows, paths);
            }
            context.work().add(1);
            Ok(())
        })
    })
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
            let (mut pairs, mut at) = (0u128, vec![0u64; 20]);
            for u in 0..20 {
                for v in (0..20).filter(|&v| v != u) {
                    let common = (0..20).filter(|&w| joined[u][w] && joined[v][w]).count() as u64;
                    // Of each cycle at u, v is the vertex on the other side.
                    at[u] += common * common.saturating_sub(1) / 2;
                    pairs += u128::from(common * common.saturating_sub(1) / 2);
                }
            }
            let graph = prepare(&edges, 20).oriented;
            prop_assert_eq!(four_cycles(&graph, &Context::silent()).unwrap(), pairs / 4);
            let by_rank = four_cycles_at_ranks(&graph, &Context::silent()).unwrap();
            for (&vertex, cycles) in graph.vertex_of_rank().iter().zip(by_rank) {
                prop_assert_eq!(cycles, at[vertex as usize]);
            }
        }
    }
}
