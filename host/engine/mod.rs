//! The counting methods.

pub mod verify_cpu;
