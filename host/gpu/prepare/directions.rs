//! Whether dropped duplicates were the other directions of edges, from the order of the entries alone.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use crate::graph::Summary;
use tribin_base::par;

/// Entries that a task looks at before it asks what the others found.
const CHUNK: usize = 1 << 16;

/// Some entry is no greater than the one before, first ends compared first.
const NOT_ASCENDING: u8 = 1;
/// Some entry is no greater than the one before, second ends compared first.
const NOT_ASCENDING_BY_SECOND: u8 = 2;
/// Some entry names its larger end first.
const NOT_UPWARD: u8 = 4;
/// Some entry names its smaller end first.
const NOT_DOWNWARD: u8 = 8;
const NOTHING_HOLDS: u8 = 15;

/// Fills in [`Summary::reciprocal_dropped`] where the order of the entries says it: no entry stands twice if they
/// ascend, so that all duplicates are other directions, and none is if all entries have one direction.
///
/// Files that hold both directions mostly ascend. One pass over the entries, and only where duplicates are not told
/// apart yet; entries in any other order end it within its first blocks.
pub fn tell(entries: &[[u32; 2]], figures: &mut Summary) {
    if figures.reciprocal_dropped.is_none() {
        figures.reciprocal_dropped = of_order(entries, figures.duplicates_dropped, CHUNK);
    }
}

fn of_order(entries: &[[u32; 2]], duplicates: u64, chunk: usize) -> Option<u64> {
    if duplicates == 0 {
        return Some(0);
    }
    let fails = AtomicU8::new(0);
    par::parallel_for(entries.len().div_ceil(chunk), &|index| {
        if fails.load(Relaxed) == NOTHING_HOLDS {
            return;
        }
        // The first entry is compared with the last one of the chunk before.
        let start = (index * chunk).saturating_sub(1);
        let chunk = &entries[start..entries.len().min((index + 1) * chunk)];
        let mut found = 0;
        for &[u, v] in chunk {
            found |= if u > v { NOT_UPWARD } else { 0 } | if u < v { NOT_DOWNWARD } else { 0 };
        }
        for pair in chunk.windows(2) {
            let &[[a, b], [u, v]] = pair else { unreachable!("windows of two") };
            found |= if (a, b) < (u, v) { 0 } else { NOT_ASCENDING };
            found |= if (b, a) < (v, u) { 0 } else { NOT_ASCENDING_BY_SECOND };
        }
        fails.fetch_or(found, Relaxed);
    });
    let fails = fails.into_inner();
    let holds = |what: u8| fails & what == 0;
    if holds(NOT_UPWARD) || holds(NOT_DOWNWARD) {
        Some(0)
    } else if holds(NOT_ASCENDING) || holds(NOT_ASCENDING_BY_SECOND) {
        Some(duplicates)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    fn by_sets(entries: &[[u32; 2]]) -> (u64, u64) {
        let proper = || entries.iter().filter(|[u, v]| u != v);
        let directed: HashSet<_> = proper().collect();
        let edges: HashSet<_> = proper().map(|&[u, v]| [u.min(v), u.max(v)]).collect();
        ((proper().count() - edges.len()) as u64, (directed.len() - edges.len()) as u64)
    }

    proptest! {
        #[test]
        fn what_the_order_says_is_what_sets_say(
            mut entries in prop::collection::vec(prop::array::uniform2(0u32..9), 0..60),
            form in 0..6,
            chunk in 1usize..9,
        ) {
            match form {
                0 => entries.sort_unstable(),
                1 => entries.sort_unstable_by_key(|&[u, v]| [v, u]),
                2 => entries.iter_mut().for_each(|entry| entry.sort_unstable()),
                3 => entries.iter_mut().for_each(|[u, v]| (*u, *v) = (*u.max(v), *u.min(v))),
                _ => {}
            }
            if form < 2 {
                entries.dedup();
            }
            let (duplicates, reciprocal) = by_sets(&entries);
            let told = of_order(&entries, duplicates, chunk);
            prop_assert!(told.is_none_or(|told| told == reciprocal), "{told:?}, {reciprocal}");
            prop_assert!(form > 3 || told.is_some());
        }
    }

    #[test]
    fn a_chunk_is_compared_with_the_one_before() {
        // Each chunk of two ascends, and an entry stands twice.
        let entries = [[0, 1], [1, 0], [0, 1], [2, 0]];
        assert_eq!(of_order(&entries, 2, 2), None);
        assert_eq!(of_order(&[[0, 1], [1, 0], [2, 0]], 1, 2), Some(1));
    }
}
