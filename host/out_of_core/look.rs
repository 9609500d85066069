//! How large a source is: its entries and its vertices, found by a pass that keeps none of them.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::{Called, no_memory};
use crate::Result;
use crate::control::memory;
use crate::graph::{EdgeSink, EdgeSource, EntryBlock, EntryIds, VertexIds, Visited};

/// Bits of the sketch of the ids: its size is that of a cache, and sixteen times as many ids are told to a few per cent.
const BITS: u32 = 23;

/// The figures that a pass over the source's entries found.
pub struct Looked {
    pub entries: u64,
    /// One more than the largest vertex; where ids are numbered, about how many there are.
    pub vertices: u64,
    pub is_numbered: bool,
    /// Whether `vertices` is an estimate.
    pub is_estimated: bool,
    pub visited: Visited,
}

/// Reads all of a source, in pieces of about `piece` bytes.
///
/// # Errors
/// As a count of it.
pub fn look(source: &dyn EdgeSource, piece: usize) -> Result<Looked> {
    let look = Look::new()?;
    let visited = source.visit(piece, &look)?;
    let entries = look.entries.load(Relaxed);
    let called = Called::of(&visited.ids, look.bound.load(Relaxed), entries);
    let has_names = match &visited.ids {
        EntryIds::Names => true,
        EntryIds::Indexes { ids, .. } => {
            !matches!(ids, VertexIds::Identity { .. } | VertexIds::OneBased { .. })
        }
        EntryIds::AsTheyAre | EntryIds::FromOne { .. } => false,
    };
    let is_estimated = called.is_numbered;
    let vertices = if is_estimated { look.distinct() } else { called.bound };
    let is_numbered = is_estimated || has_names;
    Ok(Looked { entries, vertices, is_numbered, is_estimated, visited })
}

struct Look {
    entries: AtomicU64,
    /// One more than the largest id; 2⁶⁴-1 where the id is.
    bound: AtomicU64,
    /// A bit for each value of a hash that some id has (Whang et al., "A linear-time probabilistic counting algorithm for
    /// database applications", 1990).
    seen: Vec<AtomicU64>,
}

impl Look {
    fn new() -> Result<Look> {
        let seen = memory::zeroed(1 << (BITS - 6)).map_err(no_memory)?;
        Ok(Look { entries: AtomicU64::new(0), bound: AtomicU64::new(0), seen })
    }

    fn count<T: Copy + Into<u64> + Ord>(&self, entries: &[[T; 2]]) {
        self.entries.fetch_add(entries.len() as u64, Relaxed);
        let ids = entries.as_flattened();
        if let Some(&max) = ids.iter().max() {
            self.bound.fetch_max(max.into().saturating_add(1), Relaxed);
        }
        for &id in ids {
            let hash = hash(id.into());
            let (word, bit) = (&self.seen[(hash / 64) as usize], 1 << (hash % 64));
            // Most ids were seen before, and a read is shared by all processors.
            if word.load(Relaxed) & bit == 0 {
                word.fetch_or(bit, Relaxed);
            }
        }
    }

    /// About how many ids are distinct.
    fn distinct(&self) -> u64 {
        let all = f64::from(1 << BITS);
        let seen: u64 =
            self.seen.iter().map(|word| u64::from(word.load(Relaxed).count_ones())).sum();
        // Without a free bit there is no estimate: as many as there can be.
        let most = 2 * self.entries.load(Relaxed);
        let free = all - seen as f64;
        if free < 1.0 { most } else { ((all * (all / free).ln()).round() as u64).min(most) }
    }
}

/// The leading bits of MurmurHash3's last step.
fn hash(id: u64) -> u64 {
    let mut mixed = (id ^ id >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    mixed = (mixed ^ mixed >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    (mixed ^ mixed >> 33) >> (u64::BITS - BITS)
}

impl EdgeSink for Look {
    fn take(&self, entries: EntryBlock) -> Result<()> {
        match entries {
            EntryBlock::Narrow(entries) => self.count(entries),
            EntryBlock::Wide(entries) => self.count(entries),
        }
        Ok(())
    }

    fn restart(&self) -> Result<()> {
        for number in self.seen.iter().chain([&self.entries, &self.bound]) {
            number.store(0, Relaxed);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Named;
    use tribin_graph::Graph;

    #[test]
    fn the_bound_of_dense_ids_is_exact() {
        let graph = Graph::from_edges([[0, 7], [7, 3], [3, 3]]);
        let looked = look(&Named { edges: &graph, name: "three" }, 1 << 16).unwrap();
        assert_eq!((looked.entries, looked.vertices), (3, 8));
        assert!(!looked.is_numbered && !looked.is_estimated);
    }

    /// A ring of 50,000 vertices whose ids are 40,000 apart.
    struct Gaps;

    impl EdgeSource for Gaps {
        fn name(&self) -> &str {
            "gaps"
        }

        fn visit(&self, _: usize, sink: &dyn EdgeSink) -> Result<Visited> {
            let edges: Vec<[u32; 2]> =
                (0..50_000).map(|i| [i * 40_000, (i + 1) % 50_000 * 40_000]).collect();
            sink.take(EntryBlock::Narrow(&edges))?;
            Ok(Visited::default())
        }
    }

    #[test]
    fn ids_with_gaps_are_counted_to_one_per_cent() {
        let looked = look(&Gaps, 1 << 16).unwrap();
        assert_eq!(looked.entries, 50_000);
        assert!(looked.is_numbered && looked.is_estimated);
        assert!(looked.vertices.abs_diff(50_000) < 500, "{}", looked.vertices);
    }

    #[test]
    fn a_source_that_begins_again_is_counted_once() {
        let look = Look::new().unwrap();
        look.take(EntryBlock::Wide(&[[1 << 40, 5]])).unwrap();
        look.restart().unwrap();
        look.take(EntryBlock::Narrow(&[[1, 2], [2, 1]])).unwrap();
        assert_eq!((look.entries.load(Relaxed), look.bound.load(Relaxed)), (2, 3));
        assert_eq!(look.distinct(), 2);
    }
}
