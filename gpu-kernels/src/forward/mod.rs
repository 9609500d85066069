//! Forward counting: the two-pointer merge of paper 004, section III-C, one thread an edge.

mod merge_or_search;

use core::ops::Range;

use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread};

pub use merge_or_search::merge_or_search;

use crate::primitives::{Lists, Oriented, block_add_to};

/// Threads in a block (004: the best of 32 to 1024, and still so).
pub const BLOCK: u32 = 64;

/// Blocks a multiprocessor. 004 used 8 and let every thread stride; with enough blocks for an edge
/// or two a thread, a long intersection holds up two warps and not a share of the whole graph.
pub const BLOCKS_PER_MULTIPROCESSOR: u32 = 1024;

/// Words that the counts of the blocks are spread over, so that additions do not queue at one.
pub const TOTALS: u64 = 256;

kernel!(
    /// Adds the number of triangles that the edges from place `first` to before `m` close to `totals`: over all
    /// edges, their sum is the count.
    ///
    /// Every third vertex of a triangle on edge i: u → a lies below a, so in u's row it stands before
    /// place i: the merge ends there, and half of u's rows are never read.
    ///
    /// As in 004 III-D3, a step reads only what it moves to, and it reads and compares two entries of a list at a time
    /// ([`merge_pairs`]; docs/measured.md has the variants). `pairs` are the heads, two to an element.
    ///
    /// A block's count is below 2⁶⁴, and so is the total: with m < 2³² edges there are at most
    /// (√2/3)·m^1.5 < 2⁴⁷ triangles.
    #[requires(
        graph.tails.len() >= m, graph.heads.len() >= m, pairs.len() >= m / 2, m < 1 << 32, totals.len() >= TOTALS,
    )]
    pub unsafe fn forward_merge(
        graph: Oriented,
        pairs: In<u64>,
        totals: InOut<u64>,
        first: u64,
        m: u64,
    ) {
        let mut count = 0;
        for i in thread::of_grid_from(first, m) {
            let Lists { prefix, row } = Lists::of(graph, i as u32);
            let of_prefix = (pairs, graph.heads, prefix);
            count += u64::from(merge_paired(i + 2 < m, of_prefix, (pairs, graph.heads, row)));
        }
        block_add_to(totals, u64::from(thread::block_idx_x()) % TOTALS, count);
    }
);

/// The triangles of the edge at place `i`: what stands before it in its row, merged with the row of
/// its head, an entry at a time.
#[inline(always)]
pub(crate) fn merge_edge(graph: Oriented, i: u32) -> u32 {
    let Lists { prefix, row } = Lists::of(graph, i);
    merge_lists((graph.heads, prefix), (graph.heads, row))
}

/// How many entries two lists share. Each is an array, and the places of its entries there: the part of a row before
/// an edge, and the row of the edge's head.
///
/// A step is twelve instructions long. Places are counted from the start of each list, whose address stays in registers. Matches
/// are not counted but found from the number of steps. Of the branches only the two reads and the end are left, so
/// that the lanes of a warp stay together.
#[inline(always)]
fn merge_lists(
    (prefixes, prefix): (In<u32>, Range<u32>),
    (rows, row): (In<u32>, Range<u32>),
) -> u32 {
    let (prefix_len, row_len) = (prefix.end - prefix.start, row.end - row.start);
    let (prefix, row) = (u64::from(prefix.start), u64::from(row.start));
    if prefix_len == 0 || row_len == 0 {
        return 0;
    }
    // Where a list ends, its next entry is read too. It is there: the prefix's is the edge itself, and
    // after a head's row comes a tail's.
    let (mut u, mut v, mut steps) = (0, 0, 0u32);
    let mut a = prefixes.get(prefix);
    let mut b = rows.get(row);
    loop {
        let (step_u, step_v) = (a <= b, b <= a);
        if step_u {
            u += 1;
            a = prefixes.get(prefix + u64::from(u));
        }
        if step_v {
            v += 1;
            b = rows.get(row + u64::from(v));
        }
        steps += 1;
        if u == prefix_len || v == row_len {
            break;
        }
    }
    // A step along both lists is one step for two: an entry that they share.
    u + v - steps
}

/// The same of arrays that come as pairs too: two entries at a time where `paired`, which needs a pair behind the prefix. Behind
/// the last two edges of an array there may be none.
#[inline(always)]
pub(crate) fn merge_paired(
    paired: bool,
    (prefix_pairs, prefixes, prefix): (In<u64>, In<u32>, Range<u32>),
    (row_pairs, rows, row): (In<u64>, In<u32>, Range<u32>),
) -> u32 {
    if paired {
        merge_pairs((prefix_pairs, prefix), (row_pairs, row))
    } else {
        merge_lists((prefixes, prefix), (rows, row))
    }
}

/// Larger than every entry of a list: an entry is the smaller rank of an edge.
const NO_ENTRY: u32 = u32::MAX;

/// The same as [`merge_lists`], two entries at a time: the lists are cut into pairs that begin at even places. Of the
/// two pairs at hand every entry is compared with both of the other, and the pair whose last entry is smaller makes way
/// for the next. So an entry that both lists have is seen once, when their pairs meet.
///
/// Both arrays come as pairs. Of a pair at either end of a list, only a part is the list's:
///
/// | beside | there stands | so |
/// | --- | --- | --- |
/// | the prefix's first | an entry of the row before | it becomes an entry that nothing is equal to |
/// | the prefix's last | the edge's head, which its own row has not | nothing has to be done |
/// | the row's first | an entry of the row before | it becomes the row's first: an entry equal to both counts once |
/// | the row's last | an entry of the next row | the row's last entry is looked up by itself, when all others are done |
///
/// Where a list ends, the pair behind its last is read too. So for an edge at place i the arrays go on up to place i + 2 and up
/// to the second behind the row. A step is twenty instructions long. It takes the place of up to two steps of twelve, and of
/// two reads.
#[inline(always)]
fn merge_pairs(
    (prefix_pairs, prefix): (In<u64>, Range<u32>),
    (row_pairs, row): (In<u64>, Range<u32>),
) -> u32 {
    let (prefix_len, row_len) = (prefix.end - prefix.start, row.end - row.start);
    let (prefix, row) = (u64::from(prefix.start), u64::from(row.start));
    if prefix_len == 0 || row_len == 0 {
        return 0;
    }
    let (prefix_odd, row_odd) = (prefix as u32 & 1, row as u32 & 1);
    let (prefix_first, row_first) = (prefix / 2, row / 2);
    // Pairs from the first on: below 2³¹, since a row has fewer than 2³² - 1 entries.
    let prefix_end = (prefix_odd + prefix_len).div_ceil(2);
    let whole = (row_odd + row_len) / 2;
    let (mut u, mut count) = (0, 0u32);
    let [mut a, mut b] = pair(prefix_pairs, prefix_first);
    if prefix_odd != 0 {
        a = NO_ENTRY;
    }
    let [mut c, mut d] = pair(row_pairs, row_first);
    if row_odd != 0 {
        c = d;
    }
    if whole > 0 {
        let mut v = 0;
        loop {
            if (a == c) | (a == d) {
                count += 1;
            }
            if (b == c) | (b == d) {
                count += 1;
            }
            let (step_u, step_v) = (b <= d, d <= b);
            if step_u {
                u += 1;
                [a, b] = pair(prefix_pairs, prefix_first + u64::from(u));
            }
            if step_v {
                v += 1;
                [c, d] = pair(row_pairs, row_first + u64::from(v));
            }
            if u == prefix_end || v == whole {
                break;
            }
        }
    }
    let row_is_left = (row_odd + row_len) % 2 != 0;
    if row_is_left && u < prefix_end {
        // The row's last entry is the first of the pair at hand.
        loop {
            if (a == c) | (b == c) {
                count += 1;
            }
            u += 1;
            if b >= c || u == prefix_end {
                break;
            }
            [a, b] = pair(prefix_pairs, prefix_first + u64::from(u));
        }
    }
    count
}

/// Two entries.
#[inline(always)]
fn pair(pairs: In<u64>, at: u64) -> [u32; 2] {
    let both = pairs.get(at);
    [both as u32, (both >> 32) as u32]
}
