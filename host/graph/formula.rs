//! Entries that follow from their numbers alone.

use crate::control::memory;
use crate::{Error, Result};

/// How the entries of a model follow from their numbers: what a device needs to make them itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Formula {
    /// The model, with its parameters.
    pub model: Model,
}

/// The models of which devices make entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Model {
    /// [`Rmat`](crate::generate::Rmat).
    Rmat {
        /// What the streams of random numbers begin from.
        base: u64,
        /// The state of the stream that shuffles the ids.
        shuffle: u64,
        /// There are 2^`scale` vertices.
        scale: u32,
        /// Where the quadrants b, c and d begin in 64 bits.
        starts: [u64; 3],
    },
}

impl Formula {
    /// Refuses a model whose vertices are kept when their edges are made here, if there is no memory for them.
    pub fn check_memory(self) -> Result<()> {
        let Model::Rmat { scale, .. } = self.model;
        check_memory(4 << scale)
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
