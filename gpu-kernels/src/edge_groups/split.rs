use core::ops::Range;

use warpwise_device::memory::{In, InOut};
use warpwise_device::registers::pin_32;
use warpwise_device::shared::{Layout, Place};
use warpwise_device::{kernel, thread};

use super::bins::{BIN_HEADS_LOG2, BinHeads, Bins, MOST_BINS, NO_BIN, bins_len};
use super::{LISTED, SIZES, cursor_at, cursors_len};
use crate::primitives::{
    Oriented, Scanned, TileSplitPlaces, block_scan_exclusive, partition_point, row_of,
};

/// Threads in a block of [`split_edges`] and of [`place_edges`].
pub const SPLIT_BLOCK: u32 = 512;

/// Blocks of [`place_edges`] that a multiprocessor has room for.
pub const PLACE_BLOCKS: u32 = 2;

/// Edges of a thread.
const ITEMS: usize = 10;

/// Edges of a tile, which a block takes at a time.
pub const SPLIT_TILE: u32 = SPLIT_BLOCK * ITEMS as u32;

/// Where a word has its head's number in the bin's 2^[`BIN_HEADS_LOG2`] heads.
const HEAD_AT: u32 = u64::BITS - BIN_HEADS_LOG2;

/// Longer prefixes do not fit into a word.
const LONGEST_PREFIX: u32 = (1 << (HEAD_AT - u32::BITS)) - 1;

/// What stands for an edge that goes nowhere.
const NOWHERE: u32 = u32::MAX;
const TO_LIST: u32 = u32::MAX - 1;
const TO_GROUP: u32 = u32::MAX - 2;

struct Tile {
    words: Place<u64>,
    split: TileSplitPlaces,
    bins: Place<u16>,
    list: Place<u32>,
    bytes: u32,
}

const TILE: Tile = {
    let (layout, words) = Layout::new().array(SPLIT_TILE);
    let (layout, split) = TileSplitPlaces::behind(layout, MOST_BINS, SPLIT_BLOCK);
    let (layout, bins) = layout.array(SPLIT_TILE);
    let (layout, list) = layout.array(1);
    Tile { words, split, bins, list, bytes: layout.bytes() }
};

/// Bytes of shared memory of a block of [`split_edges`].
pub const SPLIT_SHARED_BYTES: u32 = TILE.bytes;

kernel!(
    /// Brings the edges from place `first` on to where their method finds them. An edge whose head has a group goes to `split`. There
    /// it is in a slot of its bin, in any order, from the bin's first on, and bins count how many have come. The word of an edge has
    /// its place, its prefix above that, and on top the lowest bits of its head. An edge whose head has none goes, by its place, to
    /// `listed`, whose length `sizes` counts.
    ///
    /// An edge whose prefix is too long for a word, or whose head is in no bin, is put into its group at once, as [`place_edges`] does.
    ///
    /// `heads_in_bins` and `bins` are those of [`bins_of_heads`](super::bins_of_heads), and `cursors` those of
    /// [`head_groups`](super::head_groups). `listed` has room for all edges without a group. A block a tile.
    #[requires(
        |shape| graph.tails.len() >= m, graph.heads.len() >= m, first <= m, m < 1 << 32,
        heads_in_bins.len() >= u64::from(grouping_heads).div_ceil(32), count <= MOST_BINS, bins.len() >= bins_len(count),
        cursors.len() >= cursors_len(u64::from(grouping_heads)), split.len() == grouped.len(),
        sizes.len() >= SIZES,
        shape.block.x == SPLIT_BLOCK, shape.shared_bytes >= SPLIT_SHARED_BYTES,
        shape.grid.count() == (m - first).div_ceil(u64::from(SPLIT_TILE)).max(1),
    )]
    #[launch_bounds(SPLIT_BLOCK, 2)]
    pub unsafe fn split_edges(
        graph: Oriented,
        heads_in_bins: In<u64>,
        bins: InOut<u32>,
        cursors: InOut<u32>,
        split: InOut<u64>,
        grouped: InOut<u64>,
        listed: InOut<u32>,
        sizes: InOut<u32>,
        first: u64,
        m: u64,
        grouping_heads: u32,
        count: u32,
    ) {
        let bins = Bins { table: bins, count };
        let edges = Edges { graph, heads_in_bins, grouping_heads };
        let to = To { bins, cursors, split, grouped, listed, sizes };
        let start = first + u64::from(thread::block_idx_x()) * u64::from(SPLIT_TILE);
        // All tiles but the last are full: their code asks for no edge whether it is there.
        if m - start >= u64::from(SPLIT_TILE) {
            split_tile::<true>(edges, to, start, SPLIT_TILE);
        } else {
            split_tile::<false>(edges, to, start, (m - start) as u32);
        }
    }
);

#[derive(Clone, Copy)]
struct Edges {
    graph: Oriented,
    heads_in_bins: In<u64>,
    grouping_heads: u32,
}

#[derive(Clone, Copy)]
struct To {
    bins: Bins<InOut<u32>>,
    cursors: InOut<u32>,
    split: InOut<u64>,
    grouped: InOut<u64>,
    listed: InOut<u32>,
    sizes: InOut<u32>,
}

/// The bin of an edge; or [`NO_BIN`], and where else the edge goes.
#[derive(Clone, Copy)]
struct EdgeWay {
    bin: u32,
    way: u32,
}

impl Edges {
    /// Where an edge to `head` goes.
    #[inline(always)]
    fn way(self, head: u32, prefix: u32) -> EdgeWay {
        if prefix == 0 {
            return EdgeWay { bin: NO_BIN, way: NOWHERE };
        }
        if head < self.grouping_heads {
            let of_word = self.heads_in_bins.get(u64::from(head / 32));
            if of_word >> (head % 32) & 1 == 1 {
                let bin = if prefix > LONGEST_PREFIX { NO_BIN } else { (of_word >> 32) as u32 };
                return EdgeWay { bin, way: TO_GROUP };
            }
        }
        let Range { start, end } = row_of(self.graph.rows, head);
        let has_row = start != end;
        EdgeWay { bin: NO_BIN, way: if has_row { TO_LIST } else { NOWHERE } }
    }

    /// Puts the edge at this place into its group.
    #[inline(always)]
    fn group(self, to: To, place: u64) {
        let (tail, head) = (self.graph.tails.get(place), self.graph.heads.get(place));
        let prefix = (place as u32).wrapping_sub(row_of(self.graph.rows, tail).start);
        let slot = to.cursors.atomic_add(cursor_at(head), 1);
        to.grouped.set(u64::from(slot), u64::from(prefix) << 32 | place);
    }
}

/// Takes the `live` edges of the tile that begins at place `start`. The whole block calls it. Contains barriers.
#[inline(always)]
fn split_tile<const FULL: bool>(edges: Edges, to: To, start: u64, live: u32) {
    let thread = thread::thread_idx_x();
    let (words, bin_of_slot, list) = (TILE.words.here(), TILE.bins.here(), TILE.list.here());
    let split = TILE.split.here();
    split.clear(to.bins.count);
    let exists = |item: usize| FULL || thread + item as u32 * SPLIT_BLOCK < live;
    let place = |thread: u32, item: usize| start + u64::from(thread + item as u32 * SPLIT_BLOCK);
    // Heads; then the high halves of their words.
    let mut high = [0; ITEMS];
    // Tails; then prefixes; then the number of the bin above the rank among its edges, below 2^28, or where else the edge goes.
    let mut ways = [0; ITEMS];
    for item in 0..ITEMS {
        if exists(item) {
            high[item] = edges.graph.heads.get(place(thread, item));
            ways[item] = edges.graph.tails.get(place(thread, item));
        }
    }
    for item in 0..ITEMS {
        if exists(item) {
            let row = row_of(edges.graph.rows, ways[item]);
            ways[item] = pin_32((place(thread, item) as u32).wrapping_sub(row.start));
        }
    }
    thread::sync_threads();
    let mut in_list = 0;
    for item in 0..ITEMS {
        let mut bin = NO_BIN;
        let mut way = NOWHERE;
        if exists(item) {
            EdgeWay { bin, way } = edges.way(high[item], ways[item]);
        }
        high[item] = pin_32(high[item] << (HEAD_AT - 32) | ways[item]);
        let is_split = bin != NO_BIN;
        let rank = split.rank(bin, is_split);
        in_list += if way == TO_LIST { 1 } else { 0 };
        ways[item] = pin_32(if is_split { bin << 16 | rank } else { way });
    }
    let all = split.close(to.bins.count);
    let Scanned { mut before, all: all_listed } = block_scan_exclusive(split.sums, in_list);
    if thread == 0 && all_listed > 0 {
        list.set(0, to.sizes.atomic_add(LISTED, all_listed));
    }
    split.take(to.bins.count, all, |bin, edges| to.bins.take(bin, edges));
    // The places are worked out again: fewer registers.
    let again = pin_32(thread);
    for item in 0..ITEMS {
        if ways[item] < TO_GROUP {
            let bin = ways[item] >> 16;
            let slot = split.slot(bin, ways[item] & 0xffff);
            words.set(slot, u64::from(high[item]) << 32 | place(again, item));
            bin_of_slot.set(slot, bin as u16);
        }
    }
    thread::sync_threads();
    for slot in thread::strided(thread..all, SPLIT_BLOCK) {
        let target = split.target(u32::from(bin_of_slot.get(slot)), slot);
        to.split.set(u64::from(target), words.get(slot));
    }
    let again = pin_32(thread);
    for item in 0..ITEMS {
        if ways[item] == TO_LIST {
            let at = u64::from(list.get(0)) + u64::from(before);
            to.listed.set(at, place(again, item) as u32);
            before += 1;
        } else if ways[item] == TO_GROUP {
            edges.group(to, place(again, item));
        }
    }
}

struct Piece {
    words: Place<u64>,
    split: TileSplitPlaces,
    first_pieces: Place<u32>,
    bytes: u32,
}

const PIECE: Piece = {
    let (layout, words) = Layout::new().array(SPLIT_TILE);
    let (layout, split) = TileSplitPlaces::behind(layout, 1 << BIN_HEADS_LOG2, SPLIT_BLOCK);
    let (layout, first_pieces) = layout.array(MOST_BINS);
    Piece { words, split, first_pieces, bytes: layout.bytes() }
};

/// Bytes of shared memory of a block of [`place_edges`].
pub const PLACE_SHARED_BYTES: u32 = PIECE.bytes;

kernel!(
    /// Brings the edges in bins to the groups of their heads, as words with the place in the low half and the length of the prefix in
    /// the high half. After it the cursor of a head is one past the last slot in use of its group.
    ///
    /// Launch with any number of blocks; [`PLACE_BLOCKS`] fill a multiprocessor.
    #[requires(
        |shape| split.len() == grouped.len(), count <= MOST_BINS, bins.len() >= bins_len(count),
        shape.block.x == SPLIT_BLOCK, shape.shared_bytes >= PLACE_SHARED_BYTES,
    )]
    #[launch_bounds(SPLIT_BLOCK, PLACE_BLOCKS)]
    pub unsafe fn place_edges(
        split: In<u64>,
        bins: In<u32>,
        cursors: InOut<u32>,
        grouped: InOut<u64>,
        count: u32,
    ) {
        let bins = Bins { table: bins, count };
        let first_pieces = PIECE.first_pieces.here();
        let thread = thread::thread_idx_x();
        // Neighbouring bins are a thread's.
        let of_thread = count.div_ceil(SPLIT_BLOCK);
        let own = (thread * of_thread).min(count);
        let end = (own + of_thread).min(count);
        let mut in_thread = 0;
        for bin in own..end {
            in_thread += bins.edges(bin).div_ceil(SPLIT_TILE);
        }
        let Scanned { mut before, all: pieces } =
            block_scan_exclusive(PIECE.split.here().sums, in_thread);
        for bin in own..end {
            first_pieces.set(bin, before);
            before += bins.edges(bin).div_ceil(SPLIT_TILE);
        }
        thread::sync_threads();
        for piece in thread::strided(thread::block_idx_x()..pieces, thread::grid_dim_x()) {
            // The last bin whose first piece is this one or before; those without pieces are before it.
            let bin = partition_point(1, count, |at| first_pieces.get(at) <= piece) - 1;
            let at = (piece - first_pieces.get(bin)) * SPLIT_TILE;
            let live = (bins.edges(bin) - at).min(SPLIT_TILE);
            let from = u64::from(bins.start(bin)) + u64::from(at);
            let heads = bins.heads(bin);
            if live == SPLIT_TILE {
                place_piece::<true>(split, from, live, heads, cursors, grouped);
            } else {
                place_piece::<false>(split, from, live, heads, cursors, grouped);
            }
        }
    }
);

/// Takes `live` edges of one bin, which has these heads. The whole block calls it. Contains barriers.
#[inline(always)]
fn place_piece<const FULL: bool>(
    from: In<u64>,
    start: u64,
    live: u32,
    BinHeads { first: first_head, count: heads }: BinHeads,
    cursors: InOut<u32>,
    grouped: InOut<u64>,
) {
    let thread = thread::thread_idx_x();
    let (words, split) = (PIECE.words.here(), PIECE.split.here());
    let first_digit = first_head & ((1 << BIN_HEADS_LOG2) - 1);
    let digit_of = |word: u64| (word >> HEAD_AT) as u32 - first_digit;
    split.clear(heads);
    let exists = |item: usize| FULL || thread + item as u32 * SPLIT_BLOCK < live;
    let mut word = [0; ITEMS];
    for item in 0..ITEMS {
        if exists(item) {
            word[item] = from.get(start + u64::from(thread + item as u32 * SPLIT_BLOCK));
        }
    }
    thread::sync_threads();
    // Two to a register: a tile has fewer than 2^16 edges.
    let mut ranks = [0u32; ITEMS.div_ceil(2)];
    for item in 0..ITEMS {
        let digit = if exists(item) { digit_of(word[item]) } else { NO_BIN };
        let rank = split.rank(digit, exists(item)) & 0xffff;
        ranks[item / 2] = pin_32(ranks[item / 2] | rank << (item % 2 * 16));
    }
    let all = split.close(heads);
    split.take(heads, all, |digit, edges| cursors.atomic_add(cursor_at(first_head + digit), edges));
    for item in 0..ITEMS {
        if exists(item) {
            let rank = ranks[item / 2] >> (item % 2 * 16) & 0xffff;
            words.set(split.slot(digit_of(word[item]), rank), word[item]);
        }
    }
    thread::sync_threads();
    for slot in thread::strided(thread..live, SPLIT_BLOCK) {
        let word = words.get(slot);
        let target = split.target(digit_of(word), slot);
        grouped.set(u64::from(target), word & ((1 << HEAD_AT) - 1));
    }
    // The next piece takes the place of this one.
    thread::sync_threads();
}
