//! Cliques of four vertices and more.
//!
//! | kernel | over | what it does |
//! | --- | --- | --- |
//! | [`rows_of_length`] | ranks | lists the ranks whose rows are not too short and not too long |
//! | [`cliques_in_shared`] | rows of a list | counts the cliques whose largest rank is the row's, with its bits in shared memory |
//! | [`cliques_in_global`] | rows of a list | the same with the bits in global memory, for longer rows |
//!
//! A block takes a row of d heads, and makes a matrix of bits of it: bit q of row p says that the heads at the places q < p are
//! joined. A clique of k vertices is the row's rank with k - 1 places of which any two are joined. Warps of the block take largest
//! places one after the other, and search with all their lanes for the others. What is left to choose from is a set of bits, the
//! intersection of the rows of what was chosen, one set for each depth. Where two places are left to choose, the lanes count the edges
//! among what is left: the members become a list, each lane takes one at a time, and counts the bits that the set shares with its row.
//! (Almasri et al., "Parallel k-clique counting on GPUs", ICS 2022, have the bits and a block for each row.)

mod search;

use tribin_device::memory::{In, InOut};
use tribin_device::shared::{self, Shared};
use tribin_device::{kernel, thread, warp};

use crate::primitives::warp_append;
use search::{Searcher, Words, add_to_totals};

/// Threads in a block of [`rows_of_length`].
pub const BLOCK: u32 = 256;

/// The fewest vertices of a clique that is looked for.
pub const SMALLEST: u32 = 4;

/// The most vertices of a clique that is looked for.
pub const LARGEST: u32 = 12;

/// Sums in `totals`: of the lower 32 bits of what lanes found, and of the upper.
pub const TOTALS: u64 = 2;

/// Bytes of shared memory before the words of [`cliques_in_shared`], and all of it of [`cliques_in_global`]: the row that the block
/// has, and the places that its warps have taken.
pub const CONTROL_BYTES: u32 = 8;

/// Words between two rows of a matrix for up to `longest` heads: an odd number, so that lanes that read different rows read different
/// banks.
pub const fn stride(longest: u32) -> u32 {
    longest.div_ceil(32) | 1
}

/// Words of a warp: a set for each depth, and a list of its members.
pub const fn words_of_warp(longest: u32, k: u32) -> u64 {
    (k as u64 - 3) * longest.div_ceil(32) as u64 + longest as u64
}

/// Words of a block of some warps that searches rows of up to `longest` heads for cliques of `k` vertices.
pub const fn words_of_block(longest: u32, k: u32, warps: u32) -> u64 {
    longest as u64 * stride(longest) as u64 + warps as u64 * words_of_warp(longest, k)
}

/// Bytes of shared memory of such a block of [`cliques_in_shared`].
pub const fn shared_bytes(longest: u32, k: u32, warps: u32) -> u64 {
    CONTROL_BYTES as u64 + 4 * words_of_block(longest, k, warps)
}

kernel!(
    /// Lists the ranks below `n` whose rows have from `least` to `most` heads, in any order, and adds their number to `taken[0]`.
    ///
    /// Rows are as in `forward_merge`. Launch with whole warps.
    #[requires(rows.len() >= n, list.len() >= n, !taken.is_empty(), n < 1 << 32)]
    pub fn rows_of_length(
        rows: In<u64>,
        list: InOut<u32>,
        taken: InOut<u64>,
        least: u32,
        most: u32,
        n: u64,
    ) {
        let lane = u64::from(warp::lane_id());
        let stride = thread::grid_size();
        let mut rank = thread::index_1d();
        // The warp goes round together: its lanes speak to one another.
        while rank - lane < n {
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
            rank += stride;
        }
    }
);

kernel!(
    /// Adds the number of cliques of `k` vertices whose largest rank is one of the `n` of a list to `totals`: the sum of the lower 32
    /// bits of what its lanes found, and that of the upper. No row of these has more than `longest` heads, fewer than 2¹⁷.
    ///
    /// Rows are as in `forward_merge`. `queue[0]` is 0, and counts the rows that blocks have taken.
    ///
    /// A lane adds up what it finds in 64 bits, at most 32 in a step: 2⁶⁴ would take it 2⁵⁹ steps, which are 18 years of one in a
    /// nanosecond. A warp adds its sums of 32 bits to `totals` once: there are fewer than 2²⁶ warps, and each adds less than 2³⁷.
    ///
    /// Launch with whole warps and [`shared_bytes`].
    #[requires(
        |shape| SMALLEST <= k, k <= LARGEST, list.len() >= n, !queue.is_empty(), totals.len() >= TOTALS, n < 1 << 31,
        longest < 1 << 17, u64::from(shape.shared_bytes) >= shared_bytes(longest, k, shape.block.x.div_ceil(32)),
    )]
    pub fn cliques_in_shared(
        heads: In<u32>,
        rows: In<u64>,
        list: In<u32>,
        queue: InOut<u32>,
        totals: InOut<u64>,
        k: u32,
        longest: u32,
        n: u64,
    ) {
        let control = shared::array::<u32>(0, CONTROL_BYTES / 4);
        let warps = thread::block_dim_x() / warp::SIZE;
        let words = words_of_block(longest, k, warps) as u32;
        let words = shared::array::<u32>(CONTROL_BYTES, words);
        let searcher = Searcher::new(heads, rows, words, k, longest);
        take_rows(searcher, control, list, queue, totals, n);
    }
);

kernel!(
    /// Does what [`cliques_in_shared`] does with its words in global memory: `words_of_block` in `scratch` for each block.
    ///
    /// Launch with whole warps and [`CONTROL_BYTES`] of shared memory.
    #[requires(
        |shape| SMALLEST <= k, k <= LARGEST, list.len() >= n, !queue.is_empty(), totals.len() >= TOTALS, n < 1 << 31,
        longest < 1 << 17, shape.shared_bytes >= CONTROL_BYTES,
        scratch.len() >= u64::from(shape.grid.x) * words_of_block(longest, k, shape.block.x.div_ceil(32)),
    )]
    pub fn cliques_in_global(
        heads: In<u32>,
        rows: In<u64>,
        list: In<u32>,
        queue: InOut<u32>,
        totals: InOut<u64>,
        scratch: InOut<u32>,
        k: u32,
        longest: u32,
        n: u64,
    ) {
        let control = shared::array::<u32>(0, CONTROL_BYTES / 4);
        let warps = thread::block_dim_x() / warp::SIZE;
        let first = u64::from(thread::block_idx_x()) * words_of_block(longest, k, warps);
        let words = InGlobal { scratch, first };
        let searcher = Searcher::new(heads, rows, words, k, longest);
        take_rows(searcher, control, list, queue, totals, n);
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

/// Takes rows from the list until there are none, and counts their cliques. The block calls it together.
#[inline(always)]
fn take_rows<W: Words>(
    mut searcher: Searcher<W>,
    control: Shared<u32>,
    list: In<u32>,
    queue: InOut<u32>,
    totals: InOut<u64>,
    n: u64,
) {
    let lane = warp::lane_id();
    let warp = thread::thread_idx_x() / warp::SIZE;
    let warps = thread::block_dim_x() / warp::SIZE;
    loop {
        if thread::thread_idx_x() == 0 {
            control.set(0, queue.atomic_add(0, 1));
            control.set(1, 0);
        }
        thread::sync_threads();
        let at = u64::from(control.get(0));
        if at >= n {
            break;
        }
        searcher.begin(list.get(at));
        let mut place = warp;
        while place < searcher.heads_of_row() {
            searcher.join(place);
            place += warps;
        }
        thread::sync_threads();
        loop {
            let mut taken = 0;
            if lane == 0 {
                taken = control.atomic_add(1, 1);
            }
            taken = warp::warp_shuffle_idx(warp::ALL, taken, 0);
            // The largest places first: they have the most below them.
            if !searcher.search(taken) {
                break;
            }
        }
        thread::sync_threads();
    }
    add_to_totals(totals, searcher.found);
}
