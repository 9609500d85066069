//! Entries that follow from their numbers alone.

/// How the entries of a model follow from their numbers: what a device needs to make them itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Formula {
    pub(crate) model: Model,
}

/// The models of which devices make entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Model {
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
