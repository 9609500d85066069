use warpwise_device::memory::In;

/// The first number in `from..end` of which `below` does not hold, or `end`. It holds of all before and of none after.
#[inline(always)]
pub fn partition_point(mut from: u32, end: u32, below: impl Fn(u32) -> bool) -> u32 {
    let mut len = end - from;
    while len > 0 {
        let half = len / 2;
        let is_below = below(from + half);
        from = if is_below { from + half + 1 } else { from };
        len = if is_below { len - half - 1 } else { half };
    }
    from
}

/// The first place in `from..end` whose entry is at least `vertex`, or `end`.
#[inline(always)]
pub fn lower_bound(heads: In<u32>, from: u32, end: u32, vertex: u32) -> u32 {
    partition_point(from, end, |at| heads.get(u64::from(at)) < vertex)
}

/// The place in `from..end` whose entry is `vertex`.
#[inline(always)]
pub fn position(heads: In<u32>, from: u32, end: u32, vertex: u32) -> Option<u32> {
    let at = lower_bound(heads, from, end, vertex);
    (at < end && heads.get(u64::from(at)) == vertex).then_some(at)
}
