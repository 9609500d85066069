//! What a measurement leaves, as the JSON has it.

use serde::{Deserialize, Serialize};

use tribin_count::Seconds;

/// The measurements of a run of `tribin bench`. Fields are added, never renamed or removed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BenchRecord {
    /// The version of tribin that measured.
    pub version: String,
    /// The command that measured.
    pub command: String,
    /// Timed runs of each engine.
    pub runs: usize,
    /// The devices that were measured on.
    pub devices: Vec<DeviceRecord>,
    /// The graphs that were measured.
    pub graphs: Vec<GraphRecord>,
}

/// A device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeviceRecord {
    /// The device as `--device` takes it: `cpu`, `gpu:0`, …
    pub device: String,
    /// The device's name, for example `NVIDIA H200`.
    pub name: String,
    /// CPU threads that host work ran on.
    pub threads: usize,
}

/// A graph with what every engine needed for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GraphRecord {
    /// File or generated graph.
    pub graph: String,
    /// The kind of a generated graph: graphs of one kind are of several sizes.
    pub kind: Option<String>,
    /// Edge entries, self-loops and duplicates included.
    pub entries: u64,
    /// Vertices of degree > 0.
    pub vertices: u64,
    /// Undirected edges of the simple graph.
    pub edges: u64,
    /// Triangles, each once; all engines agreed.
    pub triangles: u64,
    /// Pairs of edges that share a vertex.
    pub wedges: u128,
    /// The largest degree.
    pub max_degree: u64,
    /// One for each engine and device.
    pub results: Vec<Measured>,
    /// Engines that did not take the graph.
    #[serde(default)]
    pub refused: Vec<EngineRefusal>,
}

/// An engine that did not take a graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineRefusal {
    /// The counting method, as `--engine` takes it.
    pub engine: String,
    /// The device that the engine would have run on.
    pub device: String,
    /// Why not.
    pub reason: String,
}

/// An engine's figures on a graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The counting method, as `--engine` takes it.
    pub engine: String,
    /// The device that the engine ran on, as `--device` takes it.
    pub device: String,
    /// Where the time went.
    pub seconds: PhaseSeconds,
    /// Device memory at its peak, in bytes; `None` on the CPU.
    pub peak_device_bytes: Option<u64>,
}

/// Seconds of the phases, from edge entries in memory to the count.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PhaseSeconds {
    /// Seconds from host memory to the device's; 0 on the CPU.
    pub upload: Spread,
    /// Self-loops, duplicates and directions dropped.
    pub clean: Spread,
    /// Every edge pointed from its larger rank to its smaller.
    pub orient: Spread,
    /// The lists intersected.
    pub count: Spread,
    /// All of it; at least the sum of the phases of a run.
    pub total: Spread,
}

/// The median of samples, and how they are spread.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// The middle sample; of an even number, the mean of the two in the middle.
    pub median: f64,
    /// The least.
    pub least: f64,
    /// The most.
    pub most: f64,
    /// How many.
    pub runs: usize,
}

impl PhaseSeconds {
    /// The spread of each phase.
    pub(super) fn of(runs: &[Seconds]) -> PhaseSeconds {
        let spread = |phase: fn(&Seconds) -> f64| Spread::of(runs.iter().map(phase));
        PhaseSeconds {
            upload: spread(|seconds| seconds.upload),
            clean: spread(|seconds| seconds.clean),
            orient: spread(|seconds| seconds.orient),
            count: spread(|seconds| seconds.count),
            total: spread(|seconds| seconds.total),
        }
    }

    /// The phases by name, in their order, without `total`.
    pub fn phases(&self) -> [(&'static str, Spread); 4] {
        [
            ("upload", self.upload),
            ("orient", self.orient),
            ("clean", self.clean),
            ("count", self.count),
        ]
    }
}

impl Spread {
    fn of(samples: impl Iterator<Item = f64>) -> Spread {
        let mut sorted: Vec<f64> = samples.collect();
        sorted.sort_by(f64::total_cmp);
        let runs = sorted.len();
        let median = match runs {
            0 => 0.0,
            _ => (sorted[(runs - 1) / 2] + sorted[runs / 2]) / 2.0,
        };
        let (least, most) =
            (sorted.first().copied().unwrap_or(0.0), sorted.last().copied().unwrap_or(0.0));
        Spread { median, least, most, runs }
    }
}

impl GraphRecord {
    /// Edges of the simple graph a second, from entries in memory to the count.
    pub fn edges_per_second(&self, result: &Measured) -> f64 {
        self.edges as f64 / result.seconds.total.median
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreads() {
        let spread = |samples: &[f64]| Spread::of(samples.iter().copied());
        let of = |median, least, most, runs| Spread { median, least, most, runs };
        assert_eq!(spread(&[3.0, 1.0, 2.0]), of(2.0, 1.0, 3.0, 3));
        assert_eq!(spread(&[4.0, 1.0, 2.0, 9.0]), of(3.0, 1.0, 9.0, 4));
        assert_eq!(spread(&[5.0]), of(5.0, 5.0, 5.0, 1));
    }
}
