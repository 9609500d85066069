//! Row tables: the row of a tail as a table in shared memory, and the rows of all its heads looked up in it.
//!
//! A block takes a tail u and puts the entries of its row into a table. Groups of lanes then stream the rows of u's
//! heads past the table, four entries a lane and read. An entry w of a's row that the table has is a triangle u, a, w.
//!
//! | kernel | table | for |
//! | --- | --- | --- |
//! | `row_tables_bits` | a bit for each rank | few ranks |
//! | `row_tables_8` | slots of 8 bits, of which an entry takes the one that its lowest bits name; the slot holds the others | up to 255 ranks for each slot |
//! | `row_tables_16` | slots of 16 bits | all other graphs |
//!
//! A look-up is one read of shared memory and one comparison, and it is exact: a slot and what it holds are the whole rank
//! (Cleary, *Compact hash tables using bidirectional linear probing*, 1984, has such slots).
//!
//! An entry that finds its slot taken is *spilled*: it goes to a list of [`SPILLED`] entries, which every look-up is
//! compared with too. The row of a tail that spills more is searched instead.

mod stream;
mod table;

use core::ops::RangeInclusive;

use warpwise_device::memory::{In, InOut, U64x2};
use warpwise_device::{kernel, thread};

use self::stream::TableEdges;
use self::table::{Bits, Tags};
use crate::forward::TOTALS;
use crate::primitives::{Oriented, block_add_to};

/// Entries of a row that may find their slots taken, before the row is searched.
pub const SPILLED: u32 = 32;

/// Most threads of a block.
pub const MOST_THREADS: u32 = 512;

/// Tails that a block takes at a time.
pub const TAILS: u32 = 4;

/// Most ranks with a bit each.
pub const MOST_BITS: u32 = 1 << 20;

/// A table of slots has 2^one of these.
pub const SLOTS_LOG2: RangeInclusive<u32> = 5..=15;

/// Bytes of a table of bits for so many ranks.
pub const fn bits_bytes(ranks: u32) -> u32 {
    ranks.div_ceil(64) * 8
}

/// Bytes of a table of 2^`slots_log2` slots of `tag` bytes each, with a bit a slot for those that are taken.
pub const fn tags_bytes(slots_log2: u32, tag: u32) -> u32 {
    let bytes: u32 = (tag << slots_log2) + (1 << slots_log2) / 8;
    bytes.next_multiple_of(8)
}

/// Bytes of shared memory of a block of so many threads with a table of `table` bytes.
pub const fn shared_bytes(table: u32, threads: u32) -> u32 {
    stream::shared_end(table, threads)
}

macro_rules! row_tables {
    ($(#[$doc:meta])* $name:ident, $blocks:expr, $size:ident, $sizes:expr, $ranks:expr, $bytes:expr, $table:expr) => {
        kernel!(
            $(#[$doc])*
            ///
            /// It adds the number of triangles that the edges from place `first` to before `m` close to `totals`: over
            /// all edges, their sum is the count.
            ///
            /// `quads` are the heads, four to an element, without those that do not
            /// fill one. A head's row gets 2^`lanes_log2` lanes. `ticket` is one word, zero before.
            ///
            /// Launch with whole warps and [`shared_bytes`].
            ///
            /// A thread's count of a row is below 2³²: it is at most the entries that the thread reads. The sum of all is below
            /// 2⁴⁷ (`forward_merge` says why).
            #[requires(
                first < m, graph.tails.len() >= m, graph.heads.len() >= m, quads.len() >= m / 4, m < 1 << 32,
                $sizes.contains(&$size), graph.rows.len() <= $ranks, lanes_log2 <= 5, !ticket.is_empty(), totals.len() >= TOTALS,
            )]
            #[launch_bounds(MOST_THREADS, $blocks)]
            pub unsafe fn $name(
                graph: Oriented, quads: In<U64x2>, ticket: InOut<u32>, totals: InOut<u64>,
                first: u64, m: u64, $size: u32, lanes_log2: u32
            ) {
                let edges = TableEdges { graph, quads, first: first as u32, m: m as u32, lanes_log2 };
                let count = edges.count(ticket, $table, $bytes);
                block_add_to(totals, u64::from(thread::block_idx_x()) % TOTALS, count);
            }
        );
    };
}

row_tables!(
    /// Tables with a bit for each of `ranks` ranks.
    row_tables_bits,
    4,
    ranks,
    (1..=MOST_BITS),
    u64::from(ranks),
    bits_bytes(ranks),
    Bits::of(ranks)
);

row_tables!(
    /// Tables of 2^`slots_log2` slots of 8 bits. There are at most 255 ranks for each slot.
    row_tables_8,
    3,
    slots_log2,
    SLOTS_LOG2,
    255 << slots_log2,
    tags_bytes(slots_log2, 1),
    Tags::<u8>::of(slots_log2)
);

row_tables!(
    /// Tables of 2^`slots_log2` slots of 16 bits. There are at most 65,535 ranks for each slot.
    row_tables_16,
    3,
    slots_log2,
    SLOTS_LOG2,
    65_535 << slots_log2,
    tags_bytes(slots_log2, 2),
    Tags::<u16>::of(slots_log2)
);
