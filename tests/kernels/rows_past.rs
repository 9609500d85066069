use anyhow::{Result, ensure};
use proptest::prelude::*;
use tribin_kernels::rows_past::{
    BLOCK, LANES, forward_merge_past, rows_of_places, support_past, vertices_past,
};
use warpwise_device::launch::{Buffer, Shape};

use crate::contents::{EdgePattern, any_edges};
use crate::devices::{Case, Kernel, TestDevice, ensure_holds, striding_shapes};
use crate::rows::{Rows, Totals, graphs_of_triangles};

/// What is found.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Found {
    Count,
    AtVertices,
    OnEdges,
}

/// A graph in three parts, of which one has no rows. The rows of each part and those behind it come past it.
#[derive(Debug)]
struct Past {
    graph: Rows,
    shape: Shape,
    found: Found,
}

impl Past {
    fn ranks(&self) -> usize {
        self.graph.rows.len()
    }

    /// The triangles at each vertex.
    fn at_vertices(&self) -> Vec<u64> {
        let Rows { tails, heads, .. } = &self.graph;
        let mut at_vertices = vec![0; self.ranks()];
        for [ua, _, aw] in self.graph.triangles() {
            for v in [tails[ua as usize], heads[ua as usize], heads[aw as usize]] {
                at_vertices[v as usize] += 1;
            }
        }
        at_vertices
    }
}

impl Case for Past {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let n = self.ranks();
        let starts: Vec<u32> = self.graph.starts().into_iter().map(|start| start as u32).collect();
        let Rows { tails: known_tails, heads, .. } = &self.graph;
        let places = |first: usize, end: usize| starts[first] as usize..starts[end] as usize;
        // The kernels add to what is there.
        let mut totals = Totals::on(device)?;
        let mut counters = Buffer::from_host(device, &vec![5u64; n])?;
        let mut support = vec![0u32; heads.len()];
        for part in [0..n / 3, n / 3..n / 3, n / 3..n] {
            let of_part = places(part.start, part.end);
            // Two words of somebody else stand behind the heads.
            let resident = [&heads[of_part.clone()], &[0; 2]].concat();
            let resident = Buffer::from_host(device, &resident)?;
            // They are counted from anywhere.
            let from = starts[part.start];
            let relative: Vec<u32> =
                starts[part.start..=part.end].iter().map(|start| start - from).collect();
            let part_starts = Buffer::from_host(device, &relative)?;
            let mut part_support = Buffer::from_host(device, &vec![7u32; of_part.len()])?;
            let middle = part.start + (n - part.start) / 2;
            for (first, end) in [(part.start, middle), (middle, n)] {
                let own = places(first, end);
                let m = own.len() as u64;
                // Those of the second half begin at an odd place, where they are not in pairs.
                let paired = first == part.start;
                let at = u64::from(!paired);
                let past = [&[7][..at as usize], &heads[own.clone()], &[0]].concat();
                let past = Buffer::from_host(device, &past)?;
                let of_pairs = if paired { past.len() / 2 * 2 } else { 0 };
                let pairs = past.view().slice(0, of_pairs).cast();
                let own_starts = Buffer::from_host(device, &starts[first..=end])?;
                let base = starts[first];
                // Nothing is written behind the last place.
                let mut tails = Buffer::from_host(device, &vec![u32::MAX; own.len() + 1])?;
                let writers = Shape::new(self.shape.grid, LANES * (1 + self.shape.block.x % 7));
                let (rows, len) = ((end - first) as u64, part.len() as u64);
                rows_of_places(device, writers, own_starts.view(), tails.view_mut(), base, rows)?;
                let mut known: Vec<u32> =
                    known_tails[own.clone()].iter().map(|tail| tail - first as u32).collect();
                known.push(u32::MAX);
                ensure_holds("tails", device, &tails, &known)?;
                let heads = past.view().slice(at, m + 1);
                let (tails, starts) = (tails.view(), own_starts.view());
                let part_pairs = resident.view().slice(0, resident.len() / 2 * 2).cast();
                let (of_part, part_starts) = (resident.view(), part_starts.view());
                let first_rank = part.start as u32;
                match self.found {
                    Found::Count => forward_merge_past(
                        device,
                        self.shape,
                        tails,
                        heads,
                        pairs,
                        u32::from(paired),
                        starts,
                        base,
                        of_part,
                        part_pairs,
                        part_starts,
                        totals.view_mut(),
                        first_rank,
                        len,
                        m,
                    )?,
                    Found::AtVertices => vertices_past(
                        device,
                        self.shape,
                        tails,
                        heads,
                        starts,
                        base,
                        of_part,
                        part_starts,
                        counters.view_mut(),
                        first as u32,
                        first_rank,
                        len,
                        m,
                    )?,
                    Found::OnEdges => {
                        let mut numbers = Buffer::from_host(device, &support[own.clone()])?;
                        support_past(
                            device,
                            self.shape,
                            tails,
                            heads,
                            starts,
                            base,
                            numbers.view_mut(),
                            of_part,
                            part_starts,
                            part_support.view_mut(),
                            first_rank,
                            len,
                            m,
                        )?;
                        support[own].copy_from_slice(&numbers.to_vec(device)?);
                    }
                }
            }
            for (sum, found) in support[of_part].iter_mut().zip(part_support.to_vec(device)?) {
                *sum += found - 7;
            }
        }
        match self.found {
            Found::Count => totals.ensure_added(device, self.graph.count()),
            Found::AtVertices => {
                let expected: Vec<u64> = self.at_vertices().iter().map(|count| count + 5).collect();
                ensure_holds("triangles", device, &counters, &expected)
            }
            Found::OnEdges => {
                let expected = self.graph.support();
                ensure!(support == expected, "support {support:?}, expected {expected:?}");
                Ok(())
            }
        }
    }
}

#[test]
fn forward_merge_past_counts_every_triangle_once() {
    check_kernel("forward_merge_past", Found::Count);
}

#[test]
fn vertices_past_adds_one_at_each_corner() {
    check_kernel("vertices_past", Found::AtVertices);
}

#[test]
fn support_past_adds_one_to_each_edge() {
    check_kernel("support_past", Found::OnEdges);
}

fn check_kernel(name: &'static str, found: Found) {
    let kernel = Kernel::named(name);
    let none = Rows { tails: vec![], heads: vec![], rows: vec![0; 3] };
    kernel.everywhere(striding_shapes(0, BLOCK).map(|shape| Past {
        graph: none.clone(),
        shape,
        found,
    }));
    for graph in graphs_of_triangles() {
        // A thread an edge, and more blocks than edges.
        let m = graph.heads.len() as u64;
        for shape in striding_shapes(m, BLOCK).into_iter().chain([Shape::new(m as u32 + 3, 32)]) {
            kernel.everywhere([Past { graph: graph.clone(), shape, found }]);
        }
    }
    let drawn = (3u32..60).prop_flat_map(|vertices| any_edges(vertices, 900));
    let drawn = (drawn, 1u32..9, 1u32..5).prop_map(move |(entries, grid, warps)| {
        let pairs: Vec<[u32; 2]> = entries.iter().copied().filter(|[u, v]| u != v).collect();
        Past { graph: Rows::of_pairs(&pairs), shape: Shape::new(grid, warps * 32), found }
    });
    kernel.drawn(32, drawn);
    kernel.on_gpu(|| {
        let shape = Shape::new(500, BLOCK);
        let of = |pattern: EdgePattern| {
            let entries = pattern.edges(30_003, 2_000, 1);
            let pairs: Vec<_> = entries.iter().copied().filter(|[u, v]| u != v).collect();
            Past { graph: Rows::of_pairs(&pairs), shape, found }
        };
        EdgePattern::ALL.map(of).into_iter().collect()
    });
}
