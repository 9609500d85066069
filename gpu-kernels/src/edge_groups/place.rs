use warpwise_device::memory::{In, InOut};
use warpwise_device::shared::{Layout, Place};
use warpwise_device::{kernel, thread, warp};

use super::{BLOCK, HEADS, ITEMS, SIZES, SLOTS, cursor_at, cursors_len};
use crate::primitives::{Scanned, WideSums, block_lookback, block_scan_exclusive, block_ticket};

const WARPS: u32 = BLOCK / warp::SIZE;

/// Heads of a lane.
const OF_LANE: usize = 8;

/// Heads that a block of [`head_groups`] takes.
pub const HEADS_TILE: u32 = BLOCK * OF_LANE as u32;

struct Groups {
    base: Place<u64>,
    scan: Place<u32>,
    first_item: Place<u32>,
    tile: Place<u32>,
    bytes: u32,
}

const GROUPS: Groups = {
    let (layout, base) = Layout::new().array(1);
    let (layout, scan) = layout.array(WARPS);
    let (layout, first_item) = layout.array(1);
    let (layout, tile) = layout.array(1);
    Groups { base, scan, first_item, tile, bytes: layout.bytes() }
};

/// Bytes of shared memory of a block of [`head_groups`].
pub const GROUPS_SHARED_BYTES: u32 = GROUPS.bytes;

kernel!(
    /// Gives a group to every head below `heads` with at least `least_edges` edges and a row of at
    /// least `least_row`.
    ///
    /// Bit `a` of `grouping` says whether a has one, and `cursors` has its first slot at
    /// [`cursor_at`]. A group is cut into items of at most `chunk` slots: `items[j]` has the head in
    /// its high half and the first slot in its low half. The totals are added to `sizes`, which are 0 before.
    ///
    /// Groups lie side by side, in the order of the heads. Items are in any order. Slots are below m < 2³².
    ///
    /// `words` has a word for each [`HEADS_TILE`] of the heads, and `ticket` one word; all are zero before. Launch with a block
    /// of [`BLOCK`] threads for each word.
    #[requires(
        |shape| rows.len() >= u64::from(heads), degrees.len() >= u64::from(heads),
        grouping.len() >= u64::from(heads).div_ceil(32), words.len() >= u64::from(heads.div_ceil(HEADS_TILE)),
        cursors.len() >= cursors_len(u64::from(heads)), sizes.len() >= SIZES, !ticket.is_empty(), chunk > 0,
        least_row > 0, least_edges > 0, shape.block.x == BLOCK, shape.shared_bytes >= GROUPS_SHARED_BYTES,
    )]
    pub unsafe fn head_groups(
        rows: In<u64>,
        degrees: In<u32>,
        grouping: InOut<u32>,
        cursors: InOut<u32>,
        items: InOut<u64>,
        sizes: InOut<u32>,
        words: InOut<u64>,
        ticket: InOut<u32>,
        heads: u32,
        least_edges: u32,
        least_row: u32,
        chunk: u32,
    ) {
        let (scan, base_slot, first_item) =
            (GROUPS.scan.here(), GROUPS.base.here(), GROUPS.first_item.here());
        let tile = block_ticket(ticket, GROUPS.tile.here());
        let (thread, lane) = (thread::thread_idx_x(), warp::lane_id());
        // Lanes of a warp have neighbouring heads, and the warp takes 32 after the other.
        let of_warp = tile * HEADS_TILE + thread / warp::SIZE * warp::SIZE * OF_LANE as u32;
        let head = |item: usize| of_warp + item as u32 * warp::SIZE + lane;
        let mut edges = [0; OF_LANE];
        let mut heads_of_warp = 0;
        for item in 0..OF_LANE {
            if head(item) < heads {
                let row = rows.get(u64::from(head(item)));
                let row_len = (row >> 32) as u32 - row as u32;
                let count = degrees.get(u64::from(head(item))) - row_len;
                if count >= least_edges && row_len >= least_row {
                    edges[item] = count;
                }
            }
        }
        for item in 0..OF_LANE {
            let with_group = warp::warp_vote_ballot(warp::ALL, edges[item] > 0);
            if with_group != 0 {
                heads_of_warp = head(item) - lane + warp::SIZE - with_group.leading_zeros();
            }
            if head(item) < heads && lane == 0 {
                grouping.set(u64::from(head(item) / warp::SIZE), with_group);
            }
        }
        // `max` tells the compiler what `requires` says: a division by zero would be a trap.
        let chunk = chunk.max(1);
        let (mut own_edges, mut cuts) = (0, 0);
        for item in 0..OF_LANE {
            own_edges += edges[item];
            cuts += edges[item].div_ceil(chunk);
        }
        if lane == 0 && heads_of_warp > 0 {
            sizes.atomic_max(HEADS, heads_of_warp);
        }
        let Scanned { before: items_before, all: block_items } = block_scan_exclusive(scan, cuts);
        let Scanned { before: before_lane, all: block_edges } =
            block_scan_exclusive(scan, own_edges);
        // Before the warp's first lane come the edges of the warps before, whose heads are before those of this one.
        let mut start = warp::warp_shuffle_idx(warp::ALL, before_lane, 0);
        // Not by the first warp, which other blocks wait for.
        if thread == warp::SIZE && block_edges > 0 {
            sizes.atomic_add(SLOTS, block_edges);
            first_item.set(0, sizes.atomic_add(ITEMS, block_items));
        }
        let base =
            block_lookback(words, WideSums, u64::from(tile), u64::from(block_edges), base_slot)
                as u32;
        start += base;
        let mut next = items_before + if block_edges > 0 { first_item.get(0) } else { 0 };
        for item in 0..OF_LANE {
            let up_to_lane = warp::warp_scan_add_32(edges[item]);
            if edges[item] > 0 {
                let own = start + up_to_lane - edges[item];
                cursors.set(cursor_at(head(item)), own);
                let group_cuts = edges[item].div_ceil(chunk);
                for cut in 0..group_cuts {
                    let first = own + cut * chunk;
                    items.set(u64::from(next), u64::from(head(item)) << 32 | u64::from(first));
                    next += 1;
                }
            }
            start += warp::warp_shuffle_idx(warp::ALL, up_to_lane, warp::SIZE - 1);
        }
    }
);
