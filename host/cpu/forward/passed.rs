//! What ranks are collected in that are to be looked up.

/// The number of ranks that are collected before they are looked up.
pub(super) const ROOM: usize = 1024;

/// The ranks, and what was there before.
#[derive(Debug)]
pub(super) struct Passed {
    // Only instructions that collect ranks read it.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    pub ranks: [u32; ROOM],
}

impl Default for Passed {
    fn default() -> Self {
        Passed { ranks: [0; ROOM] }
    }
}
