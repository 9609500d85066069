//! Adamic and Adar's index of two vertices.

use super::{Similarity, SimilarityFormula};
use crate::{Definition, GraphKind};

/// Adamic and Adar's index.
pub(super) const ADAMIC_ADAR: Similarity = Similarity {
    definition: &Definition {
        name: "adamic_adar",
        needs: GraphKind::Plain,
        formula: "Σ 1 / ln(d_w)",
        meaning: "The common neighbours w of both vertices, each of which counts less the more neighbours it has.",
        source: "Lada Adamic and Eytan Adar, Friends and neighbors on the Web, 2003; NetworkX: adamic_adar_index",
    },
    // A common neighbour has two neighbours at least.
    formula: SimilarityFormula::Summed(|degree| 1.0 / f64::from(degree).ln()),
};
