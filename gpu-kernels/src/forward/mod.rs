//! Forward counting: the two-pointer merge of paper 004, section III-C, one thread an edge.

use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, thread};

use crate::primitives::block_add_to;

/// Threads in a block (004: the best of 32 to 1024, and still so).
pub const BLOCK: u32 = 64;

/// Blocks a multiprocessor. 004 used 8 and let every thread stride; with enough blocks for an edge
/// or two a thread, a long intersection holds up two warps and not a share of the whole graph.
pub const BLOCKS_PER_MULTIPROCESSOR: u32 = 1024;

/// Words that the counts of the blocks are spread over, so that additions do not queue at one.
pub const TOTALS: u64 = 256;

kernel! {
    /// Adds the number of triangles to `totals`: their sum is the count.
    ///
    /// Edge `i` goes from `tails[i]` to `heads[i]`, rows ascending; `rows[r]` holds row `r`'s first
    /// edge in its low half and one past its last in its high half, 0 for an empty row.
    ///
    /// Every third vertex of a triangle on edge i: u → a lies below a, so in u's row it stands before
    /// place i: the merge ends there, and half of u's rows are never read.
    ///
    /// As in 004 III-D3, a step reads only what it moves to. Places and comparisons are arithmetic on
    /// 32 bits, so that of a step's branches only the two reads and the end are left, and the lanes of
    /// a warp stay together (docs/measured.md has the variants).
    ///
    /// A block's count is below 2⁶⁴, and so is the total: with m < 2³² edges there are at most
    /// (√2/3)·m^1.5 < 2⁴⁷ triangles.
    pub fn forward_merge(
        tails: In<u32>, heads: In<u32>, rows: In<u64>, totals: InOut<u64>, m: u64
    )
    requires { tails.len() >= m, heads.len() >= m, m < 1 << 32, totals.len() >= TOTALS }
    {
        let stride = thread::grid_size();
        let mut count = 0;
        let mut i = thread::index_1d();
        while i < m {
            count += u64::from(merge_edge(tails, heads, rows, i as u32));
            i += stride;
        }
        block_add_to(totals, u64::from(thread::block_idx_x()) % TOTALS, count);
    }
}

kernel! {
    /// Adds the triangles of every `step`-th edge, from the first on, to `totals`: a thread for each.
    /// Otherwise as `forward_merge`.
    pub fn sample_merge(
        tails: In<u32>, heads: In<u32>, rows: In<u64>, totals: InOut<u64>, m: u64, step: u64
    )
    requires { tails.len() >= m, heads.len() >= m, m < 1 << 32, totals.len() >= TOTALS, step < 1 << 31 }
    {
        let i = thread::index_1d() * step;
        let mut count = 0;
        if i < m {
            count = u64::from(merge_edge(tails, heads, rows, i as u32));
        }
        block_add_to(totals, u64::from(thread::block_idx_x()) % TOTALS, count);
    }
}

/// The triangles of the edge at place `i`: what stands before it in its row, merged with the row of
/// its head.
#[inline(always)]
pub(crate) unsafe fn merge_edge(tails: In<u32>, heads: In<u32>, rows: In<u64>, i: u32) -> u32 {
    let tail_row = rows.get(u64::from(tails.get(u64::from(i))));
    let (mut u, u_end) = (tail_row as u32, i);
    // The first edge of a row has no prefix, and the other row is not asked for: 15% of the time on a
    // grid, where rows are short, and nothing lost elsewhere.
    if u == u_end {
        return 0;
    }
    let head_row = rows.get(u64::from(heads.get(u64::from(i))));
    let (mut v, v_end) = (head_row as u32, (head_row >> 32) as u32);
    // A row has fewer than 2³² entries, and so does what two rows share.
    let mut shared = 0u32;
    if v < v_end {
        let mut a = heads.get(u64::from(u));
        let mut b = heads.get(u64::from(v));
        loop {
            let (step_u, step_v) = (a <= b, b <= a);
            shared += u32::from(a == b);
            u += u32::from(step_u);
            v += u32::from(step_v);
            if u == u_end || v == v_end {
                break;
            }
            if step_u {
                a = heads.get(u64::from(u));
            }
            if step_v {
                b = heads.get(u64::from(v));
            }
        }
    }
    shared
}
