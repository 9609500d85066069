//! Triangles and what follows from them, by sets of neighbours. The oracle shares no code with the
//! methods that it checks.

use std::collections::{BTreeMap, BTreeSet};

use tribin_graph::Summary;

/// The number of triangles in the undirected simple graph of these entries.
pub fn brute_force(entries: &[[u32; 2]]) -> u64 {
    Simple::of(entries).triangles()
}

/// The undirected simple graph of an array of entries, as sets.
#[derive(Debug, Clone)]
pub struct Simple {
    edges: BTreeSet<[u32; 2]>,
    neighbours: Vec<BTreeSet<u32>>,
    self_loops: u64,
    duplicates: u64,
    reciprocal: u64,
}

impl Simple {
    /// The graph on the vertices up to the largest id.
    pub fn of(entries: &[[u32; 2]]) -> Simple {
        let vertices = entries.iter().flatten().max().map_or(0, |&v| v as usize + 1);
        Simple::with_vertices(entries, vertices)
    }

    /// The graph on `vertices` vertices, which must be more than the largest id.
    pub fn with_vertices(entries: &[[u32; 2]], vertices: usize) -> Simple {
        let mut neighbours = vec![BTreeSet::new(); vertices];
        let (mut edges, mut self_loops, mut duplicates) = (BTreeSet::new(), 0, 0);
        let mut directed = BTreeSet::new();
        for &[u, v] in entries {
            directed.insert([u, v]);
            if u == v {
                self_loops += 1;
            } else if !edges.insert([u.min(v), u.max(v)]) {
                duplicates += 1;
            }
        }
        for &[u, v] in &edges {
            neighbours[u as usize].insert(v);
            neighbours[v as usize].insert(u);
        }
        let both =
            |&[u, v]: &&[u32; 2]| directed.contains(&[*u, *v]) && directed.contains(&[*v, *u]);
        let reciprocal = edges.iter().filter(both).count() as u64;
        Simple { edges, neighbours, self_loops, duplicates, reciprocal }
    }

    /// Every edge once, the smaller vertex first.
    pub fn edges(&self) -> &BTreeSet<[u32; 2]> {
        &self.edges
    }

    /// The number of triangles.
    pub fn triangles(&self) -> u64 {
        let three_times: u64 = self.support().into_values().map(u64::from).sum();
        assert!(three_times.is_multiple_of(3), "an oracle that contradicts itself");
        three_times / 3
    }

    /// The figures of the graph, and of the entries that it leaves out.
    pub fn summary(&self) -> Summary {
        let degrees = || self.neighbours.iter().map(|row| row.len() as u64);
        Summary {
            vertices: degrees().filter(|&degree| degree > 0).count() as u64,
            edges: self.edges.len() as u64,
            self_loops_dropped: self.self_loops,
            duplicates_dropped: self.duplicates,
            reciprocal_dropped: Some(self.reciprocal),
            wedges: degrees().map(|d| u128::from(d * d.saturating_sub(1) / 2)).sum(),
            max_degree: degrees().max().unwrap_or(0),
        }
    }

    /// The degree of every vertex.
    pub fn degrees(&self) -> Vec<u32> {
        self.neighbours.iter().map(|row| row.len() as u32).collect()
    }

    /// The number of triangles that every vertex is in.
    pub fn triangles_of_vertices(&self) -> Vec<u64> {
        // Each of a vertex's triangles is on two of its edges.
        let mut twice = vec![0u64; self.neighbours.len()];
        for ([u, v], count) in self.support() {
            twice[u as usize] += u64::from(count);
            twice[v as usize] += u64::from(count);
        }
        twice.into_iter().map(|ends| ends / 2).collect()
    }

    /// The local clustering coefficient of every vertex.
    pub fn clustering(&self) -> Vec<f64> {
        let share = |(degree, triangles): (u32, u64)| match degree {
            0 | 1 => 0.0,
            _ => 2.0 * triangles as f64 / (f64::from(degree) * (f64::from(degree) - 1.0)),
        };
        self.degrees().into_iter().zip(self.triangles_of_vertices()).map(share).collect()
    }

    /// The number of triangles on every edge.
    pub fn support(&self) -> BTreeMap<[u32; 2], u32> {
        let count = |&edge: &[u32; 2]| (edge, self.common(edge).len() as u32);
        self.edges.iter().map(count).collect()
    }

    /// The trussness of every edge: the edge with the fewest triangles is taken away again and again.
    pub fn trussness(&self) -> BTreeMap<[u32; 2], u32> {
        let mut graph = self.clone();
        let mut left = self.support();
        let mut queue: BTreeSet<(u32, [u32; 2])> = left.iter().map(|(&e, &s)| (s, e)).collect();
        let mut trussness = BTreeMap::new();
        let mut level = 0;
        while let Some((count, [u, v])) = queue.pop_first() {
            level = level.max(count);
            trussness.insert([u, v], level + 2);
            for w in graph.common([u, v]) {
                for other in [[u.min(w), u.max(w)], [v.min(w), v.max(w)]] {
                    let count = left.get_mut(&other).expect("an edge of a triangle that is left");
                    queue.remove(&(*count, other));
                    *count -= 1;
                    queue.insert((*count, other));
                }
            }
            graph.neighbours[u as usize].remove(&v);
            graph.neighbours[v as usize].remove(&u);
        }
        trussness
    }

    /// The vertices that are neighbours of both.
    fn common(&self, edge: [u32; 2]) -> Vec<u32> {
        let [u, v] = edge.map(|vertex| &self.neighbours[vertex as usize]);
        let (few, many) = if u.len() <= v.len() { (u, v) } else { (v, u) };
        few.iter().copied().filter(|w| many.contains(w)).collect()
    }
}

/// 64 bits that say which triangle it is, its vertices in ascending order.
pub fn triangle_hash([a, b, c]: [u32; 3]) -> u64 {
    mix(mix(u64::from(a) << 32 | u64::from(b)) ^ u64::from(c))
}

/// The finalizer of SplitMix64 (Steele, Lea and Flood 2014), of a number that is never 0 for a triangle's first two vertices.
fn mix(mut word: u64) -> u64 {
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

#[cfg(test)]
mod tests {
    use super::Simple;

    /// Two triangles that share the edge [1, 2], the edge [3, 5], a loop and two duplicates.
    const ENTRIES: [[u32; 2]; 9] =
        [[0, 1], [1, 2], [2, 0], [2, 1], [3, 1], [2, 3], [5, 3], [4, 4], [3, 5]];

    #[test]
    fn the_oracle_finds_what_a_hand_finds() {
        let simple = Simple::of(&ENTRIES);
        assert_eq!(simple.triangles(), 2);
        assert_eq!(simple.degrees(), [2, 3, 3, 3, 0, 1]);
        assert_eq!(simple.triangles_of_vertices(), [1, 2, 2, 1, 0, 0]);
        assert_eq!(simple.clustering(), [1.0, 2.0 / 3.0, 2.0 / 3.0, 1.0 / 3.0, 0.0, 0.0]);
        let support: Vec<_> = simple.support().into_iter().collect();
        assert_eq!(
            support,
            [([0, 1], 1), ([0, 2], 1), ([1, 2], 2), ([1, 3], 1), ([2, 3], 1), ([3, 5], 0)]
        );
        let trussness: Vec<u32> = simple.trussness().into_values().collect();
        assert_eq!(trussness, [3, 3, 3, 3, 3, 2]);
        let summary = simple.summary();
        assert_eq!((summary.vertices, summary.edges, summary.wedges), (5, 6, 10));
        assert_eq!((summary.self_loops_dropped, summary.duplicates_dropped), (1, 2));
        assert_eq!(summary.max_degree, 3);
    }
}
