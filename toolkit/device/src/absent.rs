//! The intrinsics of a host build without the emulator: kernels can be launched on a GPU, and nothing runs their
//! bodies here.

use core::marker::PhantomData;

use tribin_launch::{Arg, Element};

fn absent() -> ! {
    unreachable!("this build has no emulator: switch on the feature `emulator` of tribin-device")
}

/// A word of an atomic operation.
pub trait AtomicWord: Copy + Eq {}

impl AtomicWord for u32 {}
impl AtomicWord for u64 {}

/// Global memory.
pub struct Global<T: Element>(PhantomData<T>);

impl<T: Element> Clone for Global<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Element> Copy for Global<T> {}

impl<T: Element> Global<T> {
    pub unsafe fn from_arg(_: usize, _: &Arg) -> Self {
        absent()
    }

    pub unsafe fn load(self, _: u64) -> T {
        absent()
    }

    pub unsafe fn store(self, _: u64, _: T) {
        absent()
    }
}

impl<T: Element + AtomicWord> Global<T> {
    pub unsafe fn atomic_add(self, _: u64, _: T) -> T {
        absent()
    }

    pub unsafe fn atomic_max(self, _: u64, _: T) -> T {
        absent()
    }

    pub unsafe fn atomic_or(self, _: u64, _: T) -> T {
        absent()
    }

    pub unsafe fn atomic_load(self, _: u64) -> T {
        absent()
    }

    pub unsafe fn atomic_store(self, _: u64, _: T) {
        absent()
    }
}

/// Shared memory.
#[derive(Clone, Copy)]
pub struct SharedBase;

pub unsafe fn shared_base(_: u32, _: u32) -> SharedBase {
    absent()
}

impl SharedBase {
    pub unsafe fn load_32(self, _: u32) -> u32 {
        absent()
    }

    pub unsafe fn store_32(self, _: u32, _: u32) {
        absent()
    }

    pub unsafe fn load_64(self, _: u32) -> u64 {
        absent()
    }

    pub unsafe fn store_64(self, _: u32, _: u64) {
        absent()
    }

    pub unsafe fn atomic_add_32(self, _: u32, _: u32) -> u32 {
        absent()
    }

    pub unsafe fn atomic_or_32(self, _: u32, _: u32) -> u32 {
        absent()
    }

    pub unsafe fn atomic_and_32(self, _: u32, _: u32) -> u32 {
        absent()
    }
}

/// An intrinsic that nothing can call.
macro_rules! absent {
    ($($name:ident($($parameter:ty),*) $(-> $result:ty)?;)*) => {
        $(pub fn $name($(_: $parameter),*) $(-> $result)? {
            absent()
        })*
    };
    (unsafe $($name:ident($($parameter:ty),*) $(-> $result:ty)?;)*) => {
        $(pub unsafe fn $name($(_: $parameter),*) $(-> $result)? {
            absent()
        })*
    };
}

absent! {
    thread_idx_x() -> u32;
    block_idx_x() -> u32;
    block_dim_x() -> u32;
    grid_dim_x() -> u32;
    lane_id() -> u32;
    lane_mask_lt() -> u32;
    device_fence();
    pin_32(u32) -> u32;
    nanosleep(u32);
}

absent! {
    unsafe
    sync_threads();
    sync_warp(u32);
    warp_vote_ballot(u32, bool) -> u32;
    match_any_32(u32, u32) -> u32;
    warp_shuffle_idx(u32, u32, u32) -> u32;
    warp_shuffle_up(u32, u32, u32) -> u32;
    warp_shuffle_down(u32, u32, u32) -> u32;
    warp_shuffle_xor(u32, u32, u32) -> u32;
    warp_reduce_add_32(u32, u32) -> u32;
    warp_reduce_max_32(u32, u32) -> u32;
    mma_common_bits([u32; 4], [u32; 2], [u32; 4]) -> [u32; 4];
    mma_bytes([u32; 4], [u32; 2], [u32; 4]) -> [u32; 4];
}
