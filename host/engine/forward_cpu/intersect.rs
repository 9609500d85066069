//! The ways to count what two rows have in common.

/// How many of `list` are set in `bits`. Ranks past the end of `bits` are not.
#[inline(always)]
pub(super) fn test(list: &[u32], bits: &[u64]) -> u64 {
    let bit = |rank: u32| bits.get((rank >> 6) as usize).map_or(0, |word| word >> (rank & 63) & 1);
    list.iter().map(|&rank| bit(rank)).sum()
}

/// How many ranks are set in both bitmaps.
#[inline(always)]
pub(super) fn join(a: &[u64], b: &[u64]) -> u64 {
    a.iter().zip(b).map(|(a, b)| u64::from((a & b).count_ones())).sum()
}

/// How many ranks two ascending lists have in common, by one walk along both.
#[inline(always)]
pub(super) fn merge(a: &[u32], b: &[u32]) -> u64 {
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i], b[j]);
        common += u64::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    common
}

/// How many of the ascending list `short` are in the ascending list `long`, by searches that
/// double their step from where the last one ended.
#[inline(always)]
pub(super) fn gallop(short: &[u32], mut long: &[u32]) -> u64 {
    let mut common = 0;
    for &rank in short {
        let mut step = 1;
        while step < long.len() && long[step] < rank {
            step *= 2;
        }
        let (from, to) = (step / 2, long.len().min(step + 1));
        let place = from + long[from..to].partition_point(|&other| other < rank);
        long = &long[place..];
        match long.first() {
            Some(&other) => common += u64::from(other == rank),
            None => break,
        }
    }
    common
}
