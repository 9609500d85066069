//! Sums of all values up to each, in one launch.

use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, shared, thread, warp};

/// Threads in a block.
pub const BLOCK: u32 = 256;

/// Values of a thread, which are read before the first of them is needed.
const ITEMS: u32 = 32;

/// Values of a tile, which a block scans.
pub const TILE: u32 = BLOCK * ITEMS;

const WARPS: u32 = BLOCK / warp::SIZE;

/// Bytes of shared memory in a block: a word for the block, and one for each warp.
pub const SHARED_BYTES: u32 = 4 * (1 + WARPS);

/// The upper half of a tile's word: the lower one is its own sum.
const OWN: u64 = 1 << 32;

/// The upper half of a tile's word: the lower one is the sum of all values up to its end.
const PREFIX: u64 = 2 << 32;

kernel!(
    /// `sums[i]` is the sum of the first `i + 1` values, modulo 2³².
    ///
    /// Launch with a block for each `TILE` of the `n` values, `BLOCK` threads in each, and `SHARED_BYTES` of shared memory.
    /// `ticket` and `words`, which has one for each tile, are zero before.
    #[requires(|shape|
        values.len() >= n,
        sums.len() >= n,
        shape.is_1d() && shape.block.x == BLOCK,
        shape.grid.count() == n.div_ceil(u64::from(TILE)),
        shape.shared_bytes >= SHARED_BYTES,
        !ticket.is_empty(),
        words.len() >= shape.grid.count(),
    )]
    pub unsafe fn scan(
        values: In<u32>,
        sums: InOut<u32>,
        ticket: InOut<u32>,
        words: InOut<u64>,
        n: u64,
    ) {
        let (me, lane) = (thread::thread_idx_x(), warp::lane_id());
        let my_warp = me / warp::SIZE;
        let of_block = shared::array::<u32>(0, 1);
        let of_warps = shared::array::<u32>(4, WARPS);
        if me == 0 {
            // Tiles begin in the order of their numbers, so that no block waits for one that cannot begin.
            of_block.set(0, ticket.atomic_add(0, 1));
        }
        thread::sync_threads();
        let tile = u64::from(of_block.get(0));
        // A warp has `ITEMS` rows of the tile, and a lane one value of each row.
        let first = tile * u64::from(TILE) + u64::from(my_warp * warp::SIZE * ITEMS + lane);
        let mut items = [0; ITEMS as usize];
        if (tile + 1) * u64::from(TILE) <= n {
            // Without a condition before each, all reads are on their way at once.
            for row in 0..ITEMS {
                items[row as usize] = values.get(first + u64::from(row * warp::SIZE));
            }
        } else {
            for row in 0..ITEMS {
                let i = first + u64::from(row * warp::SIZE);
                if i < n {
                    items[row as usize] = values.get(i);
                }
            }
        }
        let mut of_warp = 0u32;
        for row in 0..ITEMS as usize {
            let in_row = warp::warp_scan_add_32(items[row]);
            items[row] = of_warp.wrapping_add(in_row);
            let of_row = warp::warp_shuffle_idx(warp::ALL, in_row, warp::SIZE - 1);
            of_warp = of_warp.wrapping_add(of_row);
        }
        if lane == 0 {
            of_warps.set(my_warp, of_warp);
        }
        thread::sync_threads();
        let (mut in_tile, mut total) = (0u32, 0u32);
        for w in 0..WARPS {
            if w == my_warp {
                in_tile = total;
            }
            total = total.wrapping_add(of_warps.get(w));
        }
        if my_warp == 0 {
            let before = look_back(words, tile, total);
            if lane == 0 {
                of_block.set(0, before);
            }
        }
        thread::sync_threads();
        let before = of_block.get(0).wrapping_add(in_tile);
        for row in 0..ITEMS {
            let i = first + u64::from(row * warp::SIZE);
            if i < n {
                sums.set(i, before.wrapping_add(items[row as usize]));
            }
        }
    }
);

/// The sum of all tiles before this one, whose own is `total`, on every lane of one warp (Merrill and Garland, "Single-pass parallel
/// prefix scan with decoupled look-back", 2016).
///
/// What a tile says of itself, and what that is, share a word: nobody sees the one without the other.
#[inline(always)]
fn look_back(words: InOut<u64>, tile: u64, total: u32) -> u32 {
    let lane = warp::lane_id();
    if lane == 0 {
        words.atomic_store(tile, OWN | u64::from(total));
    }
    let mut before = 0u32;
    let mut end = tile;
    // 32 tiles at a look: lane 0 has the nearest one.
    while end > 0 {
        let is_there = u64::from(lane) < end;
        let at = if is_there { end - 1 - u64::from(lane) } else { 0 };
        let mut word = words.atomic_load(at);
        while warp::warp_vote_any(warp::ALL, is_there && word == 0) {
            word = words.atomic_load(at);
        }
        // What stands before the nearest prefix is in that prefix.
        let prefixes = warp::warp_vote_ballot(warp::ALL, is_there && word >= PREFIX);
        let counts = is_there && lane <= prefixes.trailing_zeros();
        let of_tile = if counts { word as u32 } else { 0 };
        before = before.wrapping_add(warp::warp_reduce_add_32(warp::ALL, of_tile));
        end = if prefixes == 0 { end.saturating_sub(warp::SIZE.into()) } else { 0 };
    }
    if lane == 0 {
        words.atomic_store(tile, PREFIX | u64::from(before.wrapping_add(total)));
    }
    before
}
