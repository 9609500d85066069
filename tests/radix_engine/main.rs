//! The radix binning engine against plain Rust: in the emulator always, and on a GPU where there is one.

#[path = "../support/devices.rs"]
mod devices;
#[path = "../generators/mod.rs"]
mod generators;
#[path = "../support/mod.rs"]
mod support;

mod engine;
mod model;
mod options;
mod table_one;
