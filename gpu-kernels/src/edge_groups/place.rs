use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, shared, thread, warp};

use super::{BLOCK, ITEMS, SIZES, SLOTS, cursor_at, cursors_len};
use crate::primitives::block_scan_exclusive;

const WARPS: u32 = BLOCK / warp::SIZE;
const SCAN_AT: u32 = 0;
const FIRST_EDGE_AT: u32 = SCAN_AT + WARPS * 4;
const FIRST_ITEM_AT: u32 = FIRST_EDGE_AT + 4;

pub(super) const SHARED_BYTES: u32 = FIRST_ITEM_AT + 4;

kernel! {
    /// Gives a group to every head below `heads` with at least `least_edges` edges and a row of at
    /// least `least_row`.
    ///
    /// Bit `a` of `grouping` says whether a has one, and `cursors` has its first slot at
    /// [`cursor_at`]. A group is cut into items of at most `chunk` slots: `items[j]` has the head in
    /// its high half and the first slot in its low half. The totals are added to `sizes`.
    ///
    /// A block's groups lie side by side, in the order of the heads; blocks take slots as they come.
    /// Slots are below m < 2³².
    pub fn head_groups(
        rows: In<u64>, degrees: In<u32>, grouping: InOut<u32>, cursors: InOut<u32>,
        items: InOut<u64>, sizes: InOut<u32>, heads: u32, least_edges: u32, least_row: u32, chunk: u32
    )
    requires {
        rows.len() >= u64::from(heads), degrees.len() >= u64::from(heads),
        grouping.len() >= u64::from(heads).div_ceil(32),
        cursors.len() >= cursors_len(u64::from(heads)), sizes.len() >= SIZES, chunk > 0, least_row > 0,
        least_edges > 0,
    }
    {
        let thread = thread::thread_idx_x();
        let scan = shared::array::<u32>(SCAN_AT, WARPS);
        let first_edge = shared::array::<u32>(FIRST_EDGE_AT, 1);
        let first_item = shared::array::<u32>(FIRST_ITEM_AT, 1);
        let head = thread::block_idx_x() * BLOCK + thread;
        let mut edges = 0;
        if head < heads {
            let row = rows.get(u64::from(head));
            let row_len = (row >> 32) as u32 - row as u32;
            let count = degrees.get(u64::from(head)) - row_len;
            if count >= least_edges && row_len >= least_row {
                edges = count;
            }
        }
        // `max` tells the compiler what `requires` says: a division by zero would be a trap.
        let cuts = edges.div_ceil(chunk.max(1));
        let (edges_before, block_edges) = block_scan_exclusive(scan, edges);
        let (items_before, block_items) = block_scan_exclusive(scan, cuts);
        if thread == 0 && block_edges > 0 {
            first_edge.set(0, sizes.atomic_add(SLOTS, block_edges));
            first_item.set(0, sizes.atomic_add(ITEMS, block_items));
        }
        thread::sync_threads();
        let with_group = warp::warp_vote_ballot(warp::ALL, edges > 0);
        if head < heads && warp::lane_id() == 0 {
            grouping.set(u64::from(head / warp::SIZE), with_group);
        }
        if edges > 0 {
            let start = first_edge.get(0) + edges_before;
            cursors.set(cursor_at(head), start);
            let item = u64::from(first_item.get(0) + items_before);
            let mut cut = 0;
            while cut < cuts {
                let first = start + cut * chunk;
                items.set(item + u64::from(cut), u64::from(head) << 32 | u64::from(first));
                cut += 1;
            }
        }
    }
}
