use anyhow::{Result, ensure};
use proptest::prelude::*;
use tribin_kernels::wedge_sample::{BLOCK, FIRST_RANKS, LANES, PARTS, SUMS, sample_wedges};
use warpwise_device::launch::{Buffer, Shape};

use crate::devices::{Case, Kernel, TestDevice};
use crate::rows::{self, Rows, oriented};

/// What the kernel is to find of one edge, in units of one part of [`LANES`], or of all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Looked {
    triangles: u64,
    high_triangles: u64,
    wedges: u64,
    near: u64,
    joined: u64,
    joined_wedges: u64,
    reads: u64,
    head_entries: u64,
    /// Wedges, and triangles, whose third vertex is among the first 1, 4 and 16 ranks.
    of_first: [[u64; 3]; 2],
}

/// What the kernel is to find of all rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct OfRows {
    wedges: u64,
    first_entries: u64,
    filled: u64,
}

/// All wedges of an edge that has at most eight. Of others, eight, evenly spaced from the first on, each for an
/// eighth of all.
fn look_at(graph: &Rows, place: u32, high: u32, reach: u32) -> Looked {
    let (u, a) = (graph.tails[place as usize], graph.heads[place as usize]);
    let wedges: Vec<u32> = graph.row(u).iter().copied().filter(|&w| w < a).collect();
    let len = wedges.len() as u64;
    let closes = |w: &u32| graph.row(a).contains(w);
    // Of up to eight wedges each, and of more eight of them.
    let weighed = |counts: &dyn Fn(&u32) -> bool| {
        if len <= 8 {
            8 * wedges.iter().filter(|w| counts(w)).count() as u64
        } else {
            len * (0..8).filter(|k| counts(&wedges[(k * len / 8) as usize])).count() as u64
        }
    };
    let triangles = weighed(&closes);
    let is_joined = |k: usize| k > 0 && wedges[k - 1] >> 5 == wedges[k] >> 5;
    let joined_wedges = if len <= 8 {
        8 * (0..wedges.len()).filter(|&k| is_joined(k)).count() as u64
    } else {
        len * (0..8).filter(|k| is_joined((k * len / 8) as usize)).count() as u64
    };
    Looked {
        joined_wedges,
        triangles,
        high_triangles: if a >= high { triangles } else { 0 },
        wedges: 8 * len,
        near: if u - a <= reach { 8 } else { 0 },
        reads: 8 * u64::from(a.div_ceil(128)),
        head_entries: if len > 0 { 8 * graph.row(a).len() as u64 } else { 0 },
        of_first: [
            [1, 4, 16].map(|ranks| weighed(&|&w| w < ranks)),
            [1, 4, 16].map(|ranks| weighed(&|w| *w < ranks && closes(w))),
        ],
        joined: if wedges.last().is_some_and(|w| w >> 5 == a >> 5) { 8 } else { 0 },
    }
}

#[derive(Debug)]
struct Sample {
    graph: Rows,
    step: u64,
    high: u32,
    reach: u32,
    /// The rows whose entries are counted.
    first: u64,
    /// Of rows behind the first, 32 of each of these times 32 are looked at.
    row_step: u64,
    /// Blocks beside those that the sample takes.
    spare_blocks: u32,
    block: u32,
}

impl Sample {
    fn of(graph: Rows, step: u64, high: u32, reach: u32) -> Sample {
        let first = graph.rows.len() as u64 / 3;
        Sample { graph, step, high, reach, first, row_step: 1, spare_blocks: 0, block: BLOCK }
    }

    fn expected(&self) -> Looked {
        let places = (0..self.graph.heads.len() as u32).step_by(self.step as usize);
        let mut sums = Looked::default();
        for place in places {
            let edge = look_at(&self.graph, place, self.high, self.reach);
            sums.triangles += edge.triangles;
            sums.high_triangles += edge.high_triangles;
            sums.wedges += edge.wedges;
            sums.near += edge.near;
            sums.joined += edge.joined;
            sums.joined_wedges += edge.joined_wedges;
            sums.reads += edge.reads;
            sums.head_entries += edge.head_entries;
            for (sums, edge) in sums.of_first.iter_mut().zip(edge.of_first) {
                sums.iter_mut().zip(edge).for_each(|(sum, edge)| *sum += edge);
            }
        }
        sums
    }

    fn expected_of_rows(&self) -> OfRows {
        let Sample { graph, first, row_step, .. } = self;
        let n = graph.rows.len() as u32;
        let stands_for = |r: u32| match u64::from(r).checked_sub(*first) {
            None => 1,
            Some(behind) if (behind / 32).is_multiple_of(*row_step) => *row_step,
            Some(_) => 0,
        };
        OfRows {
            // One by one: the entries that stand before another in its row.
            wedges: (0..n)
                .map(|r| (0..graph.row(r).len() as u64).sum::<u64>() * stands_for(r))
                .sum(),
            first_entries: graph.tails.iter().filter(|&&tail| u64::from(tail) < *first).count()
                as u64,
            filled: (0..n).filter(|&r| !graph.row(r).is_empty()).map(stands_for).sum(),
        }
    }

    fn found<D: TestDevice>(&self, device: &D) -> Result<(Looked, OfRows)> {
        let Sample { graph, step, high, reach, first, row_step, .. } = self;
        let (m, n) = (graph.heads.len() as u64, graph.rows.len() as u64);
        let (tails, heads, rows) = graph.on(device)?;
        // The kernel adds to what is there, and to nothing behind it.
        let before: Vec<u64> = (0..PARTS * SUMS + 2).collect();
        let mut totals = Buffer::from_host(device, &before)?;
        let mut shape = Shape::cover(m.div_ceil(*step) * u64::from(LANES), self.block, u32::MAX);
        shape.grid.x += self.spare_blocks;
        sample_wedges(
            device,
            shape,
            oriented(&tails, &heads, &rows),
            totals.view_mut(),
            m,
            n,
            *step,
            *high,
            *reach,
            *first,
            *row_step,
        )?;
        let after = totals.to_vec(device)?;
        let words = (PARTS * SUMS) as usize;
        ensure!(after[words..] == before[words..], "behind");
        let sum = |k: usize| {
            let of = |words: &[u64]| words.iter().skip(k).step_by(SUMS as usize).sum::<u64>();
            of(&after[..words]) - of(&before[..words])
        };
        let of_rows = OfRows { wedges: sum(14), first_entries: sum(15), filled: sum(16) };
        let looked = Looked {
            triangles: sum(0),
            high_triangles: sum(1),
            wedges: sum(2),
            near: sum(3),
            joined: sum(4),
            joined_wedges: sum(5),
            reads: sum(6),
            head_entries: sum(7),
            of_first: [[8, 9, 10].map(sum), [11, 12, 13].map(sum)],
        };
        assert_eq!((SUMS, FIRST_RANKS), (17, [1, 4, 16]));
        Ok((looked, of_rows))
    }
}

impl Case for Sample {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let (found, expected) = (self.found(device)?, (self.expected(), self.expected_of_rows()));
        ensure!(found == expected, "{found:?}, expected {expected:?}");
        Ok(())
    }
}

/// Rows of 1 to 40 entries in turn, of ranks that are 1 to 3 apart: prefixes of fewer than eight entries, of
/// eight, of more and of multiples.
fn all_lengths(ranks: u32) -> Rows {
    let row = |u: u32| (1..=u % 40 + 1).map(move |k| [u, u.saturating_sub(k * (u % 3 + 1))]);
    Rows::of_pairs(&(1..ranks).flat_map(row).filter(|[u, v]| u != v).collect::<Vec<_>>())
}

/// The last edge has `wedges` wedges, of which every other one closes.
fn every_other(wedges: u32) -> Rows {
    let row = (0..wedges).step_by(2).map(|w| [wedges, w]);
    let last = (0..=wedges).map(|w| [wedges + 1, w]);
    Rows::of_pairs(&row.chain(last).collect::<Vec<_>>())
}

fn graphs() -> Vec<Rows> {
    let more = [Rows::random(120, 30, 120), all_lengths(130), Rows::clique(40), Rows::clique(70)];
    rows::graphs().into_iter().chain(more).chain([8, 12, 16].map(every_other)).collect()
}

#[test]
fn sample_wedges_finds_what_looking_up_finds() {
    let kernel = Kernel::named("sample_wedges");
    for graph in graphs() {
        for step in [1, 2, 7, 1 << 30] {
            for (high, reach) in [(0, 0), (30, 1), (31, 5), (u32::MAX, u32::MAX)] {
                kernel.everywhere([Sample::of(graph.clone(), step, high, reach)]);
            }
        }
        for (block, spare_blocks) in [(32, 0), (64, 3), (96, 1)] {
            let sample = Sample::of(graph.clone(), 3, 20, 2);
            kernel.everywhere([Sample { block, spare_blocks, ..sample }]);
        }
        for first in [0, 1, graph.rows.len() as u64 - 1, graph.rows.len() as u64, u64::MAX] {
            for row_step in [1, 3, 5] {
                let sample = Sample::of(graph.clone(), 1 << 30, 0, 0);
                kernel.everywhere([Sample { first, row_step, ..sample }]);
            }
        }
    }
    // More warps than there are parts of the totals: four edges a warp.
    let many = all_lengths(300);
    assert!(many.heads.len() > 4 * PARTS as usize);
    kernel.everywhere([Sample::of(many, 1, 100, 4)]);
    let drawn = (1u32..120, 0u32..34, any::<u64>(), 1u64..12, 0u32..120, 0u32..120);
    let drawn = drawn.prop_map(|(ranks, percent, seed, step, high, reach)| {
        Sample::of(Rows::random(ranks, percent, seed), step, high, reach)
    });
    kernel.drawn(48, drawn);
    kernel.on_gpu(|| {
        let graph = Rows::random(3_000, 12, 1);
        [1, 2, 251].map(|step| Sample::of(graph.clone(), step, 1_500, 11)).into()
    });
}
