//! Preparing and counting on all threads of the CPU: what runs for each edge.
//!
//! | module | what is in it |
//! | --- | --- |
//! | [`prepare`] | from entries to an oriented graph |
//! | [`forward`] | for every oriented edge, the common entries of its two rows |
//! | [`cliques`] | cliques of k vertices, in the graph that each row's heads induce |
//!
//! This crate is a part of [`tribin`](https://docs.rs/tribin) and makes no promises of its own: use that one.

pub mod cliques;
pub mod forward;
pub mod prepare;

use tribin_base::{Error, Message, Result, control, hint};
use tribin_graph::{self as graph, Graph};
use tribin_plan as plan;
