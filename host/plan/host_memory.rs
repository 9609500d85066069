//! How many bytes of host memory a count takes.

/// Bytes of host memory at the peak of a count on the CPU, predicted.
///
/// The peak is where entries, grouped words and sorted rows are there together: 20 bytes an entry, or 16 where
/// all are duplicates. Numbering ids of 64 bits takes more for a while.
pub(crate) fn on_host(
    entries: u64,
    vertices: u64,
    is_numbered: bool,
    threads: usize,
) -> HostMemory {
    let beside = HOST_REST + threads as u64 * HOST_THREAD;
    let prepare = |entry: u64| entry * entries + 28 * vertices;
    let numbered = if is_numbered { 32 * entries + 24 * vertices } else { 0 };
    HostMemory {
        least: prepare(16).max(numbered / 4 * 3) + beside / 2,
        most: prepare(20).max(numbered) + beside,
    }
}

/// Bytes of the program, and of the buffers that reading shares.
const HOST_REST: u64 = 16 << 20;

/// Bytes of a thread's stack, buffers and bitmaps.
const HOST_THREAD: u64 = 4 << 20;

/// Predicted host memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct HostMemory {
    /// Bytes that it takes at least.
    pub least: u64,
    /// Bytes that it takes at most.
    pub most: u64,
}

impl HostMemory {
    /// The same if the entries may be a share of `error` fewer or more.
    pub(crate) fn widened(self, error: f64) -> HostMemory {
        HostMemory {
            least: (self.least as f64 * (1.0 - error).max(0.0)) as u64,
            most: (self.most as f64 * (1.0 + error)) as u64,
        }
    }
}
