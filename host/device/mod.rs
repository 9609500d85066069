//! What the engines run on.

pub mod cpu;
