//! What counting returns.

use std::time::Duration;

use super::found::{EngineCount, Figure, RanOn};
use super::over_ranks::OverRanks;
use crate::graph::Reading;
use crate::plan::{Explanation, OutOfCore};
use crate::{Disagreement, Error, Result};

/// The exact count of a graph, with the figures around it. Serialised, this is the object that
/// `tribin count --json` prints (docs/json.md); fields are added to it, never renamed or removed.
///
/// All figures are of the simple graph: directions dropped, duplicates merged, self-loops removed.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Count {
    /// The file as the user named it, `-` for standard input, `(memory)` for edges in memory.
    pub file: String,
    /// How a table of edges was read; `None` for a plain list of integers, and then left out of the JSON.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub reading: Option<Reading>,
    /// Vertices of degree > 0.
    pub vertices: u64,
    /// Undirected edges.
    pub edges: u64,
    /// Entries that joined a vertex to itself.
    pub self_loops_dropped: u64,
    /// Entries that repeated an edge, in either direction.
    pub duplicates_dropped: u64,
    /// Edges that were entered in both directions, each of them one duplicate; the other duplicates repeated an entry
    /// as it stood. `None` (JSON: `null`) where the engine did not tell them apart.
    pub reciprocal_dropped: Option<u64>,
    /// Triangles, each once.
    pub triangles: u64,
    /// Pairs of edges that share a vertex, Σ d(d-1)/2: a whole number of up to 95 bits, written in
    /// JSON with all its digits.
    pub wedges: u128,
    /// 3 · triangles / wedges, rounded to a double; 0 where there is no wedge.
    pub transitivity: f64,
    /// The largest degree.
    pub max_degree: u64,
    /// The counting method, as `--engine` takes it.
    pub engine: String,
    /// The device that counted, as `--device` takes it: `cpu`, `gpu:0`, …
    pub device: String,
    /// The device's name, for example `NVIDIA H200`.
    pub device_name: String,
    /// CPU threads that host work ran on.
    pub threads: usize,
    /// The independent engine that counted the same again, for example `edge-iterator on cpu`;
    /// `None` (JSON: `null`) where verification was not asked for.
    pub verified_by: Option<String>,
    /// What the engine did, in figures of its own: in JSON an object, which is left out where there are none.
    #[cfg_attr(
        feature = "serde",
        serde(skip_serializing_if = "Vec::is_empty", serialize_with = "super::found::as_object")
    )]
    pub figures: Vec<Figure>,
    /// The version of tribin that counted.
    pub version: &'static str,
    /// Bytes of device memory that were in use at the peak; `None` (JSON: `null`) on the CPU.
    pub peak_device_bytes: Option<u64>,
    /// The decisions on the way with their reasons, and what each step was predicted to take; `None` where it was not
    /// asked for, and then left out of the JSON.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub explanation: Option<Explanation>,
    /// What counting out of core took; `None` where all edges were in memory, and then left out of the JSON.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub out_of_core: Option<OutOfCore>,
    /// How several processes shared the count; `None` where one did all, and then left out of the JSON.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub over_ranks: Option<OverRanks>,
    /// Where the time went.
    pub seconds: Seconds,
}

/// Wall-clock seconds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Seconds {
    /// The time from opening the file to edges in memory: decompression and parsing. 0 for edges that were in
    /// memory already.
    pub read: f64,
    /// Directions, self-loops and duplicates dropped.
    pub clean: f64,
    /// The time from host memory to the device's; 0 on the CPU.
    pub upload: f64,
    /// Every edge pointed from its larger rank to its smaller.
    pub orient: f64,
    /// The lists intersected.
    pub count: f64,
    /// The time from opening the file to the count. At least the sum of the phases above.
    pub total: f64,
    /// Choosing and opening the device, once for all files of a run; not part of `total`.
    pub start_up: f64,
    /// The second count and the comparison; not part of `total`. 0 where it was not asked for.
    pub verify: f64,
}

/// The times that a [`Count`] has besides its engine's.
#[derive(Debug, Clone, Copy, Default)]
pub struct CountTimes {
    /// Reading the file.
    pub read: Duration,
    /// The time of the whole count.
    pub total: Duration,
    /// Taking the device into use.
    pub start_up: Duration,
}

impl Count {
    /// The report on what an engine found in the graph of this name.
    pub fn new(file: &str, ran_on: &RanOn, found: &EngineCount, around: CountTimes) -> Count {
        let EngineCount { triangles, summary: figures, seconds, .. } = *found;
        Count {
            file: file.to_owned(),
            reading: None,
            vertices: figures.vertices,
            edges: figures.edges,
            self_loops_dropped: figures.self_loops_dropped,
            duplicates_dropped: figures.duplicates_dropped,
            reciprocal_dropped: figures.reciprocal_dropped,
            triangles,
            wedges: figures.wedges,
            transitivity: transitivity(triangles, figures.wedges),
            max_degree: figures.max_degree,
            engine: ran_on.engine.clone(),
            device: ran_on.device.clone(),
            device_name: ran_on.device_name.clone(),
            threads: tribin_base::par::threads(),
            verified_by: None,
            figures: found.figures.clone(),
            version: env!("CARGO_PKG_VERSION"),
            seconds: Seconds {
                read: around.read.as_secs_f64(),
                clean: seconds.clean,
                upload: seconds.upload,
                orient: seconds.orient,
                count: seconds.count,
                total: around.total.as_secs_f64(),
                start_up: around.start_up.as_secs_f64(),
                verify: 0.0,
            },
            peak_device_bytes: found.explanation.peak_bytes,
            explanation: None,
            out_of_core: None,
            over_ranks: None,
        }
    }

    /// Every figure of two counts of the same graph must be the same.
    ///
    /// # Errors
    /// [`Error::Disagreement`], which names the first figure that differs.
    pub fn compare(&self, other: &Count) -> Result<()> {
        let figures = |count: &Count| {
            [
                ("triangles", Some(u128::from(count.triangles))),
                ("edges", Some(count.edges.into())),
                ("vertices", Some(count.vertices.into())),
                ("wedges", Some(count.wedges)),
                ("self-loops", Some(count.self_loops_dropped.into())),
                ("duplicates", Some(count.duplicates_dropped.into())),
                ("edges in both directions", count.reciprocal_dropped.map(u128::from)),
                ("as the largest degree", Some(count.max_degree.into())),
            ]
        };
        for ((figure, first), (_, second)) in figures(self).into_iter().zip(figures(other)) {
            // What one of the two did not find is not compared.
            let (Some(first), Some(second)) = (first, second) else { continue };
            if first != second {
                return Err(Error::Disagreement(Box::new(Disagreement {
                    file: self.file.clone(),
                    figure,
                    first_engine: self.full_engine_name(),
                    first,
                    second_engine: other.full_engine_name(),
                    second,
                    own_engine: false,
                })));
            }
        }
        Ok(())
    }

    /// Engine and device, for example `forward on cpu`.
    pub fn full_engine_name(&self) -> String {
        format!("{} on {}", self.engine, self.device)
    }

    /// Edges of the simple graph per second, from opening the file to the count.
    pub fn edges_per_second(&self) -> f64 {
        rate(self.edges, self.seconds.total)
    }

    /// Edges of the simple graph per second, from edges in memory to the count.
    pub fn edges_per_second_in_memory(&self) -> f64 {
        rate(self.edges, self.seconds.total - self.seconds.read)
    }
}

fn rate(edges: u64, seconds: f64) -> f64 {
    if seconds > 0.0 { edges as f64 / seconds } else { 0.0 }
}

/// Three roundings of 2⁻⁵³ each at most: the error is below 4 · 10⁻¹⁶ of the value.
pub fn transitivity(triangles: u64, wedges: u128) -> f64 {
    if wedges == 0 { 0.0 } else { (3 * u128::from(triangles)) as f64 / wedges as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transitivity_is_three_triangles_a_wedge() {
        assert_eq!(transitivity(45, 528), 135.0 / 528.0);
        assert_eq!(transitivity(1, 3), 1.0);
        // 3 · 2⁶³ passes 64 bits.
        assert_eq!(transitivity(1 << 63, 3 << 63), 1.0);
        assert_eq!(transitivity(0, 1 << 90), 0.0);
    }

    #[test]
    fn a_graph_without_wedges_has_transitivity_zero() {
        assert_eq!(transitivity(0, 0), 0.0);
    }
}
