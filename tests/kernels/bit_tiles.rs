use anyhow::{Result, ensure};
use tribin_kernels::bit_tiles::{
    self, BLOCK, COLUMNS, MOST_PACKED, SEGMENTS_SHARED_BYTES, TABLE_SLOTS, TILE, TILE_EDGES,
};
use tribin_kernels::forward::TOTALS;
use warpwise_device::launch::{Buffer, Shape};

use crate::contents::sizes_around;
use crate::devices::{Case, Kernel, TestDevice, ensure_holds};
use crate::rows::{Rows, Totals};

/// Exactly `edges` edges: complete rows, and a part of the last.
fn of_edges(edges: usize) -> Rows {
    let mut rows = Vec::new();
    let mut left = edges;
    while left > 0 {
        let row = rows.len().min(left) as u32;
        rows.push((0..row).collect::<Vec<u32>>());
        left -= row as usize;
    }
    Rows::of_rows(rows)
}

/// Rows of up to 140 entries, each in a segment of its own, that have entries in common: more segments than
/// share a tile, fewer, and several tiles of columns.
fn far() -> Rows {
    let mut rows = vec![Vec::new(); 140 * 592 + 1];
    for n in (0..=140).step_by(4) {
        rows[n as usize * 592] = (0..n).map(|k| k * 592).collect();
    }
    Rows::of_rows(rows)
}

/// A row of more segments than a tile of packed rows holds, between short ones.
fn wide_between() -> Rows {
    let mut rows: Vec<Vec<u32>> = (0..50_000u32).map(|u| (0..u.min(3)).collect()).collect();
    rows[200..49_900].fill(Vec::new());
    rows[49_950] = (0..700).map(|k| k * 64).collect();
    Rows::of_rows(rows)
}

/// Triangles of the edges of the rows that `counts`.
fn triangles(graph: &Rows, counts: impl Fn(&[u32]) -> bool) -> u64 {
    let places = (0..graph.heads.len() as u32).zip(&graph.tails);
    places.filter(|&(_, &u)| counts(graph.row(u))).map(|(place, _)| graph.closed(place)).sum()
}

/// The segments of every row in order: number and bits; and where each row's are.
fn segments(graph: &Rows) -> (Vec<u32>, Vec<u64>, Vec<u64>) {
    let (mut ids, mut words, mut rows) = (Vec::new(), Vec::<u64>::new(), Vec::new());
    for r in 0..graph.rows.len() as u32 {
        let start = ids.len();
        for &a in graph.row(r) {
            if ids.len() == start || ids.last() != Some(&(a / COLUMNS)) {
                ids.push(a / COLUMNS);
                words.push(0);
            }
            *words.last_mut().unwrap() |= 1 << (a % COLUMNS);
        }
        let empty = ids.len() == start;
        rows.push(if empty { 0 } else { start as u64 | (ids.len() as u64) << 32 });
    }
    (ids, words, rows)
}

fn random(ranks: u32, percent: u32) -> Rows {
    Rows::random(ranks, percent, u64::from(ranks * percent))
}

fn graphs() -> Vec<Rows> {
    let graphs = [(3, 33), (33, 33), (70, 12), (150, 25), (300, 2)];
    let mut graphs = graphs.map(|(ranks, percent)| random(ranks, percent)).to_vec();
    let edges = sizes_around(&[TILE_EDGES as usize, TILE as usize, 2 * TILE as usize]);
    graphs.extend(edges.into_iter().filter(|&edges| edges > 0).map(of_edges));
    graphs
}

#[derive(Debug)]
struct Cut(Rows);

impl Case for Cut {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let graph = &self.0;
        let (mut ids, mut words, rows) = segments(graph);
        let m = graph.heads.len() as u64;
        let (tails, heads, _) = graph.on(device)?;
        // What is not written stays as it is.
        let mut found_ids = Buffer::from_host(device, &vec![77; m as usize])?;
        let mut found_words = Buffer::from_host(device, &vec![77; m as usize])?;
        let mut found_rows = Buffer::zeroed(device, 2 * graph.rows.len() as u64)?;
        let tiles = m.div_ceil(u64::from(TILE));
        let mut lookback = Buffer::zeroed(device, tiles)?;
        let mut ticket = Buffer::zeroed(device, 1)?;
        bit_tiles::bit_segments(
            device,
            Shape::new(tiles as u32, BLOCK).shared(SEGMENTS_SHARED_BYTES),
            tails.view(),
            heads.view(),
            found_ids.view_mut(),
            found_words.view_mut(),
            found_rows.view_mut(),
            lookback.view_mut(),
            ticket.view_mut(),
            m,
        )?;
        ids.resize(m as usize, 77);
        ensure_holds("ids", device, &found_ids, &ids)?;
        words.resize(m as usize, 77);
        ensure_holds("words", device, &found_words, &words)?;
        let expected: Vec<u32> =
            rows.iter().flat_map(|&row| [row as u32, (row >> 32) as u32]).collect();
        ensure_holds("rows", device, &found_rows, &expected)
    }
}

#[test]
fn segments_are_the_columns_that_rows_have() {
    let kernel = Kernel::named("bit_segments");
    kernel.everywhere(graphs().into_iter().map(Cut));
    kernel.on_gpu(|| vec![Cut(random(3_000, 10)), Cut(of_edges(1_000_003))]);
}

#[derive(Debug)]
struct ListWide {
    graph: Rows,
    wide_from: u32,
    slots: u32,
}

/// Whether a row has tiles of its own: `wide_from` segments for each tile up to its last column, or too
/// many to share one.
fn is_wide(row: &[u32], wide_from: u32, slots: u32) -> bool {
    let mut ids: Vec<u32> = row.iter().map(|a| a / COLUMNS).collect();
    ids.dedup();
    let tiles = ids.last().map_or(1, |last| last / slots + 1);
    ids.len() >= MOST_PACKED as usize || ids.len() as u32 >= wide_from * tiles
}

impl Case for ListWide {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let (ids, _, rows) = segments(&self.graph);
        let ranks = rows.len() as u64;
        let expected: Vec<u32> = (0..ranks as u32)
            .filter(|&r| is_wide(self.graph.row(r), self.wide_from, self.slots))
            .collect();
        let ids = Buffer::from_host(device, &ids)?;
        let rows = Buffer::from_host(device, &rows)?;
        let mut wide = Buffer::from_host(device, &vec![u32::MAX; ranks as usize])?;
        // The kernel adds to the count: here to none.
        let mut count = Buffer::zeroed(device, 1)?;
        let shape = Shape::cover(ranks, BLOCK, u32::MAX).shared(SEGMENTS_SHARED_BYTES);
        let (list, number) = (wide.view_mut(), count.view_mut());
        let (rows, ids) = (rows.view(), ids.view());
        let (from, slots) = (self.wide_from, self.slots);
        bit_tiles::list_wide_rows(device, shape, rows, ids, list, number, ranks, from, slots)?;
        let mut found = wide.to_vec(device)?;
        ensure!(count.to_vec(device)?[0] as usize == expected.len(), "{} rows", expected.len());
        found.truncate(expected.len());
        found.sort_unstable();
        ensure!(found == expected, "rows {found:?}, expected {expected:?}");
        Ok(())
    }
}

#[test]
fn wide_rows_are_listed_once() {
    let kernel = Kernel::named("list_wide_rows");
    for graph in [random(70, 12), random(600, 20), of_edges(40_000), far()] {
        for (wide_from, slots) in [(1, 2_048), (2, 5), (5, 7), (17, 100), (100, 2), (1_000, 1)] {
            kernel.everywhere([ListWide { graph: graph.clone(), wide_from, slots }]);
        }
    }
}

/// The rows of at least `wide_from` segments, or all the others.
#[derive(Debug)]
struct Count {
    graph: Rows,
    wide: bool,
    wide_from: u32,
    grid: u32,
    lanes_log2: u32,
}

impl Case for Count {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let &Count { ref graph, wide_from, lanes_log2, .. } = self;
        let counts = |row: &[u32]| is_wide(row, wide_from, TABLE_SLOTS) == self.wide;
        let (ids, words, segment_rows) = segments(graph);
        let (tails, heads, rows) = graph.on(device)?;
        let ids = Buffer::from_host(device, &ids)?;
        let words = Buffer::from_host(device, &words)?;
        let segment_rows = Buffer::from_host(device, &segment_rows)?;
        let mut totals = Totals::on(device)?;
        let shape = Shape::new(self.grid, 64);
        if self.wide {
            // In no order.
            let ranks = (0..graph.rows.len() as u32).rev();
            let wide: Vec<u32> = ranks.filter(|&r| counts(graph.row(r))).collect();
            let count = Buffer::from_host(device, &[wide.len() as u32])?;
            let wide = Buffer::from_host(device, &wide)?;
            let mut ticket = Buffer::zeroed(device, 1)?;
            bit_tiles::count_wide_rows(
                device,
                shape.shared(bit_tiles::WIDE_SHARED_BYTES),
                heads.view(),
                rows.view(),
                ids.view(),
                words.view(),
                segment_rows.view(),
                wide.view(),
                count.view(),
                ticket.view_mut(),
                totals.view_mut(),
                lanes_log2,
            )?;
        } else {
            bit_tiles::count_packed_rows(
                device,
                shape.shared(bit_tiles::PACKED_SHARED_BYTES),
                tails.view(),
                heads.view(),
                ids.view(),
                words.view(),
                segment_rows.view(),
                totals.view_mut(),
                tails.len(),
                wide_from,
                lanes_log2,
            )?;
        }
        totals.ensure_added(device, triangles(graph, counts))
    }
}

fn count(name: &'static str, wide: bool) {
    let kernel = Kernel::named(name);
    let small = graphs().into_iter().filter(|graph| graph.heads.len() < 3_000);
    for graph in small.chain([far(), wide_between()]) {
        for (wide_from, grid, lanes_log2) in [(1, 1, 0), (2, 3, 1), (3, 2, 3), (19, 1, 5)] {
            kernel.everywhere([Count { graph: graph.clone(), wide, wide_from, grid, lanes_log2 }]);
        }
    }
    if !wide {
        // More blocks with triangles than there are words for totals.
        let grid = TOTALS as u32 + 4;
        let graph = of_edges((grid * TILE_EDGES) as usize);
        kernel.everywhere([Count { graph, wide, wide_from: 100, grid, lanes_log2: 2 }]);
    }
    kernel.on_gpu(|| {
        let graph = random(1_500, 10);
        [(1, 3), (12, 2), (40, 0)]
            .map(|(wide_from, lanes_log2)| Count {
                graph: graph.clone(),
                wide,
                wide_from,
                grid: 500,
                lanes_log2,
            })
            .into()
    });
}

#[test]
fn rows_with_tiles_of_their_own_are_counted() {
    count("count_wide_rows", true);
}

#[test]
fn rows_that_share_tiles_are_counted() {
    count("count_packed_rows", false);
}
