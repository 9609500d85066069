//! The one door. What needs no GPU is tested beside its code.

mod failing;
mod gpu;
