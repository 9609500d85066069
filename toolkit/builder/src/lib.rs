//! Compiles kernels in Rust to one PTX module, and decides which PTX a build embeds.
//!
//! | module | what it answers |
//! | --- | --- |
//! | [`source`] | which files make the PTX, and their hash |
//! | [`toolchain`] | which rustc can compile them here |
//! | [`compile`] | the PTX that this rustc makes of them |
//! | [`ptx`] | the header, the kernels and the defects of a PTX file |
//! | [`embed`] | the committed PTX where it fits the sources, else a fresh one |
//!
//! `build.rs` calls [`embed::embed`]; `cargo xtask ptx` calls [`compile::compile`].

pub mod bounds;
pub mod compile;
pub mod embed;
mod error;
pub mod ptx;
pub mod source;
pub mod toolchain;

pub use error::Error;
