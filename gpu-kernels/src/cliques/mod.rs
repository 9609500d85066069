//! Cliques of four vertices and more.
//!
//! | kernel | over | what it does |
//! | --- | --- | --- |
//! | [`rows_of_length`] | ranks | lists the ranks whose rows are not too short and not too long |
//! | [`cliques_of_rows`] | rows of a list | counts the cliques whose largest rank is the row's, with its bits in shared or in global memory |
//!
//! A block takes a row of d heads, and makes a matrix of bits of it: bit q of row p says that the heads at the places q < p are
//! joined. A clique of k vertices is the row's rank with k - 1 places of which any two are joined. Warps of the block take largest
//! places one after the other, and search with all their lanes for the others. What is left to choose from is a set of bits, the
//! intersection of the rows of what was chosen, one set for each depth. Where two places are left to choose, the lanes count the edges
//! among what is left: the members become a list, each lane takes one at a time, and counts the bits that the set shares with its row.
//! Where any two of what is left are joined, the search ends earlier, and a binomial coefficient says how many cliques there are. Where
//! many places are left to choose, the one that is joined to most others is the pivot: only places that are not joined to it are
//! tried, and then the pivot is put aside. What is left is joined to it, so that it is a part of each set again at which the search
//! stops. (Jain and Seshadhri, "The power of pivoting for exact clique counting", WSDM 2020.)
//!
//! Several blocks search a long row where rows are few, each from some of its largest places, with a matrix of its own.
//! (Almasri et al., "Parallel k-clique counting on GPUs", ICS 2022, have the bits and a block for each row.)

mod search;

use warpwise_device::memory::{In, InOut};
use warpwise_device::shared::{self, Shared};
use warpwise_device::{kernel, thread, warp};

use crate::primitives::warp_append;
use search::{Searcher, Words, add_to_totals};

/// Threads in a block of [`rows_of_length`].
pub const BLOCK: u32 = 256;

/// The fewest vertices of a clique that is looked for.
pub const SMALLEST: u32 = 4;

/// The most vertices of a clique that is looked for.
pub const LARGEST: u32 = 12;

/// Choices left from which on a search goes by pivots: with fewer, to find a pivot takes longer than to try all places.
const PIVOTS_FROM: u32 = 4;

/// Whether the search for cliques of `k` vertices goes by pivots anywhere: once the tail and the largest place are chosen.
pub const fn goes_by_pivots(k: u32) -> bool {
    k - 2 >= PIVOTS_FROM
}

/// Sums in `totals`: of each 32 bits of what lanes found.
pub const TOTALS: u64 = 4;

/// Bytes of shared memory before the words of a block: the row that it has, and the places that its warps have taken.
pub const CONTROL_BYTES: u32 = 8;

/// Numbers of 64 bits in the table `ways`, in which the ways to choose r of n things are at 2 · (n · (k - 1) + r), the lower half first,
/// for each n up to the heads of the longest row, and each r below k - 1.
pub const fn ways_len(longest: u32, k: u32) -> u64 {
    2 * (longest as u64 + 1) * (k as u64 - 1)
}

/// Words between two rows of a matrix for up to `longest` heads: an odd number, so that lanes that read different rows read different
/// banks.
pub const fn stride(longest: u32) -> u32 {
    longest.div_ceil(32) | 1
}

/// Words of a warp: a set for each depth, a list of its members, and for each depth what was put aside.
pub const fn words_of_warp(longest: u32, k: u32) -> u64 {
    let sets = (k as u64 - 3) * longest.div_ceil(32) as u64;
    let aside = if goes_by_pivots(k) { sets } else { 0 };
    sets + longest as u64 + aside
}

/// Words of a block of some warps that searches rows of up to `longest` heads for cliques of `k` vertices.
pub const fn words_of_block(longest: u32, k: u32, warps: u32) -> u64 {
    longest as u64 * stride(longest) as u64 + warps as u64 * words_of_warp(longest, k)
}

/// The words of a block are in its shared memory.
pub const IN_SHARED: u32 = 0;

/// The words of a block are in global memory, for rows whose bits no shared memory holds.
pub const IN_GLOBAL: u32 = 1;

/// Added to the place of the words where the search goes by pivots, as [`goes_by_pivots`] says.
pub const BY_PIVOTS: u32 = 2;

/// Bytes of shared memory of such a block, whose words are in the one memory or the other.
pub const fn shared_bytes(words_at: u32, longest: u32, k: u32, warps: u32) -> u64 {
    let words = if words_at == IN_SHARED { words_of_block(longest, k, warps) } else { 0 };
    CONTROL_BYTES as u64 + 4 * words
}

/// Words of global memory of such a block.
pub const fn scratch_words(words_at: u32, longest: u32, k: u32, warps: u32) -> u64 {
    if words_at == IN_SHARED { 0 } else { words_of_block(longest, k, warps) }
}

kernel!(
    /// Lists the ranks `first`, `first + step`, … below `n` whose rows have from `least` to `most` heads, in any order, and adds their
    /// number to `taken[0]`.
    ///
    /// Rows are as in [`Oriented`](crate::primitives::Oriented). Launch with whole warps.
    #[requires(rows.len() >= n, list.len() >= n, !taken.is_empty(), n < 1 << 32, first < step, step < 1 << 16)]
    pub unsafe fn rows_of_length(
        rows: In<u64>,
        list: InOut<u32>,
        taken: InOut<u64>,
        least: u32,
        most: u32,
        n: u64,
        first: u64,
        step: u64,
    ) {
        let lane = u64::from(warp::lane_id());
        let stride = thread::grid_size();
        let mut turn = thread::index_1d();
        // The warp goes round together: its lanes speak to one another.
        while (turn - lane) * step < n {
            let rank = first + turn * step;
            let mut is_listed = false;
            if rank < n {
                let row = rows.get(rank);
                let length = (row >> 32) as u32 - row as u32;
                is_listed = length >= least && length <= most;
            }
            let at = warp_append(taken, 0, u64::from(is_listed));
            if is_listed {
                list.set(at, rank as u32);
            }
            turn += stride;
        }
    }
);

kernel!(
    /// Adds the number of cliques of `k` vertices whose largest rank is one of the `n` of a list to `totals`: the sums of each 32 bits
    /// of what its lanes found. No row of these has more than `longest` heads, fewer than 2¹⁷.
    ///
    /// Rows are as in [`Oriented`](crate::primitives::Oriented), and `ways` as in [`ways_len`]. Each row is cut into `slices`, of which each has as many of its largest
    /// places as any other, or one more. `queue[0]` is 0, and counts the slices that blocks have taken.
    /// `SEARCH` is [`IN_SHARED`] or [`IN_GLOBAL`], and [`BY_PIVOTS`] more where `k` wants that; `scratch` has [`scratch_words`] for each block.
    ///
    /// A lane adds up what it finds in 128 bits, which hold the number of all cliques. A warp adds its sums of 32 bits to `totals`
    /// once: there are fewer than 2²⁶ warps, and each adds less than 2³⁷.
    ///
    /// Launch with whole warps and [`shared_bytes`].
    #[requires(
        |shape| SMALLEST <= k, k <= LARGEST, goes_by_pivots(k) == (SEARCH >= BY_PIVOTS), list.len() >= n, !queue.is_empty(), totals.len() >= TOTALS,
        slices >= 1, n * u64::from(slices) < 1 << 31, longest < 1 << 17, ways.len() >= ways_len(longest, k),
        u64::from(shape.shared_bytes) >= shared_bytes(SEARCH % BY_PIVOTS, longest, k, shape.block.x.div_ceil(32)),
        scratch.len() >= u64::from(shape.grid.x) * scratch_words(SEARCH % BY_PIVOTS, longest, k, shape.block.x.div_ceil(32)),
    )]
    #[instances(0, 1, 2, 3)]
    pub unsafe fn cliques_of_rows<const SEARCH: u32>(
        heads: In<u32>,
        rows: In<u64>,
        ways: In<u64>,
        list: In<u32>,
        queue: InOut<u32>,
        totals: InOut<u64>,
        scratch: InOut<u32>,
        k: u32,
        longest: u32,
        n: u64,
        slices: u32,
    ) {
        let (graph, list) = ((heads, rows), SlicedRows { list, n, slices, queue });
        let found = match SEARCH {
            0 => search::<_, false>(graph, in_shared(longest, k), ways, list, k, longest),
            1 => search::<_, false>(graph, in_global(scratch, longest, k), ways, list, k, longest),
            2 => search::<_, true>(graph, in_shared(longest, k), ways, list, k, longest),
            _ => search::<_, true>(graph, in_global(scratch, longest, k), ways, list, k, longest),
        };
        add_to_totals(totals, found);
    }
);

impl Words for Shared<u32> {
    #[inline(always)]
    fn get(self, index: u32) -> u32 {
        Shared::get(self, index)
    }

    #[inline(always)]
    fn set(self, index: u32, word: u32) {
        Shared::set(self, index, word);
    }

    #[inline(always)]
    fn or(self, index: u32, bits: u32) {
        self.atomic_or(index, bits);
    }
}

/// The words of this block in its shared memory.
#[inline(always)]
fn in_shared(longest: u32, k: u32) -> Shared<u32> {
    let words = words_of_block(longest, k, thread::block_dim_x() / warp::SIZE) as u32;
    shared::array::<u32>(CONTROL_BYTES, words)
}

/// The words of this block in global memory.
#[inline(always)]
fn in_global(scratch: InOut<u32>, longest: u32, k: u32) -> InGlobal {
    let words = words_of_block(longest, k, thread::block_dim_x() / warp::SIZE);
    InGlobal { scratch, first: u64::from(thread::block_idx_x()) * words }
}

/// The words of a block in global memory.
#[derive(Clone, Copy)]
struct InGlobal {
    scratch: InOut<u32>,
    first: u64,
}

impl Words for InGlobal {
    #[inline(always)]
    fn get(self, index: u32) -> u32 {
        self.scratch.get(self.first + u64::from(index))
    }

    #[inline(always)]
    fn set(self, index: u32, word: u32) {
        self.scratch.set(self.first + u64::from(index), word);
    }

    #[inline(always)]
    fn or(self, index: u32, bits: u32) {
        self.scratch.atomic_or(self.first + u64::from(index), bits);
    }
}

/// The rows of a list, each cut into slices.
#[derive(Clone, Copy)]
struct SlicedRows {
    list: In<u32>,
    n: u64,
    slices: u32,
    /// How many slices blocks have taken.
    queue: InOut<u32>,
}

/// Takes slices of rows until there are none, and finds their cliques. Returns what this lane found. The block calls it together.
#[inline(always)]
fn search<W: Words, const BY_PIVOTS: bool>(
    graph: (In<u32>, In<u64>),
    words: W,
    ways: In<u64>,
    SlicedRows { list, n, slices, queue }: SlicedRows,
    k: u32,
    longest: u32,
) -> u128 {
    let mut searcher = Searcher::<W, BY_PIVOTS>::new(graph, words, ways, k, longest);
    let control = shared::array::<u32>(0, CONTROL_BYTES / 4);
    let lane = warp::lane_id();
    let warp = thread::thread_idx_x() / warp::SIZE;
    let warps = thread::block_dim_x() / warp::SIZE;
    loop {
        if thread::thread_idx_x() == 0 {
            control.set(0, queue.atomic_add(0, 1));
            control.set(1, 0);
        }
        thread::sync_threads();
        // The compiler sees that it divides by no zero.
        let (at, slice) = (control.get(0) / slices.max(1), control.get(0) % slices.max(1));
        if u64::from(at) >= n {
            break;
        }
        searcher.begin(list.get(u64::from(at)));
        if BY_PIVOTS {
            searcher.clear();
            thread::sync_threads();
        }
        for place in thread::strided(warp..searcher.heads_of_row(), warps) {
            searcher.join(place);
        }
        thread::sync_threads();
        // Without pivots the sets of such a row end the search soon enough.
        let is_complete = BY_PIVOTS && searcher.is_row_complete();
        loop {
            let mut taken = 0;
            if lane == 0 {
                taken = control.atomic_add(1, 1);
            }
            taken = warp::warp_shuffle_idx(warp::ALL, taken, 0) * slices + slice;
            if is_complete && taken < searcher.heads_of_row() {
                searcher.add_in_complete_row(taken);
                continue;
            }
            // The largest places first: they have the most below them.
            if is_complete || !searcher.search(taken) {
                break;
            }
        }
        thread::sync_threads();
    }
    searcher.found
}
