//! The radix binning engine against plain Rust: in the emulator always, and on a GPU where there is one.

mod engine;
mod model;
mod options;
mod table_one;

pub use engine::check;
