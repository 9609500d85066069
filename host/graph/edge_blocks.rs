//! Edges in blocks, each of which can be had on its own.

use super::Graph;
use crate::control::memory;
use crate::{Error, Result};

/// Edge entries in blocks, each of which can be had on its own and on any thread: what
/// `generate` makes and what a [`Graph`] in memory is.
pub trait EdgeBlocks: Sync {
    /// Every vertex is below this number.
    fn vertices(&self) -> u64;

    /// The number of entries in all blocks. May take as long as making them.
    fn entries(&self) -> u64;

    /// The number of blocks: of as many entries as a block has, where nothing else is said.
    fn blocks(&self) -> u64 {
        self.entries().div_ceil(BLOCK_ENTRIES)
    }

    /// Appends the entries of a block.
    ///
    /// # Panics
    /// May panic if `block` is not below [`blocks`](Self::blocks).
    fn block(&self, block: u64, edges: &mut Vec<[u32; 2]>);
}

/// Entries of a block where nothing else is said.
pub const BLOCK_ENTRIES: u64 = 1 << 16;

impl EdgeBlocks for Graph {
    fn vertices(&self) -> u64 {
        self.vertex_bound() as u64
    }

    fn entries(&self) -> u64 {
        self.edges().len() as u64
    }

    fn block(&self, block: u64, edges: &mut Vec<[u32; 2]>) {
        let from = (block * BLOCK_ENTRIES) as usize;
        let to = self.edges().len().min(from + BLOCK_ENTRIES as usize);
        edges.extend_from_slice(&self.edges()[from..to]);
    }
}

/// Refuses a model that keeps more bytes than there is memory for.
pub fn check_memory(bytes: u64) -> Result<()> {
    memory::check(bytes).map_err(|_| {
        let free =
            memory::available().map_or(String::new(), |free| format!(", and {free} are free"));
        let message = format!(
            "the model keeps {bytes} bytes in memory for its vertices{free}: ask for fewer vertices, or for a model that \
             keeps none, such as `erdos-renyi`"
        );
        Error::Input { file: "(generated)".into(), message: message.into() }
    })
}
