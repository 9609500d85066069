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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn bits(set: &BTreeSet<u32>, words: usize) -> Vec<u64> {
        let mut bits = vec![0; words];
        for &rank in set {
            bits[(rank / 64) as usize] |= 1 << (rank % 64);
        }
        bits
    }

    proptest! {
        #[test]
        fn every_method_counts_what_two_sets_share(
            a in prop::collection::btree_set(0u32..320, 0..100),
            b in prop::collection::btree_set(0u32..320, 0..100),
        ) {
            let expected = a.intersection(&b).count() as u64;
            let (list_a, list_b) = (Vec::from_iter(a.clone()), Vec::from_iter(b.clone()));
            prop_assert_eq!(merge(&list_a, &list_b), expected);
            prop_assert_eq!(gallop(&list_a, &list_b), expected);
            prop_assert_eq!(gallop(&list_b, &list_a), expected);
            prop_assert_eq!(test(&list_a, &bits(&b, 5)), expected);
            prop_assert_eq!(join(&bits(&a, 5), &bits(&b, 5)), expected);
        }

        #[test]
        fn bits_past_the_end_are_clear(list in prop::collection::btree_set(0u32..320, 0..100)) {
            let below = list.iter().filter(|&&rank| rank < 64).count() as u64;
            prop_assert_eq!(test(&Vec::from_iter(list), &[u64::MAX]), below);
        }
    }
}
