use anyhow::Result;
use tribin_kernels::triangle_chunks::{BLOCK, TILE, count_tiles, write_triangles};
use warpwise_device::launch::{Buffer, Shape};

use crate::devices::{Case, Kernel, TestDevice, ensure_holds};
use crate::rows::{Rows, graphs_of_triangles, oriented};

/// The triangles that are closed at each place, as ranks u > a > w.
fn closed(graph: &Rows) -> Vec<Vec<[u32; 3]>> {
    let mut closed = vec![Vec::new(); graph.heads.len()];
    for [ua, uw, _] in graph.triangles() {
        let corners =
            [graph.tails[ua as usize], graph.heads[ua as usize], graph.heads[uw as usize]];
        closed[ua as usize].push(corners);
    }
    closed
}

/// Triangles of each tile.
fn tile_counts(closed: &[Vec<[u32; 3]>]) -> Vec<u32> {
    let tiles = closed.chunks(TILE as usize);
    tiles.map(|tile| tile.iter().map(|edge| edge.len() as u32).sum()).collect()
}

fn shapes() -> [Shape; 3] {
    [Shape::new(1, 32), Shape::new(1, BLOCK), Shape::new(5, BLOCK)]
}

#[derive(Debug)]
struct Count(Rows, Shape);

impl Case for Count {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let Count(graph, shape) = self;
        let m = graph.heads.len() as u64;
        let (tails, heads, rows) = graph.on(device)?;
        let expected = tile_counts(&closed(graph));
        let mut counts = Buffer::uninitialized(device, expected.len() as u64)?;
        let counts_there = counts.view_mut();
        count_tiles(device, *shape, oriented(&tails, &heads, &rows), counts_there, m)?;
        ensure_holds("counts", device, &counts, &expected)
    }
}

#[test]
fn count_tiles_counts_what_each_tile_closes() {
    let kernel = Kernel::named("count_tiles");
    for graph in graphs_of_triangles() {
        kernel.everywhere(shapes().map(|shape| Count(graph.clone(), shape)));
    }
}

#[derive(Debug)]
struct Write {
    graph: Rows,
    shape: Shape,
    from: u64,
    to: u64,
}

impl Case for Write {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let Write { graph, shape, from, to } = self;
        let m = graph.heads.len() as u64;
        let n = graph.rows.len() as u32;
        // Names in another order than the ranks.
        let vertices: Vec<u32> = (0..n).map(|rank| (n - 1 - rank) ^ 1).collect();
        let closed = closed(graph);
        let mut places = vec![0];
        for count in tile_counts(&closed) {
            places.push(places[places.len() - 1] + u64::from(count));
        }
        let named = |[u, a, w]: [u32; 3]| {
            let mut corners = [u, a, w].map(|rank| vertices[rank as usize]);
            corners.sort_unstable();
            corners
        };
        let all: Vec<[u32; 3]> = closed.into_iter().flatten().map(named).collect();
        let (tails, heads, rows) = graph.on(device)?;
        let vertices = Buffer::from_host(device, &vertices)?;
        let places = Buffer::from_host(device, &places)?;
        // One more than there is to write.
        let words = 3 * (to - from + 1);
        let mut triangles = Buffer::from_host(device, &vec![u32::MAX; words as usize])?;
        write_triangles(
            device,
            *shape,
            oriented(&tails, &heads, &rows),
            vertices.view(),
            places.view(),
            triangles.view_mut(),
            m,
            *from,
            *to,
        )?;
        let past = (*to).min(all.len() as u64).max(*from);
        let mut expected = all[*from as usize..past as usize].to_vec();
        expected.resize((to - from + 1) as usize, [u32::MAX; 3]);
        ensure_holds("triangles", device, &triangles, expected.as_flattened())
    }
}

#[test]
fn write_triangles_writes_any_range_in_order() {
    let kernel = Kernel::named("write_triangles");
    for graph in graphs_of_triangles() {
        let all = graph.triangles().len() as u64;
        let ranges = [(0, all), (0, 1.min(all)), (all / 3, all / 2), (all.saturating_sub(1), all)];
        for (from, to) in ranges.into_iter().chain([(all, all), (all / 2, all / 2), (0, all + 7)]) {
            let case = |shape| Write { graph: graph.clone(), shape, from, to };
            kernel.everywhere(shapes().map(case));
        }
    }
}
