//! Triangles, transitivity and mean clustering, each with an interval.

use super::ReportHead;
use crate::{Error, Result};

/// The options of an estimate.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct EstimateOptions {
    /// Half the width of an interval, as a share of the number: above 0 and below 1. 0.01 where nothing else is said.
    pub error: f64,
    /// How likely each interval is to cover its number: above 0 and below 1. 0.95 where nothing else is said.
    pub confidence: f64,
    /// What the random numbers begin from: an estimate of the same graph is the same with any number of threads. 1 where nothing else
    /// is said.
    pub seed: u64,
    /// Draw wedges even where all triangles would be found as soon.
    pub always_sample: bool,
}

impl Default for EstimateOptions {
    fn default() -> EstimateOptions {
        EstimateOptions { error: 0.01, confidence: 0.95, seed: 1, always_sample: false }
    }
}

impl EstimateOptions {
    /// Checks that the interval can be asked for.
    ///
    /// # Errors
    /// [`Error::Usage`] where a share is not above 0 and below 1.
    #[doc(hidden)]
    pub fn check(&self) -> Result<()> {
        let EstimateOptions { error, confidence, .. } = *self;
        for (name, share) in [("error", error), ("confidence", confidence)] {
            if !(share > 0.0 && share < 1.0) {
                let message = format!("the {name} is {share}, and must be above 0 and below 1");
                return Err(Error::Usage(message.into()));
            }
        }
        Ok(())
    }
}

/// A number and the interval that covers it. All three are equal where the number is exact.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Bounded<T> {
    /// The number.
    pub value: T,
    /// The lower end of the interval.
    pub low: T,
    /// The upper end of the interval.
    pub high: T,
}

impl<T: Copy> Bounded<T> {
    /// A number that is exact.
    pub fn exact(value: T) -> Bounded<T> {
        Bounded { value, low: value, high: value }
    }

    /// The numbers that a function makes of these three.
    pub fn map<U>(self, number: impl Fn(T) -> U) -> Bounded<U> {
        Bounded { value: number(self.value), low: number(self.low), high: number(self.high) }
    }
}

/// Triangles, transitivity and mean clustering coefficient of a graph, estimated or exact. Serialised, this is the object that
/// `tribin estimate --json` prints (docs/json.md); fields are added to it, never renamed or removed.
///
/// All figures are of the simple graph: directions dropped, duplicates merged, self-loops removed.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Estimate {
    /// The file, the device and the time.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub head: ReportHead,
    /// Vertices of degree > 0.
    pub vertices: u64,
    /// Undirected edges.
    pub edges: u64,
    /// Pairs of edges that share a vertex, exactly.
    pub wedges: u128,
    /// Triangles, each once.
    pub triangles: Bounded<u64>,
    /// 3 · triangles / wedges; 0 where there is no wedge.
    pub transitivity: Bounded<f64>,
    /// The mean of the local clustering coefficients of the vertices of degree > 0.
    pub average_clustering: Bounded<f64>,
    /// Half the width of an interval that was asked for, as a share of the number.
    pub error: f64,
    /// How likely each interval is to cover its number.
    pub confidence: f64,
    /// What the random numbers began from.
    pub seed: u64,
    /// Whether all triangles were found, so that nothing is estimated.
    pub exact: bool,
    /// Why wedges were drawn, or why all triangles were found instead.
    pub because: String,
    /// Wedges that were drawn for the triangles; 0 where they are exact.
    pub sampled_wedges: u64,
    /// Vertices of which a wedge was drawn for the mean coefficient; 0 where it is exact.
    pub sampled_vertices: u64,
}
