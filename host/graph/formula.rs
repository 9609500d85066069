//! Entries that follow from their numbers alone.

use crate::control::memory;
use crate::{Error, Result};

/// The formula of the entries of an R-MAT graph by their numbers: what a device needs to make them itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Formula {
    /// What the streams of random numbers begin from.
    pub base: u64,
    /// The state of the stream that shuffles the ids.
    pub shuffle: u64,
    /// There are 2^`scale` vertices.
    pub scale: u32,
    /// Where the quadrants b, c and d begin in 64 bits.
    pub starts: [u64; 3],
}

impl Formula {
    /// Refuses a model whose vertices are kept when their edges are made here, if there is no memory for them.
    pub fn check_memory(self) -> Result<()> {
        check_memory(4 << self.scale)
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
