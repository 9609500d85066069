//! Atomic operations on global and shared memory.

use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, shared, thread};

macro_rules! integers {
    ($($global:ident, $shared:ident: $type:ty;)*) => {
        $(kernel!(
            /// Every thread applies each operation with its value: add, min, max, and, or, xor, an update
            /// by compare-exchange, and an exchange whose results are kept.
            #[requires(|shape| shape.threads() <= values.len(), words.len() >= 8, old.len() >= values.len())]
            pub unsafe fn $global(values: In<$type>, words: InOut<$type>, old: InOut<$type>) {
                let i = thread::index_1d();
                let value = values.get(i);
                words.atomic_add(0, value);
                words.atomic_min(1, value);
                words.atomic_max(2, value);
                words.atomic_and(3, value);
                words.atomic_or(4, value);
                words.atomic_xor(5, value);
                words.atomic_update(6, |word| word.wrapping_mul(value | 1));
                old.set(i, words.atomic_exchange(7, value));
            }

            /// The eight operations on words of shared memory, by one block.
            #[requires(
                |shape| shape.threads() <= values.len(), shape.grid.x == 1, words.len() >= 8,
                old.len() >= values.len(), shape.shared_bytes >= 8 * 8
            )]
            pub unsafe fn $shared(values: In<$type>, words: InOut<$type>, old: InOut<$type>) {
                let i = thread::thread_idx_x();
                let value = values.get(i.into());
                let local = shared::array::<$type>(0, 8);
                let mut w = i;
                while w < 8 {
                    local.set(w, words.get(w.into()));
                    w += thread::block_dim_x();
                }
                thread::sync_threads();
                local.atomic_add(0, value);
                local.atomic_min(1, value);
                local.atomic_max(2, value);
                local.atomic_and(3, value);
                local.atomic_or(4, value);
                local.atomic_xor(5, value);
                // The product, by hand: shared memory has no update.
                let mut expected = local.atomic_or(6, 0);
                loop {
                    let new = expected.wrapping_mul(value | 1);
                    let before = local.atomic_compare_exchange(6, expected, new);
                    if before == expected {
                        break;
                    }
                    expected = before;
                }
                old.set(i.into(), local.atomic_exchange(7, value));
                thread::sync_threads();
                let mut w = i;
                while w < 8 {
                    words.set(w.into(), local.get(w));
                    w += thread::block_dim_x();
                }
            }
        );)*
    };
}

integers! {
    atomics_u32, shared_atomics_u32: u32;
    atomics_i32, shared_atomics_i32: i32;
    atomics_u64, shared_atomics_u64: u64;
    atomics_i64, shared_atomics_i64: i64;
}

macro_rules! reals {
    ($($name:ident: $type:ty;)*) => {
        $(kernel!(
            /// Every thread adds its value and exchanges it, in global and in shared memory. The last thread of the
            /// block stores and loads.
            #[requires(
                |shape| shape.threads() <= values.len(), shape.grid.x == 1, words.len() >= 4,
                old.len() >= 2 * values.len(), shape.shared_bytes >= 16
            )]
            pub unsafe fn $name(values: In<$type>, words: InOut<$type>, old: InOut<$type>) {
                let (i, threads) = (thread::thread_idx_x(), thread::block_dim_x());
                let value = values.get(i.into());
                let local = shared::array::<$type>(0, 2);
                if i == 0 {
                    local.set(0, 0.0);
                    local.set(1, -1.0);
                }
                thread::sync_threads();
                words.atomic_add(0, value);
                old.set(i.into(), words.atomic_exchange(1, value));
                local.atomic_add(0, value);
                old.set((threads + i).into(), local.atomic_exchange(1, value));
                thread::sync_threads();
                if i == 0 {
                    words.atomic_store(2, local.get(0));
                    words.atomic_store(3, words.atomic_load(2) + local.get(1));
                }
            }
        );)*
    };
}

reals! {
    atomics_f32: f32;
    atomics_f64: f64;
}
