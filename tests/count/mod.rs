//! Counts that choose among the methods.

mod hybrid;
mod sample;
