//! The number of common neighbours.

use super::{Similarity, SimilarityFormula};
use crate::{Definition, EdgeFormula, GraphKind};

/// The number of common neighbours.
pub(super) const COMMON: Similarity = Similarity {
    definition: &Definition {
        name: "common",
        needs: GraphKind::Plain,
        formula: "s",
        meaning: "The number of common neighbours of both vertices.",
        source: "NetworkX: common_neighbors",
    },
    formula: SimilarityFormula::Common(EdgeFormula::Whole(|pair| pair.triangles.into())),
};
