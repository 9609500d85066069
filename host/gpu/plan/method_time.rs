//! How long a counting method takes on a GPU.

use tribin_plan::time::{GPU_STEP, upload};

use super::facts::WedgeSample;

/// Seconds an edge, whatever the method: its ends and rows are read, on a GPU.
const GPU_EDGE: f64 = 5.0e-12;

/// The predicted time of a counting method on a GPU.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MethodSeconds {
    /// Seconds to sample the graph and to build what stands beside it.
    pub build: f64,
    /// Seconds to count.
    pub count: f64,
}

impl MethodSeconds {
    /// The time of a method that takes these picoseconds an edge.
    pub fn of_edges(sample: &WedgeSample, [build, count]: [f64; 2]) -> MethodSeconds {
        let edges = sample.edges as f64 * 1e-12;
        MethodSeconds { build: GPU_STEP + edges * build, count: GPU_STEP + edges * count }
    }

    /// Seconds of both.
    pub fn sum(self) -> f64 {
        self.build + self.count
    }
}

/// The rates on an NVIDIA H200 of a method whose time follows from the edges and the wedges alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rates {
    /// Seconds to build what stands beside the graph, for each of its edges.
    pub build: f64,
    /// Seconds to count, for each wedge of the oriented graph.
    pub count: f64,
}

/// Seconds to copy these bytes to a GPU in parts, and to merge what they have there at these rates.
pub fn in_parts(bytes: u64, edges: u64, wedges: u64, rates: Rates) -> f64 {
    upload(bytes) + wedges as f64 * rates.count + edges as f64 * GPU_EDGE
}

/// Seconds of a method with these rates on a GPU.
pub fn counting(sample: &WedgeSample, rates: Rates) -> MethodSeconds {
    let (edges, wedges) = (sample.edges as f64, sample.wedges as f64);
    MethodSeconds {
        build: GPU_STEP + edges * rates.build,
        count: GPU_STEP + wedges * rates.count + edges * GPU_EDGE,
    }
}
