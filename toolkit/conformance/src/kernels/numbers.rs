//! Numbers of every type in memory and as parameters; blocks and grids of several axes.

use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread};

kernel!(
    /// `y[i] = a * x[i] + y[i]` for every `i`.
    #[requires(|shape| x.len() == y.len(), shape.threads() >= y.len())]
    pub unsafe fn saxpy(a: f32, x: In<f32>, y: InOut<f32>, n: u64) {
        let i = thread::index_1d();
        if i < n {
            y.set(i, a * x.get(i) + y.get(i));
        }
    }
);

macro_rules! integers {
    ($($name:ident: $type:ty;)*) => {
        $(kernel!(
            /// `values[i] = values[i] * factor + 1`, modulo the word's range.
            #[requires(|shape| shape.threads() <= values.len())]
            pub unsafe fn $name(values: InOut<$type>, factor: $type) {
                let i = thread::index_1d();
                values.set(i, values.get(i).wrapping_mul(factor).wrapping_add(1));
            }
        );)*
    };
}

integers! {
    scale_u8: u8;
    scale_u16: u16;
    scale_u32: u32;
    scale_u64: u64;
    scale_i8: i8;
    scale_i16: i16;
    scale_i32: i32;
    scale_i64: i64;
}

kernel!(
    /// `values[i] = values[i] / divisor`.
    #[requires(|shape| shape.threads() <= values.len())]
    pub unsafe fn divide_f32(values: InOut<f32>, divisor: f32) {
        let i = thread::index_1d();
        values.set(i, values.get(i) / divisor);
    }

    /// `values[i] = values[i] / divisor`, in 64 bits.
    #[requires(|shape| shape.threads() <= values.len())]
    pub unsafe fn divide_f64(values: InOut<f64>, divisor: f64) {
        let i = thread::index_1d();
        values.set(i, values.get(i) / divisor);
    }

    /// Writes 1 where `flags` has one, or nowhere; the parameters come in an order that leaves gaps.
    #[requires(|shape| shape.threads() <= out.len(), flags.len() >= out.len())]
    pub unsafe fn select(
        enabled: bool,
        low: u8,
        flags: In<u8>,
        high: u64,
        out: InOut<u64>,
        last: i16,
    ) {
        let i = thread::index_1d();
        let chosen = enabled && flags.get(i) != 0;
        out.set(i, if chosen { high + u64::from(low) } else { last as u64 });
    }

    /// Every thread's place, in the order of the threads of a grid of three axes.
    #[requires(|shape| shape.threads() * 3 <= out.len())]
    pub unsafe fn places(out: InOut<u32>) {
        let [x, y, z] = thread::index_3d();
        let columns = thread::grid_size();
        let rows = u64::from(thread::grid_dim_y() * thread::block_dim_y());
        let i = 3 * ((z * rows + y) * columns + x);
        out.set(i, thread::index_in_block());
        out.set(i + 1, thread::block_size());
        let block = (thread::block_idx_z() * thread::grid_dim_y() + thread::block_idx_y())
            * thread::grid_dim_x()
            + thread::block_idx_x();
        out.set(i + 2, block * thread::grid_dim_z());
    }
);
