//! Edges that another library left in device memory, as tribin's entries.

use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread};

use crate::primitives::block_max_to;

/// Threads in a block.
pub const BLOCK: u32 = 256;

kernel!(
    /// Writes the `m` edges between `sources[i * source_step]` and `targets[i * target_step]` to `edges`, two
    /// 32-bit vertices a word, the source in the low half; and raises `largest[0]` to the largest id.
    ///
    /// Launch with whole warps and any number of blocks of [`BLOCK`] threads.
    #[requires(
        m == 0 || (m - 1).saturating_mul(source_step) < sources.len(),
        m == 0 || (m - 1).saturating_mul(target_step) < targets.len(), edges.len() >= m, !largest.is_empty(),
    )]
    pub unsafe fn pack_edges_32(
        sources: In<u32>,
        targets: In<u32>,
        edges: InOut<u64>,
        largest: InOut<u64>,
        source_step: u64,
        target_step: u64,
        m: u64,
    ) {
        let mut own = 0u32;
        for i in thread::of_grid(m) {
            let (u, v) = (sources.get(i * source_step), targets.get(i * target_step));
            edges.set(i, u64::from(u) | u64::from(v) << 32);
            own = own.max(u).max(v);
        }
        block_max_to(largest, 0, u64::from(own));
    }
);

kernel!(
    /// The same for ids of 64 bits, of which the lower 32 are written. The rest is only in `largest[0]`: where
    /// it has more than 32 bits, `edges` is of no use.
    ///
    /// Launch with whole warps and any number of blocks of [`BLOCK`] threads.
    #[requires(
        m == 0 || (m - 1).saturating_mul(source_step) < sources.len(),
        m == 0 || (m - 1).saturating_mul(target_step) < targets.len(), edges.len() >= m, !largest.is_empty(),
    )]
    pub unsafe fn pack_edges_64(
        sources: In<u64>,
        targets: In<u64>,
        edges: InOut<u64>,
        largest: InOut<u64>,
        source_step: u64,
        target_step: u64,
        m: u64,
    ) {
        let mut own = 0;
        for i in thread::of_grid(m) {
            let (u, v) = (sources.get(i * source_step), targets.get(i * target_step));
            edges.set(i, u & 0xffff_ffff | v << 32);
            own = own.max(u).max(v);
        }
        block_max_to(largest, 0, own);
    }
);
