use anyhow::{Context, Result};
use tribin_device::launch::{Buffer, Shape};
use tribin_kernels::edge_groups::{BLOCK, SIZES};
use tribin_kernels::listed_edges;
use tribin_kernels::windows::{
    COUNT_BLOCK, count_shared_bytes, head_counts, merge_listed_wide, merge_wide,
    search_listed_wide, window_rows,
};

use crate::devices::{Case, Kernel, TestDevice, ensure_holds, striding_shapes};
use crate::rows::{Rows, Totals};

fn graphs() -> Vec<Rows> {
    let pairs = [[1, 0], [2, 0], [2, 1], [5, 2], [5, 1], [9, 5], [9, 2]];
    vec![Rows::of_pairs(&pairs), Rows::clique(40), Rows::random(70, 20, 1), Rows::random(150, 9, 2)]
}

/// A window from the row of a rank on, up to the end of the graph.
#[derive(Debug)]
struct Window {
    graph: Rows,
    first: u32,
    /// 2^this lanes search an edge.
    lanes_log2: u32,
    shape: Shape,
}

impl Window {
    fn base(&self) -> u64 {
        self.graph.starts()[self.first as usize]
    }

    /// What is known of the rows and of the heads.
    fn check_facts<D: TestDevice>(&self, device: &D) -> Result<()> {
        let (base, starts) = (self.base(), self.graph.starts());
        let n = self.graph.rows.len() as u64;
        let places = |ends: &[u64]| {
            let [start, end] = [ends[0], ends[1]].map(|end| end.wrapping_sub(base) & 0xffff_ffff);
            start | end << 32
        };
        let expected: Vec<u64> = starts.windows(2).map(places).collect();
        let starts = Buffer::from_host(device, &starts)?;
        let mut rows = Buffer::from_host(device, &vec![7; n as usize])?;
        window_rows(device, self.shape, starts.view(), rows.view_mut(), base, n)?;
        ensure_holds("rows", device, &rows, &expected)?;

        let heads = &self.graph.heads[base as usize..];
        let (first, m, bound) = (heads.len() / 3, heads.len(), n as u32 / 2);
        let mut expected: Vec<u32> = (0..bound).collect();
        for &head in heads[first..].iter().filter(|&&head| head < bound) {
            expected[head as usize] += 1;
        }
        let heads = Buffer::from_host(device, heads)?;
        // Two ranges, with edges between them that are not counted, and one without any.
        let between = first + (m - first) / 2..first + (m - first) * 2 / 3;
        for &head in self.graph.heads[base as usize..][between.clone()].iter() {
            if head < bound {
                expected[head as usize] -= 1;
            }
        }
        let ranges = [first, between.start, m, m, between.end, m].map(|place| place as u64);
        let ranges = Buffer::from_host(device, &ranges)?;
        for hubs in [0, bound / 3, bound] {
            // The kernel adds to what is there.
            let mut counts = Buffer::from_host(device, &(0..bound).collect::<Vec<u32>>())?;
            let shape = Shape::new(self.shape.grid.x.min(3), COUNT_BLOCK);
            let shape = shape.shared(count_shared_bytes(hubs));
            let counts_of = counts.view_mut();
            head_counts(device, shape, heads.view(), ranges.view(), counts_of, 3, bound, hubs)?;
            ensure_holds("counts", device, &counts, &expected)?;
        }
        Ok(())
    }

    /// Every edge but each third, by each of the kernels that count.
    fn check_counts<D: TestDevice>(&self, device: &D) -> Result<()> {
        let &Window { ref graph, lanes_log2, shape, .. } = self;
        let base = self.base();
        let (m, w) = (graph.heads.len() as u64, graph.heads.len() as u64 - base);
        let closed = |place: &u32| graph.closed(base as u32 + place);
        let tails = Buffer::from_host(device, &graph.tails[base as usize..])?;
        // Pairs are whole.
        let mut heads = graph.heads.clone();
        heads.extend([0; 2]);
        let heads = Buffer::from_host(device, &heads)?;
        let pairs = heads.view().slice(0, m.next_multiple_of(2)).cast();
        let starts = Buffer::from_host(device, &graph.starts())?;
        let (tails, heads, starts) = (tails.view(), heads.view(), starts.view());
        let mut totals = Totals::on(device)?;
        let (first, sums) = (w / 3, totals.view_mut());
        merge_wide(device, shape, tails, heads, pairs, starts, sums, base, first, w, m)?;
        let expected = (first as u32..w as u32).map(|place| closed(&place)).sum();
        totals.ensure_added(device, expected).context("by merge_wide")?;

        let places: Vec<u32> = (0..w as u32).filter(|place| place % 3 != 1).collect();
        let expected = places.iter().map(closed).sum();
        let len = places.len() as u32;
        let listed = Buffer::from_host(device, &places)?;
        // Merged and searched edges are the third and the fourth class.
        let sizes = Buffer::from_host(device, &[0, 0, len, len, 0])?;
        assert_eq!(sizes.len(), SIZES);
        let (listed, sizes) = (listed.view(), sizes.view());
        let mut totals = Totals::on(device)?;
        let sums = totals.view_mut();
        merge_listed_wide(
            device, shape, tails, heads, pairs, starts, listed, sizes, sums, base, m,
        )?;
        totals.ensure_added(device, expected).context("by merge_listed_wide")?;
        let mut totals = Totals::on(device)?;
        let (sums, len) = (totals.view_mut(), u64::from(len));
        let (of, by) = ((tails, heads, starts), (base, len, lanes_log2));
        search_listed_wide(device, shape, of.0, of.1, of.2, listed, sizes, sums, by.0, by.1, by.2)?;
        totals.ensure_added(device, expected).context("by search_listed_wide")
    }
}

impl Case for Window {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        self.check_facts(device)?;
        self.check_counts(device)
    }
}

#[test]
fn a_window_is_counted_as_what_it_is_of() {
    let kernel = Kernel::named("the kernels of windows");
    for graph in graphs() {
        let ranks = graph.rows.len() as u32;
        for (first, lanes_log2) in [(0, 0), (1, 3), (ranks / 2, 5), (ranks - 1, 0)] {
            for shape in striding_shapes(graph.heads.len() as u64, BLOCK) {
                kernel.everywhere([Window { graph: graph.clone(), first, lanes_log2, shape }]);
            }
        }
    }
    let graph = Rows::random(900, 12, 3);
    let shape = Shape::new(200, listed_edges::BLOCK);
    kernel.on_gpu(|| vec![Window { graph, first: 400, lanes_log2: 2, shape }]);
}
