//! Running sums that begin anew at the head of each segment, in one pass.
//!
//! A block scans its tile, and adds what the tiles before it carry into its first segment. A tile with a
//! head carries out a sum that does not depend on the tiles before, so it waits for none of them to say so.

use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, shared, thread, warp};

/// Threads in a block, and elements of a tile.
pub const BLOCK: u32 = 256;

const WARPS: u32 = BLOCK / warp::SIZE;

/// Bytes of shared memory of a block: each warp's sum and head, the tile and what is carried in.
pub const SHARED_BYTES: u32 = 4 * (2 * WARPS + 2);

/// Set in `carries` where the sum in the lower half is known.
const KNOWN: u64 = 1 << 32;

kernel!(
    /// `sums[i]` is the sum of `values` from the last `h <= i` with `heads[h] != 0` (or from 0) to `i`, modulo 2³².
    ///
    /// Launch with `BLOCK` threads in a block, a block for each tile and `SHARED_BYTES` of shared memory. `ticket` and
    /// `carries`, which has a word for each tile, are 0 before.
    #[requires(|shape|
        values.len() >= n,
        heads.len() >= n,
        sums.len() >= n,
        !ticket.is_empty(),
        carries.len() >= shape.grid.count(),
        shape.block.count() == u64::from(BLOCK),
        shape.threads() >= n,
        shape.shared_bytes >= SHARED_BYTES,
    )]
    pub unsafe fn segmented_scan(
        values: In<u32>,
        heads: In<u32>,
        sums: InOut<u32>,
        ticket: InOut<u32>,
        carries: InOut<u64>,
        n: u64,
    ) {
        let me = thread::thread_idx_x();
        let (my_warp, lane) = (me / warp::SIZE, warp::lane_id());
        let warp_sums = shared::array::<u32>(0, WARPS);
        let warp_heads = shared::array::<u32>(4 * WARPS, WARPS);
        let words = shared::array::<u32>(8 * WARPS, 2);

        // Tiles go to blocks in the order in which these start: a tile's predecessor is under way.
        if me == 0 {
            words.set(0, ticket.atomic_add(0, 1));
        }
        thread::sync_threads();
        let tile = u64::from(words.get(0));
        let i = tile * u64::from(BLOCK) + u64::from(me);

        // The sum since the last head of the warp's lanes up to this one, and whether there is a head.
        let mut sum = if i < n { values.get(i) } else { 0 };
        let mut head = u32::from(i < n && heads.get(i) != 0);
        let mut distance = 1;
        while distance < warp::SIZE {
            let sum_before = warp::warp_shuffle_up(warp::ALL, sum, distance);
            let head_before = warp::warp_shuffle_up(warp::ALL, head, distance);
            if lane >= distance {
                if head == 0 {
                    sum = sum.wrapping_add(sum_before);
                }
                head |= head_before;
            }
            distance *= 2;
        }
        if lane == warp::SIZE - 1 {
            warp_sums.set(my_warp, sum);
            warp_heads.set(my_warp, head);
        }
        thread::sync_threads();

        // The same over the block's warps.
        let mut before = my_warp;
        while before > 0 && head == 0 {
            before -= 1;
            sum = sum.wrapping_add(warp_sums.get(before));
            head |= warp_heads.get(before);
        }

        // What the tile carries out; without a head this includes what is carried in.
        if me == BLOCK - 1 {
            if head != 0 {
                carries.atomic_store(tile, KNOWN | u64::from(sum));
            }
            let mut carried = 0;
            if tile > 0 {
                let mut word = carries.atomic_load(tile - 1);
                while word & KNOWN == 0 {
                    thread::nanosleep(20);
                    word = carries.atomic_load(tile - 1);
                }
                carried = word as u32;
            }
            if head == 0 {
                carries.atomic_store(tile, KNOWN | u64::from(sum.wrapping_add(carried)));
            }
            words.set(1, carried);
        }
        thread::sync_threads();
        if i < n {
            sums.set(i, if head == 0 { sum.wrapping_add(words.get(1)) } else { sum });
        }
    }
);
