//! How often each vertex is named by the entries of an edge array.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::control::Work;
use crate::control::memory::{self, NoMemory};
use crate::control::prefetch;
use tribin_base::par;

/// The number of entries at each vertex.
pub(super) struct EntryDegrees {
    /// Per vertex: entries that name it, self-loops left out, duplicates counted, modulo 2³².
    pub degrees: Vec<u32>,
    /// Entries that join a vertex to itself.
    pub self_loops: u64,
}

/// Edges that one task counts into shared counters.
const CHUNK: usize = 1 << 16;

/// Vertices that one task adds up over the private counters.
const BLOCK: usize = 1 << 14;

/// Counts the entries at each vertex in O(m / threads).
///
/// Private counters cost n words for each thread. They are used while they are no larger than the
/// edges themselves; beyond that all threads share one array of atomics.
pub(super) fn count(
    edges: &[[u32; 2]],
    vertex_bound: usize,
    work: &Work,
) -> Result<EntryDegrees, NoMemory> {
    let threads = par::threads();
    if vertex_bound.saturating_mul(threads) <= edges.len().saturating_mul(2) {
        count_privately(edges, vertex_bound, threads, work)
    } else {
        count_shared(edges, vertex_bound, work)
    }
}

fn count_privately(
    edges: &[[u32; 2]],
    vertex_bound: usize,
    threads: usize,
    work: &Work,
) -> Result<EntryDegrees, NoMemory> {
    let of_thread = |chunk: &[[u32; 2]]| -> Result<(Vec<u32>, u64), NoMemory> {
        let mut degrees: Vec<u32> = memory::zeroed(vertex_bound)?;
        let ahead = prefetch::steps_ahead(&degrees);
        let mut loops = 0u64;
        for part in chunk.chunks(CHUNK) {
            for (i, &[u, v]) in part.iter().enumerate() {
                if let Some(later) = part.get(i.saturating_add(ahead)) {
                    later.iter().for_each(|&v| prefetch::element(&degrees, v as usize));
                }
                let proper = u32::from(u != v);
                loops += u64::from(1 - proper);
                degrees[u as usize] = degrees[u as usize].wrapping_add(proper);
                degrees[v as usize] = degrees[v as usize].wrapping_add(proper);
            }
            work.add(part.len() as u64);
        }
        Ok((degrees, loops))
    };
    let counted = par::try_map(edges.chunks(edges.len().div_ceil(threads).max(1)), of_thread)?;
    let self_loops = counted.iter().map(|(_, loops)| loops).sum();
    let mut parts = counted.into_iter().map(|(degrees, _)| degrees);
    let Some(mut degrees) = parts.next() else {
        return Ok(EntryDegrees { degrees: memory::zeroed(vertex_bound)?, self_loops });
    };
    let others: Vec<Vec<u32>> = parts.collect();
    par::for_each(degrees.chunks_mut(BLOCK).enumerate(), |(block, sums)| {
        for other in &others {
            for (sum, &term) in sums.iter_mut().zip(&other[block * BLOCK..]) {
                *sum = sum.wrapping_add(term);
            }
        }
    });
    Ok(EntryDegrees { degrees, self_loops })
}

fn count_shared(
    edges: &[[u32; 2]],
    vertex_bound: usize,
    work: &Work,
) -> Result<EntryDegrees, NoMemory> {
    let degrees: Vec<u32> = memory::zeroed(vertex_bound)?;
    // In the same memory, as below.
    let degrees: Vec<AtomicU32> = degrees.into_iter().map(AtomicU32::new).collect();
    let self_loops = AtomicU64::new(0);
    par::for_each(edges.chunks(CHUNK), |chunk| {
        work.add(chunk.len() as u64);
        self_loops.fetch_add(add(chunk, &degrees), Relaxed);
    });
    let degrees = degrees.into_iter().map(AtomicU32::into_inner).collect();
    Ok(EntryDegrees { degrees, self_loops: self_loops.into_inner() })
}

/// Counts some entries at each vertex, and returns how many are self-loops, which are left out.
pub fn add(entries: &[[u32; 2]], degrees: &[AtomicU32]) -> u64 {
    let mut loops = 0;
    // Files are often grouped by one end: a run of one vertex is a single atomic addition.
    let mut runs = [(0u32, 0u32); 2];
    for edge in entries {
        if edge[0] == edge[1] {
            loops += 1;
            continue;
        }
        for (&v, (run, length)) in edge.iter().zip(&mut runs) {
            if *run != v && *length > 0 {
                degrees[*run as usize].fetch_add(*length, Relaxed);
                *length = 0;
            }
            *run = v;
            *length += 1;
        }
    }
    for (run, length) in runs {
        if length > 0 {
            degrees[run as usize].fetch_add(length, Relaxed);
        }
    }
    loops
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn private_and_shared_counters_agree_with_a_plain_loop(
            edges in prop::collection::vec(prop::array::uniform2(0u32..40), 0..300),
            threads in 1usize..9,
        ) {
            let mut expected = vec![0u32; 50];
            let mut loops = 0;
            for &[u, v] in &edges {
                if u == v {
                    loops += 1;
                } else {
                    expected[u as usize] += 1;
                    expected[v as usize] += 1;
                }
            }
            let work = Work::new();
            for counted in [count_privately(&edges, 50, threads, &work), count_shared(&edges, 50, &work)] {
                let counted = counted.unwrap();
                prop_assert_eq!(&counted.degrees, &expected);
                prop_assert_eq!(counted.self_loops, loops);
            }
        }
    }

    #[test]
    fn a_vertex_out_of_bounds_panics() {
        for count in [
            |e: &[[u32; 2]]| count_privately(e, 3, 2, &Work::new()),
            |e: &[[u32; 2]]| count_shared(e, 3, &Work::new()),
        ] {
            assert!(std::panic::catch_unwind(|| count(&[[0, 3]])).is_err());
        }
    }
}
