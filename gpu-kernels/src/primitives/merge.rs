use tribin_device::memory::In;

/// Calls `found` with two places for each triangle on the edge at place `i`: where its third vertex
/// stands in the row of the edge's tail, before the edge itself, and where in the row of its head.
///
/// The merge of `forward_merge` (paper 004, section III-C), which only counts.
#[inline(always)]
pub unsafe fn merge_places(
    tails: In<u32>,
    heads: In<u32>,
    rows: In<u64>,
    i: u32,
    mut found: impl FnMut(u32, u32),
) {
    let tail_row = rows.get(u64::from(tails.get(u64::from(i))));
    let head_row = rows.get(u64::from(heads.get(u64::from(i))));
    let (mut u, u_end) = (tail_row as u32, i);
    let (mut v, v_end) = (head_row as u32, (head_row >> 32) as u32);
    while u < u_end && v < v_end {
        let a = heads.get(u64::from(u));
        let b = heads.get(u64::from(v));
        if a == b {
            found(u, v);
        }
        u += u32::from(a <= b);
        v += u32::from(b <= a);
    }
}
