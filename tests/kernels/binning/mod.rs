//! A level of binning on lists of any shape, each of its kernels against sequential loops.

mod count;
mod emit;
mod level;
mod scan;
mod scatter;
mod tail;
