//! The intrinsics of a host build without the emulator: kernels can be launched on a GPU, and nothing runs their
//! bodies here.

use core::fmt;
use core::marker::PhantomData;
use core::panic::Location;

use warpwise_launch::{Arg, AtomicAccess, Element, Scope, Shuffle, WarpReduction};

fn absent() -> ! {
    unreachable!("this build has no emulator: switch on the feature `emulator` of warpwise-device")
}

/// A word of an atomic operation.
pub trait AtomicWord: Element {}

impl<T: Element> AtomicWord for T {}

/// Global memory.
pub struct Global<T: Element>(PhantomData<T>);

impl<T: Element> Clone for Global<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Element> Copy for Global<T> {}

impl<T: Element> Global<T> {
    pub fn from_arg(_: usize, _: &Arg) -> Self {
        absent()
    }

    pub fn load(self, _: u64) -> T {
        absent()
    }

    pub fn store(self, _: u64, _: T) {
        absent()
    }
}

/// Shared memory.
#[derive(Clone, Copy)]
pub struct SharedBase;

impl SharedBase {
    pub fn new(_: u32, _: u32) -> SharedBase {
        absent()
    }

    pub fn claim(self, _: &'static Location<'static>) {
        absent()
    }
}

/// Accesses to an array in shared memory.
pub trait SharedAccess: Copy {
    fn load<T: Element>(self, _: u32) -> T {
        absent()
    }

    fn store<T: Element>(self, _: u32, _: T) {
        absent()
    }

    fn atomic<T: AtomicWord>(self, _: u32, _: AtomicAccess<T>) -> T {
        absent()
    }
}

impl SharedAccess for SharedBase {}

pub type ClusterBase = SharedBase;

impl<T: AtomicWord> Global<T> {
    pub fn atomic(self, _: u64, _: AtomicAccess<T>, _: Option<Scope>) -> T {
        absent()
    }
}

pub fn copy_async<T: Element>(_: SharedBase, _: u32, _: Global<T>, _: u64) {
    absent()
}

pub fn bulk_copy<T: Element>(
    _: (SharedBase, u32),
    _: (Global<T>, u64),
    _: u32,
    _: (SharedBase, u32),
) {
    absent()
}

/// An intrinsic that nothing can call.
macro_rules! absent {
    ($($name:ident($($parameter:ty),*) $(-> $result:ty)?;)*) => {
        $(pub fn $name($(_: $parameter),*) $(-> $result)? {
            absent()
        })*
    };
}

absent! {
    thread_idx_x() -> u32;
    thread_idx_y() -> u32;
    thread_idx_z() -> u32;
    block_idx_x() -> u32;
    block_idx_y() -> u32;
    block_idx_z() -> u32;
    block_dim_x() -> u32;
    block_dim_y() -> u32;
    block_dim_z() -> u32;
    grid_dim_x() -> u32;
    grid_dim_y() -> u32;
    grid_dim_z() -> u32;
    cluster_rank() -> u32;
    cluster_size() -> u32;
    cluster_sync();
    of_block(SharedBase, u32) -> ClusterBase;
    lane_id() -> u32;
    lane_mask_lt() -> u32;
    active_mask() -> u32;
    device_fence();
    system_fence();
    pin_32(u32) -> u32;
    clock64() -> u64;
    globaltimer() -> u64;
    nanosleep(u32);
    trace(fmt::Arguments<'_>);
    sync_threads();
    sync_threads_count(bool) -> u32;
    sync_warp(u32);
    mbarrier_init(SharedBase, u32, u32);
    mbarrier_arrive(SharedBase, u32);
    mbarrier_wait(SharedBase, u32, u32);
    copy_async_commit();
    copy_async_wait(u32);
    warp_vote_ballot(u32, bool) -> u32;
    match_any_32(u32, u32) -> u32;
    match_any_64(u32, u64) -> u32;
    shuffle_32(u32, u32, Shuffle, u32) -> u32;
    shuffle_64(u32, u64, Shuffle, u32) -> u64;
    reduce(u32, u32, WarpReduction) -> u32;
    wgmma_f16(SharedBase, SharedBase, [f32; 64]) -> [f32; 64];
    wgmma_bf16(SharedBase, SharedBase, [f32; 64]) -> [f32; 64];
    mma_common_bits([u32; 4], [u32; 2], [u32; 4]) -> [u32; 4];
    mma_bytes([u32; 4], [u32; 2], [u32; 4]) -> [u32; 4];
    mma_signed_bytes([u32; 4], [u32; 2], [i32; 4]) -> [i32; 4];
    mma_f16([u32; 4], [u32; 2], [f32; 4]) -> [f32; 4];
    mma_bf16([u32; 4], [u32; 2], [f32; 4]) -> [f32; 4];
    mma_tf32([u32; 4], [u32; 2], [f32; 4]) -> [f32; 4];
}
