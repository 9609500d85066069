//! The degeneracy: the largest core number, without the others.
//!
//! A vertex of core number k has k neighbours of core number k at least. So the vertices of degree k or more, and the edges
//! among them, have all cores from k on. In a skewed graph they are few, and the other vertices need not be taken away one after
//! another. On a Graph500 graph of scale 20 the degeneracy is 612. 6,196 of 646,295 vertices have as many neighbours, with 2.5 of
//! 15.7 million edges.
//!
//! Which k to take is guessed. No core number is larger than the largest h of which h vertices have degree h, since a core of
//! number k has k + 1 vertices of that degree. The first guess is half of it, and each further one half of the last. Where half of
//! the edges are among the vertices of a guess, it saves nothing, and all core numbers are found.

use super::cores::core_numbers;
use super::ends;
use crate::Result;
use crate::control::Context;
use crate::graph::OrientedGraph;
use tribin_base::par;

/// Ranks that are looked through together.
const BLOCK: usize = 1 << 8;

/// How often ranks of too few neighbours are left out before cores are looked for.
const ROUNDS: u32 = 4;

/// A rank that is left out.
const OUT: u32 = u32::MAX;

/// The degeneracy of a graph whose rank r has `degrees[r]` neighbours; 0 without edges.
///
/// O((n + m) log d) work at worst, of vertices of degree d at most, and seldom more than O(n + m); as much memory as
/// [`core_numbers`] takes, and 8 bytes a rank.
///
/// # Errors
/// As [`core_numbers`].
pub fn degeneracy(graph: &OrientedGraph, degrees: &[u32], context: &Context) -> Result<u32> {
    let mut guess = h_index(degrees) / 2;
    while guess > 0 && rows_from(graph, degrees, guess) <= graph.edges() / 2 {
        if let Some(found) = from_guess(graph, degrees, guess, context)? {
            return Ok(found);
        }
        guess /= 2;
    }
    Ok(core_numbers(graph, context)?.into_iter().max().unwrap_or(0))
}

/// The entries of the rows of ranks with a degree of `least` or more. Among these ranks there are not more edges.
fn rows_from(graph: &OrientedGraph, degrees: &[u32], least: u32) -> u64 {
    let ranks = (0..).zip(degrees).filter(|&(_, &degree)| degree >= least);
    ranks.map(|(rank, _)| graph.row(rank).len() as u64).sum()
}

/// The h-index of degrees: the largest h of which h degrees are h or more. No core number is larger.
pub fn h_index(degrees: &[u32]) -> u32 {
    // What is more than the number of ranks is as good as that number.
    let mut with = vec![0u64; degrees.len() + 1];
    for &degree in degrees {
        with[(degree as usize).min(degrees.len())] += 1;
    }
    let mut at_least = 0;
    let h = (0..with.len()).rev().find(|&h| {
        at_least += with[h];
        at_least >= h as u64
    });
    h.unwrap_or(0) as u32
}

/// The degeneracy if it is `k` or more.
fn from_guess(
    graph: &OrientedGraph,
    degrees: &[u32],
    k: u32,
    context: &Context,
) -> Result<Option<u32>> {
    let mut among = among(graph, |rank| degrees[rank as usize] >= k);
    // A few ranks more that have too few neighbours now.
    for _ in 0..ROUNDS {
        context.cancel().check()?;
        let degrees = ends::degrees(&among);
        if degrees.iter().all(|&degree| degree >= k) {
            break;
        }
        among = self::among(&among, |rank| degrees[rank as usize] >= k);
    }
    let cores = core_numbers(&among, context)?;
    // Whoever has a core number of k has it among these too.
    Ok(cores.into_iter().max().filter(|&found| found >= k))
}

/// The graph among the ranks that are wanted, which are numbered anew. O(n), and the entries of their rows.
fn among(graph: &OrientedGraph, wanted: impl Fn(u32) -> bool + Sync) -> OrientedGraph {
    let kept: Vec<u32> = par::map(par::blocks(graph.vertices(), par::BLOCK), |block| {
        block.map(|rank| rank as u32).filter(|&rank| wanted(rank)).collect::<Vec<_>>()
    })
    .concat();
    let mut numbers = vec![OUT; graph.vertices()];
    kept.iter().zip(0..).for_each(|(&rank, number)| numbers[rank as usize] = number);
    let of_block = |ranks: &[u32]| {
        let (mut heads, mut ends) = (Vec::new(), Vec::with_capacity(ranks.len()));
        for &rank in ranks {
            let numbered = graph.row(rank).iter().map(|&head| numbers[head as usize]);
            heads.extend(numbered.filter(|&head| head != OUT));
            ends.push(heads.len() as u64);
        }
        (heads, ends)
    };
    let blocks = par::map(kept.chunks(BLOCK), of_block);
    let mut offsets = vec![0];
    for (_, ends) in &blocks {
        let before = offsets[offsets.len() - 1];
        offsets.extend(ends.iter().map(|end| before + end));
    }
    let heads: Vec<Vec<u32>> = blocks.into_iter().map(|(heads, _)| heads).collect();
    // SAFETY: rows of which some heads are left out ascend, and heads are numbered anew below their tails.
    unsafe { OrientedGraph::of_rows(offsets, heads.concat(), kept) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use tribin_cpu::prepare::prepare;

    fn check(edges: &[[u32; 2]], bound: usize) {
        let graph = prepare(edges, bound).oriented;
        let context = Context::silent();
        let cores = core_numbers(&graph, &context).unwrap();
        let expected = cores.into_iter().max().unwrap_or(0);
        let degrees = ends::degrees(&graph);
        assert_eq!(degeneracy(&graph, &degrees, &context).unwrap(), expected);
        for k in 0..=h_index(&degrees) + 1 {
            let found = from_guess(&graph, &degrees, k, &context).unwrap();
            // Among no ranks the largest core number is none, and not 0.
            assert!(found == (expected >= k).then_some(expected) || graph.vertices() == 0, "{k}");
        }
    }

    proptest! {
        /// Graphs of which some vertices have many more neighbours than others.
        #[test]
        fn any_multigraph_as_the_largest_core_number(
            edges in prop::collection::vec(prop::array::uniform2(0u32..60), 0..400),
            among_few in prop::collection::vec(prop::array::uniform2(0u32..15), 0..200),
            of_hub in prop::collection::vec(0u32..60, 0..60),
        ) {
            let hub = of_hub.into_iter().map(|leaf| [61, leaf]);
            let edges: Vec<_> = edges.into_iter().chain(among_few).chain(hub).collect();
            check(&edges, 63);
        }
    }

    /// A clique of 40 in a ring: the first guess, half of 39, holds. A star of 40 cliques of 3: it does not.
    #[test]
    fn guesses_that_hold_and_do_not() {
        let clique = (0..40).flat_map(|u| (0..u).map(move |v| [u, v]));
        let ring = (0..1_000).map(|v| [v, (v + 1) % 1_000]);
        check(&clique.chain(ring).collect::<Vec<_>>(), 1_000);
        let cliques =
            (0..40).flat_map(|i| [[3 * i, 3 * i + 1], [3 * i, 3 * i + 2], [3 * i + 1, 3 * i + 2]]);
        let spokes = (0..120).map(|v| [120, v]);
        let hubs =
            (121..151).flat_map(|hub| (hub * 100..hub * 100 + 60).map(move |leaf| [hub, leaf]));
        check(&cliques.chain(spokes).chain(hubs).collect::<Vec<_>>(), 15_200);
        check(&[], 0);
        check(&[], 3);
    }

    #[test]
    fn the_largest_h_of_some_degrees() {
        for (degrees, h) in [
            (vec![], 0),
            (vec![0, 0], 0),
            (vec![1], 1),
            (vec![9, 9], 2),
            (vec![3, 3, 3, 1, 1], 3),
            (vec![5, 2, 2, 2], 2),
        ] {
            assert_eq!(h_index(&degrees), h, "{degrees:?}");
        }
    }
}
