//! Clustering coefficients of weighted graphs.

use std::fmt;
use std::str::FromStr;

use crate::{Error, Result};

/// The definition of a clustering coefficient with weights.
///
/// In the table d is a vertex's degree, s the sum of its weights, w a weight, and ŵ a weight divided by the largest
/// of the graph. Sums are over the triangles of the vertex i and two neighbours j and k.
///
/// | weighting | coefficient | also in |
/// | --- | --- | --- |
/// | [`Onnela`](Weighting::Onnela) | 2 Σ ∛(ŵᵢⱼ ŵⱼₖ ŵₖᵢ) / (d (d - 1)) | NetworkX's `clustering` with `weight` |
/// | [`Barrat`](Weighting::Barrat) | Σ (wᵢⱼ + wᵢₖ) / (s (d - 1)) | igraph's `transitivity_local_undirected` with `weights` |
///
/// Both are the unweighted coefficient where all weights are equal and not 0. Without negative weights the relative
/// error is at most (√(2m) + 16) · 2⁻⁵³, for m edges.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Weighting {
    /// Onnela, Saramäki, Kertész and Kaski, "Intensity and coherence of motifs in weighted complex networks",
    /// Physical Review E 71, 2005.
    #[default]
    Onnela,
    /// Barrat, Barthélemy, Pastor-Satorras and Vespignani, "The architecture of complex weighted networks", PNAS
    /// 101, 2004.
    Barrat,
}

impl Weighting {
    /// All definitions.
    pub const ALL: [Weighting; 2] = [Weighting::Onnela, Weighting::Barrat];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Weighting::Onnela => "onnela",
            Weighting::Barrat => "barrat",
        }
    }
}

impl fmt::Display for Weighting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Weighting {
    type Err = Error;

    fn from_str(name: &str) -> Result<Weighting> {
        Weighting::ALL.into_iter().find(|weighting| weighting.name() == name).ok_or_else(|| {
            Error::Usage(format!("`{name}` is no weighting: use onnela or barrat").into())
        })
    }
}
