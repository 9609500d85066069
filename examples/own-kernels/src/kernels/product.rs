//! Products of matrices, tile by tile.

use warpwise_device::memory::{In, InOut};
use warpwise_device::shared::{Layout, Place};
use warpwise_device::{kernel, math, thread};

/// Rows and columns of a tile, and threads of a block along both axes.
pub const TILE: u32 = 16;

/// Where a block has a tile of each factor.
struct Tiles {
    a: Place<f32>,
    b: Place<f32>,
    bytes: u32,
}

const TILES: Tiles = {
    let (layout, a) = Layout::new().array(TILE * TILE);
    let (layout, b) = layout.array(TILE * TILE);
    Tiles { a, b, bytes: layout.bytes() }
};

/// Bytes of shared memory in a block.
pub const SHARED_BYTES: u32 = TILES.bytes;

kernel!(
    /// `c = a * b` for matrices of `n` rows and columns, row by row.
    ///
    /// Launch with `TILE` by `TILE` threads for each tile of `c`, and `SHARED_BYTES` of shared memory.
    #[requires(|shape|
        shape.block == (TILE, TILE).into(),
        shape.grid == (n.div_ceil(TILE), n.div_ceil(TILE)).into(),
        shape.shared_bytes >= SHARED_BYTES,
        a.len() >= u64::from(n) * u64::from(n),
        b.len() >= a.len(),
        c.len() >= a.len(),
    )]
    pub unsafe fn product(a: In<f32>, b: In<f32>, c: InOut<f32>, n: u32) {
        let (a_tile, b_tile) = (TILES.a.here(), TILES.b.here());
        let (x, y) = (thread::thread_idx_x(), thread::thread_idx_y());
        let [column, row] = thread::index_2d();
        let n = u64::from(n);
        // Outside of a matrix there are zeros.
        let element = |of: In<f32>, row: u64, column: u64| {
            if row < n && column < n { of.get(row * n + column) } else { 0.0 }
        };
        let mut sum = 0.0;
        let mut k = 0;
        while k < n {
            a_tile.set(y * TILE + x, element(a, row, k + u64::from(x)));
            b_tile.set(y * TILE + x, element(b, k + u64::from(y), column));
            thread::sync_threads();
            for i in 0..TILE {
                sum = math::fma(a_tile.get(y * TILE + i), b_tile.get(i * TILE + x), sum);
            }
            thread::sync_threads();
            k += u64::from(TILE);
        }
        if row < n && column < n {
            c.set(row * n + column, sum);
        }
    }
);
