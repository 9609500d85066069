use anyhow::Result;
use tribin_kernels::edge_groups::{
    ITEMS, LISTED, SIZES, cursor_at, cursors_len, narrow, narrow_len,
};
use tribin_kernels::edge_support::{
    BLOCK, add_thirds, longest_row, shared_bytes, support_bits, support_listed, support_merge,
};
use warpwise_device::launch::{Buffer, Shape};

use crate::contents::sizes_around;
use crate::devices::{Case, Kernel, TestDevice, ensure_holds, striding_shapes};
use crate::rows::{Rows, graphs, oriented};

/// What was there before: kernels add to it.
fn before(edges: usize) -> Vec<u32> {
    (0..edges as u32).map(|i| i % 5).collect()
}

/// `before`, and the triangles whose edge u → a is one of `closing`.
fn expected(graph: &Rows, closing: impl Fn(u32) -> bool) -> Vec<u32> {
    let mut support = before(graph.heads.len());
    for triangle in graph.triangles().into_iter().filter(|&[ua, ..]| closing(ua)) {
        for place in triangle {
            support[place as usize] += 1;
        }
    }
    support
}

#[derive(Debug)]
struct Merge(Rows, Shape);

impl Case for Merge {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let Merge(graph, shape) = self;
        let (tails, heads, rows) = graph.on(device)?;
        let mut support = Buffer::from_host(device, &before(graph.heads.len()))?;
        let sums = support.view_mut();
        let m = heads.len();
        // Two ranges of the edges.
        let cut = m / 3;
        support_merge(device, *shape, oriented(&tails, &heads, &rows), sums, 0, cut)?;
        let sums = support.view_mut();
        support_merge(device, *shape, oriented(&tails, &heads, &rows), sums, cut, m)?;
        ensure_holds("support", device, &support, &expected(graph, |_| true))
    }
}

#[test]
fn support_merge_adds_every_triangle_to_its_edges() {
    let kernel = Kernel::named("support_merge");
    for graph in graphs() {
        for shape in striding_shapes(graph.tails.len() as u64, BLOCK) {
            kernel.everywhere([Merge(graph.clone(), shape)]);
        }
    }
}

#[derive(Debug)]
struct Listed {
    graph: Rows,
    lanes_log2: u32,
    shape: Shape,
}

impl Case for Listed {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let graph = &self.graph;
        let is_listed = |place: u32| place % 3 != 1;
        let mut listed: Vec<u32> =
            (0..graph.heads.len() as u32).filter(|&place| is_listed(place)).collect();
        let mut sizes = [0; SIZES as usize];
        sizes[LISTED as usize] = listed.len() as u32;
        // Behind the edges of the list is something else.
        listed.push(u32::MAX);
        let (tails, heads, rows) = graph.on(device)?;
        let listed = Buffer::from_host(device, &listed)?;
        let sizes = Buffer::from_host(device, &sizes)?;
        let mut support = Buffer::from_host(device, &before(graph.heads.len()))?;
        support_listed(
            device,
            self.shape,
            oriented(&tails, &heads, &rows),
            listed.view(),
            sizes.view(),
            support.view_mut(),
            self.lanes_log2,
        )?;
        ensure_holds("support", device, &support, &expected(graph, is_listed))
    }
}

#[test]
fn support_listed_adds_the_triangles_of_the_list() {
    let kernel = Kernel::named("support_listed");
    for lanes_log2 in [0, 2, 5] {
        for graph in graphs() {
            for grid in [1, 3] {
                let shape = Shape::new(grid, BLOCK);
                kernel.everywhere([Listed { graph: graph.clone(), lanes_log2, shape }]);
            }
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct BitsOptions {
    exact: u32,
    filter_log2: u32,
    counters: u32,
    chunk: u32,
    lanes_log2: u32,
    thirds: bool,
}

#[derive(Debug)]
struct Bits {
    graph: Rows,
    options: BitsOptions,
    shape: Shape,
}

impl Bits {
    /// Heads with groups: two of three.
    fn is_grouped(&self, place: u32) -> bool {
        self.graph.heads[place as usize] % 3 != 1
    }
}

impl Case for Bits {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let Bits { graph, options, shape } = self;
        let m = graph.heads.len() as u64;
        let mut codes: Vec<u16> = (graph.heads.iter())
            .map(|&head| narrow(head, options.exact, options.filter_log2) as u16)
            .collect();
        codes.resize(narrow_len(m) as usize, 0);
        let mut cursors = vec![0; cursors_len(graph.rows.len() as u64) as usize];
        let (mut items, mut grouped) = (Vec::new(), Vec::new());
        for head in 0..graph.rows.len() as u32 {
            let first = grouped.len() as u32;
            for place in (0..m as u32).filter(|&place| graph.heads[place as usize] == head) {
                let start = graph.rows[graph.tails[place as usize] as usize] as u32;
                if place > start && self.is_grouped(place) {
                    grouped.push(u64::from(place - start) << 32 | u64::from(place));
                }
            }
            let end = grouped.len() as u32;
            if end > first {
                cursors[cursor_at(head) as usize] = end;
                let firsts = (first..end).step_by(options.chunk as usize);
                items.extend(firsts.map(|at| u64::from(head) << 32 | u64::from(at)));
            }
        }
        let mut sizes = [0; SIZES as usize];
        sizes[ITEMS as usize] = items.len() as u32;
        let mut padded = before(m as usize);
        padded.resize(codes.len(), 0);

        let narrow = Buffer::from_host(device, &codes)?;
        let heads = Buffer::from_host(device, &graph.heads)?;
        let rows = Buffer::from_host(device, &graph.rows)?;
        let items = Buffer::from_host(device, &items)?;
        let grouped = Buffer::from_host(device, &grouped)?;
        let cursors = Buffer::from_host(device, &cursors)?;
        let sizes = Buffer::from_host(device, &sizes)?;
        let mut ticket = Buffer::zeroed(device, 1)?;
        let mut support = Buffer::from_host(device, &padded)?;
        let words = if options.thirds { narrow.len() / 4 } else { 0 };
        let mut thirds = Buffer::<u64, D>::zeroed(device, words)?;
        let bytes = shared_bytes(options.exact, options.filter_log2, options.counters);
        support_bits(
            device,
            shape.shared(bytes),
            narrow.view().cast(),
            narrow.view(),
            heads.view(),
            rows.view(),
            items.view(),
            grouped.view(),
            cursors.view(),
            sizes.view(),
            ticket.view_mut(),
            support.view_mut().cast(),
            thirds.view_mut(),
            u32::from(options.thirds),
            options.exact,
            options.filter_log2,
            options.counters,
            options.chunk,
            options.lanes_log2,
        )?;
        let mut support = support.to_vec(device)?;
        for (i, word) in thirds.to_vec(device)?.into_iter().enumerate() {
            for (k, sum) in support[4 * i..4 * i + 4].iter_mut().enumerate() {
                *sum += (word >> (16 * k)) as u32 & 0xffff;
            }
        }
        let mut expected = expected(graph, |place| self.is_grouped(place));
        expected.resize(support.len(), 0);
        anyhow::ensure!(support == expected, "support is {support:?}, expected {expected:?}");
        Ok(())
    }
}

#[test]
fn support_bits_adds_the_triangles_of_the_groups() {
    let kernel = Kernel::named("support_bits");
    let plain = BitsOptions {
        exact: 300,
        filter_log2: 3,
        counters: 300,
        chunk: 1_024,
        lanes_log2: 3,
        thirds: true,
    };
    let options = [
        plain,
        BitsOptions { thirds: false, ..plain },
        BitsOptions { counters: 0, chunk: 1, ..plain },
        BitsOptions { counters: 3, chunk: 7, lanes_log2: 0, ..plain },
        BitsOptions { exact: 0, filter_log2: 2, lanes_log2: 5, ..plain },
        BitsOptions { exact: 33, filter_log2: 4, counters: 2, thirds: false, ..plain },
        BitsOptions { exact: 64, filter_log2: 0, lanes_log2: 1, ..plain },
    ];
    for graph in graphs() {
        for options in options {
            for shape in [Shape::new(1, 32), Shape::new(3, 96)] {
                kernel.everywhere([Bits { graph: graph.clone(), options, shape }]);
            }
        }
    }
}

#[derive(Debug)]
struct AddThirds(Vec<u16>, Shape);

impl Case for AddThirds {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let AddThirds(thirds, shape) = self;
        let before = before(thirds.len());
        let sum = |(&third, &before): (&u16, &u32)| before + u32::from(third);
        let expected: Vec<u32> = thirds.iter().zip(&before).map(sum).collect();
        let thirds = Buffer::from_host(device, thirds)?;
        let mut support = Buffer::from_host(device, &before)?;
        add_thirds(device, *shape, thirds.view(), support.view_mut(), thirds.len())?;
        ensure_holds("support", device, &support, &expected)
    }
}

#[test]
fn add_thirds_adds_them() {
    let kernel = Kernel::named("add_thirds");
    for n in sizes_around(&[BLOCK as usize]) {
        let mut rng = fastrand::Rng::with_seed(n as u64);
        for shape in striding_shapes(n as u64, BLOCK) {
            let thirds = (0..n).map(|_| rng.u16(..) >> rng.u32(..16)).collect();
            kernel.everywhere([AddThirds(thirds, shape)]);
        }
    }
}

#[derive(Debug)]
struct LongestRow(Rows, Shape);

impl Case for LongestRow {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let LongestRow(graph, shape) = self;
        let longest = (0..graph.rows.len() as u32).map(|r| graph.row(r).len()).max();
        let rows = Buffer::from_host(device, &graph.rows)?;
        // What is there already is kept if it is more.
        for before in [0, 10, 1 << 20] {
            let mut found = Buffer::from_host(device, &[before])?;
            longest_row(device, *shape, rows.view(), found.view_mut(), rows.len())?;
            ensure_holds("longest", device, &found, &[before.max(longest.unwrap_or(0) as u32)])?;
        }
        Ok(())
    }
}

#[test]
fn longest_row_is_the_longest() {
    let kernel = Kernel::named("longest_row");
    for graph in graphs() {
        for shape in striding_shapes(graph.rows.len() as u64, BLOCK) {
            kernel.everywhere([LongestRow(graph.clone(), shape)]);
        }
    }
}
