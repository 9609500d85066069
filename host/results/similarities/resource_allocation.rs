//! The resource allocation index of two vertices.

use super::{Similarity, SimilarityFormula};
use crate::{Definition, GraphKind};

/// The resource allocation index.
pub(super) const RESOURCE_ALLOCATION: Similarity = Similarity {
    definition: &Definition {
        name: "resource_allocation",
        needs: GraphKind::Plain,
        formula: "Σ 1 / d_w",
        meaning: "What the second vertex gets if the first sends one unit to each neighbour, and each of these shares it among its own.",
        source: "Tao Zhou, Linyuan Lü and Yi-Cheng Zhang, Predicting missing links via local information, 2009; NetworkX: resource_allocation_index",
    },
    formula: SimilarityFormula::Summed(|degree| 1.0 / f64::from(degree)),
};
