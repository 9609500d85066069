use anyhow::Result;
use tribin_kernels::similar::{
    MOST, Wanted, measures, similar_in_shared, similar_in_slices, slice_bytes, table_bytes,
};
use warpwise_device::launch::{Buffer, Shape};

use crate::devices::{Case, Kernel, TestDevice, ensure_holds};
use crate::rows::{Both, Rows, graphs};

/// The most similar vertices of each rank: for each other rank, its common neighbours are looked up.
fn expected(
    both: &Both,
    vertices: &[u32],
    weights: &[f64],
    wanted: Wanted,
) -> Vec<Vec<(u32, f64)>> {
    let ranks = 0..both.rows.len() as u32;
    let row = |rank: u32| {
        let row = both.rows[rank as usize];
        &both.neighbours[(row & 0xffff_ffff) as usize..(row >> 32) as usize]
    };
    let score = |rank: u32, other: u32| {
        let (u, v) = (row(rank).len() as f64, row(other).len() as f64);
        let common = row(rank).iter().rev().filter(|&by| row(other).contains(by));
        let sum: f64 = common.fold(0.0, |sum, &by| sum + weights[by as usize]);
        let score = match wanted.measure {
            measures::JACCARD => sum / (u + v - sum),
            measures::OVERLAP => sum / u.min(v),
            measures::COSINE => sum / (u * v).sqrt(),
            measures::SORENSEN => 2.0 * sum / (u + v),
            _ => sum,
        };
        if sum > 0.0 { score } else { 0.0 }
    };
    let of_rank = |rank: u32| {
        let others = ranks.clone().filter(|&other| other != rank);
        let others = others.filter(|other| wanted.without_edges == 0 || !row(rank).contains(other));
        let mut found: Vec<(u32, f64)> = others
            .map(|other| (vertices[other as usize], score(rank, other)))
            .filter(|&(_, score)| score > 0.0 && score >= wanted.least)
            .collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found.truncate(wanted.top as usize);
        found
    };
    ranks.clone().map(of_rank).collect()
}

#[derive(Debug)]
struct Similar {
    graph: Rows,
    wanted: Wanted,
    blocks: u32,
    warps: u32,
    /// Doubles of a slice, or nothing where sums are in a table.
    slice: Option<u32>,
}

impl Case for Similar {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let &Similar { ref graph, wanted, blocks, warps, slice } = self;
        let both = Both::of(graph);
        let ranks = both.rows.len();
        // Vertices descend, so that of equal ones the last rank is the first vertex.
        let vertices: Vec<u32> = (0..ranks as u32).map(|rank| 3 * (ranks as u32 - rank)).collect();
        let weight = |rank: usize| match wanted.is_ordered {
            0 => 1.0,
            _ => 1.0 / (rank as f64 + 3.0),
        };
        let weights: Vec<f64> = (0..ranks).map(weight).collect();
        // Every other rank, and the last once more.
        let list: Vec<u32> = (0..ranks as u32).step_by(2).chain([ranks as u32 - 1]).collect();
        let (n, top) = (list.len() as u64, u64::from(wanted.top));
        let bits = (2 * ranks as u32).next_power_of_two().ilog2();
        let of_rank = expected(&both, &vertices, &weights, wanted);
        let (neighbours, rows, vertices, weights, list_there) = (
            Buffer::from_host(device, &both.neighbours)?,
            Buffer::from_host(device, &both.rows)?,
            Buffer::from_host(device, &vertices)?,
            Buffer::from_host(device, &weights)?,
            Buffer::from_host(device, &list)?,
        );
        let mut queue = Buffer::<u32, D>::zeroed(device, 1)?;
        let mut numbers = Buffer::<u32, D>::uninitialized(device, n)?;
        let mut ends = Buffer::from_host(device, &vec![7u32; (n * top) as usize])?;
        let mut scores = Buffer::from_host(device, &vec![-1.0f64; (n * top) as usize])?;
        let shape = Shape::new(blocks, 32 * warps);
        if let Some(doubles) = slice {
            similar_in_slices(
                device,
                shape.shared(slice_bytes(doubles, warps)),
                neighbours.view(),
                rows.view(),
                vertices.view(),
                weights.view(),
                list_there.view(),
                queue.view_mut(),
                numbers.view_mut(),
                ends.view_mut(),
                scores.view_mut(),
                wanted,
                ranks as u32,
                doubles,
                n,
            )?;
        } else {
            similar_in_shared(
                device,
                shape.shared(table_bytes(bits, warps)),
                neighbours.view(),
                rows.view(),
                vertices.view(),
                weights.view(),
                list_there.view(),
                queue.view_mut(),
                numbers.view_mut(),
                ends.view_mut(),
                scores.view_mut(),
                wanted,
                bits,
                n,
            )?;
        }
        let (mut number, mut end, mut score) = (vec![], vec![], vec![]);
        for &rank in &list {
            let found = &of_rank[rank as usize];
            number.push(found.len() as u32);
            // What is not found is not written.
            let rest = (wanted.top as usize).saturating_sub(found.len());
            end.extend(found.iter().map(|&(vertex, _)| vertex).chain(vec![7; rest]));
            score.extend(found.iter().map(|&(_, score)| score).chain(vec![-1.0; rest]));
        }
        ensure_holds("numbers", device, &numbers, &number)?;
        ensure_holds("ends", device, &ends, &end)?;
        ensure_holds("scores", device, &scores, &score)
    }
}

fn check(kernel: &'static str, slices: &[Option<u32>]) {
    let kernel = Kernel::named(kernel);
    // A star, whose leaves are all alike, with some edges between them.
    let star = (1..60).flat_map(|v| [[0, v], [v, v % 5], [v, v / 2]]).filter(|[u, v]| u != v);
    let star = Rows::of_pairs(&star.collect::<Vec<_>>());
    let all = graphs().into_iter().filter(|graph| !graph.heads.is_empty() && graph.rows.len() < 70);
    for graph in all.chain([star]) {
        let of = |measure, top, least, without_edges| Wanted {
            least,
            measure,
            top,
            is_ordered: u32::from(measure == measures::SUM && top < MOST),
            without_edges,
        };
        let wanted = [
            of(measures::JACCARD, 3, f64::NEG_INFINITY, 0),
            of(measures::OVERLAP, 1, 0.5, 0),
            of(measures::COSINE, MOST, 0.2, 1),
            of(measures::SORENSEN, 10, 0.0, 1),
            of(measures::SUM, MOST, 2.0, 0),
            of(measures::SUM, 5, 0.0, 0),
        ];
        let shapes = [(1, 1), (2, 3)];
        kernel.everywhere(wanted.into_iter().zip(shapes.into_iter().cycle()).flat_map(
            |(wanted, (blocks, warps))| {
                // Both shapes, the other one second.
                let shapes = [(blocks, warps), (3 - blocks, 4 - warps)];
                let (graph, slices) = (graph.clone(), slices.to_vec());
                shapes.into_iter().flat_map(move |(blocks, warps)| {
                    let graph = graph.clone();
                    slices.clone().into_iter().map(move |slice| Similar {
                        graph: graph.clone(),
                        wanted,
                        blocks,
                        warps,
                        slice,
                    })
                })
            },
        ));
    }
}

#[test]
fn similar_ranks_are_those_of_the_rows() {
    check("similar_in_shared", &[None]);
}

#[test]
fn similar_ranks_of_many_paths_are_those_of_the_rows() {
    // All ranks in a slice, several slices, and one for each or every other rank.
    check("similar_in_slices", &[Some(64), Some(5), Some(1)]);
}
