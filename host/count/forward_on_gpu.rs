//! The forward method on a GPU.

use super::engine::Engine;
use crate::Error;

/// Why no GPU can be used.
pub(super) enum Unusable {
    /// There is none, or no driver for it: nothing is broken.
    Absent(String),
    /// It is there, and failed.
    Failed(Error),
}

impl Unusable {
    /// The error for who asked for a GPU.
    pub(super) fn into_error(self) -> Error {
        match self {
            Unusable::Absent(why) => Error::Device(format!(
                "no GPU can be used: {why}; `tribin doctor` says more, `--device cpu` counts on the CPU"
            )),
            Unusable::Failed(error) => error,
        }
    }
}

/// Opens a GPU (the first where `ordinal` is `None`) and its forward engine.
pub(super) fn open(
    _ordinal: Option<u32>,
    _memory_limit: Option<u64>,
) -> Result<Box<dyn Engine>, Unusable> {
    Err(Unusable::Absent("no NVIDIA driver was found".into()))
}
