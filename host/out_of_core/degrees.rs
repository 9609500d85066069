//! How often each vertex is named, while the number of vertices is not known yet.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::control::memory;
use crate::plan::DEGREES;

/// Vertices of a chunk.
const CHUNK: usize = DEGREES;

/// Chunks of all vertices that 32 bits can call.
const CHUNKS: usize = 1 << (u32::BITS - CHUNK.trailing_zeros());

/// Entries at each vertex, self-loops left out, duplicates counted, modulo 2³². Memory grows with the vertices, a
/// chunk at a time, up to a limit: ids that are spread widely leave it at that, and are numbered later.
pub(super) struct Degrees {
    chunks: Vec<OnceLock<Vec<AtomicU32>>>,
    /// Chunks that may still be made.
    left: AtomicU64,
    gave_up: AtomicBool,
}

impl Degrees {
    /// Counters within some bytes of memory.
    pub fn within(bytes: u64) -> Degrees {
        let chunks = std::iter::repeat_with(OnceLock::new).take(CHUNKS).collect();
        let left = (bytes / (4 * CHUNK as u64)).max(1);
        Degrees { chunks, left: left.into(), gave_up: AtomicBool::new(false) }
    }

    /// Counts both ends of some entries.
    pub fn count(&self, entries: &[[u32; 2]]) {
        if self.gave_up.load(Relaxed) {
            return;
        }
        // Files are often grouped by one end: a run of one vertex is a single atomic addition.
        let mut runs = [(0u32, 0u32); 2];
        for ends in entries.iter().filter(|[u, v]| u != v) {
            for (&v, (run, length)) in ends.iter().zip(&mut runs) {
                if *run != v && *length > 0 {
                    self.add(*run, *length);
                    *length = 0;
                }
                *run = v;
                *length += 1;
            }
        }
        for (run, length) in runs {
            if length > 0 {
                self.add(run, length);
            }
        }
    }

    #[inline]
    fn add(&self, v: u32, times: u32) {
        let chunk = self.chunks[v as usize / CHUNK].get_or_init(|| self.chunk());
        if let Some(degree) = chunk.get(v as usize % CHUNK) {
            degree.fetch_add(times, Relaxed);
        }
    }

    /// A new chunk; an empty one where there is no memory for it.
    fn chunk(&self) -> Vec<AtomicU32> {
        let is_left = self.left.try_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_ok();
        if is_left && let Ok(zeros) = memory::with_capacity(CHUNK) {
            let mut chunk: Vec<AtomicU32> = zeros;
            chunk.resize_with(CHUNK, || AtomicU32::new(0));
            return chunk;
        }
        self.gave_up.store(true, Relaxed);
        Vec::new()
    }

    /// The degrees of the vertices below `bound`, in chunks of equal length; `None` where not all were counted, or
    /// the chunks of vertices without an entry do not fit either.
    pub fn finish(self, bound: u64) -> Option<Vec<Vec<u32>>> {
        let chunks = bound.div_ceil(CHUNK as u64) as usize;
        let missing = self.chunks[..chunks].iter().filter(|chunk| chunk.get().is_none()).count();
        if self.gave_up.into_inner() || missing as u64 > self.left.into_inner() {
            return None;
        }
        let own = |chunk: OnceLock<Vec<AtomicU32>>| match chunk.into_inner() {
            // As long as it was: in its own memory.
            Some(chunk) => Some(chunk.into_iter().map(AtomicU32::into_inner).collect()),
            None => memory::zeroed(CHUNK).ok(),
        };
        let mut degrees: Vec<Vec<u32>> =
            self.chunks.into_iter().take(chunks).map(own).collect::<Option<_>>()?;
        if let Some(last) = degrees.last_mut() {
            last.truncate(bound as usize - (chunks - 1) * CHUNK);
        }
        Some(degrees)
    }
}

/// The number that belongs to a vertex, of numbers in chunks.
#[inline(always)]
pub(super) fn of(chunks: &[Vec<u32>], v: u32) -> u32 {
    chunks[v as usize / CHUNK][v as usize % CHUNK]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_end_is_counted_across_chunks() {
        let far = 3 * CHUNK as u32 + 5;
        let degrees = Degrees::within(1 << 30);
        degrees.count(&[[0, 1], [0, 1], [far, 0], [far, far], [1, 0]]);
        let chunks = degrees.finish(u64::from(far) + 1).unwrap();
        assert_eq!(chunks.len(), 4);
        assert_eq!([0, 1, 2, far].map(|v| of(&chunks, v)), [4, 3, 0, 1]);
        assert_eq!(chunks.iter().map(Vec::len).sum::<usize>(), far as usize + 1);
    }

    #[test]
    fn ids_that_are_spread_widely_are_left_to_the_table() {
        let degrees = Degrees::within(2 << 20);
        degrees.count(&[[0, CHUNK as u32]]);
        degrees.count(&[[0, u32::MAX - 1], [0, 1]]);
        assert!(degrees.finish(1 << 32).is_none());
        // Two chunks were counted in, and a third between them does not fit.
        let degrees = Degrees::within(2 << 20);
        degrees.count(&[[0, 2 * CHUNK as u32]]);
        assert!(degrees.finish(2 * CHUNK as u64 + 1).is_none());
    }
}
