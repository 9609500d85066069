//! Graphs that device memory does not hold: a part of the rows is there at a time, and all rows behind it come past.
//!
//! The rows of consecutive ranks are a part. The edge u → v is taken in the part that has the row of v. Rows behind a part
//! are those of larger ranks, and an edge goes to a smaller rank, so that u's row comes past: every edge is taken once,
//! whatever the number of parts. So much the same is done out of core, with host memory in the
//! place of device memory.
//!
//! | what | module |
//! | --- | --- |
//! | where the rows come from: host memory, or a file | `source` |
//! | which rows are copied when, and the copies | `walk` |
//! | what is done with rows that come past | `find` |
//!
//! How large parts are, `plan/row_parts.rs` says.
//!
//! This crate is a part of [`tribin`](https://docs.rs/tribin) and makes no promises of its own: use that one.

mod source;

use tribin_base::{Result, control};
use tribin_graph::{self as graph};

use std::ops::Range;

use tribin_base::control::Context;
use tribin_plan::{Decision, Task};

pub use source::EdgeSums;
pub use source::{HostRows, RowSource};

/// A consumer of the numbers of triangles on edges, units of rows at a time.
pub trait EdgeNumbers: Send {
    /// Takes what a part adds to the edges of some units, in their order. Units without edges may be left out.
    ///
    /// # Errors
    /// What becomes of them.
    fn add(&mut self, units: Range<usize>, numbers: &[u32]) -> Result<()>;
}

/// No numbers: for tasks that find nothing on edges.
impl EdgeNumbers for () {
    fn add(&mut self, _: Range<usize>, _: &[u32]) -> Result<()> {
        Ok(())
    }
}

/// The result of a task that was found in parts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FoundInParts {
    /// Triangles, of [`Task::Count`].
    pub triangles: u64,
    /// Triangles at each rank, of [`Task::AtVertices`].
    pub at_ranks: Vec<u64>,
    /// Parts.
    pub parts: u64,
    /// Seconds of copies and work, by the device's clock.
    pub seconds: f64,
    /// How many rows were there at a time, and why; `None` where the CPU found it.
    pub decision: Option<Decision>,
    /// Seconds that counting was predicted to take, for a count.
    pub predicted_seconds: f64,
    /// Bytes of device memory that were predicted for the peak.
    pub predicted_bytes: u64,
    /// Bytes of device memory at the peak, where something meters them.
    pub peak_bytes: Option<u64>,
}

/// A device that finds what graphs have whose rows it does not hold.
pub trait PartsOnDevice: Send + Sync {
    /// The device, as `--device` takes it, and its name for people.
    fn names(&self) -> [String; 2];

    /// Finds the triangles, those at vertices, or those on edges, which go to `on_edges`. A piece of the rows has at most
    /// `piece_on_host` edges and rows, as far as units allow.
    ///
    /// # Errors
    /// What the device, the rows and the numbers' taker report; `Error::DeviceMemory` where
    /// not even the longest row fits, and `Error::Cancelled`.
    fn find_in_parts(
        &self,
        rows: &dyn RowSource,
        task: Task,
        on_edges: &mut dyn EdgeNumbers,
        piece_on_host: u64,
        context: &Context,
    ) -> Result<FoundInParts>;
}
