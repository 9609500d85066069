//! Oriented graphs for kernels that count, with every figure by looking it up.

use std::collections::BTreeSet;
use std::fmt;

use anyhow::{Result, ensure};
use tribin_kernels::forward::TOTALS;
use tribin_kernels::primitives::Oriented;
use warpwise_device::OnHost;
use warpwise_device::launch::{Buffer, Shape, ViewMut};

use crate::devices::TestDevice;

/// An oriented graph whose ranks are the ids: tails, heads, and the first and last place of each row.
#[derive(Clone)]
pub struct Rows {
    pub tails: Vec<u32>,
    pub heads: Vec<u32>,
    pub rows: Vec<u64>,
}

/// Tails, heads and rows in a device's memory.
type OnDevice<D> = (Buffer<u32, D>, Buffer<u32, D>, Buffer<u64, D>);

/// The graph of these arrays, as kernels take it.
pub fn oriented<'a, D: TestDevice>(
    tails: &'a Buffer<u32, D>,
    heads: &'a Buffer<u32, D>,
    rows: &'a Buffer<u64, D>,
) -> Oriented<OnHost<'a, D>> {
    Oriented { tails: tails.view(), heads: heads.view(), rows: rows.view() }
}

impl fmt::Debug for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ranks, {} edges", self.rows.len(), self.heads.len())?;
        if self.heads.len() > 40 {
            return Ok(());
        }
        f.debug_list().entries(self.tails.iter().zip(&self.heads)).finish()
    }
}

impl Rows {
    /// The graph of these rows of heads.
    pub fn of_rows(rows: impl IntoIterator<Item = Vec<u32>>) -> Rows {
        let mut graph = Rows { tails: vec![], heads: vec![], rows: vec![] };
        for (tail, row) in rows.into_iter().enumerate() {
            let start = graph.heads.len() as u64;
            graph.heads.extend(&row);
            graph.tails.resize(graph.heads.len(), tail as u32);
            let end = graph.heads.len() as u64;
            graph.rows.push(if row.is_empty() { 0 } else { start | end << 32 });
        }
        graph
    }

    /// Each edge with probability `percent` / 100, thrice that, … or none, by the rank of its tail.
    pub fn random(ranks: u32, percent: u32, seed: u64) -> Rows {
        let mut rng = fastrand::Rng::with_seed(seed);
        // Some rows long, some short, some empty.
        let mut row = |u: u32| (0..u).filter(|_| rng.u32(0..100) < percent * (u % 4)).collect();
        Rows::of_rows((0..ranks).map(&mut row))
    }

    /// The graph of `pairs`, duplicates dropped.
    pub fn of_pairs(pairs: &[[u32; 2]]) -> Rows {
        let edges: BTreeSet<[u32; 2]> = pairs.iter().map(|&[u, v]| [u.max(v), u.min(v)]).collect();
        let ranks = edges.iter().map(|&[u, _]| u as usize + 1).max().unwrap_or(0);
        let mut rows = vec![Vec::new(); ranks];
        edges.into_iter().for_each(|[u, v]| rows[u as usize].push(v));
        Rows::of_rows(rows)
    }

    /// All edges among the ranks.
    pub fn clique(ranks: u32) -> Rows {
        Rows::of_pairs(&(1..ranks).flat_map(|u| (0..u).map(move |v| [u, v])).collect::<Vec<_>>())
    }

    /// The heads of row `r`.
    pub fn row(&self, r: u32) -> &[u32] {
        let row = self.rows[r as usize];
        &self.heads[(row & 0xffff_ffff) as usize..(row >> 32) as usize]
    }

    /// Triangles that the edge at `place` closes with lower vertices, by looking every vertex up.
    pub fn closed(&self, place: u32) -> u64 {
        let (u, a) = (self.tails[place as usize], self.heads[place as usize]);
        self.row(u).iter().filter(|&&w| w < a && self.row(a).contains(&w)).count() as u64
    }

    /// All triangles, by looking every vertex up.
    pub fn count(&self) -> u64 {
        (0..self.heads.len() as u32).map(|place| self.closed(place)).sum()
    }

    /// Where each row begins, and where the last one ends.
    pub fn starts(&self) -> Vec<u64> {
        let mut starts = vec![0];
        for rank in 0..self.rows.len() as u32 {
            starts.push(starts[rank as usize] + self.row(rank).len() as u64);
        }
        starts
    }

    /// Tails, heads and rows in a device's memory.
    pub fn on<D: TestDevice>(&self, device: &D) -> Result<OnDevice<D>> {
        let [tails, heads] = [&self.tails, &self.heads].map(|ends| Buffer::from_host(device, ends));
        Ok((tails?, heads?, Buffer::from_host(device, &self.rows)?))
    }

    /// Where the edge between two vertices is, if there is one.
    pub fn place(&self, u: u32, v: u32) -> Option<u32> {
        let (u, v) = (u.max(v), u.min(v));
        let start = (self.rows[u as usize] & 0xffff_ffff) as u32;
        self.row(u).iter().position(|&head| head == v).map(|at| start + at as u32)
    }

    /// Every triangle, as the places of its edges u → a, u → w and a → w for w < a < u.
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        let mut triangles = Vec::new();
        for (place, (&u, &a)) in self.tails.iter().zip(&self.heads).enumerate() {
            for &w in self.row(u).iter().filter(|&&w| w < a) {
                if let (Some(uw), Some(aw)) = (self.place(u, w), self.place(a, w)) {
                    triangles.push([place as u32, uw, aw]);
                }
            }
        }
        triangles
    }

    /// Triangles on each edge.
    pub fn support(&self) -> Vec<u32> {
        let mut support = vec![0; self.heads.len()];
        for place in self.triangles().into_iter().flatten() {
            support[place as usize] += 1;
        }
        support
    }

    /// Ends of edges at each vertex.
    pub fn degrees(&self) -> Vec<u32> {
        let mut degrees = vec![0; self.rows.len()];
        for &end in self.tails.iter().chain(&self.heads) {
            degrees[end as usize] += 1;
        }
        degrees
    }
}

/// Rows of both directions, by looking every neighbour up.
#[derive(Debug, Clone)]
pub struct Both {
    /// First place and one past the last of each row, 0 for an empty row.
    pub rows: Vec<u64>,
    pub neighbours: Vec<u32>,
    /// The edge that leads to each neighbour.
    pub edge_at: Vec<u32>,
}

impl Both {
    pub fn of(graph: &Rows) -> Both {
        let ranks = graph.rows.len() as u32;
        let mut both = Both { rows: vec![0; ranks as usize], neighbours: vec![], edge_at: vec![] };
        for u in 0..ranks {
            let start = both.neighbours.len() as u64;
            for (v, edge) in (0..ranks).filter_map(|v| Some((v, graph.place(u, v)?))) {
                both.neighbours.push(v);
                both.edge_at.push(edge);
            }
            let end = both.neighbours.len() as u64;
            if end > start {
                both.rows[u as usize] = start | end << 32;
            }
        }
        both
    }

    /// The length of the shorter of the rows of an edge's two ends.
    pub fn shorter(&self, graph: &Rows, edge: u64) -> u32 {
        let len = |r: u32| {
            let row = self.rows[r as usize];
            (row >> 32) as u32 - row as u32
        };
        len(graph.tails[edge as usize]).min(len(graph.heads[edge as usize]))
    }
}

/// Words that kernels add the triangles to that they find. The words are not 0 before, and behind them stand two that are
/// not the kernels'.
pub struct Totals<D: TestDevice>(Buffer<u64, D>);

impl<D: TestDevice> Totals<D> {
    const BEFORE: std::ops::Range<u64> = 0..TOTALS + 2;

    pub fn on(device: &D) -> Result<Totals<D>> {
        Ok(Totals(Buffer::from_host(device, &Self::BEFORE.collect::<Vec<_>>())?))
    }

    pub fn view_mut(&mut self) -> ViewMut<'_, u64, D> {
        self.0.view_mut()
    }

    /// Fails unless `expected` were added.
    pub fn ensure_added(&self, device: &D, expected: u64) -> Result<()> {
        let after = self.0.to_vec(device)?;
        ensure!(after[TOTALS as usize..] == [TOTALS, TOTALS + 1], "behind the totals");
        let found = after.iter().sum::<u64>() - Self::BEFORE.sum::<u64>();
        ensure!(found == expected, "{found} triangles, expected {expected}");
        Ok(())
    }
}

/// A graph, and more blocks of 32 threads than there are words for totals, of which all but the last few have an
/// edge with triangles.
pub fn more_blocks_than_totals() -> (Rows, Shape) {
    let graph = Rows::clique(150);
    let blocks = TOTALS as u32 + 90;
    assert!(graph.heads.len() > 32 * (TOTALS as usize + 80));
    (graph, Shape::new(blocks, 32))
}

/// Some of all sorts.
pub fn graphs() -> Vec<Rows> {
    [(1, 30), (2, 40), (33, 33), (70, 12), (257, 4), (300, 1)]
        .into_iter()
        .map(|(ranks, percent)| Rows::random(ranks, percent, u64::from(ranks)))
        .collect()
}

/// A graph of each sort for kernels that visit triangles: [`graphs`], no edge, cliques and books.
pub fn graphs_of_triangles() -> Vec<Rows> {
    let mut all = graphs();
    all.push(Rows::of_pairs(&[]));
    all.extend([3, 9, 34, 60].map(Rows::clique));
    // 200 triangles share an edge, which is between the two smallest ranks, or the two largest.
    let book = |one: u32, other: u32, pages: u32| {
        let pages = (pages..pages + 200).flat_map(move |page| [[one, page], [page, other]]);
        Rows::of_pairs(&pages.chain([[one, other]]).collect::<Vec<_>>())
    };
    all.extend([book(0, 1, 2), book(300, 301, 50)]);
    all
}
