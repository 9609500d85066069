//! Compiles GPU kernels in Rust to PTX from a build script, and keeps the PTX that is committed with
//! them fresh.
//!
//! A package whose kernels are in the module `src/kernels.rs` or `src/kernels/mod.rs` has this build
//! script:
//!
//! ```no_run
//! fn main() -> std::process::ExitCode {
//!     warpwise_ptx_builder::Builder::new("kernels").build()
//! }
//! ```
//!
//! and embeds the result with `include_str!(env!("KERNELS_PTX"))`. [`Builder`] says which PTX that is.
//!
//! | module | what it answers |
//! | --- | --- |
//! | [`kernels`] | what is compiled, for which GPUs, and where its PTX is committed |
//! | [`source`] | which files make the PTX, and their hash |
//! | [`toolchain`] | which rustc can compile them here |
//! | [`compile`](mod@compile) | the PTX that this rustc makes of them |
//! | [`committed`] | the PTX file beside the kernels, and whether it is of the sources |
//! | [`cubins`] | the machine code beside the PTX, and whether it is of the PTX |
//! | [`embed`](mod@embed) | the committed PTX where it is fresh, else a new one |
//! | [`check`] | traps, stack frames and generic accesses in PTX |
//! | [`ptxas`] | registers, shared memory and spills, by NVIDIA's assembler |

mod builder;
pub mod check;
pub mod committed;
pub mod compile;
pub mod cubins;
pub mod embed;
mod error;
pub mod kernels;
mod manifests;
pub mod ptx;
pub mod ptxas;
pub mod source;
mod text;
pub mod toolchain;

pub use builder::Builder;
pub use error::Error;
pub use kernels::{Dependency, KernelPackage, PtxTarget, Toolkit};
