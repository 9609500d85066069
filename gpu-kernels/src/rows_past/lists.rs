use warpwise_device::memory::In;

use crate::primitives::Lists;

/// The lists of the edge at place `i`, of row `tail`. One is the part of its row before it, among the rows that come past. The other is the
/// row of its head, in the part; `None` if the part does not have that row.
#[inline(always)]
pub fn lists_past(
    (heads, starts, base): (In<u32>, In<u32>, u32),
    (part_starts, first_rank, rows): (In<u32>, u32, u64),
    tail: u32,
    i: u64,
) -> Option<Lists> {
    // Ranks below the first are 2³² above it, and beyond the last.
    let head = u64::from(heads.get(i).wrapping_sub(first_rank));
    if head >= rows {
        return None;
    }
    let prefix = starts.get(u64::from(tail)) - base..i as u32;
    Some(Lists { prefix, row: part_starts.get(head)..part_starts.get(head + 1) })
}
