//! Sums of neighbours in a field of cells.

use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, shared, thread};

/// Cells of a tile along both axes, and threads of a block.
pub const TILE: u32 = 16;

/// A row of a tile, with a cell more at each end.
const ROW: u32 = TILE + 2;

/// Bytes of shared memory in a block.
pub const SHARED_BYTES: u32 = 4 * ROW * ROW;

kernel!(
    /// `after` is `weights[0]` times each cell of `before` and `weights[1]` times its four neighbours, which are zero outside of the
    /// field.
    ///
    /// Launch with `TILE` by `TILE` threads for each tile, and `SHARED_BYTES` of shared memory.
    #[requires(|shape|
        shape.block == (TILE, TILE).into(),
        shape.grid == (width.div_ceil(TILE), height.div_ceil(TILE)).into(),
        shape.shared_bytes >= SHARED_BYTES,
        before.len() >= u64::from(width) * u64::from(height),
        after.len() >= before.len(),
    )]
    pub unsafe fn stencil(
        before: In<f32>,
        after: InOut<f32>,
        width: u32,
        height: u32,
        weights: [f32; 2],
    ) {
        let tile = shared::array::<f32>(0, ROW * ROW);
        let left = thread::block_idx_x() * TILE;
        let top = thread::block_idx_y() * TILE;
        let place = |x: u32, y: u32| u64::from(y) * u64::from(width) + u64::from(x);
        let mut i = thread::index_in_block();
        while i < ROW * ROW {
            // One to the left of 0 is the largest number, which is outside, too.
            let (x, y) = ((left + i % ROW).wrapping_sub(1), (top + i / ROW).wrapping_sub(1));
            let is_inside = x < width && y < height;
            tile.set(i, if is_inside { before.get(place(x, y)) } else { 0.0 });
            i += TILE * TILE;
        }
        thread::sync_threads();
        let (x, y) = (thread::thread_idx_x(), thread::thread_idx_y());
        let at = (y + 1) * ROW + x + 1;
        if left + x < width && top + y < height {
            let around =
                tile.get(at - ROW) + tile.get(at - 1) + tile.get(at + 1) + tile.get(at + ROW);
            after.set(place(left + x, top + y), weights[0] * tile.get(at) + weights[1] * around);
        }
    }
);
