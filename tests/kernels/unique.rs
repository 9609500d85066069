use anyhow::Result;
use proptest::prelude::*;
use proptest::sample::select;
use tribin_kernels::primitives::{LookbackState, TileWords};
use tribin_kernels::unique::{BLOCK, SHARED_BYTES, TILE, unique_edges};
use warpwise_device::launch::{Buffer, Shape};

use crate::contents::{Content, UNTOUCHED, key_of, sizes_around};
use crate::devices::{Case, Kernel, TestDevice, ensure_holds};

#[derive(Debug)]
struct UniqueEdges {
    /// Entries as (larger rank, smaller rank), in any order; equal ranks are a self-loop.
    entries: Content<[u32; 2]>,
    /// Ranks, each below 2^`rank_bits`; some have no edges.
    ranks: u32,
    rank_bits: u32,
    /// Keys in the buffer past those that the kernel is to take.
    spare: usize,
}

impl Case for UniqueEdges {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let n = self.entries.len();
        let mut keys: Vec<u64> =
            self.entries.iter().map(|&edge| key_of(edge, self.rank_bits)).collect();
        keys.sort_unstable();

        let mut edges: Vec<[u32; 2]> = self.entries.to_vec();
        edges.retain(|[tail, head]| tail != head);
        let mut degrees: Vec<u32> = (0..self.ranks).map(|rank| rank % 3).collect();
        edges.iter().flatten().for_each(|&rank| degrees[rank as usize] += 1);
        let mut degree_of_rank = Buffer::from_host(device, &degrees)?;
        edges.sort_unstable();
        for pair in edges.windows(2).filter(|pair| pair[0] == pair[1]) {
            pair[0].iter().for_each(|&rank| degrees[rank as usize] -= 1);
        }
        edges.dedup();
        let column = |end: usize| {
            let mut column: Vec<u32> = edges.iter().map(|edge| edge[end]).collect();
            column.resize(n, UNTOUCHED);
            column
        };
        let mut rows = vec![UNTOUCHED; 2 * self.ranks as usize];
        for (i, &[tail, _]) in edges.iter().enumerate() {
            let row = &mut rows[2 * tail as usize..][..2];
            if row[0] == UNTOUCHED {
                row[0] = i as u32;
            }
            row[1] = i as u32 + 1;
        }
        // Every tile has published its prefix: whoever looks back need not look further.
        let state = LookbackState::of_pass(0);
        let kept_up_to = |end: usize| {
            let mut kept = keys[..end].to_vec();
            kept.dedup();
            kept.iter().filter(|&&key| key != key_of([0; 2], self.rank_bits)).count() as u32
        };
        let tile = TILE as usize;
        let tiles = n.div_ceil(tile);
        let words: Vec<u64> =
            (1..=tiles).map(|end| state.prefix(kept_up_to((end * tile).min(n)))).collect();

        keys.resize(n + self.spare, 1 << self.rank_bits);
        let keys = Buffer::from_host(device, &keys)?;
        let untouched = vec![UNTOUCHED; n.max(rows.len())];
        let mut tails = Buffer::from_host(device, &untouched[..n])?;
        let mut heads = Buffer::from_host(device, &untouched[..n])?;
        let mut device_rows = Buffer::from_host(device, &untouched[..rows.len()])?;
        let mut kept = Buffer::from_host(device, &[u64::MAX])?;
        let mut device_words = Buffer::zeroed(device, tiles as u64)?;
        let mut ticket = Buffer::zeroed(device, 1)?;
        unique_edges(
            device,
            Shape::new(tiles as u32, BLOCK).shared(SHARED_BYTES),
            keys.view(),
            tails.view_mut(),
            heads.view_mut(),
            device_rows.view_mut(),
            degree_of_rank.view_mut(),
            kept.view_mut(),
            device_words.view_mut(),
            ticket.view_mut(),
            n as u64,
            self.rank_bits,
        )?;
        ensure_holds("kept", device, &kept, &[edges.len() as u64])?;
        ensure_holds("tails", device, &tails, &column(0))?;
        ensure_holds("heads", device, &heads, &column(1))?;
        ensure_holds("rows", device, &device_rows, &rows)?;
        ensure_holds("degree_of_rank", device, &degree_of_rank, &degrees)?;
        ensure_holds("words", device, &device_words, &words)?;
        // No block has chosen its tile otherwise: blocks need not start in their order.
        ensure_holds("ticket", device, &ticket, &[tiles as u32])
    }
}

/// How the edges are distributed. With fewer ranks than a pattern has edges, its edges repeat.
#[derive(Debug, Clone, Copy)]
enum Pattern {
    AllLoops,
    OneEdge,
    /// A row for every edge.
    Path,
    /// The same, every edge three times.
    PathRepeated,
    /// One row.
    HubAsTail,
    /// Every row of one edge, all to one head.
    HubAsHead,
    /// Rows of every length.
    Clique,
    /// Rows of up to 300 edges, every edge two or three times.
    LongRows,
    /// Any edges, every eighth entry a self-loop.
    Random,
    /// The same with seven of eight entries self-loops.
    MostlyLoops,
}

impl Pattern {
    const ALL: [Pattern; 10] = [
        Pattern::AllLoops,
        Pattern::OneEdge,
        Pattern::Path,
        Pattern::PathRepeated,
        Pattern::HubAsTail,
        Pattern::HubAsHead,
        Pattern::Clique,
        Pattern::LongRows,
        Pattern::Random,
        Pattern::MostlyLoops,
    ];

    /// `n` entries over `ranks` ranks, at least 2.
    fn entries(self, n: usize, ranks: u32, seed: u64) -> Content<[u32; 2]> {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut clique =
            (1..ranks).flat_map(|tail| (0..tail).map(move |head| [tail, head])).cycle();
        let mut entry = |i: u32| match self {
            Pattern::AllLoops => [i % ranks; 2],
            Pattern::OneEdge => [ranks - 1, ranks - 2],
            Pattern::Path => [i % (ranks - 1) + 1, i % (ranks - 1)],
            Pattern::PathRepeated => [i / 3 % (ranks - 1) + 1, i / 3 % (ranks - 1)],
            Pattern::HubAsTail => [ranks - 1, i % (ranks - 1)],
            Pattern::HubAsHead => [i % (ranks - 1) + 1, 0],
            Pattern::Clique => clique.next().expect("it cycles"),
            Pattern::LongRows => {
                let tail = ranks - 1 - i / 700 % (ranks - 1);
                [tail, i % 700 * 3 / 7 % tail]
            }
            Pattern::Random | Pattern::MostlyLoops => {
                let tail = rng.u32(1..ranks);
                let loops = i.is_multiple_of(8) == matches!(self, Pattern::Random);
                [tail, if loops { tail } else { rng.u32(..tail) }]
            }
        };
        let entries = (0..n as u32).map(&mut entry).collect();
        Content::new(format!("{self:?}({seed:#x}) over {ranks} ranks"), entries)
    }

    fn case(self, n: usize, ranks: u32, spare: usize) -> UniqueEdges {
        let entries = self.entries(n, ranks, n as u64);
        let rank_bits = (ranks - 1).ilog2() + 1;
        // Where the bits allow it, the last ranks have no edges.
        let ranks = (ranks + 3).min(1 << rank_bits);
        UniqueEdges { entries, ranks, rank_bits, spare }
    }
}

#[test]
fn unique_edges_is_what_dedup_and_retain_leave() {
    let kernel = Kernel::named("unique_edges");
    let tile = TILE as usize;
    let mut sizes = sizes_around(&[BLOCK as usize, tile, 2 * tile]);
    sizes.push(3 * tile + 7);
    for n in sizes.into_iter().skip(1) {
        kernel.everywhere(Pattern::ALL.map(|pattern| pattern.case(n, n as u32 + 2, 0)));
        kernel.everywhere(Pattern::ALL.map(|pattern| pattern.case(n, 60, n % 3)));
    }
    for rank_bits in 1..=32u32 {
        let ranks = 1 << rank_bits.min(5);
        kernel.everywhere(Pattern::ALL.map(|pattern| {
            let entries = pattern.entries(140, ranks, u64::from(rank_bits));
            UniqueEdges { entries, ranks, rank_bits, spare: 1 }
        }));
    }
    // More tiles than a warp looks at in one go.
    kernel.everywhere([Pattern::PathRepeated.case(34 * tile + 1, 9000, 0)]);
    let any_entries = |ranks: u32| {
        let patterns = (select(&Pattern::ALL[..]), 1usize..5000, any::<u64>())
            .prop_map(move |(pattern, n, seed)| pattern.entries(n, ranks, seed));
        let entry = (0..ranks).prop_flat_map(|tail| (Just(tail), 0..=tail));
        let given = prop::collection::vec(entry.prop_map(|(tail, head)| [tail, head]), 1..100)
            .prop_map(|entries| Content::new("given", entries));
        prop_oneof![patterns, given]
    };
    let drawn = (2u32..100).prop_flat_map(move |ranks| {
        (any_entries(ranks), Just(ranks), (ranks - 1).ilog2() + 1..=32, 0usize..3)
    });
    let drawn = drawn.prop_map(|(entries, ranks, rank_bits, spare)| UniqueEdges {
        entries,
        ranks,
        rank_bits,
        spare,
    });
    kernel.drawn(32, drawn);
    kernel.on_gpu(|| {
        let ranks = [700, 1_000_000];
        ranks
            .iter()
            .flat_map(|&ranks| Pattern::ALL.map(|pattern| pattern.case(300_003, ranks, 3)))
            .collect()
    });
}
