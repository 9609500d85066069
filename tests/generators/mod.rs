//! Seeded random graphs for tests and benchmarks, the same edges on every machine.
//!
//! Only integer arithmetic: no rounding differs between machines. Edges come as the models draw
//! them, with self-loops and duplicates where the model has them.

#![allow(dead_code, reason = "each test and benchmark uses some of the models")]

use rayon::prelude::*;

/// The generator of Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
/// OOPSLA 2014.
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// A stream of its own for each pair of seed and index.
    pub fn new(seed: u64, index: u64) -> SplitMix64 {
        let start = SplitMix64(seed).next() ^ index.wrapping_mul(0xd134_2543_de82_ef95);
        SplitMix64(SplitMix64(start).next())
    }

    /// The next 64 bits.
    #[allow(clippy::should_implement_trait, reason = "an endless stream needs no Option")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, uniform but for a bias of at most `bound` / 2⁶⁴.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }
}

/// A random permutation of `0..n` (Fisher-Yates).
pub fn permutation(n: u32, seed: u64) -> Vec<u32> {
    let mut ids: Vec<u32> = (0..n).collect();
    let mut random = SplitMix64::new(seed, u64::MAX);
    for i in (1..ids.len()).rev() {
        ids.swap(i, random.below(i as u64 + 1) as usize);
    }
    ids
}

/// Graph500's Kronecker graph: 2^`scale` vertices, `edge_factor` times as many entries, quadrants
/// with probabilities 0.57, 0.19, 0.19 and 0.05, ids permuted. Self-loops and duplicates occur.
pub fn rmat(scale: u32, edge_factor: usize, seed: u64) -> Vec<[u32; 2]> {
    let ids = permutation(1 << scale, seed);
    (0..edge_factor << scale)
        .into_par_iter()
        .map(|index| {
            let mut random = SplitMix64::new(seed, index as u64);
            let (mut u, mut v) = (0, 0);
            for _ in 0..scale {
                let quadrant = random.below(100);
                u = u << 1 | usize::from(quadrant >= 76);
                v = v << 1 | usize::from((57..76).contains(&quadrant) || quadrant >= 95);
            }
            [ids[u], ids[v]]
        })
        .collect()
}

/// Erdős-Rényi: `edges` entries, both ends uniform below `vertices`.
pub fn uniform(vertices: u32, edges: usize, seed: u64) -> Vec<[u32; 2]> {
    (0..edges)
        .into_par_iter()
        .map(|index| {
            let mut random = SplitMix64::new(seed, index as u64);
            [0; 2].map(|_: u32| random.below(u64::from(vertices)) as u32)
        })
        .collect()
}

/// Barabási-Albert: every vertex past the first `links` joins `links` earlier ones, drawn in
/// proportion to their degree (an end of an earlier entry is a fair draw). Duplicates occur.
pub fn barabasi_albert(vertices: u32, links: u32, seed: u64) -> Vec<[u32; 2]> {
    let mut random = SplitMix64::new(seed, 0);
    let mut edges: Vec<[u32; 2]> = Vec::with_capacity((vertices * links) as usize);
    for v in links..vertices {
        let earlier = edges.len() as u64;
        for link in 0..links {
            let end = match earlier {
                0 => link,
                _ => {
                    let draw = random.below(2 * earlier);
                    edges[(draw / 2) as usize][(draw % 2) as usize]
                }
            };
            edges.push([v, end]);
        }
    }
    edges
}

/// Watts-Strogatz: a ring in which every vertex joins its next `half_degree` vertices; the far end
/// of each edge is redrawn uniformly with probability `rewired_per_mille` / 1000.
pub fn watts_strogatz(
    vertices: u32,
    half_degree: u32,
    rewired_per_mille: u64,
    seed: u64,
) -> Vec<[u32; 2]> {
    (0..vertices)
        .into_par_iter()
        .flat_map_iter(|v| {
            let mut random = SplitMix64::new(seed, u64::from(v));
            (1..=half_degree).map(move |step| {
                let rewired = random.below(1000) < rewired_per_mille;
                let drawn = random.below(u64::from(vertices)) as u32;
                [v, if rewired { drawn } else { (v + step) % vertices }]
            })
        })
        .collect()
}

/// The Mycielski graph of order `order` ≥ 2, without a triangle: from the one before, a copy of each
/// vertex v joined to v's neighbours, and one vertex joined to all copies (J. Mycielski, Sur le
/// coloriage des graphes, 1955). As in the SuiteSparse collection, order 2 is an edge.
pub fn mycielskian(order: u32) -> Vec<[u32; 2]> {
    let mut edges = vec![[0, 1]];
    let mut n = 2;
    for _ in 2..order {
        let copies: Vec<[u32; 2]> =
            edges.iter().flat_map(|&[u, v]| [[u, n + v], [n + u, v]]).collect();
        edges.extend(copies);
        edges.extend((0..n).map(|v| [n + v, 2 * n]));
        n = 2 * n + 1;
    }
    edges
}

/// The graphs of the benchmarks by name: `rmatS` and `erS` of scale S (edge factors 16 and about
/// 15.3), `ba` (200 k vertices, 10 M edges), `ws` (1 M vertices, 25 M edges), `mycielskianK` of order K.
pub fn by_name(name: &str) -> Option<Vec<[u32; 2]>> {
    if let Some(order) = name.strip_prefix("mycielskian") {
        return Some(mycielskian(order.parse().ok().filter(|order| (2..=20).contains(order))?));
    }
    if let Some(scale) = name.strip_prefix("rmat") {
        return Some(rmat(scale.parse().ok()?, 16, 1));
    }
    if let Some(scale) = name.strip_prefix("er") {
        let scale: u32 = scale.parse().ok().filter(|scale| *scale <= 22)?;
        return Some(uniform(1 << scale, 64_000_000 >> (22 - scale), 1));
    }
    match name {
        "ba" => Some(barabasi_albert(200_000, 50, 1)),
        "ws" => Some(watts_strogatz(1_000_000, 25, 100, 1)),
        _ => None,
    }
}

/// All pairs of `n` vertices, self-loops included.
pub fn clique(n: u32) -> Vec<[u32; 2]> {
    (0..n).flat_map(|u| (u..n).map(move |v| [v, u])).collect()
}

/// Vertex `n` joined to every vertex below it.
pub fn star(n: u32) -> Vec<[u32; 2]> {
    (0..n).map(|leaf| [n, leaf]).collect()
}

/// A hub, vertex `n`, joined to every vertex of a ring of `n`: n triangles for n > 3.
pub fn wheel(n: u32) -> Vec<[u32; 2]> {
    (0..n).flat_map(|v| [[n, v], [v, (v + 1) % n]]).collect()
}
