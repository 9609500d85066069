//! What a kernel sees of a GPU, and what a host needs to launch it.
//!
//! A kernel is declared once, with [`kernel!`], against [`thread`], [`warp`], [`block`], [`grid`], [`cluster`], [`shared`], [`memory`],
//! [`math`], [`half`], [`async_copy`], [`bulk_copy`], [`matrix`] and [`warpgroup`].
//!
//! | built for | a declaration becomes | the intrinsics are |
//! | --- | --- | --- |
//! | `nvptx64-nvidia-cuda` | a `.visible .entry` of the PTX module | one PTX instruction each |
//! | anything else | a typed launch function, generic over [`launch::Device`] | the [`emulator`](emulated)'s |
//!
//! The launch function runs the PTX on a GPU or the same body, thread by thread, in the emulator:
//! which one is the device's business, never the kernel's.
//!
//! Without the feature `emulator`, which is on by default, a host can only launch on a GPU.
//!
//! # The contract of a kernel
//!
//! A body calls safe functions, and on a GPU nothing checks them: a check would be a branch in every access.
//! [`kernel!`] is the unsafe boundary instead. Whoever declares a kernel vouches for this, whenever the conditions of
//! `requires` hold:
//!
//! 1. Every index lies inside its array, and arrays of shared memory inside what the launch gives.
//! 2. What is read was written.
//! 3. Where two threads touch one element and one of them writes it, both accesses are atomic, or a barrier, a warp
//!    synchronisation, or fences with an atomic between order them.
//! 4. All threads of a block reach the same block-wide calls, and all lanes of a mask the same warp-wide calls, with
//!    the same mask.
//!
//! The emulator checks each point at every access and names the line that breaks it; see its
//! [module documentation](emulated) for what it cannot see. Values of [`memory::In`], [`memory::InOut`] and
//! [`shared::Shared`] exist in the bodies of kernels only, so that no other code can reach an unchecked access.
//!
//! # Types
//!
//! Buffers and shared memory hold `u8` to `u128`, `i8` to `i128`, `f32`, `f64`, arrays of these, and structures that
//! [`element!`] declares. Parameters are those up to 256 bytes, `bool`, [`memory::In`] and [`memory::InOut`], and groups that
//! [`parameters!`] declares. A `bool` in memory is a `u8`: not every byte is a `bool`. `usize` has another size on other machines.
//! Numbers of 16 bits are those of [`half`].
//!
//! # Names elsewhere
//!
//! The functions have the names of Rust-CUDA's `cuda_std` where it has the same thing. That is `cuda_std` in Rust-CUDA's
//! repository: the published 0.2.2 has no shuffles and votes. Beside them stand those of NVIDIA's cuda-oxide (CUDA Rust), of CUDA C++
//! and of CubeCL 0.11. Where an argument or a result differs, the table says so. A cell is empty where nothing of the kind was found.
//!
//! | here | `cuda_std` | cuda-oxide's `cuda_device` | CUDA C++ | CubeCL |
//! | --- | --- | --- | --- | --- |
//! | [`kernel!`]`(pub unsafe fn k(...) {...})` | `#[kernel] pub unsafe fn k(...)` | `#[kernel] pub fn k(...)` | `__global__ void k(...)` | `#[cube(launch)] fn k(...)` |
//! | `#[instances(u32, f64)]`, `#[instances(32, 64)]` | none | generic kernels | templates | generics, and `#[comptime]` arguments |
//! | `#[launch_bounds(t, b)]` | none | `#[launch_bounds(t, b)]` | `__launch_bounds__(t, b)` | |
//! | `#[requires(...)]` | none | `#[launch_contract(...)]`, of the shape alone | none | |
//! | [`memory::In<T>`](memory::In) | `&[T]` | `&[T]` | `const T* __restrict__` | `&[T]` |
//! | [`memory::InOut<T>`](memory::InOut) | `*mut T` | `DisjointSlice<T>`, or `*mut T` | `T*` | `&mut [T]` |
//! | [`thread::thread_idx_x`], `_y`, `_z` | `thread::thread_idx_x` | `thread::threadIdx_x` | `threadIdx.x` | `UNIT_POS_X` |
//! | [`thread::block_idx_x`], `_y`, `_z` | `thread::block_idx_x` | `thread::blockIdx_x` | `blockIdx.x` | `CUBE_POS_X` |
//! | [`thread::block_dim_x`], `_y`, `_z` | `thread::block_dim_x` | `thread::blockDim_x` | `blockDim.x` | `CUBE_DIM_X` |
//! | [`thread::grid_dim_x`], `_y`, `_z` | `thread::grid_dim_x` | `thread::gridDim_x` | `gridDim.x` | `CUBE_COUNT_X` |
//! | [`thread::index_1d`], a `u64` | `thread::index_1d`, a `u32` | `thread::index_1d`, a witness with `get()` | `blockIdx.x * blockDim.x + threadIdx.x` | `ABSOLUTE_POS_X` |
//! | [`thread::index_2d`], `[x, y]` | `thread::index_2d`, a vector | `thread::index_2d_row`, `index_2d_col` | by hand | `ABSOLUTE_POS_X`, `ABSOLUTE_POS_Y` |
//! | [`thread::sync_threads`] | `thread::sync_threads` | `thread::sync_threads` | `__syncthreads()` | `sync_cube` |
//! | [`thread::sync_threads_count`], `_and`, `_or` | the same | none | `__syncthreads_count()`, `_and`, `_or` | |
//! | [`grid::sync`], with a counter in global memory | none | `grid::sync` | `cooperative_groups::this_grid().sync()` | |
//! | [`thread::device_fence`] | `thread::device_fence` | `fence::threadfence` | `__threadfence()` | |
//! | [`thread::system_fence`] | `thread::system_fence` | `fence::threadfence_system` | `__threadfence_system()` | |
//! | [`thread::nanosleep`] | `thread::nanosleep` | `barrier::nanosleep` | `__nanosleep()` | |
//! | [`thread::clock64`], [`thread::globaltimer`] | `misc::clock`, none | none | `clock64()`, `%globaltimer` in PTX | |
//! | [`warp::lane_id`] | `warp::lane_id` | `warp::lane_id` | `threadIdx.x % 32` | `UNIT_POS_PLANE` |
//! | [`warp::active_mask`] | `warp::activemask` | `warp::active_mask` | `__activemask()` | |
//! | [`warp::sync_warp`] | `warp::sync_warp` | `warp::sync_mask` | `__syncwarp()` | `sync_plane` |
//! | [`warp::warp_shuffle_idx`]`(mask, value, lane)` | with a width, and whether the lane was there | `warp::shuffle(value, lane)` | `__shfl_sync` | `plane_shuffle(value, lane)` |
//! | [`warp::warp_shuffle_up`], `_down`, `_xor` | with a width, and whether the lane was there | `warp::shuffle_up`, `_down`, `_xor`; `_f32`, `_f64`, `_u64` | `__shfl_up_sync`, `_down`, `_xor` | `plane_shuffle_up`, `_down`, `_xor` |
//! | [`warp::warp_vote_all`], `_any`, `_ballot` | the same | `warp::all`, `any`, `ballot` | `__all_sync`, `__any_sync`, `__ballot_sync` | `plane_all`, `plane_any`, `plane_ballot` |
//! | [`warp::warp_match_any`] | `warp::warp_match_any` | `warp::match_any_sync` | `__match_any_sync` | |
//! | [`warp::warp_match_all`], a `bool` | `warp::warp_match_all`, an `Option<u32>` | `warp::match_all_sync` | `__match_all_sync` | |
//! | [`warp::warp_reduce_add_32`], `min`, `max`, `and`, `or`, `xor` | `warp::warp_reduce` with an operation | `warp::redux_sync_add`, … | `__reduce_add_sync`, … | `plane_sum`, `plane_min`, `plane_max` |
//! | [`shared::Layout`], [`shared::array`] | `shared_array!`, `shared::dynamic_shared_mem` | `SharedArray`, `DynamicSharedArray` | `__shared__`, `extern __shared__` | `Shared::new_slice` |
//! | [`InOut::atomic_add`](memory::InOut::atomic_add), … | `atomic::AtomicF32`, …, by scope | `atomic::DeviceAtomicU32::fetch_add`, … | `atomicAdd`, … | `Atomic::fetch_add`, … |
//! | [`InOut::atomic_compare_exchange`](memory::InOut::atomic_compare_exchange) | `compare_exchange` of those | `compare_exchange` of those | `atomicCAS` | `Atomic::compare_exchange_weak` |
//! | [`InOut::ordered`](memory::InOut::ordered), with a [`memory::Scope`] | an `Ordering` of those | an `Ordering` of those | `cuda::atomic_ref` | |
//! | [`async_copy::copy_async`], `_commit`, `_wait` | none | `async_copy` | `__pipeline_memcpy_async`, `_commit`, `_wait_prior` | `barrier::copy_async` |
//! | [`bulk_copy::bulk_copy`], [`bulk_copy::Mbarrier`], from sm_90 on | none | `tma`, `barrier` | `cuda::memcpy_async_tx`, `cuda::barrier` | |
//! | [`cluster::sync`], [`cluster::rank`], [`cluster::of_block`], from sm_90 on | none | `cluster::cluster_sync`, `block_rank`, `map_shared_rank` | `cluster.sync()`, `block_rank()`, `map_shared_rank()` | |
//! | [`half::F16`], [`half::Bf16`], [`half::F16x2`], [`half::Bf16x2`] | `half`'s types | none | `__half`, `__nv_bfloat16`, `__half2`, … | `half`'s types |
//! | [`matrix::mma_f16`], `_bf16`, `_tf32`, … | none | `wmma`, `mma` | `mma.sync` in PTX | `cmma` |
//! | [`warpgroup::wgmma_f16`], `_bf16`, for sm_90a | none | `wgmma` | `wgmma.mma_async` in PTX | |
//! | [`math::fma`], [`math::sqrt`], [`math::exp`], … | `GpuFloat`'s methods | `float`, `math` | `fmaf`, `sqrtf`, … | `fma`, `x.sqrt()`, … |
//! | [`trace!`], with a text of Rust | `println!` | `gpu_printf!` | `printf` | `debug_print!` |
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(
    target_arch = "nvptx64",
    feature(asm_experimental_arch, link_llvm_intrinsics, stdarch_nvptx),
    // The manifests of the device build have no features.
    allow(internal_features, unexpected_cfgs)
)]

#[cfg(all(not(target_arch = "nvptx64"), not(feature = "emulator")))]
mod absent;
mod accurate;
pub mod async_copy;
pub mod block;
pub mod bulk_copy;
pub mod cluster;
#[doc(hidden)]
#[cfg(not(target_arch = "nvptx64"))]
#[allow(missing_docs, reason = "the conditions of kernels alone use it")]
pub mod condition;
pub mod grid;
pub mod half;
mod kernel;
pub mod math;
pub mod matrix;
pub mod memory;
mod param;
#[cfg(target_arch = "nvptx64")]
mod ptx;
pub mod registers;
pub mod shared;
pub mod thread;
mod trace;
pub mod warp;
pub mod warpgroup;

#[cfg(all(not(target_arch = "nvptx64"), feature = "emulator"))]
pub use warpwise_emulator as emulated;
#[cfg(not(target_arch = "nvptx64"))]
pub use warpwise_launch as launch;

#[cfg(target_arch = "nvptx64")]
pub use param::Start;
#[cfg(not(target_arch = "nvptx64"))]
pub use param::{Args, OnHost};
pub use param::{InKernel, Param, Side};
#[doc(hidden)]
#[cfg(not(target_arch = "nvptx64"))]
pub use warpwise_checked::checked as __checked;
#[cfg(not(target_arch = "nvptx64"))]
pub use {kernel::__launch, param::__take_plain, trace::__write_trace};
#[doc(hidden)]
pub use {kernel::__takes, param::__layout};
#[doc(hidden)]
#[cfg(target_arch = "nvptx64")]
pub use {ptx::TracedLine, ptx::print_line, trace::c_format::c_format_capacity};

#[cfg(target_arch = "nvptx64")]
use ptx as imp;
#[cfg(all(not(target_arch = "nvptx64"), feature = "emulator"))]
use warpwise_emulator::intrinsics as imp;

#[cfg(all(not(target_arch = "nvptx64"), not(feature = "emulator")))]
use absent as imp;
