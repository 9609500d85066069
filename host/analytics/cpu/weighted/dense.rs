//! Products over graphs that are nearly complete, as sums over rows of a matrix: no triangle is looked for.
//!
//! Weighted graphs are often dense: correlations, connectomes, distances. There the numbers of all pairs, 0 where there
//! is no edge, are multiplied eight at a time. What a triangle that does not exist adds is 0.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::Result;
use crate::control::{Context, memory};
use crate::graph::OrientedGraph;
use tribin_base::par;

/// Sums are kept in this many parts on every processor, so that results do not depend on its instructions.
const LANES: usize = 8;

/// Rows that are worked on at a time: each row below them is read from memory once for all.
const ROWS: usize = 8;

/// Whether a graph of this many ranks and edges is dense enough: a pair costs here 1/40 of what a triangle costs where
/// triangles are looked for. Of all triples the share of edges is looked at here, and its cube are triangles. Between
/// 200 and 3,000 ranks the two meet where a sixth of the pairs are edges; then the matrix takes 48 bytes an edge.
pub(super) fn is_dense(ranks: usize, edges: usize) -> bool {
    let pairs = ranks as u128 * (ranks as u128).saturating_sub(1) / 2;
    edges > 0 && 6 * edges as u128 >= pairs
}

/// What the triangles add at each edge, as [`by_edge`](super::by_edge) needs it: `None` where there is no memory for
/// the matrix.
///
/// # Errors
/// [`Error::Cancelled`](crate::Error::Cancelled).
pub(super) fn by_edge(
    graph: &OrientedGraph,
    numbers: &[f64],
    by_edge: &[AtomicU64],
    context: &Context,
) -> Result<Option<()>> {
    let ranks = graph.vertices();
    let row_at = |rank: usize| rank * rank.saturating_sub(1) / 2;
    let Ok(mut matrix) = memory::zeroed::<f64>(row_at(ranks)) else { return Ok(None) };
    let rows = par::cut(&mut matrix, 0..ranks);
    par::for_each(rows.into_iter().enumerate(), |(tail, row)| {
        let first = graph.offsets[tail] as usize;
        for (&head, number) in graph.row(tail as u32).iter().zip(&numbers[first..]) {
            row[head as usize] = *number;
        }
    });
    let matrix = &matrix;
    let row = |rank: usize| &matrix[row_at(rank)..row_at(rank + 1)];
    let blocks = ranks.div_ceil(ROWS);
    context.work().begin(blocks as u64);
    // The last blocks have the longest rows.
    par::try_for_each((0..blocks).rev(), |block| {
        let tails = block * ROWS..ranks.min((block + 1) * ROWS);
        let mut sums: Vec<Vec<f64>> = tails.clone().map(|tail| vec![0.0; tail]).collect();
        for middle in 0..tails.end {
            context.cancel().check()?;
            for (tail, sums) in tails.clone().zip(&mut sums).filter(|(tail, _)| middle < *tail) {
                let of_edge = row(tail)[middle];
                if of_edge != 0.0 {
                    let (below, from_middle) = sums.split_at_mut(middle);
                    from_middle[0] +=
                        add_products(of_edge, &row(tail)[..middle], row(middle), below);
                }
            }
        }
        for (tail, sums) in tails.zip(&sums) {
            let first = graph.offsets[tail] as usize;
            for (&head, slot) in graph.row(tail as u32).iter().zip(&by_edge[first..]) {
                slot.store(sums[head as usize].to_bits(), Relaxed);
            }
        }
        context.work().add(1);
        Ok::<(), crate::Error>(())
    })?;
    Ok(Some(()))
}

/// Adds `of_edge` · `of_tail` · `of_middle` to each of `sums`, and returns the sum of all that was added.
fn add_products(of_edge: f64, of_tail: &[f64], of_middle: &[f64], sums: &mut [f64]) -> f64 {
    let mut all = [0.0; LANES];
    let (tails, last_tails) = of_tail.as_chunks::<LANES>();
    let (middles, last_middles) = of_middle.as_chunks::<LANES>();
    let (sums, last_sums) = sums.as_chunks_mut::<LANES>();
    for ((tail, middle), sum) in tails.iter().zip(middles).zip(sums) {
        for lane in 0..LANES {
            let product = of_edge * tail[lane] * middle[lane];
            sum[lane] += product;
            all[lane] += product;
        }
    }
    for (lane, ((tail, middle), sum)) in
        last_tails.iter().zip(last_middles).zip(last_sums).enumerate()
    {
        let product = of_edge * tail * middle;
        *sum += product;
        all[lane] += product;
    }
    all.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::is_dense;

    #[test]
    fn a_sixth_of_all_pairs_are_dense() {
        assert!(!is_dense(0, 0) && !is_dense(1, 0) && is_dense(2, 1));
        // 400 ranks have 79,800 pairs.
        assert!(is_dense(400, 13_300) && !is_dense(400, 13_299));
        assert!(!is_dense(1 << 32, 1 << 43));
    }
}
