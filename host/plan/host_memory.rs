//! How many bytes of host memory a count takes.

use super::bytes::countable;

/// Bytes of host memory at the peak of a count on the CPU, predicted.
///
/// The peak is where entries, grouped words and sorted rows are there together: 20 bytes an entry, or 16 where
/// all are duplicates. Numbering ids of 64 bits takes more for a while.
pub fn on_host(entries: u64, vertices: u64, is_numbered: bool, threads: usize) -> HostMemory {
    let (entries, vertices) = (countable(entries), countable(vertices));
    let beside = HOST_REST + threads as u64 * HOST_THREAD;
    // How many ids there are is hard to tell from a sample: rarely over three times as many.
    let most_vertices = if is_numbered { (3 * vertices).min(2 * entries) } else { vertices };
    let prepare = |entry: u64, vertices: u64| entry * entries + 28 * vertices;
    let number = |vertices: u64| if is_numbered { 32 * entries + 24 * vertices } else { 0 };
    HostMemory {
        least: prepare(16, vertices).max(number(vertices) / 4 * 3) + beside / 2,
        most: prepare(20, most_vertices).max(number(most_vertices)) + beside,
    }
}

/// Bytes of the program, and of the buffers that reading shares.
pub(super) const HOST_REST: u64 = 16 << 20;

/// Bytes of a thread's stack, buffers and bitmaps.
pub(super) const HOST_THREAD: u64 = 4 << 20;

/// Predicted host memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct HostMemory {
    /// Bytes of host memory that the work takes at least.
    pub least: u64,
    /// Bytes of host memory that the work takes at most.
    pub most: u64,
}

impl HostMemory {
    /// Bytes for the entries alone, where a GPU does the rest.
    pub fn of_entries(entries: u64, is_numbered: bool) -> HostMemory {
        let each = if is_numbered { 32 } else { 8 };
        HostMemory::of_bytes(HOST_REST + each * countable(entries))
    }

    /// A plan of this many bytes.
    pub fn of_bytes(bytes: u64) -> HostMemory {
        HostMemory { least: bytes, most: bytes }
    }

    /// The plan where every edge has a number in the end: the numbers in the order of the rows, and the edges in that of
    /// the vertices, are there together.
    pub fn with_numbered_edges(self, entries: u64, vertices: u64) -> HostMemory {
        let edges = 29 * countable(entries) + 28 * countable(vertices) + HOST_REST;
        // Duplicates are no edges.
        self.or_at_most(edges)
    }

    /// The plan where it may take this many bytes too, at most.
    pub fn or_at_most(self, bytes: u64) -> HostMemory {
        HostMemory { least: self.least, most: self.most.max(bytes) }
    }

    /// The plan if the entries may be a share of `error` fewer or more.
    pub fn widened(self, error: f64) -> HostMemory {
        HostMemory {
            least: (self.least as f64 * (1.0 - error).max(0.0)) as u64,
            most: (self.most as f64 * (1.0 + error)) as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Peaks of `tribin count --device cpu --threads 2`, as the system saw them.
    #[test]
    fn measured_peaks_lie_within_the_bounds() {
        for (entries, vertices, is_numbered, peak) in [
            // 990 MiB of text of an R-MAT graph of scale 22, and 298 MiB of names.
            (67_108_864, 4_194_304, false, 1_403_600 << 10),
            (12_000_000, 1_454_850, true, 350_948 << 10),
        ] {
            let HostMemory { least, most } = on_host(entries, vertices, is_numbered, 2);
            assert!(least <= peak && peak <= most, "{least} {peak} {most}");
            assert!(most < 2 * least, "{least} {most}");
        }
    }

    /// The peak of `tribin support --device cpu --threads 2` of an R-MAT graph of scale 20, as the system saw it.
    #[test]
    fn numbered_edges_take_more_than_a_count() {
        let (entries, vertices) = (1 << 24, 1 << 20);
        let counted = on_host(entries, vertices, false, 2);
        let HostMemory { least, most } = counted.with_numbered_edges(entries, vertices);
        assert!(least == counted.least && most > counted.most);
        assert!(least <= 473_320 << 10 && 473_320 << 10 <= most, "{least} {most}");
    }

    /// What a header says may be any number.
    #[test]
    fn no_number_of_entries_or_vertices_is_too_large() {
        const MOST: u64 = 1 << 54;
        const REST: u64 = HOST_REST + 2 * HOST_THREAD;
        for (entries, vertices, is_numbered, most, with_edges) in [
            (u64::MAX, 0, false, 20 * MOST + REST, 29 * MOST + HOST_REST),
            (0, u64::MAX, false, 28 * MOST + REST, 28 * MOST + REST),
            (u64::MAX, u64::MAX, false, 48 * MOST + REST, 57 * MOST + HOST_REST),
            (u64::MAX, u64::MAX, true, 80 * MOST + REST, 80 * MOST + REST),
        ] {
            let memory = on_host(entries, vertices, is_numbered, 2);
            assert_eq!(memory.most, most, "{entries} {vertices} {is_numbered}");
            assert_eq!(memory.with_numbered_edges(entries, vertices).most, with_edges);
        }
        assert_eq!(HostMemory::of_entries(u64::MAX, true).most, 32 * MOST + HOST_REST);
    }

    #[test]
    fn an_error_widens_the_bounds() {
        let memory = HostMemory { least: 100, most: 200 };
        assert_eq!(memory.widened(0.5), HostMemory { least: 50, most: 300 });
        assert_eq!(memory.widened(0.0), memory);
        assert_eq!(memory.widened(2.0).least, 0);
    }
}
