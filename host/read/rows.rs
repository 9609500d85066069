//! Rows of entries, as METIS and GAP files and SciPy's matrices hold them, and whether each entry has its opposite.

use bytemuck::Zeroable;

use super::input::Fault;
use super::memory::{self, NoMemory};
use super::numbered::noted;
use super::weights::weighted;
use crate::Graph;
use tribin_base::par;

/// Rows of one task.
const BLOCK: usize = 1 << 12;

/// The entries of `n` compressed rows, as `entry` makes them of a row and a column: `start` says where each row begins, and where the
/// last ends, among all `columns`, of which there are so many. Of damaged rows the message.
pub(super) fn entries<T: Zeroable + Send>(
    n: usize,
    start: impl Fn(usize) -> u64 + Sync,
    (columns, column): (usize, impl Fn(usize) -> u64 + Sync),
    entry: impl Fn(u64, u64) -> T + Sync,
) -> Result<Result<Vec<T>, String>, NoMemory> {
    let is_none = |&row: &usize| {
        start(row) > start(row + 1)
            || start(row + 1) > columns as u64
            || (row == 0 && start(0) != 0)
    };
    let blocks = || par::blocks(n, BLOCK);
    if let Some(row) = par::find_map_first(blocks(), |mut block| block.find(is_none)) {
        let (start, end) = (start(row), start(row + 1));
        return Ok(Err(format!(
            "row {row} is said to be the entries {start} to {end} of {columns}"
        )));
    }
    // No more than there are columns in memory.
    let start = |row: usize| start(row) as usize;
    let all = if n == 0 { 0 } else { start(n) };
    let is_outside = |&place: &usize| column(place) >= n as u64;
    let outside = par::find_map_first(par::blocks(all, BLOCK), |mut block| block.find(is_outside));
    if let Some(place) = outside {
        let to = column(place);
        return Ok(Err(format!("entry {place} leads to row {to}, and there are {n}")));
    }
    let mut found = memory::zeroed(all)?;
    let parts = par::cut(&mut found, blocks().map(|block| start(block.end) - start(block.start)));
    par::for_each(blocks().zip(parts), |(block, part): (_, &mut [T])| {
        let entries = block.flat_map(|row| {
            let entry = &entry;
            let column = &column;
            (start(row)..start(row + 1)).map(move |place| entry(row as u64, column(place)))
        });
        part.iter_mut().zip(entries).for_each(|(place, entry)| *place = entry);
    });
    Ok(Ok(found))
}

/// The graph of a format that lists every edge at both of its ends. It keeps one entry of each edge. Where some edges are listed at one
/// end only, every entry is an edge, and a warning says so. There are `weights` where these are read.
pub(super) fn listed_twice(
    called: &str,
    mut edges: Vec<[u32; 2]>,
    weights: Option<Vec<f64>>,
    make: impl FnOnce(Vec<[u32; 2]>) -> crate::Result<Graph>,
) -> Result<Graph, Fault> {
    let (is_weighted, mut weights) = (weights.is_some(), weights.unwrap_or_default());
    let twice = is_symmetric(&edges, &weights)?;
    let note = "some edges are listed at one of their ends only, and the format lists them at both: each entry was \
                taken as an edge; if the file should be whole, fetch or write it again";
    let notes = if twice || edges.is_empty() { vec![] } else { vec![note.into()] };
    if twice {
        let mut ends = edges.iter();
        weights.retain(|_| ends.next().is_some_and(|[v, w]| v <= w));
        edges.retain(|[v, w]| v <= w);
        edges.shrink_to_fit();
    }
    let graph = make(edges)?.with_reading(noted(called, notes));
    let graph = if twice { graph.with_both_directions() } else { graph };
    Ok(weighted(graph, is_weighted.then_some(weights))?)
}

/// Whether every entry `v -> w` has its own `w -> v`, and where there are weights with the same: exactly, whatever the entries are.
/// O(m log m) for m entries, of which it takes a copy, of 8 bytes each, or 16 with weights.
fn is_symmetric(edges: &[[u32; 2]], weights: &[f64]) -> Result<bool, NoMemory> {
    let ends = |place: usize, first: usize| {
        let [one, other] = [first, 1 - first].map(|end| u64::from(edges[place][end]));
        one << 32 | other
    };
    match weights {
        [] => are_mirrored(edges, ends),
        weights => are_mirrored(edges, |place, first| {
            u128::from(ends(place, first)) << 64 | u128::from(weights[place].to_bits())
        }),
    }
}

/// Whether the keys of the entries that lead up are those of the entries that lead down, turned around. `key` makes one of an entry's place
/// and of the end that comes first.
fn are_mirrored<K: Ord + Copy + Send + Sync + Zeroable>(
    edges: &[[u32; 2]],
    key: impl Fn(usize, usize) -> K + Sync,
) -> Result<bool, NoMemory> {
    let is_kept = |place: usize, first: usize| edges[place][first] < edges[place][1 - first];
    let count = |first: usize| {
        let blocks = par::blocks(edges.len(), par::BLOCK);
        par::map(blocks, |mut block| block.by_ref().filter(|&place| is_kept(place, first)).count())
    };
    let counts = [count(0), count(1)];
    if counts[0].iter().sum::<usize>() != counts[1].iter().sum::<usize>() {
        return Ok(false);
    }
    let sorted = |first: usize| -> Result<Vec<K>, NoMemory> {
        let mut keys: Vec<K> = memory::zeroed(counts[first].iter().sum())?;
        let parts = par::cut(&mut keys, counts[first].iter().copied());
        let blocks = par::blocks(edges.len(), par::BLOCK);
        par::for_each(blocks.zip(parts), |(block, part): (_, &mut [K])| {
            let kept = block.filter(|&place| is_kept(place, first));
            part.iter_mut().zip(kept).for_each(|(slot, place)| *slot = key(place, first));
        });
        par::sort_unstable(&mut keys);
        Ok(keys)
    };
    Ok(sorted(0)? == sorted(1)?)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Symmetry is what a comparison finds of all entries with all entries turned around, and rows are what they were made of.
        #[test]
        fn symmetry_is_exact(
            n in 1u32..7,
            pairs in prop::collection::vec((0u32..7, 0u32..7), 0..24),
            mirrored in any::<bool>(),
            change in prop::option::of((any::<prop::sample::Index>(), 0u32..7)),
        ) {
            let mut edges: Vec<[u32; 2]> =
                pairs.iter().map(|&(u, v)| [u % n, v % n]).collect();
            if mirrored {
                let turned: Vec<_> =
                    edges.iter().filter(|[u, v]| u != v).map(|&[u, v]| [v, u]).collect();
                edges.extend(turned);
            }
            if let (Some((at, to)), false) = (change, edges.is_empty()) {
                at.get_mut(&mut edges)[1] = to % n;
            }
            edges.sort_by_key(|[u, _]| *u);
            let start = |row: usize| edges.partition_point(|[u, _]| (*u as usize) < row) as u64;
            let column = |place: usize| u64::from(edges[place][1]);
            let read = entries(n as usize, start, (edges.len(), column), |u, v| [u as u32, v as u32]);
            prop_assert_eq!(read.unwrap().unwrap(), edges.clone());
            let mut sorted = edges.clone();
            let mut turned: Vec<_> = edges.iter().map(|&[u, v]| [v, u]).collect();
            sorted.sort_unstable();
            turned.sort_unstable();
            prop_assert_eq!(is_symmetric(&edges, &[]).unwrap(), sorted == turned);
            let weights = vec![0.5; edges.len()];
            prop_assert_eq!(is_symmetric(&edges, &weights).unwrap(), sorted == turned);
        }
    }
}
