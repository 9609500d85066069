//! Sums of all values up to each, in one launch.

use tribin_device::memory::{In, InOut, Ordered, Scope};
use tribin_device::{kernel, shared, thread, warp};

/// Values of a tile, and threads in a block.
pub const TILE: u32 = 256;

/// Bytes of shared memory in a block: a word for the block, and one for each warp.
pub const SHARED_BYTES: u32 = 4 * (1 + TILE / warp::SIZE);

/// What `states` says of a tile: its own sum is there.
const OWN: u32 = 1;

/// What `states` says of a tile: the sum of all values up to its end is there as well.
const PREFIX: u32 = 2;

kernel!(
    /// `sums[i]` is the sum of the first `i + 1` values, modulo 2³².
    ///
    /// Launch with a block for each `TILE` of the `n` values, `TILE` threads in each, and `SHARED_BYTES` of shared memory.
    /// `ticket` and `states` are zero before. `totals` has two numbers for each tile.
    #[requires(|shape|
        values.len() >= n,
        sums.len() >= n,
        shape.is_1d() && shape.block.x == TILE,
        shape.grid.count() == n.div_ceil(u64::from(TILE)),
        shape.shared_bytes >= SHARED_BYTES,
        !ticket.is_empty(),
        states.len() >= shape.grid.count(),
        totals.len() >= 2 * shape.grid.count(),
    )]
    pub unsafe fn scan(
        values: In<u32>,
        sums: InOut<u32>,
        ticket: InOut<u32>,
        states: InOut<u32>,
        totals: InOut<u32>,
        n: u64,
    ) {
        let (me, lane) = (thread::thread_idx_x(), warp::lane_id());
        let of_block = shared::array::<u32>(0, 1);
        let of_warps = shared::array::<u32>(4, TILE / warp::SIZE);
        if me == 0 {
            // Tiles begin in the order of their numbers, so that no block waits for one that cannot begin.
            of_block.set(0, ticket.atomic_add(0, 1));
        }
        thread::sync_threads();
        let tile = u64::from(of_block.get(0));
        let i = tile * u64::from(TILE) + u64::from(me);
        let in_warp = warp::warp_scan_add_32(if i < n { values.get(i) } else { 0 });
        if lane == warp::SIZE - 1 {
            of_warps.set(me / warp::SIZE, in_warp);
        }
        thread::sync_threads();
        let mut in_tile = in_warp;
        let mut w = 0;
        while w < me / warp::SIZE {
            in_tile = in_tile.wrapping_add(of_warps.get(w));
            w += 1;
        }
        if me == TILE - 1 {
            of_block.set(0, look_back(states.ordered(Scope::Device), totals, tile, in_tile));
        }
        thread::sync_threads();
        if i < n {
            sums.set(i, of_block.get(0).wrapping_add(in_tile));
        }
    }
);

/// The sum of all tiles before this one, whose own is `total` (Merrill and Garland, "Single-pass parallel prefix scan with decoupled
/// look-back", 2016).
///
/// What a tile says of itself it stores before its state. Whoever sees the state sees that too.
#[inline(always)]
fn look_back(states: Ordered<u32>, totals: InOut<u32>, tile: u64, total: u32) -> u32 {
    totals.set(2 * tile, total);
    states.store(tile, OWN);
    let mut before = 0u32;
    let mut at = tile;
    while at > 0 {
        at -= 1;
        let mut state = states.load(at);
        while state == 0 {
            thread::nanosleep(20);
            state = states.load(at);
        }
        if state == PREFIX {
            before = before.wrapping_add(totals.get(2 * at + 1));
            break;
        }
        before = before.wrapping_add(totals.get(2 * at));
    }
    totals.set(2 * tile + 1, before.wrapping_add(total));
    states.store(tile, PREFIX);
    before
}
