//! Tests of GPU kernels: each case in the emulator under several seeds, and on a GPU where there is one.
//!
//! ```
//! use anyhow::Result;
//! use warpwise_device::launch::{Buffer, Shape};
//! use warpwise_device::memory::InOut;
//! use warpwise_device::{kernel, thread};
//! use warpwise_harness::{Case, Harness, TestDevice, ensure_holds, striding_shapes};
//!
//! kernel!(
//!     /// Adds one to each number.
//!     #[requires(numbers.len() >= n)]
//!     pub unsafe fn add_one(numbers: InOut<u32>, n: u64) {
//!         for i in thread::of_grid(n) {
//!             numbers.set(i, numbers.get(i) + 1);
//!         }
//!     }
//! );
//!
//! /// An input, and what is right for it.
//! #[derive(Debug)]
//! struct AddOne {
//!     n: u32,
//!     shape: Shape,
//! }
//!
//! impl Case for AddOne {
//!     fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
//!         let numbers: Vec<u32> = (0..self.n).collect();
//!         let expected: Vec<u32> = (1..=self.n).collect();
//!         let mut numbers = Buffer::from_host(device, &numbers)?;
//!         add_one(device, self.shape, numbers.view_mut(), self.n.into())?;
//!         ensure_holds("numbers", device, &numbers, &expected)
//!     }
//! }
//!
//! // A package with PTX says `Harness::new(my_kernels::PTX)`.
//! static KERNELS: Harness = Harness::emulator_only();
//!
//! KERNELS.kernel("add_one").everywhere(striding_shapes(1000, 64).map(|shape| AddOne { n: 1000, shape }));
//! ```
//!
//! A test that leaves something out says so on a line that begins with `skipped: ` or `skipped in part: `: Rust's test
//! harness has no such outcome. `cargo test -- --show-output` shows these lines.
//!
//! | variable | values | meaning |
//! | --- | --- | --- |
//! | `WARPWISE_TEST_DEVICES` | `all`, `emulator`, `gpu` | where cases run; with `gpu` a missing GPU is a failure |
//! | `WARPWISE_TEST_EFFORT` | `quick`, `full` | one of the seeds for each case (the default), or all of them |
//! | `WARPWISE_EMU_SEED` | a number | the emulator's only seed: what a failure prints |

mod case;
pub mod devices;
pub mod effort;
mod kernel;
pub mod planted;
mod shapes;
pub mod skip;

pub use case::{Case, TestDevice, ensure_holds};
pub use kernel::{Harness, Kernel};
#[cfg(feature = "proptest")]
pub use proptest;
pub use shapes::{covering_shapes, striding_shapes};
