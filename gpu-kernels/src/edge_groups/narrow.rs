use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread};

use crate::primitives::warp_add_runs;

/// 16-bit heads that one 16-byte read takes.
pub const NARROW_ALIGNMENT: u64 = 8;

/// How many 16-bit heads there are for `m` edges: the last read of 16 bytes is whole.
pub const fn narrow_len(m: u64) -> u64 {
    m.next_multiple_of(NARROW_ALIGNMENT)
}

/// A rank in 16 bits: itself below `exact`, one of 2^`filter_log2` codes above.
#[inline(always)]
pub fn narrow(rank: u32, exact: u32, filter_log2: u32) -> u32 {
    if rank < exact { rank } else { exact + ((rank - exact) & ((1 << filter_log2) - 1)) }
}

kernel!(
    /// The heads in 16 bits ([`narrow`]).
    #[requires(
        heads.len() >= m, filter_log2 <= 16, exact <= (1 << 16) - (1 << filter_log2),
        narrow_heads.len() >= narrow_len(m),
    )]
    pub unsafe fn narrow_heads(
        heads: In<u32>,
        narrow_heads: InOut<u16>,
        m: u64,
        exact: u32,
        filter_log2: u32,
    ) {
        let padded = narrow_len(m);
        for i in thread::of_grid(padded) {
            let head = if i < m { heads.get(i) } else { 0 };
            narrow_heads.set(i, narrow(head, exact, filter_log2) as u16);
        }
    }
);

kernel!(
    /// Adds to `degrees` the degree of every rank, below m < 2³².
    ///
    /// Launch with whole warps.
    #[requires(tails.len() >= m, heads.len() >= m, m < 1 << 32)]
    pub unsafe fn rank_degrees(tails: In<u32>, heads: In<u32>, degrees: InOut<u32>, m: u64) {
        let lane = u64::from(thread::thread_idx_x() % 32);
        let stride = thread::grid_size();
        let mut i = thread::index_1d();
        // The warp goes round together: its lanes speak to one another.
        while i - lane < m {
            let live = i < m;
            let (tail, head) = if live { (tails.get(i), heads.get(i)) } else { (0, 0) };
            warp_add_runs(degrees, tail, live, 1);
            warp_add_runs(degrees, head, live, 1);
            i += stride;
        }
    }
);
