//! Which parts of the driver's memory are in use.
//!
//! The driver's pool joins what was given back in small parts by mapping it anew. On an H100 that takes 2 ms a GB, and 4 ms where
//! another GPU may read the memory. So buffers are parts of a few large chunks, and neighbours that are free are one.

use std::collections::BTreeMap;

/// Chunks of memory, and what of them is free. All sizes are in bytes.
#[derive(Default)]
pub(crate) struct Arena {
    /// The chunks by their first addresses.
    chunks: BTreeMap<u64, ArenaChunk>,
    used: u64,
    /// The most that was in use at a time.
    most_used: u64,
}

struct ArenaChunk {
    len: u64,
    /// The lengths of the free ranges by their first addresses. No two of them are neighbours.
    free: BTreeMap<u64, u64>,
}

impl Arena {
    /// Adds a chunk that nobody uses.
    pub fn add(&mut self, start: u64, len: u64) {
        self.chunks.insert(start, ArenaChunk { len, free: BTreeMap::from([(start, len)]) });
    }

    /// Takes `bytes` bytes into use, at the start of the shortest free range that is long enough. Linear in the number of free ranges.
    pub fn take(&mut self, bytes: u64) -> Option<u64> {
        let ranges = self.chunks.values_mut().flat_map(|chunk| {
            let shortest =
                chunk.free.iter().filter(|&(_, &len)| len >= bytes).min_by_key(|&(_, &len)| len);
            let (&start, &len) = shortest?;
            Some((len, start, &mut chunk.free))
        });
        let (len, start, free) = ranges.min_by_key(|&(len, start, _)| (len, start))?;
        free.remove(&start);
        if len > bytes {
            free.insert(start + bytes, len - bytes);
        }
        self.used += bytes;
        self.most_used = self.most_used.max(self.used);
        Some(start)
    }

    /// Gives back the `bytes` bytes that [`take`](Self::take) gave.
    ///
    /// # Panics
    /// If no chunk has it.
    pub fn give_back(&mut self, start: u64, bytes: u64) {
        let (_, chunk) = self.chunks.range_mut(..=start).next_back().expect("a chunk has it");
        let (mut first, mut end) = (start, start + bytes);
        if let Some((&before, &len)) = chunk.free.range(..start).next_back()
            && before + len == start
        {
            first = before;
        }
        if let Some(len) = chunk.free.remove(&end) {
            end += len;
        }
        chunk.free.insert(first, end - first);
        self.used -= bytes;
    }

    /// Takes out the chunks that nobody uses any part of: their first addresses.
    pub fn take_idle(&mut self) -> Vec<u64> {
        let is_idle =
            |&(start, chunk): &(&u64, &ArenaChunk)| chunk.free.get(start) == Some(&chunk.len);
        let idle: Vec<u64> = self.chunks.iter().filter(is_idle).map(|(&start, _)| start).collect();
        self.chunks.retain(|start, _| !idle.contains(start));
        idle
    }

    /// How many chunks there are.
    pub fn chunks(&self) -> usize {
        self.chunks.len()
    }

    /// Bytes of all chunks.
    pub fn bytes(&self) -> u64 {
        self.chunks.values().map(|chunk| chunk.len).sum()
    }

    /// Bytes in use.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// The most bytes that were in use at a time.
    pub fn most_used(&self) -> u64 {
        self.most_used
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_shortest_range_that_is_long_enough() {
        let mut arena = Arena::default();
        assert_eq!(arena.take(1), None);
        arena.add(1_000, 100);
        arena.add(2_000, 50);
        assert_eq!(arena.take(101), None);
        assert_eq!(arena.take(40), Some(2_000));
        assert_eq!(arena.take(40), Some(1_000));
        assert_eq!(arena.take(10), Some(2_040));
        assert_eq!(arena.take(60), Some(1_040));
        assert_eq!((arena.take(1), arena.used(), arena.bytes()), (None, 150, 150));
        assert_eq!(arena.take_idle(), []);
    }

    #[test]
    fn neighbours_that_are_free_are_one() {
        let mut arena = Arena::default();
        arena.add(0, 30);
        // A chunk beside it is another allocation.
        arena.add(30, 30);
        for start in [0, 10, 20, 30, 40, 50] {
            assert_eq!(arena.take(10), Some(start));
        }
        for start in [0, 20, 30] {
            arena.give_back(start, 10);
            assert_eq!(arena.take(11), None);
        }
        arena.give_back(10, 10);
        assert_eq!(arena.take(31), None);
        assert_eq!(arena.take(30), Some(0));
        arena.give_back(0, 30);
        assert_eq!((arena.take_idle(), arena.chunks(), arena.used()), (vec![0], 1, 20));
        assert_eq!(arena.most_used(), 60);
    }

    proptest! {
        /// Every byte of a chunk has one owner at most, and what all give back is whole again.
        #[test]
        fn no_two_ranges_overlap(
            chunks in prop::collection::vec(1u64..200, 1..4),
            steps in prop::collection::vec((1u64..60, any::<prop::sample::Index>(), any::<bool>()), 0..60),
        ) {
            let mut arena = Arena::default();
            for (number, &len) in chunks.iter().enumerate() {
                arena.add(1_000 * number as u64, len);
            }
            let mut taken: Vec<(u64, u64)> = Vec::new();
            for (bytes, index, takes) in steps {
                if takes {
                    let Some(start) = arena.take(bytes) else { continue };
                    let of = |other: u64| (other / 1_000, other % 1_000);
                    prop_assert!(of(start).1 + bytes <= chunks[of(start).0 as usize]);
                    prop_assert!(taken.iter().all(|&(other, len)| start + bytes <= other || other + len <= start));
                    taken.push((start, bytes));
                } else if !taken.is_empty() {
                    let (start, bytes) = taken.swap_remove(index.index(taken.len()));
                    arena.give_back(start, bytes);
                }
                prop_assert_eq!(arena.used(), taken.iter().map(|&(_, len)| len).sum::<u64>());
            }
            for (start, bytes) in taken {
                arena.give_back(start, bytes);
            }
            let all: Vec<u64> = (0..chunks.len() as u64).map(|number| 1_000 * number).collect();
            prop_assert_eq!(arena.take_idle(), all);
        }
    }
}
