//! Models as plain programs, which keep all their edges, and the permutation of ids that models draw.

/// The generator of Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
/// OOPSLA 2014.
struct SplitMix64(u64);

impl SplitMix64 {
    /// A stream of its own for each pair of seed and index.
    fn new(seed: u64, index: u64) -> SplitMix64 {
        let start = SplitMix64(seed).next() ^ index.wrapping_mul(0xd134_2543_de82_ef95);
        SplitMix64(SplitMix64(start).next())
    }

    /// The next 64 bits.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, uniform but for a bias of at most `bound` / 2⁶⁴.
    fn below(&mut self, bound: u64) -> u64 {
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

/// Vertex `n` joined to every vertex below it.
pub fn star(n: u32) -> Vec<[u32; 2]> {
    (0..n).map(|leaf| [n, leaf]).collect()
}

/// A hub, vertex `n`, joined to every vertex of a ring of `n`.
pub fn wheel(n: u32) -> Vec<[u32; 2]> {
    (0..n).flat_map(|v| [[n, v], [v, (v + 1) % n]]).collect()
}
