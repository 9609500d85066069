//! Preparing, counting and analytics on a GPU, or on several.
//!
//! | module | what is in it |
//! | --- | --- |
//! | [`device`] | GPUs with tribin's kernels, the thread that drives each, and teams of them |
//! | [`device_graph`] | graphs in device memory, and edges that others hold there |
//! | [`exchange`] | how devices bring each other what they have |
//! | [`plan`] | what to do, from facts alone |
//! | [`prepare`] | from entries to an oriented graph in device memory |
//! | [`methods`] | one module for each counting method |
//! | [`counting`] | runs the plan of a count |
//! | [`analytics`] | results at vertices and on edges, trusses, lists of triangles |
//! | [`parts`] | graphs of which the device holds a part of the rows at a time |
//!
//! This crate is a part of [`tribin`](https://docs.rs/tribin) and makes no promises of its own: use that one.

pub mod analytics;
pub mod counting;
pub mod device;
pub mod device_graph;
mod embedded;
pub mod exchange;
pub mod methods;
pub mod parts;
pub mod plan;
pub mod prepare;

use tribin_base::{Error, Message, Result, Work, control, hint, processor};
use tribin_graph::{self as graph, Graph, Summary};
