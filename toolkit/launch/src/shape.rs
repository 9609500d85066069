//! The shape of a launch.

/// How many threads run a kernel, and how much shared memory each block has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Blocks, from 1 to 2³¹ - 1.
    pub grid: u32,
    /// Threads in a block, from 1 to 1024.
    pub block: u32,
    /// Bytes of shared memory of each block.
    pub shared_bytes: u32,
}

impl Shape {
    /// `grid` blocks of `block` threads without shared memory.
    pub fn new(grid: u32, block: u32) -> Shape {
        Shape { grid, block, shared_bytes: 0 }
    }

    /// The same with `bytes` of shared memory a block.
    pub fn shared(self, bytes: u32) -> Shape {
        Shape { shared_bytes: bytes, ..self }
    }

    /// As many blocks of `block` threads as give every one of `items` a thread, at most `most` (the
    /// kernel then strides).
    pub fn cover(items: u64, block: u32, most: u32) -> Shape {
        let grid = items.div_ceil(u64::from(block)).clamp(1, u64::from(most));
        Shape::new(grid as u32, block)
    }
}
