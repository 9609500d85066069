//! Algorithms 1 and 2 of paper 003 as they stand there: sequential and recursive.

use std::collections::{BTreeMap, BTreeSet};

use testkit::oracle::Simple;
use tribin_papers::radix_binning::{KeyOrder, Level, Orientation, RadixOptions};

/// The lists that are intersected: E and E'.
#[derive(Debug, Clone)]
pub struct Lists {
    pub edges: Vec<(u32, u32)>,
    pub candidates: Vec<(u32, u32)>,
    /// Bits of a vertex.
    pub bits: u32,
}

impl Lists {
    /// The lists of the undirected graph: vertices by their own numbers.
    pub fn undirected(edges: &[[u32; 2]]) -> Lists {
        let rows = Simple::of(edges).edges().iter().flat_map(|&[u, v]| [(u, v), (v, u)]).collect();
        Lists::of_rows(rows, bound(edges))
    }

    /// The lists of the graph oriented by degree, as the engine ranks it: by the degree with duplicates
    /// in classes that are exact below 16 and an eighth of a power of two wide above.
    pub fn oriented(edges: &[[u32; 2]]) -> Lists {
        let bound = bound(edges);
        let mut degree = vec![0u32; bound as usize];
        for [u, v] in edges.iter().filter(|[u, v]| u != v) {
            degree[*u as usize] += 1;
            degree[*v as usize] += 1;
        }
        let class = |v: &u32| match degree[*v as usize] {
            d @ 0..16 => d,
            d => {
                let width = d.ilog2() - 3;
                d >> width << width
            }
        };
        let mut order: Vec<u32> = (0..bound).collect();
        order.sort_by_key(|v| std::cmp::Reverse(class(v)));
        let mut rank = vec![0; bound as usize];
        for (r, v) in order.into_iter().enumerate() {
            rank[v as usize] = r as u32;
        }
        let simple = Simple::of(edges);
        let ranked = simple.edges().iter().map(|&[u, v]| {
            let (a, b) = (rank[u as usize], rank[v as usize]);
            (a.max(b), a.min(b))
        });
        Lists::of_rows(ranked.collect(), bound)
    }

    /// The lists of `orientation`.
    pub fn of(edges: &[[u32; 2]], orientation: Orientation) -> Lists {
        match orientation {
            Orientation::Degree => Lists::oriented(edges),
            Orientation::None => Lists::undirected(edges),
        }
    }

    fn of_rows(edges: BTreeSet<(u32, u32)>, bound: u32) -> Lists {
        let mut rows: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for &(u, v) in &edges {
            rows.entry(u).or_default().push(v);
        }
        let pairs = |row: &Vec<u32>| -> Vec<(u32, u32)> {
            (0..row.len())
                .flat_map(|j| (0..j).map(move |i| (j, i)))
                .map(|(j, i)| (row[j], row[i]))
                .collect()
        };
        let candidates = rows.values().flat_map(pairs).collect();
        let bits = (1..=32).find(|bits| u64::from(bound) <= 1 << bits).unwrap();
        Lists { edges: edges.into_iter().collect(), candidates, bits }
    }

    /// Matches and levels of algorithm 2.
    pub fn intersect(&self, options: &RadixOptions) -> (u64, Vec<Level>) {
        let key = |&(u, v): &(u32, u32)| key(options.key_order, u, v, self.bits);
        let edges: Vec<u64> = self.edges.iter().map(key).collect();
        let candidates: Vec<u64> = self.candidates.iter().map(key).collect();
        let levels = (2 * self.bits).div_ceil(options.digit_bits) as usize;
        let mut call = Call {
            options,
            key_bits: 2 * self.bits,
            matches: 0,
            levels: vec![Level::default(); levels],
        };
        if edges.is_empty() || candidates.is_empty() {
            return (0, Vec::new());
        }
        let threshold = options.threshold as usize;
        if edges.len() <= threshold || candidates.len() <= threshold {
            call.matches = sequential(&edges, &candidates);
        } else {
            call.intersect(&edges, &candidates, 0);
        }
        (call.matches, call.levels)
    }
}

fn bound(edges: &[[u32; 2]]) -> u32 {
    edges.iter().flatten().max().map_or(0, |v| v + 1)
}

/// The key, bit by bit.
pub fn key(order: KeyOrder, u: u32, v: u32, bits: u32) -> u64 {
    let bit = |of: u32, bit: u32| u64::from(of >> bit & 1);
    let mut key = 0;
    match order {
        KeyOrder::Concatenated => {
            for (of, place) in [(u, bits), (v, 0)] {
                for b in 0..bits {
                    key |= bit(of, b) << (place + b);
                }
            }
        }
        KeyOrder::Interleaved => {
            for b in (0..bits).rev() {
                key = key << 2 | bit(u, b) << 1 | bit(v, b);
            }
        }
    }
    key
}

fn sequential(edges: &[u64], candidates: &[u64]) -> u64 {
    let edges: BTreeSet<u64> = edges.iter().copied().collect();
    candidates.iter().filter(|candidate| edges.contains(candidate)).count() as u64
}

struct Call<'o> {
    options: &'o RadixOptions,
    key_bits: u32,
    matches: u64,
    levels: Vec<Level>,
}

impl Call<'_> {
    fn intersect(&mut self, edges: &[u64], candidates: &[u64], depth: usize) {
        let above = depth as u32 * self.options.digit_bits;
        let bits = self.options.digit_bits.min(self.key_bits - above);
        let digit = |key: u64| (key >> (self.key_bits - above - bits)) as usize & ((1 << bits) - 1);
        let mut buckets = vec![(Vec::new(), Vec::new()); 1 << bits];
        for &key in edges {
            buckets[digit(key)].0.push(key);
        }
        for &key in candidates {
            buckets[digit(key)].1.push(key);
        }
        let threshold = self.options.threshold as usize;
        let last = depth + 1 == self.levels.len();
        for (edges, candidates) in buckets {
            let level = &mut self.levels[depth];
            let here = candidates.len() as u64;
            level.edges += edges.len() as u64;
            level.candidates += here;
            level.created += u64::from(!edges.is_empty() || !candidates.is_empty());
            if edges.is_empty() || candidates.is_empty() {
                level.pruned += u64::from(!edges.is_empty() || !candidates.is_empty());
                level.candidates_pruned += here;
            } else if last {
                level.complete += 1;
                self.matches += here;
            } else if edges.len() <= threshold || candidates.len() <= threshold {
                level.tail += 1;
                level.candidates_tail += here;
                level.edges_tail += edges.len() as u64;
                self.matches += sequential(&edges, &candidates);
            } else {
                self.intersect(&edges, &candidates, depth + 1);
            }
        }
    }
}
