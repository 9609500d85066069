//! Faults of the system, for tests.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The operation that fails.
#[derive(Debug)]
pub(super) struct Faults {
    left: AtomicU64,
    kind: io::ErrorKind,
}

impl Faults {
    /// None fails.
    pub fn none() -> Faults {
        Faults::at(u64::MAX, io::ErrorKind::Other)
    }

    /// The one after `left` others.
    pub fn at(left: u64, kind: io::ErrorKind) -> Faults {
        Faults { left: left.into(), kind }
    }

    /// Counts an operation.
    pub fn next(&self) -> io::Result<()> {
        match self.left.fetch_sub(1, Relaxed) {
            0 => Err(self.kind.into()),
            _ => Ok(()),
        }
    }
}
