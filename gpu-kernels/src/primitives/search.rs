use tribin_device::memory::In;

/// The first place in `from..end` whose entry is at least `vertex`, or `end`.
#[inline(always)]
pub fn lower_bound(heads: In<u32>, mut from: u32, end: u32, vertex: u32) -> u32 {
    let mut len = end - from;
    while len > 0 {
        let half = len / 2;
        let below = heads.get(u64::from(from + half)) < vertex;
        from = if below { from + half + 1 } else { from };
        len = if below { len - half - 1 } else { half };
    }
    from
}

/// Whether the entries in `from..end` have `vertex`.
#[inline(always)]
pub fn has_entry(heads: In<u32>, from: u32, end: u32, vertex: u32) -> bool {
    let at = lower_bound(heads, from, end, vertex);
    at < end && heads.get(u64::from(at)) == vertex
}
