//! Ranks: the vertices in descending order of degree.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;

/// A bijection between vertices and ranks.
pub(super) struct Ranking {
    /// The rank of each vertex.
    pub rank_of_vertex: Vec<u32>,
    /// The vertex of each rank.
    pub vertex_of_rank: Vec<u32>,
    /// The degree of each rank, descending.
    pub degree_of_rank: Vec<u32>,
}

/// Degrees from this one up share a class that a comparison sort orders; there are at most
/// 2m / 4095 such vertices. Below, each degree is a class of a counting sort.
const HUB_DEGREE: u32 = 4095;

/// The least number of vertices for one task.
const CHUNK: usize = 1 << 15;

/// Ranks by descending degree, ties by ascending vertex, in O(n + h log h) for h hubs.
pub(super) fn by_descending_degree(degrees: &[u32]) -> Ranking {
    let n = degrees.len();
    let class = |degree: u32| (HUB_DEGREE - degree.min(HUB_DEGREE)) as usize;
    let chunk = n.div_ceil(4 * rayon::current_num_threads()).max(CHUNK);

    let mut positions: Vec<Vec<u32>> = degrees
        .par_chunks(chunk)
        .map(|degrees| {
            let mut sizes = vec![0u32; HUB_DEGREE as usize + 1];
            for &degree in degrees {
                sizes[class(degree)] += 1;
            }
            sizes
        })
        .collect();
    let mut next = 0;
    let mut hubs = 0;
    for class in 0..=HUB_DEGREE as usize {
        for sizes in &mut positions {
            let size = sizes[class];
            sizes[class] = next;
            next += size;
        }
        if class == 0 {
            hubs = next as usize;
        }
    }

    let vertices: Vec<AtomicU32> = (0..n).into_par_iter().map(|_| AtomicU32::new(0)).collect();
    let mut rank_of_vertex = vec![0u32; n];
    rank_of_vertex
        .par_chunks_mut(chunk)
        .zip(degrees.par_chunks(chunk))
        .zip(&mut positions)
        .enumerate()
        .for_each(|(index, ((ranks, degrees), positions))| {
            for (i, (rank, &degree)) in ranks.iter_mut().zip(degrees).enumerate() {
                let position = &mut positions[class(degree)];
                *rank = *position;
                vertices[*position as usize].store((index * chunk + i) as u32, Relaxed);
                *position += 1;
            }
        });
    let mut vertex_of_rank: Vec<u32> = vertices.into_iter().map(AtomicU32::into_inner).collect();

    let hubs = &mut vertex_of_rank[..hubs];
    hubs.par_sort_unstable_by_key(|&v| (std::cmp::Reverse(degrees[v as usize]), v));
    for (rank, &v) in hubs.iter().enumerate() {
        rank_of_vertex[v as usize] = rank as u32;
    }
    let degree_of_rank = vertex_of_rank.par_iter().map(|&v| degrees[v as usize]).collect();
    Ranking { rank_of_vertex, vertex_of_rank, degree_of_rank }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn ranks_are_the_stable_descending_order(
            degrees in prop::collection::vec(
                prop_oneof![0u32..5, HUB_DEGREE - 2..HUB_DEGREE + 3, Just(u32::MAX)],
                0..200,
            ),
        ) {
            let mut expected: Vec<u32> = (0..degrees.len() as u32).collect();
            expected.sort_by_key(|&v| std::cmp::Reverse(degrees[v as usize]));
            let ranking = by_descending_degree(&degrees);
            prop_assert_eq!(&ranking.vertex_of_rank, &expected);
            for (rank, &v) in expected.iter().enumerate() {
                prop_assert_eq!(ranking.rank_of_vertex[v as usize], rank as u32);
                prop_assert_eq!(ranking.degree_of_rank[rank], degrees[v as usize]);
            }
        }
    }

    #[test]
    fn several_chunks_keep_ties_in_vertex_order() {
        let degrees: Vec<u32> =
            (0..5 * CHUNK as u32).map(|v| v.wrapping_mul(2654435761) % 7).collect();
        let mut expected: Vec<u32> = (0..degrees.len() as u32).collect();
        expected.sort_by_key(|&v| std::cmp::Reverse(degrees[v as usize]));
        assert_eq!(by_descending_degree(&degrees).vertex_of_rank, expected);
    }
}
